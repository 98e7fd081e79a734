"""Names that may reach a phone's command line in, the same names out; anything else is refused."""

import re

from waypost.errors import DeviceError

__all__ = ["component", "ime", "package", "url"]

_PACKAGE = r"[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)+"
_CLASS = r"\.?[A-Za-z_$][A-Za-z0-9_$]*(?:\.[A-Za-z_$][A-Za-z0-9_$]*)*"
_URL = re.compile(r"https?://[A-Za-z0-9.\-\[\]:]+(?:[/?#][A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]*)?")


def package(name: str) -> str:
    """Return a package name as it is. Raises DeviceError for what cannot be one.

    >>> package("com.android.settings")
    'com.android.settings'
    """
    return _held(name, _PACKAGE, "package")


def component(name: str) -> str:
    """Return `package/activity` as it is. Raises DeviceError for what cannot be one.

    >>> component("com.android.settings/.Settings$WifiActivity")
    'com.android.settings/.Settings$WifiActivity'
    """
    return _held(name, f"{_PACKAGE}/{_CLASS}", "activity")


def ime(name: str) -> str:
    """Return the id of an input method, which has the form of a component."""
    return _held(name, f"{_PACKAGE}/{_CLASS}", "input method")


def url(address: str) -> str:
    """Return a web address as it is; other schemes could call, send or install. Raises DeviceError.

    >>> url("https://example.org/a?b=1")
    'https://example.org/a?b=1'
    """
    if len(address) > 2000 or not _URL.fullmatch(address):
        raise DeviceError(f"{address[:80]!r} is no web address that a phone is asked to open; give http(s)")
    return address


def _held(name: str, pattern: str, what: str) -> str:
    if len(name) > 400 or not re.fullmatch(pattern, name):
        raise DeviceError(f"{name[:80]!r} is no {what} name")
    return name
