"""A phone on a JVM as a `Device`: actions in, observations out, with the truth kept beside for scoring."""

import base64
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from waypost.adapters.framework.wire import Wire
from waypost.adapters.gestures import on_screen, swipe_points
from waypost.adapters.served import LAUNCHER
from waypost.adapters.trees import parse
from waypost.errors import DeviceError
from waypost.model import (
    Action,
    Capture,
    Element,
    Finish,
    ImageStatus,
    Launch,
    LongPress,
    Observation,
    Point,
    Press,
    Role,
    Screen,
    Swipe,
    Tap,
    TypeText,
    Wait,
)

__all__ = ["FrameworkDevice"]

_SWIPE = 400
"""Milliseconds that a finger takes over a swipe."""
_OUTSIDE = "com.waypost.outside"
"""Stands for any other app, which such a phone does not have."""
_HOME = ("home", LAUNCHER)


class FrameworkDevice:
    """One phone with one app. Its time passes only while something is done: every look is one at rest."""

    settles = True

    def __init__(self, address: str, *, clock: Callable[[], float] = time.time) -> None:
        self._wire = Wire(address)
        self._clock = clock
        self._seen_at = 0.0
        self._app = self._version = ""
        self._size = (0, 0)
        self._closed = False
        self._pages: dict[float, str] = {}
        self.left: tuple[str, ...] = ()
        """Intents by which the app was left, oldest first."""
        self.deaths: tuple[str, ...] = ()
        """What the app died of, oldest first, each with its trace."""

    @property
    def name(self) -> str:
        """The device as the command line writes it."""
        return f"framework:{self._wire.host}:{self._wire.port}"

    def app_version(self, app: str) -> str:
        """Return the version of the phone's app; empty for any other."""
        self._begin()
        return self._version if app == self._app else ""

    # The seam.

    def observe(self, *, pixels: bool = False) -> Observation:
        """Look; with a screenshot only where `pixels` asks for one. Raises DeviceError."""
        self._begin()
        told = self._wire.ask("look", pixels=pixels)
        self._seen_at = max(self._clock(), self._seen_at + 1e-6)
        self._pages[self._seen_at] = str(told["page"])
        self.left, self.deaths = tuple(told["left"]), tuple(told["deaths"])
        status, image = _picture(told) if pixels else (ImageStatus.NOT_ASKED, b"")
        return Observation(self._screen(told), image, status, self._seen_at)

    def perform(self, action: Action) -> None:
        """Do it, and return once the phone is at rest again. Raises DeviceError; ValueError for Finish."""
        if isinstance(action, Finish):
            raise ValueError("Finish is the actor's claim; a device never sees it")
        self._begin()
        match action:
            case Tap(at):
                self._touch("tap", at)
            case LongPress(at):
                self._touch("hold", at)
            case TypeText():
                self._type(action)
            case Swipe():
                start, end = (on_screen(p, self._size) for p in swipe_points(action, self._size))
                self._wire.ask("swipe", x=start[0], y=start[1], to_x=end[0], to_y=end[1], ms=_SWIPE)
            case Press(key):
                self._wire.ask(key)
            case Launch(app):
                self._launch(app)
            case Wait(seconds):
                self._wire.ask("wait", ms=round(max(0.0, seconds) * 1000))
            case Capture():
                pass

    def restart(self, app: str = "") -> None:
        """Kill the app and launch it afresh; its data stay."""
        self._begin()
        if app in _HOME:
            self._wire.ask("home")
            return
        self._named(app)
        self._wire.ask("restart")

    def close(self) -> None:
        """Hang up; the phone goes on. Calling it twice does no harm."""
        self._closed = True
        self._wire.close()

    def __enter__(self) -> "FrameworkDevice":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # The truth, for scoring; nothing of it is in a Screen.

    def page(self, seen_at: float) -> str:
        """The true page of a past look, by its time: activity, what it was started with, windows over it."""
        return self._pages[seen_at]

    def where(self) -> str:
        """The true page of the last look."""
        return self._pages.get(self._seen_at, "")

    def activities(self) -> tuple[str, ...]:
        """The activities that the app declares."""
        return tuple(map(str, self._wire.ask("hello")["activities"]))

    def open(self, activity: str) -> None:
        """Start an activity as `am start -n` does. Raises DeviceError."""
        self._begin()
        self._wire.ask("open", activity=activity)

    # Inside.

    def _begin(self) -> None:
        if self._closed:
            raise DeviceError(f"The device {self.name!r} was closed; open it anew")
        if not self._app:
            told = self._wire.ask("hello")
            self._app, self._version = str(told["app"]), str(told["version"])
            self._size = (int(told["size"][0]), int(told["size"][1]))

    def _named(self, app: str) -> None:
        if app not in ("", self._app):
            raise DeviceError(f"There is no app {app!r} on this phone; it has {self._app!r} alone")

    def _launch(self, app: str) -> None:
        if app in _HOME:
            self._wire.ask("home")
            return
        self._named(app)
        self._wire.ask("launch")

    def _screen(self, told: dict[str, Any]) -> Screen:
        seen = parse(str(told["tree"]), size=self._size).screen
        owner = str(told["owner"])
        placed = replace(seen, activity=str(told["activity"]), title=str(told["title"]))
        if owner == LAUNCHER:
            return replace(placed, app="home", overlay="")
        if owner in ("", self._app, _OUTSIDE):
            return replace(placed, app=owner or self._app, overlay="")
        return replace(placed, app=self._app, overlay=owner)

    def _touch(self, how: str, at: Point) -> None:
        x, y = on_screen(at, self._size)
        self._wire.ask(how, x=x, y=y)

    def _type(self, action: TypeText) -> None:
        if action.at is not None:
            self._touch("tap", action.at)
        if not self._wire.ask("type", text=action.text)["taken"]:
            raise DeviceError("There is no text field in focus; tap the field first")
        field = _focused(self._screen(self._wire.ask("look")))
        if field is not None and not _holds(field, action.text):
            shown = "other text" if field.password else repr(field.text[:80])
            raise DeviceError(f"The field did not take what was typed: it shows {shown}")
        if action.submit:
            self._wire.ask("enter")


def _picture(told: dict[str, Any]) -> tuple[ImageStatus, bytes]:
    if told["secure"]:
        return ImageStatus.SECURE, b""
    return ImageStatus.SHOWN, base64.b64decode(told["png"])


def _focused(screen: Screen) -> Element | None:
    return next((e for e in screen.visible() if e.focused and (e.role is Role.FIELD or e.password)), None)


def _holds(field: Element, text: str) -> bool:
    if field.password:
        return len(field.text) in (0, len(text))
    return " ".join(field.text.split()) == " ".join(text.split())
