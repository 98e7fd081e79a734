"""An Android phone over adb as a `Device`: actions in, observations out."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from waypost.adapters.android import names
from waypost.adapters.android.camera import Camera
from waypost.adapters.android.ladder import Helper, Ladder, Rung
from waypost.adapters.android.launching import Launcher
from waypost.adapters.android.phone import Phone, Profile, State
from waypost.adapters.android.shell import Shell
from waypost.adapters.android.state import Focus
from waypost.adapters.android.typist import LONG, Typist, took
from waypost.adapters.gestures import on_screen, swipe_points
from waypost.adapters.served import OVERLAY, overlay_owner, package_name
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
    TreeQuality,
    TypeText,
    Wait,
)

__all__ = ["AndroidConfig", "AndroidDevice"]

_KEYS = {"back": "KEYCODE_BACK", "home": "KEYCODE_HOME", "enter": "KEYCODE_ENTER"}
_HOLD, _DRAG = "700", "600"
"""Milliseconds that a long press and a drag take; a slower drag does not fling."""


@dataclass(frozen=True, slots=True)
class AndroidConfig:
    app: str = ""
    """Package that is brought to the front at first, and that a restart without a name starts afresh.

    Empty for the app that is in front already.
    """
    helper: Helper | None = None
    """Another program's dump, asked where the phone's own gives no whole tree."""


class AndroidDevice:
    """One phone. Nothing is installed on it, no data of an app are cleared, no setting stays changed."""

    def __init__(
        self,
        shell: Shell,
        config: AndroidConfig | None = None,
        *,
        clock: Callable[[], float] = time.time,
        rest: Callable[[float], None] = time.sleep,
    ) -> None:
        self.config = config or AndroidConfig()
        self._app = names.package(self.config.app) if self.config.app else ""
        self._shell = shell
        self._clock = clock
        self._rest = rest
        self._phone = Phone(shell)
        self._ladder = Ladder(shell, clock, self.config.helper)
        self._camera = Camera(shell)
        self._typist = Typist(shell, rest)
        self._launcher = Launcher(shell, self._phone, rest)
        self._seen_at = 0.0
        self._size = (1080, 2400)
        self._closed = False
        self._fresh = True
        self.notes: list[str] = []
        """What could not be verified, or was odd."""

    @property
    def name(self) -> str:
        """The device as the command line writes it."""
        app = f"/{self.config.app}" if self.config.app else ""
        return f"adb:{self._shell.serial}{app}"

    @property
    def settles(self) -> bool:
        """Whether the last tree came by the dump that waits for an idle screen, so that one look will do."""
        return self._ladder.rung is Rung.NORMAL

    @property
    def profile(self) -> Profile:
        """What phone this is."""
        return self._phone.profile()

    def app_version(self, app: str) -> str:
        """Return an installed app's version, name and code; empty where it is not told."""
        return self._phone.app_version(names.package(package_name(app) if "://" in app else app))

    # ---- the seam ------------------------------------------------------------------------------
    def observe(self, *, pixels: bool = False) -> Observation:
        """Look; with a screenshot only where `pixels` asks for one. Raises DeviceError."""
        self._open()
        self._begin()
        screen, state = self._look()
        status, image = ImageStatus.NOT_ASKED, b""
        if pixels:
            status, image = self._camera.shot(screen, state.focus.window)
        self._seen_at = max(self._clock(), self._seen_at + 1e-6)
        return Observation(screen, image, status, self._seen_at)

    def perform(self, action: Action) -> None:
        """Do it, and return once the phone has taken it. Raises DeviceError; ValueError for Finish."""
        if isinstance(action, Finish):
            raise ValueError("Finish is the actor's claim; a device never sees it")
        self._open()
        self._begin(launch=not isinstance(action, Launch))
        match action:
            case Tap(at):
                self._input("tap", *self._point(at))
            case LongPress(at):
                self._input("swipe", *self._point(at), *self._point(at), _HOLD)
            case TypeText():
                self._type(action)
            case Swipe():
                start, end = swipe_points(action, self._size)
                self._input("swipe", *self._point(start), *self._point(end), _DRAG)
            case Press(key):
                self._input("keyevent", _KEYS[key])
            case Launch(app):
                self._launcher.launch(app)
            case Wait(seconds):
                self._rest(max(0.0, seconds))
            case Capture():
                pass

    def restart(self, app: str = "") -> None:
        """Stop an app and launch it afresh; its data stay. Without a name: the app of this device."""
        self._open()
        self._fresh = False
        if not app and not self._app:
            self._look()
        self._launcher.restart(app or self._app)

    def close(self) -> None:
        """Let go of the phone; calling it twice does no harm."""
        self._closed = True

    def __enter__(self) -> "AndroidDevice":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- inside --------------------------------------------------------------------------------
    def _open(self) -> None:
        if self._closed:
            raise DeviceError(f"The device {self.name!r} was closed; open it anew")

    def _begin(self, *, launch: bool = True) -> None:
        """Bring the app that this device is for to the front, once."""
        if self._fresh:
            self._fresh = False
            if launch and self.config.app and self._phone.state().focus.package != self._app:
                self._launcher.launch(self._app)

    def _look(self) -> tuple[Screen, State]:
        state = self._phone.state()
        for turn in range(2):
            parsed = self._ladder.tree(state.focus.activity or state.focus.title, state.size, state.ime)
            seen = parsed.screen
            front = state.focus
            same = seen.app in ("", front.package) and seen.rotation == state.rotation
            if turn or seen.quality is TreeQuality.NONE or (same and not front.under):
                break
            # The screen changed under the look, or does so now: ask again what is in front, and how turned.
            fresh = self._phone.state()
            moved, state = (fresh.focus, fresh.size) != (state.focus, state.size), fresh
            if not moved:
                break
        self._size = state.size
        screen = self._placed(seen, state.focus)
        screen = replace(
            screen,
            size=state.size,
            rotation=state.rotation,
            keyboard=state.keyboard or seen.keyboard,
        )
        return screen, state

    def _placed(self, seen: Screen, front: Focus) -> Screen:
        """Say which app a tree is of, where in it, and whose window lies over it."""
        owner = seen.app or front.package
        ours = owner == front.package
        under = front.under if ours else ""
        app = under or owner
        if not self._app and app:
            self._app = app
        stands_in = under and front.activity == f"{owner}{OVERLAY}"
        placed = replace(
            seen,
            app=app,
            activity=front.below if stands_in else front.activity if ours else "",
            overlay=overlay_owner(owner) if under else seen.overlay,
        )
        # Asked after the tree, so that the address is not older than what it is the address of.
        page = self._phone.web_page(app)
        return (
            placed if page is None else replace(placed, app=page.app, activity=page.place, title=page.title)
        )

    def _input(self, *words: str) -> None:
        said = self._shell.run(["input", *words]).decode("utf-8", errors="replace").strip()
        if re.search(r"INJECT_EVENTS|SecurityException|not found|Error:|Exception", said):
            first = said.splitlines()[0][:160]
            cure = "allow 'USB debugging (Security settings)' in the developer options"
            raise DeviceError(f"The phone refused the gesture: {first}; {cure}")

    def _point(self, at: Point) -> tuple[str, str]:
        x, y = on_screen(at, self._size)
        return str(int(x)), str(int(y))

    # ---- typing --------------------------------------------------------------------------------
    def _type(self, action: TypeText) -> None:
        if action.at is not None:
            self._input("tap", *self._point(action.at))
        field = self._field(action.at)
        last = ""
        for way in self._typist.ways(action.text):
            self._empty(field, action.at)
            way(action.text)
            field = self._field(action.at, typed=True)
            if self._holds(field, action.text):
                if action.submit:
                    self._input("keyevent", _KEYS["enter"])
                return
            last = field.text if field is not None else ""
        secret = field is not None and field.password
        wanted, shown = (
            ("the password", "other text") if secret else (repr(action.text[:80]), repr(last[:80]))
        )
        raise DeviceError(f"The field did not take {wanted}: it shows {shown}")

    def _empty(self, field: Element | None, at: Point | None) -> None:
        for _ in range(8):
            if field is None:
                return
            self._typist.clear(64 if field.password and not field.text else len(field.text))
            if len(field.text) < LONG:
                return
            field = self._field(at, typed=True)  # The tree may have said only the beginning.

    def _field(self, at: Point | None, *, typed: bool = False) -> Element | None:
        """Find the field that has the focus; None where there is no tree to find it in."""
        for turn in range(4):
            screen, _ = self._look()
            if screen.quality is TreeQuality.NONE:
                self.notes.append("typed without a tree: what the field holds could not be read back")
                return None
            fields = [e for e in screen.visible() if e.role is Role.FIELD or e.password]
            focused = [e for e in fields if e.focused]
            under = [e for e in fields if at is not None and e.bounds.contains(*at)]
            found = [e for e in focused if e in under] or focused or (under if turn == 3 or typed else [])
            if found:
                return found[0]
            self._rest(0.2)
        where = f"at {at[0]},{at[1]}" if at is not None else "in focus"
        raise DeviceError(f"There is no text field {where}; tap the field first")

    def _holds(self, field: Element | None, text: str) -> bool:
        if field is None:
            return True
        if field.password and text and not field.text:
            self.notes.append("a password was typed that the phone does not let be read back")
            return True
        if not field.text and field.hint and took(text, field.hint):
            return True  # The hint's own words were typed: they look the same.
        return took(text, field.text, password=field.password)
