"""Apps to the front and off it: a package, activity or web address in, the app seen in front out."""

import re
from collections.abc import Callable

from waypost.adapters.android import names
from waypost.adapters.android.phone import Phone
from waypost.adapters.android.shell import PATIENCE, Shell
from waypost.errors import DeviceError

__all__ = ["Launcher"]

_PATIENCE, _PAUSE = 40, 0.25
"""Looks at the foreground after a launch, and seconds between them."""
_SYSTEM = re.compile(r"^(android|com\.android\.systemui)$|permissioncontroller|packageinstaller")
"""Owners of dialogs that an app's start may bring up over it."""
_FAILED = re.compile(
    r"^(Error|java\.|Exception).*|.*(No activities found|monkey aborted|unable to resolve).*", re.M
)
_MAIN = ("-a", "android.intent.action.MAIN", "-c", "android.intent.category.LAUNCHER")


class Launcher:
    def __init__(self, shell: Shell, phone: Phone, rest: Callable[[float], None]) -> None:
        self._shell = shell
        self._phone = phone
        self._rest = rest

    def launch(self, app: str) -> None:
        """Bring an app to the front as its icon would, and see it there. Raises DeviceError."""
        if re.match(r"[A-Za-z][A-Za-z0-9+.\-]*:", app):
            self._started(["am", "start", "-a", "android.intent.action.VIEW", "-d", names.url(app)], app)
            return
        if "/" in app:
            wanted = names.component(app)
            self._started(["am", "start", "-n", wanted], app)
            self._in_front(wanted.partition("/")[0])
            return
        wanted = names.package(app)
        main = self._main(wanted)
        if main:
            # The flags that a launcher gives: the app's task comes back as it was left.
            self._started(["am", "start", *_MAIN, "-f", "0x10200000", "-n", main], app)
        else:
            self._started(["monkey", "-p", wanted, "-c", "android.intent.category.LAUNCHER", "1"], app)
        self._in_front(wanted)

    def restart(self, app: str) -> None:
        """Stop an app, then launch it; its data stay."""
        if not app:
            raise DeviceError("No app is in front that could be restarted; name one: adb:SERIAL/PACKAGE")
        if not re.match(r"https?:", app):
            self._shell.run(["am", "force-stop", names.package(app.partition("/")[0])])
        self.launch(app)

    def _main(self, package: str) -> str:
        said = self._text("cmd", "package", "resolve-activity", "--brief", *_MAIN, package)
        for row in reversed(said.splitlines()):
            if row.strip().startswith(f"{package}/"):
                return names.component(row.strip())
        return ""

    def _text(self, *words: str) -> str:
        return self._shell.run(list(words), seconds=PATIENCE).decode("utf-8", errors="replace")

    def _started(self, words: list[str], app: str) -> None:
        said = self._text(*words)
        if found := _FAILED.search(said):
            raise DeviceError(
                f"The phone did not start {app[:80]!r}: {found[0].strip()[:160]}; "
                "`adb shell pm list packages` names what is installed"
            )

    def _in_front(self, package: str) -> None:
        front = ""
        for turn in range(_PATIENCE):
            front = self._phone.state().focus.package
            # A dialog of the system lies over an app that has started.
            if front == package or (turn > 3 and _SYSTEM.search(front)):
                return
            self._rest(_PAUSE)
        raise DeviceError(f"{package!r} was started, but {front or 'nothing'!r} is in front")
