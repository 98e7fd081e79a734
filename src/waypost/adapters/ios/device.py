"""An iPhone behind WebDriverAgent as a `Device`: actions in, observations out."""

import base64
import contextlib
import re
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from waypost.adapters.gestures import on_screen, swipe_points
from waypost.adapters.ios.wda import Wda
from waypost.adapters.trees import Parsed, parse
from waypost.errors import DeviceError
from waypost.model import (
    Action,
    Capture,
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

__all__ = ["IosDevice"]

_PNG = b"\x89PNG\r\n\x1a\n"
_BUNDLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9.\-]{0,200}")
_BACK_WORDS = re.compile(r"back|zurück|retour|atrás|indietro|voltar|返回|戻る|뒤로|назад", re.I)
_W3C = "element-6066-11e4-a52e-4f735466cecf"
_TURNS = {"PORTRAIT": 0, "LANDSCAPE": 1, "UIA_DEVICE_ORIENTATION_LANDSCAPERIGHT": 3}


class IosDevice:
    """One iPhone. WebDriverAgent measures in points; what is given out here is in pixels."""

    def __init__(
        self,
        url: str,
        *,
        app: str = "",
        clock: Callable[[], float] = time.time,
        rest: Callable[[float], None] = time.sleep,
    ) -> None:
        self._wda = Wda(url)
        self._app = _bundle(app) if app else ""
        self._clock = clock
        self._rest = rest
        self._scale = 0.0
        self._seen_at = 0.0
        self._last = Screen(quality=TreeQuality.NONE)
        self._closed = False
        self._fresh = True

    @property
    def name(self) -> str:
        """The device as the command line writes it."""
        return f"wda:{self._wda.url}" + (f"#{self._app}" if self._app else "")

    # ---- the seam ------------------------------------------------------------------------------
    def observe(self, *, pixels: bool = False) -> Observation:
        """Look; with a screenshot only where `pixels` asks for one. Raises DeviceError."""
        self._open()
        self._begin()
        screen = self._look()
        status, image = self._picture() if pixels else (ImageStatus.NOT_ASKED, b"")
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
                self._touch(_press(*self._points(at), 0.05))
            case LongPress(at):
                self._touch(_press(*self._points(at), 0.8))
            case TypeText():
                self._type(action)
            case Swipe():
                start, end = swipe_points(action, self._last.size)
                self._touch(_drag(self._points(start), self._points(end)))
            case Press(key):
                self._key(key)
            case Launch(app):
                self._launch(app)
            case Wait(seconds):
                self._rest(max(0.0, seconds))
            case Capture():
                pass

    def restart(self, app: str = "") -> None:
        """Stop an app and launch it afresh; its data stay. Without a name: the app of this device."""
        self._open()
        self._fresh = False
        bundle = _bundle(app or self._app or self._active())
        self._wda.in_session("POST", "/wda/apps/terminate", bundleId=bundle)
        self._wda.in_session("POST", "/wda/apps/launch", bundleId=bundle)
        self._in_front(bundle)

    def close(self) -> None:
        """Give the session back; calling it twice does no harm."""
        if not self._closed:
            self._closed = True
            with contextlib.suppress(DeviceError):  # A phone that is gone has nothing to be given back.
                self._wda.end()

    def __enter__(self) -> "IosDevice":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- looking -------------------------------------------------------------------------------
    def _open(self) -> None:
        if self._closed:
            raise DeviceError(f"The device {self.name!r} was closed; open it anew")

    def _begin(self, *, launch: bool = True) -> None:
        """Bring the app that this device is for to the front, once."""
        if self._fresh:
            self._fresh = False
            if launch and self._app and self._active() != self._app:
                self._launch(self._app)

    def _launch(self, app: str) -> None:
        self._wda.in_session("POST", "/wda/apps/activate", bundleId=_bundle(app))
        self._in_front(app)

    def _look(self) -> Screen:
        app = self._active()
        parsed = self._tree()
        if not self._app and _BUNDLE.fullmatch(app):
            self._app = app
        turned = _TURNS.get(str(self._wda.in_session("GET", "/orientation")), 0)
        screen = replace(parsed.screen, app=app or parsed.screen.app, rotation=turned)
        self._last = screen
        return screen

    def _tree(self) -> Parsed:
        if not self._scale:
            told = self._wda.in_session("GET", "/wda/screen")
            scale = told.get("scale") if isinstance(told, dict) else None
            self._scale = float(scale) if isinstance(scale, (int, float)) and 0 < scale < 10 else 2.0
        source = self._wda.in_session("GET", "/source")
        return parse(source if isinstance(source, str) else "", scale=self._scale)

    def _active(self) -> str:
        told = self._wda.in_session("GET", "/wda/activeAppInfo")
        return str(told.get("bundleId") or "") if isinstance(told, dict) else ""

    def _picture(self) -> tuple[ImageStatus, bytes]:
        try:
            told = self._wda.in_session("GET", "/screenshot")
            image = base64.b64decode(told) if isinstance(told, str) else b""
        except (DeviceError, ValueError):
            return ImageStatus.FAILED, b""
        whole = image.startswith(_PNG) and b"IEND" in image[-12:]
        return (ImageStatus.SHOWN, image) if whole else (ImageStatus.FAILED, b"")

    def _in_front(self, app: str) -> None:
        for _ in range(20):
            if (front := self._active()) == app:
                return
            self._rest(0.25)
        raise DeviceError(f"{app!r} was started, but {front or 'nothing'!r} is in front")

    # ---- touching ------------------------------------------------------------------------------
    def _points(self, at: Point) -> tuple[float, float]:
        if self._last.quality is TreeQuality.NONE:
            self._look()
        x, y = on_screen(at, self._last.size)
        return x / self._scale, y / self._scale

    def _touch(self, moves: list[dict[str, Any]]) -> None:
        finger = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": moves}
        self._wda.in_session("POST", "/actions", actions=[finger])

    def _key(self, key: str) -> None:
        if key == "back":
            self._back()
        elif key == "home":
            self._wda.in_session("POST", "/wda/pressButton", name="home")
        else:
            self._wda.in_session("POST", "/wda/keys", value=["\n"])

    def _back(self) -> None:
        """Go back as a person does: by the bar's first button where that leads back, else from the edge."""
        screen = self._look()
        bars = [e for e in screen.visible() if e.class_name.endswith("NavigationBar")]
        buttons = [b for bar in bars for b in bar.children if b.role is Role.BUTTON and b.visible]
        first = next((b for b in buttons if b.bounds.left < screen.size[0] // 4), None)
        if first is not None and (_BACK_WORDS.search(f"{first.label} {first.resource_id}")):
            self._touch(_press(*self._points(first.bounds.center), 0.05))
            return
        width, height = screen.size
        self._touch(
            _drag((1.0, height / 2 / self._scale), (width * 0.8 / self._scale, height / 2 / self._scale))
        )

    # ---- typing --------------------------------------------------------------------------------
    def _type(self, action: TypeText) -> None:
        if action.at is not None:
            self._touch(_press(*self._points(action.at), 0.05))
        element = self._focused()
        self._wda.in_session("POST", f"/element/{element}/clear")
        if action.text:
            self._wda.in_session(
                "POST", f"/element/{element}/value", value=list(action.text), text=action.text
            )
        if not self._holds(element, action.text):
            raise DeviceError("The field did not take what was typed; it shows other text")
        if action.submit:
            self._key("enter")

    def _focused(self) -> str:
        for _ in range(4):
            try:
                told = self._wda.in_session("GET", "/element/active")
            except DeviceError as e:
                if "no such element" not in str(e):
                    raise
                told = None
            found = (told.get(_W3C) or told.get("ELEMENT")) if isinstance(told, dict) else None
            if isinstance(found, str) and re.fullmatch(r"[\w.\-]+", found):
                return found
            self._rest(0.25)
        raise DeviceError("There is no text field in focus; tap the field first")

    def _holds(self, element: str, text: str) -> bool:
        kind = str(self._wda.in_session("GET", f"/element/{element}/attribute/type") or "")
        shown = self._wda.in_session("GET", f"/element/{element}/attribute/value")
        held = shown if isinstance(shown, str) else ""
        if kind.endswith("SecureTextField"):
            return not held or len(held) == len(text)
        if not text:
            hint = self._wda.in_session("GET", f"/element/{element}/attribute/placeholderValue")
            return held in ("", hint)
        return " ".join(held.split()) == " ".join(text.split())


def _bundle(app: str) -> str:
    if not _BUNDLE.fullmatch(app):
        raise DeviceError(f"{app[:80]!r} is no bundle id; name one: wda:URL#com.example.app")
    return app


def _press(x: float, y: float, seconds: float) -> list[dict[str, Any]]:
    return [
        {"type": "pointerMove", "duration": 0, "x": x, "y": y},
        {"type": "pointerDown", "button": 0},
        {"type": "pause", "duration": int(seconds * 1000)},
        {"type": "pointerUp", "button": 0},
    ]


def _drag(start: tuple[float, float], end: tuple[float, float]) -> list[dict[str, Any]]:
    return [
        {"type": "pointerMove", "duration": 0, "x": start[0], "y": start[1]},
        {"type": "pointerDown", "button": 0},
        {"type": "pointerMove", "duration": 600, "x": end[0], "y": end[1]},
        # Held for a moment, so that it does not fling.
        {"type": "pause", "duration": 100},
        {"type": "pointerUp", "button": 0},
    ]
