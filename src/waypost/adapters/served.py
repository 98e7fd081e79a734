"""Names that a served device goes by on Android in, what they stand for out: one rule for both ends.

The phone that is served (`adapters/phone`) names web apps by it, and whoever drives that phone over adb
(`adapters/android`) knows them by it again.
"""

import re
from urllib.parse import urlsplit

__all__ = ["LAUNCHER", "MAIN", "OVERLAY", "overlay_owner", "package_name", "serves"]

LAUNCHER = "com.waypost.launcher"
"""Package of the home screen of a device that has none of its own."""
MAIN = ".Main"
"""Activity of what has none."""
OVERLAY = ".Overlay"
"""Activity of a window of the system that has none; the app's own has the focus below it."""
_PACKAGE = re.compile(r"[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+")


def package_name(app: str) -> str:
    """Return a valid package name for an app: its own where it is one.

    >>> package_name("com.pocket.mail"), package_name("http://127.0.0.1:5006")
    ('com.pocket.mail', 'web.h127_0_0_1.p5006')
    >>> package_name("https://app.example.com"), package_name("home"), package_name("")
    ('web.com.example.app', 'com.waypost.launcher', 'android')
    """
    if _PACKAGE.fullmatch(app):
        return app
    if app in ("", "home"):
        return LAUNCHER if app else "android"
    parts = urlsplit(app)
    host = parts.hostname or app
    labels = [host] if re.fullmatch(r"[\d.]+", host) or ":" in host else host.split(".")[::-1]
    names = [re.sub(r"[^a-z0-9_]", "_", name.casefold()) or "x" for name in labels]
    found = re.search(r":(\d+)$", parts.netloc)
    port = [f"p{found[1]}"] if found else []
    return ".".join(["web", *(n if n[0].isalpha() else f"h{n}" for n in names), *port])


def serves(package: str, app: str) -> bool:
    """Whether a package is what an app is served as; a number tells two of one name apart.

    >>> serves("web.h127_0_0_1.p5006", "http://127.0.0.1:5006"), serves("org.chromium", "http://a.b")
    (True, False)
    >>> serves("web.com.example.app_2", "http://app.example.com")
    True
    """
    return re.fullmatch(rf"{re.escape(package_name(app))}(_\d+)?", package) is not None


def overlay_owner(package: str) -> str:
    """Return what a device calls the owner of a window that lies over its app.

    >>> overlay_owner("web.javascript"), overlay_owner("com.android.permissioncontroller")
    ('javascript', 'com.android.permissioncontroller')
    """
    own = package.removeprefix("web.")
    return own if "." not in own and package_name(own) == package else package
