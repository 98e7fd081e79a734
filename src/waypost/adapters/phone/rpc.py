"""The JSON-RPC that uiautomator2 speaks to its server on a phone: requests in, what was done or seen out."""

import base64
import json
import threading
from collections.abc import Callable, Mapping
from typing import Any

from waypost.adapters.phone.drafts import Draft
from waypost.adapters.phone.handset import Handset, density
from waypost.adapters.phone.hierarchy import hierarchy
from waypost.adapters.phone.keys import code_of
from waypost.adapters.phone.pictures import NoPicture, jpeg
from waypost.adapters.phone.pressing import press
from waypost.adapters.phone.rpc_objects import Objects, RpcFault, whole
from waypost.adapters.phone.selectors import SelectorFault
from waypost.adapters.phone.settings import SDK
from waypost.adapters.phone.streams import Stream
from waypost.errors import DeviceError
from waypost.model import LongPress, Tap, TreeQuality

__all__ = ["Automation"]

_NAMES = {
    "delete": "del",
    "recent": "app_switch",
    "left": "dpad_left",
    "right": "dpad_right",
    "up": "dpad_up",
}
_NAMES |= {"down": "dpad_down", "center": "dpad_center"}
Method = Callable[..., Any]


class Automation:
    """What answers on the server's port. Stateless but for names of objects that it gave out."""

    def __init__(self, handset: Handset) -> None:
        self._hand = handset
        self._named: dict[str, tuple[Any, Any, str, str]] = {}

    def answer(self, method: str, path: str, body: bytes, stream: Stream) -> tuple[int, str, bytes]:
        """Answer one HTTP request."""
        if method == "GET" and path == "/ping":
            return 200, "text/plain", b"pong"
        if not path.startswith("/jsonrpc"):
            return 404, "text/plain", b"not found"
        if method != "POST":
            return 405, "text/plain", b"use POST"
        return 200, "application/json", json.dumps(self._request(body, stream.gone)).encode()

    def _request(self, body: bytes, gone: threading.Event) -> dict[str, Any]:
        try:
            asked = json.loads(body)
            name, params = str(asked["method"]), asked.get("params") or []
            number = asked.get("id")
        except (ValueError, TypeError, KeyError):
            return {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}}
        try:
            result = self._call(name, params, gone)
        except (DeviceError, RpcFault, SelectorFault, NoPicture) as e:
            code = e.code if isinstance(e, RpcFault) else -32001
            self._hand.note(f"uiautomator2: {name} failed: {e}")
            return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": str(e), "data": name}}
        return {"jsonrpc": "2.0", "id": number, "result": result}

    def _call(self, name: str, params: Any, gone: threading.Event) -> Any:
        if not isinstance(params, list):
            raise RpcFault(-32602, "Invalid params: a list is expected")
        objects = Objects(self._hand, gone, self._named)
        selected = bool(params) and isinstance(params[0], dict | str) and name in objects.methods
        method = objects.methods[name] if selected else self._methods(gone).get(name)
        if method is None:
            raise RpcFault(-32601, f"Method not found: {name} is not served by Waypost's phone")
        try:
            return method(*params)
        except (TypeError, ValueError, OverflowError, KeyError) as e:
            raise RpcFault(-32602, f"Invalid params for {name}: {e}") from e

    def _methods(self, gone: threading.Event) -> Mapping[str, Method]:
        hand = self._hand
        return {
            "clearInputText": lambda: self._edit(lambda _: Draft("", 0), gone),
            "clearLastToast": lambda: True,
            "clearLastTraversedText": lambda: None,
            "click": lambda x, y, ms=0: self._click(x, y, ms, gone),
            "deviceInfo": lambda: self._info(gone),
            "drag": lambda x, y, to_x, to_y, steps=10: self._swipe((x, y, to_x, to_y), steps, gone),
            "dumpWindowHierarchy": lambda small=False, depth=50, *_: self._dump(small, depth, gone),
            "freezeRotation": lambda *_: True,
            "getClipboard": lambda: hand.clipboard,
            "getConfigurator": dict,
            "getLastToast": lambda: None,
            "getLastTraversedText": lambda: None,
            "injectInputEvent": lambda kind, x, y, *_: self._inject(kind, x, y, gone),
            "isScreenOn": lambda: hand.awake,
            "pasteClipboard": lambda: self._edit(lambda d: d.insert(hand.clipboard), gone),
            "pressKey": lambda name: self._press(name, gone),
            "pressKeyCode": lambda code, *_: self._press(str(code), gone),
            "setClipboard": lambda label, text, *_: self._copy(text),
            "setConfigurator": lambda *_: {},
            "setOrientation": self._turn,
            "sleep": lambda: self._wake(False),
            "swipe": lambda x, y, to_x, to_y, steps=10: self._swipe((x, y, to_x, to_y), steps, gone),
            "swipePoints": lambda points, steps=10: self._path(points, steps, gone),
            "takeScreenshot": lambda scale=1, quality=80: self._picture(scale, quality, gone),
            "waitForIdle": lambda *_: None,
            "wakeUp": lambda: self._wake(True),
        }

    def _info(self, gone: threading.Event) -> dict[str, Any]:
        window = self._hand.window(gone)
        width, height = window.screen.size
        dots = density(window.screen.size) / 160
        return {
            "currentPackageName": window.package,
            "displayHeight": height,
            "displayRotation": window.screen.rotation,
            "displaySizeDpX": round(width / dots),
            "displaySizeDpY": round(height / dots),
            "displayWidth": width,
            "naturalOrientation": window.screen.rotation == 0,
            "productName": "waypost",
            "screenOn": self._hand.awake,
            "sdkInt": SDK,
        }

    def _dump(self, compressed: bool, depth: int, gone: threading.Event) -> str:
        screen = self._hand.look(gone).screen
        if screen.quality is TreeQuality.NONE:
            return ""  # What the client takes for "no tree yet".
        package = self._hand.windowed(screen).package
        return hierarchy(screen, package, compressed=bool(compressed), depth=int(depth or 0))

    def _click(self, x: float, y: float, ms: float, gone: threading.Event) -> bool:
        at = (round(x), round(y))
        self._hand.act(LongPress(at) if ms >= 500 else Tap(at), gone)
        return True

    def _swipe(self, ends: tuple[float, ...], steps: int, gone: threading.Event) -> bool:
        x, y, to_x, to_y = (round(n) for n in ends)
        self._hand.drag((x, y), (to_x, to_y), int(steps) * 5, gone)
        return True

    def _path(self, points: list[float], steps: int, gone: threading.Event) -> bool:
        """Drag from the first point to the last; a device has no gesture with corners."""
        if len(points) < 4:
            raise ValueError("two points or more")
        return self._swipe((*points[:2], *points[-2:]), steps, gone)

    def _inject(self, kind: int, x: float, y: float, gone: threading.Event) -> bool:
        event = {0: "DOWN", 1: "UP", 2: "MOVE"}.get(int(kind), "")
        self._hand.motion(event, (round(x), round(y)), gone)
        return True

    def _press(self, name: str, gone: threading.Event) -> bool:
        code = code_of(_NAMES.get(name, name))
        if code < 0:
            raise RpcFault(-32602, f"no key {name!r}")
        press(self._hand, [code], gone)
        return True

    def _edit(self, change: Callable[[Draft], Draft], gone: threading.Event) -> bool:
        self._hand.edit(change, gone)
        return True

    def _copy(self, text: str | None) -> None:
        self._hand.clipboard = whole(text)

    def _wake(self, on: bool) -> None:
        self._hand.awake = on

    def _turn(self, way: str) -> None:
        if way not in ("n", "natural"):
            raise RpcFault(-32001, "the screen of a served device does not turn")

    def _picture(self, scale: float, quality: int, gone: threading.Event) -> str:
        look = self._hand.look(gone, pixels=True)
        return base64.b64encode(jpeg(look, min(1.0, float(scale) or 1.0), int(quality))).decode()
