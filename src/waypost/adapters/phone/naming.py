"""What a device calls its apps in, Android's names for them out, and back."""

import re
import threading
from collections.abc import Iterable
from dataclasses import dataclass

from waypost.adapters.served import MAIN, package_name

__all__ = ["App", "Names", "activity_name"]


@dataclass(frozen=True, slots=True)
class App:
    """Something that can be launched, in the device's own words."""

    app: str
    """What `Launch` and `Screen.app` call it."""
    version: str = "1.0"


class Names:
    """Packages by app and apps by package; apps that are first seen on the screen are added."""

    def __init__(self, apps: Iterable[App] = ()) -> None:
        self._lock = threading.Lock()
        self._package: dict[str, str] = {}
        self._app: dict[str, App] = {}
        self._hidden: set[str] = set()
        for app in apps:
            self.package(app.app, version=app.version)

    def package(self, app: str, *, version: str = "1.0", hidden: bool = False) -> str:
        """Return the package of an app; `hidden` keeps a system window's owner out of `packages`."""
        with self._lock:
            if app in self._package:
                return self._package[app]
            plain, package, n = package_name(app), package_name(app), 2
            while package in self._app:
                package, n = f"{plain}_{n}", n + 1
            self._package[app] = package
            self._app[package] = App(app, version)
            if hidden or app in ("", "home"):
                self._hidden.add(package)
            return package

    def app(self, package: str) -> App | None:
        """Return what a package is to the device; None where it is not installed."""
        with self._lock:
            return self._app.get(package)

    def packages(self) -> list[str]:
        """Name what is installed, sorted."""
        with self._lock:
            return sorted(set(self._app) - self._hidden)


def activity_name(activity: str, package: str) -> str:
    """Return a class name for what is showing: its own where it is one, `.Main` for addresses.

    >>> activity_name("com.pocket.mail.InboxActivity", "com.pocket.mail")
    'com.pocket.mail.InboxActivity'
    >>> activity_name("/accounts/7?q={x}", "web.localhost"), activity_name("", "a.b")
    ('.Main', '.Main')
    """
    last = activity.rpartition("/")[2] if activity.startswith(package + "/") else activity
    return last if re.fullmatch(r"\.?[A-Za-z_][\w$]*(\.[A-Za-z_$][\w$]*)*", last, re.ASCII) else MAIN
