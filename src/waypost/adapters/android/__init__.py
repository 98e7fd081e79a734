"""Android phones over adb: a serial in, a `Device` out."""

from waypost.adapters.android.device import AndroidConfig, AndroidDevice
from waypost.adapters.android.health import Sign, phones
from waypost.adapters.android.shell import AdbShell, Shell

__all__ = ["AdbShell", "AndroidConfig", "AndroidDevice", "Shell", "Sign", "phones"]
