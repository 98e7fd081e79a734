"""Sessions in, the `Frame` that the phone shows out, made again only when something it depends on changed."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from waypost.adapters.pocket import system
from waypost.adapters.pocket.nodes import Window
from waypost.adapters.pocket.spec import Moving, Spec
from waypost.adapters.pocket.state import Entry, Session
from waypost.adapters.pocket.tree import Surface, surface
from waypost.adapters.pocket.windows import pages
from waypost.model import Screen

__all__ = ["Frame", "Frames"]

_KEPT = 512
"""Frames: more, and a phone that is tapped for long holds ever more states that never come again."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One state of the screen."""

    windows: tuple[Window, ...]
    surface: Surface
    screen: Screen
    spec: Spec | None
    scroll: Mapping[str, int]
    secure: bool = False

    @property
    def panel(self) -> tuple[int, int, int, int] | None:
        return self.windows[-1].panel


class Frames:
    """Makes frames, and keeps those it made lately."""

    def __init__(self) -> None:
        self._homes: dict[Hashable, Frame] = {}
        self._shown: dict[Hashable, tuple[Frame, tuple[dict[str, int], ...]]] = {}
        """With the scroll positions that laying out has left, by entry."""

    def launcher(self, sessions: list[Session]) -> Frame:
        apps = [(s.spec, s.spec.name.show(s), s.spec.badge.show(s) if s.spec.badge else "") for s in sessions]
        key = ("launcher", tuple((name, badge) for _, name, badge in apps))
        if key not in self._homes:
            window = system.launcher(apps)
            made = surface(window, {}, keyboard=False)
            screen = Screen(root=made.root, app=system.LAUNCHER, activity=f"{system.LAUNCHER}.Launcher")
            self._homes[key] = Frame((window,), made, screen, None, {})
        return self._homes[key]

    def show(self, session: Session) -> Frame:
        """The frame of an app that is in front."""
        key = _key(session)
        # Put last again where it is known, so that the one to drop is the one not shown for longest.
        known = self._shown.pop(key, None)
        if known is None:
            frame = _make(session)
            known = frame, tuple(dict(e.scroll) for e in _above(session))
        else:
            # Laying out keeps a scroll within what there is to scroll: so does not laying out again.
            for entry, at in zip(_above(session), known[1], strict=True):
                entry.scroll.update(at)
        self._shown[key] = known
        if len(self._shown) > _KEPT:
            del self._shown[next(iter(self._shown))]
        return known[0]


def _key(session: Session) -> Hashable:
    """Everything that the frame depends on."""
    above = _above(session)
    names = [session.value(n) for e in above for n in e.page.names]
    moving = [_moment(m, session) for e in above for m in e.page.moving]
    return (
        session.spec.app,
        # What was never scrolled stands where what was scrolled back does.
        tuple((e.page.id, e.item, frozenset(at for at in e.scroll.items() if at[1])) for e in above),
        tuple(names),
        tuple(moving),
        session.front(),
        session.prompt,
        session.external,
        session.loading,
        session.keyboard,
        session.field,
        session.toast if session.toast_looks else "",
        session.vars.get("language"),
    )


def _above(session: Session) -> list[Entry]:
    """Return the page that shows and what lies over it."""
    return session.stack[session.stack.index(session.base) :]


def _moment(moving: Moving, session: Session) -> Hashable:
    """Return what a moving part shows now: seldom anything new, while the clock itself never repeats."""
    value = moving.value(session)
    if moving.table:
        return int(value) % max(1, len(session.tables[moving.table]))
    return str(value)


def _make(session: Session) -> Frame:
    spec = session.spec
    package = spec.package
    match session.front():
        case "splash":
            windows, activity, overlay = [system.splash(session)], ".SplashActivity", ""
        case "crash":
            windows, activity, overlay = (
                [*pages(session), system.crash(session)],
                _activity(session),
                system.SYSTEM,
            )
        case "permission":
            windows, overlay = [*pages(session), system.permission(session)], system.PERMISSION
            activity = f"{system.PERMISSION}.permission.ui.GrantPermissionsActivity"
        case "ad":
            windows, activity, overlay = [system.advert(session)], "com.pocket.ads.AdActivity", ""
        case "external":
            assert session.external is not None
            package = session.external[0]
            windows, activity, overlay = [system.external(*session.external)], ".Main", ""
        case _:
            windows, activity, overlay = pages(session), _activity(session), ""
    scroll = {**session.base.scroll, **session.top.scroll}
    keyboard = session.keyboard and not session.front()
    made = surface(windows[-1], scroll, keyboard=keyboard)
    screen = Screen(
        root=made.root,
        app=package,
        activity=package + activity if activity.startswith(".") else activity,
        keyboard=keyboard,
        overlay=overlay,
    )
    return Frame(tuple(windows), made, screen, spec, scroll, session.base.page.secure)


def _activity(session: Session) -> str:
    return session.base.page.activity or session.spec.activity
