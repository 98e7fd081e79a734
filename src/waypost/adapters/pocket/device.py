"""The embedded phone as a `Device`: actions in, observations out, with the truth kept beside for scoring."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from waypost.adapters.pocket.faults import Faults, Mishaps
from waypost.adapters.pocket.frames import Frame, Frames
from waypost.adapters.pocket.keyboard import key_at, typed
from waypost.adapters.pocket.load import apps, load
from waypost.adapters.pocket.nodes import HEIGHT, KEYBOARD, WIDTH
from waypost.adapters.pocket.sights import Sights
from waypost.adapters.pocket.spec import Go, Spec
from waypost.adapters.pocket.state import Clock, Session
from waypost.adapters.pocket.touching import act, hold
from waypost.adapters.pocket.tree import DRAG, Area, Surface, Target, surface
from waypost.errors import DeviceError, UsageError
from waypost.model import (
    Action,
    Capture,
    Direction,
    Finish,
    ImageStatus,
    Launch,
    LongPress,
    Observation,
    Point,
    Press,
    Screen,
    Swipe,
    Tap,
    TypeText,
    Wait,
)

__all__ = ["HazardDone", "PocketDevice"]

_EPOCH = 1_772_438_400.0
"""The phone's clock starts at 08:00 on a Monday in March 2026 (UTC)."""
_HOME = ("com.pocket", "com.pocket.launcher")
"""What names the phone itself: all of its apps, and its home screen."""
_LOOK, _ACT, _LAUNCH = 0.03, 0.3, 0.8
"""Seconds by the phone's clock that a look, a gesture and a launch take."""


@dataclass(frozen=True, slots=True)
class HazardDone:
    """Something that was done although it may not be undone."""

    kind: str
    page: str
    label: str


class PocketDevice:
    """One phone. Deterministic by `seed`, `faults` and what is done to it; needs no real time."""

    def __init__(
        self,
        app: str = "",
        *,
        seed: int = 0,
        faults: Faults | None = None,
        specs: Sequence[Spec] = (),
        shrink: int = 1,
        frames: Frames | None = None,
    ) -> None:
        """Switch a phone on; `shrink` divides the size of its pictures, `frames` may be shared by twins.

        `app` may name a later build, `mail@2`: the phone then has that one installed.
        """
        app, at, build = app.partition("@")
        self.app = app
        self._build = at + build
        self.hazards_done: list[HazardDone] = []
        self._clock = Clock(_EPOCH)
        self._mishaps = Mishaps(faults or Faults.none())
        self._frames = frames or Frames()
        self._shrink = shrink
        known = {s.app: s for s in specs} or {a: load(a) for a in apps()}
        if app and app not in known:
            raise UsageError(f"The pocket phone has no app {app!r}; it has {', '.join(sorted(known))}")
        if build and not specs:
            known[app] = load(f"{app}@{build}")
        self._sessions = {a: Session(s, self._clock, seed) for a, s in sorted(known.items())}
        self._front = ""
        self._lost = False
        self._before: tuple[Screen, str] | None = None
        self._settling = 0
        self._sights = Sights()
        if app:
            self._launch(app, fresh=True)

    @property
    def name(self) -> str:
        return f"pocket:{self.app}{self._build}" if self.app else "pocket"

    def app_version(self, app: str) -> str:
        """Return an installed app's version; empty for what names several apps, or none."""
        named = next((s.spec for s in self._sessions.values() if app in (s.spec.app, s.spec.package)), None)
        return named.version if named is not None else ""

    @property
    def settles(self) -> bool:
        """Whether a look after `perform` shows a screen at rest: so unless mishaps slow it down."""
        return not self._mishaps.any

    # The seam.

    def observe(self, *, pixels: bool = False) -> Observation:
        self._answering()
        self._clock.now = round(self._clock.now + _LOOK, 6)
        self._clock.looks += 1
        frame = self._frame()
        screen, label = frame.screen, self.where()
        if self._settling:
            self._settling -= 1
            screen, label = self._moving(frame), "side:settling"
        if self._mishaps.any:
            before = self._before
            screen, stale = self._mishaps.tree(screen, before[0] if before else None)
            label = before[1] if stale and before else label
            self._before = (frame.screen, self.where())
        status, image = self._picture(frame) if pixels else (ImageStatus.NOT_ASKED, b"")
        if self._front:
            self._session.looked()
        self._sights.note(self._clock.now, label)
        return Observation(screen, image, status, self._clock.now)

    def perform(self, action: Action) -> None:
        if isinstance(action, Finish):
            raise ValueError("A device cannot perform Finish; it is the actor's claim")
        self._answering()
        if self._mishaps.strikes(self._mishaps.faults.lost):
            self._lost = True
            self._answering()
        frame = self._frame()  # As it was when the actor looked: the clock has not moved since.
        seconds = action.seconds if isinstance(action, Wait) else _ACT
        self._clock.now = round(self._clock.now + max(0.0, seconds), 6)
        page = self.where()
        self._take(action, frame)
        self._tidy()
        if page != self.where():
            self._settling = self._mishaps.animation()

    def restart(self, app: str = "") -> None:
        self._lost = False
        self._settling = 0
        if app in _HOME:
            self._front = ""
            return
        app = self._named(app or self.app or self._front) if app or self.app or self._front else ""
        if not app:
            self._front = ""
            return
        self._launch(app, fresh=True)

    def close(self) -> None:
        """Nothing is held outside of this process."""

    # The truth, for scoring; nothing of it is in a Screen.

    def where(self) -> str:
        """The page shown now (`mail/inbox+menu`), or the side state in front (`side:permission`)."""
        if not self._front:
            return "launcher/home"
        session = self._session
        front = session.front()
        return f"side:{front}" if front else session.spec.full(session.top.page.id)

    def label(self, seen_at: float) -> str:
        """The true page of a past look, by its time. KeyError for a look that was never taken."""
        return self._sights.at(seen_at)

    def session(self, app: str = "") -> Session:
        """The state of an app, for tests."""
        return self._sessions[app or self.app or self._front]

    def target(self, x: int, y: int) -> Target | None:
        """What a tap at a point would touch."""
        return self._frame().surface.at(x, y)

    def surface(self) -> Surface:
        """Everything that can be touched now."""
        return self._frame().surface

    # Inside.

    @property
    def _session(self) -> Session:
        return self._sessions[self._front]

    def _answering(self) -> None:
        if self._lost:
            raise DeviceError("The phone is gone; call restart() to reach it again")

    def _frame(self) -> Frame:
        if not self._front:
            return self._frames.launcher(list(self._sessions.values()))
        return self._frames.show(self._session)

    def _moving(self, frame: Frame) -> Screen:
        """The window half-way in, as a look during an animation shows it."""
        shift = WIDTH * (self._settling + 1) // (self._mishaps.faults.slow_looks + 2)
        window = frame.windows[-1]
        made = surface(window, frame.scroll, keyboard=frame.screen.keyboard, shift=shift)
        return replace(frame.screen, root=made.root)

    def _picture(self, frame: Frame) -> tuple[ImageStatus, bytes]:
        faults = self._mishaps.faults
        if frame.secure or self._mishaps.strikes(faults.black):
            return ImageStatus.SECURE, b""
        if self._mishaps.strikes(faults.unpictured):
            return ImageStatus.FAILED, b""
        from waypost.adapters.pocket.render import render  # Pillow is loaded only for those who look.

        session = self._session if self._front else None
        dark = bool(session and session.vars.get("dark"))
        clock = self._sessions[next(iter(self._sessions))].value("clock")
        return ImageStatus.SHOWN, render(frame, clock=str(clock), dark=dark, shrink=self._shrink)

    def _take(self, action: Action, frame: Frame) -> None:
        match action:
            case Tap(at=at):
                self._tap(at, frame)
            case LongPress(at=at):
                self._hold(at, frame)
            case TypeText():
                self._type(action, frame)
            case Swipe():
                self._swipe(action, frame)
            case Press(key=key):
                self._press(key)
            case Launch(app=app):
                self._launch("" if app in _HOME else self._named(app), fresh=False)
            case Wait(seconds=seconds):
                if self._front:
                    self._session.pass_looks(int(seconds / 0.5))
                self._settling = 0
            case Capture():
                pass
            case _:
                raise ValueError(f"No such action: {action!r}")

    def _tidy(self) -> None:
        """Take an app that asked for it to the launcher."""
        if self._front and self._session.left:
            self._session.left = False
            self._front = ""

    def _named(self, app: str) -> str:
        if app in self._sessions:
            return app
        for name, session in self._sessions.items():
            if session.spec.package == app:
                return name
        raise DeviceError(f"No app {app!r} is installed; there are {', '.join(self._sessions)}")

    def _launch(self, app: str, *, fresh: bool) -> None:
        self._clock.now = round(self._clock.now + _LAUNCH, 6)
        self._front = app
        if not app:
            return
        session = self._session
        if fresh or not session.stack:
            session.start()

    def _tap(self, at: Point, frame: Frame) -> None:
        x, y = at
        session = self._session if self._front else None
        if session and session.keyboard and not session.front() and y >= HEIGHT - KEYBOARD:
            self._key(session, key_at(x, y))
            return
        target = frame.surface.at(x, y)
        if target is None:
            self._beside(frame, x, y)
        elif target.touch.op == "launch":
            self._launch(target.touch.value, fresh=False)
        elif session:
            self._recorded(session, target)
            act(session, target, x)

    def _key(self, session: Session, key: str) -> None:
        if key == "enter":
            session.enter()
        elif session.field:
            session.type(typed(str(session.vars[session.field.props["bind"]]), key))

    def _beside(self, frame: Frame, x: int, y: int) -> None:
        """A tap beside a layer closes it; a tap on nothing does nothing."""
        if frame.panel is None or not self._front or self._session.front():
            return
        left, top, right, bottom = frame.panel
        inside = left <= x < right and top <= y < bottom
        if not inside and self._session.top.page.kind != "page":
            self._session.keyboard = False
            self._session.up()

    def _recorded(self, session: Session, target: Target) -> None:
        widget = target.touch.widget
        if widget and target.touch.hazard:
            label = target.node.text or target.node.desc or widget.label.source
            self.hazards_done.append(HazardDone(target.touch.hazard, self.where(), label))

    def _hold(self, at: Point, frame: Frame) -> None:
        target = frame.surface.at(*at)
        if target and self._front:
            hold(self._session, target)

    def _type(self, action: TypeText, frame: Frame) -> None:
        if not self._front:
            return
        if action.at is not None:
            target = frame.surface.at(*action.at)
            if target is None or target.touch.op != "focus":
                return
            act(self._session, target, action.at[0])
        self._session.type(action.text)
        if action.submit:
            self._session.enter()

    def _press(self, key: str) -> None:
        if key == "home":
            if self._front:
                self._session.keyboard = False
            self._front = ""
        elif self._front and key == "back":
            self._session.back()
        elif self._front:
            self._session.enter()

    def _swipe(self, swipe: Swipe, frame: Frame) -> None:
        if not self._front or self._session.front() in ("crash", "splash", "permission", "ad", "external"):
            return
        start = swipe.start or (WIDTH // 2, HEIGHT // 2)
        way = swipe.direction if swipe.end is None else _way(start, swipe.end)
        axis = "h" if way in (Direction.LEFT, Direction.RIGHT) else "v"
        area = frame.surface.scrolls(*start, axis)
        if area is not None:
            self._scroll(area, way, swipe, start)
        elif self._session.top.page.swipe.get(way):
            self._session.run((Go(self._session.top.page.swipe[way], "switch"),))

    def _scroll(self, area: Area, way: Direction, swipe: Swipe, start: Point) -> None:
        length = area.box[2] - area.box[0] if area.key[0] == "h" else area.box[3] - area.box[1]
        drag = int(length * DRAG)
        if swipe.end is not None:
            drag = max(abs(swipe.end[0] - start[0]), abs(swipe.end[1] - start[1]))
        further = way in (Direction.UP, Direction.LEFT)
        session = self._session
        # The key of a page's own scroll is shared by nobody, so that the entry on top may keep it.
        entry = session.base if area.key in session.base.scroll else session.top
        at = entry.scroll.get(area.key, 0) + (drag if further else -drag)
        entry.scroll[area.key] = max(0, min(at, area.room))


def _way(start: Point, end: Point) -> Direction:
    across, down = end[0] - start[0], end[1] - start[1]
    if abs(across) > abs(down):
        return Direction.LEFT if across < 0 else Direction.RIGHT
    return Direction.UP if down < 0 else Direction.DOWN
