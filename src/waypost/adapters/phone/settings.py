"""What the phone can be asked about itself: properties and settings, as texts by name."""

import threading
from collections.abc import Mapping

__all__ = ["Settings", "properties"]

IMES = (
    "com.waypost.keyboard/.LatinIME",
    "com.android.adbkeyboard/.AdbIME",
    "com.github.uiautomator/.AdbKeyboard",
)
"""Keyboards of the phone: its own; ADBKeyBoard and uiautomator2's, which take text by broadcast."""
SDK = 34


class Settings:
    """The tables `system`, `secure` and `global`; what was never set reads as null."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tables: dict[str, dict[str, str]] = {
            "system": {
                "screen_brightness": "128",
                "screen_brightness_mode": "0",
                "accelerometer_rotation": "0",
                "user_rotation": "0",
                "screen_off_timeout": "600000",
                "time_12_24": "24",
                "font_scale": "1.0",
            },
            "secure": {
                "default_input_method": IMES[0],
                "enabled_input_methods": ":".join(IMES),
                "show_ime_with_hard_keyboard": "1",
                "android_id": "77617970 6f7374".replace(" ", ""),
                "accessibility_enabled": "0",
                "user_setup_complete": "1",
            },
            "global": {
                "airplane_mode_on": "0",
                "window_animation_scale": "0",
                "transition_animation_scale": "0",
                "animator_duration_scale": "0",
                "device_provisioned": "1",
                "adb_enabled": "1",
                "wifi_on": "1",
                "stay_on_while_plugged_in": "7",
                "device_name": "Waypost",
            },
        }

    def read(self, table: str, key: str) -> str | None:
        """Return a value; None where it was never set."""
        with self._lock:
            return self._tables.get(table, {}).get(key)

    def write(self, table: str, key: str, value: str | None) -> bool:
        """Set a value, or remove it with None; False where there is no such table."""
        with self._lock:
            if table not in self._tables:
                return False
            if value is None:
                self._tables[table].pop(key, None)
            else:
                self._tables[table][key] = value
            return True

    def table(self, table: str) -> Mapping[str, str] | None:
        """Return a whole table; None where there is none of that name."""
        with self._lock:
            return dict(self._tables[table]) if table in self._tables else None

    @property
    def keyboard(self) -> str:
        """The keyboard that is set."""
        return self.read("secure", "default_input_method") or IMES[0]


def properties(model: str, serial: str, density: int) -> dict[str, str]:
    """Return what `getprop` lists."""
    return {
        "dalvik.vm.heapsize": "512m",
        "init.svc.bootanim": "stopped",
        "persist.sys.locale": "en-US",
        "persist.sys.timezone": "UTC",
        "ro.build.characteristics": "default",
        "ro.build.display.id": "WAYPOST",
        "ro.build.fingerprint": "waypost/waypost/waypost:14/WAYPOST/1:userdebug/test-keys",
        "ro.build.type": "userdebug",
        "ro.build.version.codename": "REL",
        "ro.build.version.release": "14",
        "ro.build.version.sdk": str(SDK),
        "ro.debuggable": "1",
        "ro.hardware": "waypost",
        "ro.kernel.qemu": "0",
        "ro.product.brand": "Waypost",
        "ro.product.cpu.abi": "x86_64",
        "ro.product.cpu.abilist": "x86_64",
        "ro.product.device": "waypost",
        "ro.product.locale": "en-US",
        "ro.product.manufacturer": "Waypost",
        "ro.product.model": model,
        "ro.product.name": "waypost",
        "ro.secure": "1",
        "ro.serialno": serial,
        "ro.sf.lcd_density": str(density),
        "service.adb.tcp.port": "5555",
        "sys.boot_completed": "1",
        "dev.bootcomplete": "1",
    }
