"""The phone itself: gestures, keys, apps and settings in, done to the device on the thread that owns it."""

import itertools
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from waypost.adapters.phone.drafts import Draft
from waypost.adapters.phone.naming import App, Names, activity_name
from waypost.adapters.phone.owner import Owner
from waypost.adapters.phone.settings import Settings, properties
from waypost.adapters.phone.streams import Stream
from waypost.adapters.served import LAUNCHER, MAIN, OVERLAY
from waypost.errors import DeviceError
from waypost.model import (
    Action,
    Direction,
    Element,
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
from waypost.protocols import Device

__all__ = ["Handset", "HandsetConfig", "Window", "density", "focused"]

T = TypeVar("T")
HOLD = 500
"""Milliseconds after which a finger that keeps still is a long press."""
_SLOP = 24
"""Pixels that a finger may stray and still be one that keeps still."""
_FRESH = 0.25
"""Seconds for which a look answers what is asked about it, as long as nothing is done in between."""
_TURNS, _PAUSE = 12, 0.25
"""Looks that a screen is given to come to rest, and seconds between them."""


@dataclass(frozen=True, slots=True)
class HandsetConfig:
    """What a served phone says of itself."""

    model: str = "Waypost"
    apps: tuple[App, ...] = ()
    """What is installed; apps seen on the screen are added."""
    back_hides_keyboard: bool = False
    """Whether the device's back key closes an open keyboard before anything else."""
    serial: str = "waypost"


@dataclass(frozen=True, slots=True)
class Window:
    """What is in front, in Android's words."""

    package: str
    activity: str
    screen: Screen
    under: str = ""
    """The app's own component, where a window of the system lies over it."""

    @property
    def component(self) -> str:
        return f"{self.package}/{self.activity}"

    @property
    def app(self) -> str:
        """Component of the app that has the focus, whatever window lies over it."""
        return self.under or self.component


@dataclass(slots=True)
class _Typing:
    """What was typed last, and where: so that the caret and a masked text are known again."""

    place: tuple[object, ...] = ()
    draft: Draft = field(default_factory=lambda: Draft("", 0))


class Handset:
    """A `Device` as a person holds it. Every method may be called from any thread."""

    def __init__(
        self,
        device: Device,
        config: HandsetConfig,
        *,
        clock: Callable[[], float],
        note: Callable[[str], None],
    ) -> None:
        self.config = config
        self.clock = clock
        self.started = clock()
        self.names = Names(config.apps)
        self.note = note
        self.clipboard = ""
        self.awake = True
        self.settings = Settings()
        self._servers: dict[int, Callable[[Stream], None]] = {}
        self._owner = Owner(device)
        self._pids: dict[str, int] = {}
        self._numbers = itertools.count(2100, 37)
        self._lock = threading.Lock()
        self._stopped: set[str] = set()
        self._last: tuple[float, Observation] | None = None
        self._unread = False
        """Whether no dump was made yet of the last look."""
        self._secure: Screen | None = None
        self._typing = _Typing()
        self._kept: tuple[object, ...] = ()
        """The field that keeps Android's focus with its keyboard hidden, though the device lets go of it."""
        self._down: tuple[Point, float] | None = None

    def properties(self) -> dict[str, str]:
        """Return what `getprop` lists."""
        last = self._last
        size = last[1].screen.size if last is not None else (1080, 2400)
        return properties(self.config.model, self.config.serial, density(size))

    def close(self) -> None:
        """Let go of the device; calling it twice does no harm."""
        self._owner.close()

    # Looking.

    def look(self, gone: threading.Event | None = None, *, pixels: bool = False) -> Observation:
        """Look now. Raises DeviceError."""

        def work(device: Device) -> Observation:
            seen = device.observe(pixels=pixels)
            if pixels:
                self._secure = seen.screen if seen.image_status is ImageStatus.SECURE else None
            self._last, self._unread = (self.clock(), seen), True
            return seen

        return self._owner.call(work, gone)

    def at_rest(self, gone: threading.Event | None = None) -> Observation | None:
        """Look once the screen holds still; None where it never does. Raises DeviceError.

        A look that was just taken to say what is in front is good enough, once.
        """
        last, unread = self._last, self._unread
        fresh = last is not None and unread and 0 <= self.clock() - last[0] <= _FRESH
        seen = last[1] if last is not None and fresh else self.look(gone)
        for _ in range(_TURNS):
            self._unread = False
            if self._owner.call(lambda device: bool(getattr(device, "settles", False)), gone):
                return seen
            self._owner.call(lambda device: device.perform(Wait(_PAUSE)), gone)
            before, seen = seen, self.look(gone)
            if _outline(before.screen) == _outline(seen.screen):
                self._unread = False
                return seen
        return None

    def window(self, gone: threading.Event | None = None) -> Window:
        """Say what is in front, by a look that is at most a moment old. Raises DeviceError."""
        last = self._last
        if last is None or not 0 <= self.clock() - last[0] <= _FRESH:
            last = (0.0, self.look(gone))
        return self.windowed(last[1].screen)

    def windowed(self, screen: Screen) -> Window:
        """Name the window that a screen shows."""
        package = self.names.package(screen.app)
        self._alive(package)
        if not screen.overlay:
            return Window(package, activity_name(screen.activity, package), screen)
        owner = self.names.package(screen.overlay, hidden=True)
        theirs = screen.activity.startswith(f"{owner}.")
        front = activity_name(screen.activity, owner) if theirs else OVERLAY
        below = MAIN if theirs else activity_name(screen.activity, package)
        return Window(owner, front, screen, f"{package}/{below}")

    def forbids_pictures(self, screen: Screen) -> bool:
        """Whether the last picture that was asked for was refused, on the page that a screen shows."""
        kept = self._secure
        return kept is not None and (kept.app, kept.activity) == (screen.app, screen.activity)

    # Fingers and keys.

    def act(self, action: Action, gone: threading.Event | None = None) -> None:
        """Do it. Raises DeviceError."""
        self._do(lambda device: device.perform(action), gone)

    def _do(self, work: Callable[[Device], T], gone: threading.Event | None) -> T:
        """Change something; what was seen before answers nothing any more."""

        def turn(device: Device) -> T:
            self._last = None
            try:
                done = work(device)
                self._kept = ()
                return done
            finally:
                self._last = None

        return self._owner.call(turn, gone)

    def drag(self, start: Point, end: Point, ms: int, gone: threading.Event | None = None) -> None:
        """Move a finger: a tap or a long press where it keeps still, a swipe where it does not."""
        across, down = end[0] - start[0], end[1] - start[1]
        if max(abs(across), abs(down)) < _SLOP:
            self.act(LongPress(start) if ms >= HOLD else Tap(start), gone)
            return
        if abs(across) > abs(down):
            way = Direction.LEFT if across < 0 else Direction.RIGHT
        else:
            way = Direction.UP if down < 0 else Direction.DOWN
        self.act(Swipe(way, start, end), gone)

    def motion(self, event: str, at: Point, gone: threading.Event | None = None) -> None:
        """Follow a finger event by event; what it was is known when it is lifted."""
        if event == "DOWN":
            self._down = (at, self.clock())
        elif event == "UP" and self._down is not None:
            (start, since), self._down = self._down, None
            self.drag(start, at, round((self.clock() - since) * 1000), gone)
        elif event == "CANCEL":
            self._down = None

    def edit(self, change: Callable[[Draft], Draft], gone: threading.Event | None = None) -> str:
        """Change the text of the field in focus; returns what it was told to hold. Raises DeviceError."""

        def work(device: Device) -> str:
            screen = device.observe().screen
            element = focused(screen)
            at = None
            if element is None and (element := _again(screen, self._kept)) is not None:
                at = element.bounds.center
            place = _place(element)
            before = self._draft(element, place)
            after = change(before)
            if after.text != before.text:
                device.perform(TypeText(after.text, at=at))
            self._typing = _Typing(place, after)
            return after.text

        return self._do(work, gone)

    def _draft(self, element: Element | None, place: tuple[object, ...]) -> Draft:
        known = self._typing.draft if place and place == self._typing.place else None
        if element is None:
            return Draft("", 0)
        same_length = known is not None and len(known.text) == len(element.text)
        if known is not None and (known.text == element.text or (element.password and same_length)):
            return known
        return Draft.at_end("" if element.password else element.text)

    def hide_keyboard(self, gone: threading.Event | None = None) -> None:
        """Close the keyboard where the device has a key for that which does nothing else."""
        if not self.config.back_hides_keyboard:
            return
        screen = self.look(gone).screen
        if screen.keyboard:
            self.act(Press("back"), gone)
            self._kept = _place(focused(screen))

    # Apps.

    def launch(self, package: str, gone: threading.Event | None = None, *, fresh: bool = False) -> None:
        """Bring an app to the front; one that was stopped starts over. Raises DeviceError."""
        if package == LAUNCHER:
            self.act(Press("home"), gone)
            return
        known = self.names.app(package)
        if known is None:
            raise DeviceError(f"No app {package!r} is installed")
        if fresh or package in self._stopped:
            self._do(lambda device: device.restart(known.app), gone)
            self._stopped.discard(package)
        else:
            self.act(Launch(known.app), gone)
        self._alive(package)

    def open_address(self, address: str, gone: threading.Event | None = None) -> None:
        """Open a web address, where the device shows the web. Raises DeviceError."""
        self.act(Launch(address), gone)

    def stop(self, package: str, gone: threading.Event | None = None) -> None:
        """Stop an app: it leaves the screen, and starts over when it is launched again."""
        if self.names.app(package) is None:
            return
        if self.window(gone).package == package:
            self.act(Press("home"), gone)
        with self._lock:
            self._stopped.add(package)
            self._pids.pop(package, None)

    def running(self) -> dict[str, int]:
        """Return process ids by package."""
        with self._lock:
            return dict(self._pids)

    # Ports.

    def listen(self, port: int, service: Callable[[Stream], None]) -> bool:
        """Let a service answer on one of the phone's own ports; False where one does already."""
        with self._lock:
            return self._servers.setdefault(port, service) is service

    def unlisten(self, port: int) -> None:
        """Close a port of the phone."""
        with self._lock:
            self._servers.pop(port, None)

    def listening(self, port: int) -> Callable[[Stream], None] | None:
        """Return what answers on a port; None where nothing does."""
        with self._lock:
            return self._servers.get(port)

    def _alive(self, package: str) -> None:
        with self._lock:
            if package not in self._pids:
                self._pids[package] = next(self._numbers)


def density(size: tuple[int, int]) -> int:
    """Return dots an inch of a phone that is 360 dp wide.

    >>> density((1080, 2400)), density((2400, 1080))
    (480, 480)
    """
    return max(120, round(min(size) / 360 * 160))


def focused(screen: Screen) -> Element | None:
    """Return the text field that takes what is typed; None where there is none."""
    found = [e for e in screen.visible() if e.focused]
    return next((e for e in found if e.role is Role.FIELD), None)


def _outline(screen: Screen) -> tuple[object, ...]:
    """Return what is where, whatever it says: clocks and counters never keep a screen from resting."""
    parts = tuple((e.role, e.resource_id, e.bounds) for e in screen.visible())
    return screen.app, screen.activity, screen.overlay, screen.keyboard, parts


def _again(screen: Screen, place: tuple[object, ...]) -> Element | None:
    return next((e for e in screen.visible() if place and _place(e) == place), None)


def _place(element: Element | None) -> tuple[object, ...]:
    if element is None:
        return ()
    return (element.resource_id, element.class_name, element.bounds.left, element.bounds.top)
