"""A real Android app on the real Android framework, run on a JVM by `worlds/framework`, as a `Device`."""

from waypost.adapters.framework.device import FrameworkDevice

__all__ = ["FrameworkDevice"]
