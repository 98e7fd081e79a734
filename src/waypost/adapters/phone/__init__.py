"""Any Waypost device served as an Android phone: adb, adbutils and uiautomator2 connect to it."""

from waypost.adapters.phone.handset import HandsetConfig
from waypost.adapters.phone.naming import App
from waypost.adapters.phone.phone import Phone

__all__ = ["App", "HandsetConfig", "Phone"]
