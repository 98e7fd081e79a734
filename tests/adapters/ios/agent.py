"""A stand-in for WebDriverAgent: an iPhone of two pages behind the endpoints that the real one has."""

import base64
import contextlib
import io
import json
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from xml.sax.saxutils import quoteattr

from PIL import Image

__all__ = ["Iphone", "serving"]

W3C = "element-6066-11e4-a52e-4f735466cecf"
APP, HOME = "org.toy.notes", "com.apple.springboard"
WIDTH, HEIGHT, SCALE = 390, 844, 3


class Refused(Exception):
    """An answer of the agent's that is an error."""


@dataclass
class Iphone:
    front: str = APP
    page: str = "list"
    text: str = ""
    secret: str = ""
    focused: str = ""
    sessions: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)
    installed: tuple[str, ...] = (APP, HOME)
    loses: str = ""
    bar: bool = True
    """Whether the page has a bar with a way back."""
    broken_shot: bool = False

    def answer(self, method: str, path: str, body: dict[str, Any]) -> Any:
        """Answer one request. Raises Refused."""
        self.asked.append(f"{method} {path}")
        if (method, path) == ("POST", "/session"):
            name = f"S-{len(self.asked)}"
            self.sessions.add(name)
            return {"sessionId": name, "capabilities": {}}
        found = re.fullmatch(r"/session/([\w-]+)(/.*)?", path)
        if not found or found[1] not in self.sessions:
            raise Refused("invalid session id")
        if method == "DELETE":
            self.sessions.discard(found[1])
            return None
        return self._within(method, found[2] or "", body)

    def _within(self, method: str, path: str, body: dict[str, Any]) -> Any:
        plain: dict[str, Callable[[dict[str, Any]], Any]] = {
            "GET /source": lambda _: self.source(),
            "GET /wda/screen": lambda _: {"scale": SCALE, "statusBarSize": {"width": WIDTH, "height": 47}},
            "GET /wda/activeAppInfo": lambda _: {"bundleId": self.front, "pid": 7},
            "GET /orientation": lambda _: "PORTRAIT",
            "GET /screenshot": lambda _: self.shot(),
            "POST /actions": self._actions,
            "POST /wda/pressButton": lambda _: self._go(HOME),
            "POST /wda/keys": lambda b: self._keys(b),
            "POST /wda/apps/activate": lambda b: self._go(b["bundleId"]),
            "POST /wda/apps/launch": lambda b: self._go(b["bundleId"]),
            "POST /wda/apps/terminate": lambda b: self._ended(b["bundleId"]),
            "GET /element/active": lambda _: self._active(),
        }
        whole = f"{method} {path}"
        if whole in plain:
            return plain[whole](body)
        found = re.fullmatch(r"(?:GET|POST) /element/(text|secret)/(clear|value|attribute/(\w+))", whole)
        if not found:
            raise Refused(f"unknown command: {whole}")
        return self._element(found[1], found[2], found[3], body)

    def _element(self, name: str, what: str, attribute: str, body: dict[str, Any]) -> Any:
        held = getattr(self, name)
        if what == "clear":
            setattr(self, name, "")
            return None
        if what == "value":
            typed = "".join(c for c in "".join(body["value"]) if c not in self.loses)
            setattr(self, name, held + typed)
            return None
        if attribute == "type":
            return "XCUIElementTypeSecureTextField" if name == "secret" else "XCUIElementTypeTextField"
        if attribute == "placeholderValue":
            return "Title"
        return ("•" * len(held) if name == "secret" else held) or "Title"

    def _active(self) -> dict[str, str]:
        if not self.focused:
            raise Refused("no such element")
        return {W3C: self.focused, "ELEMENT": self.focused}

    def _go(self, app: str) -> None:
        if app not in self.installed:
            raise Refused("unable to launch: not installed")
        self.front = app

    def _ended(self, app: str) -> bool:
        self.page, self.focused = "list", ""
        return app == self.front

    def _keys(self, body: dict[str, Any]) -> None:
        setattr(self, self.focused or "text", getattr(self, self.focused or "text") + "".join(body["value"]))

    def _actions(self, body: dict[str, Any]) -> None:
        moves = [a for a in body["actions"][0]["actions"] if a["type"] == "pointerMove"]
        x, y = moves[0]["x"], moves[0]["y"]
        if len(moves) > 1:
            if x < 5 and moves[1]["x"] > WIDTH / 2:
                self.page = "list"
            return
        if self.page == "list" and 100 <= y < 160:
            self.page = "note"
        elif self.page == "note":
            if 47 <= y < 91 and x < 80 and self.bar:
                self.page = "list"
            self.focused = "text" if 100 <= y < 140 else "secret" if 150 <= y < 190 else ""

    def source(self) -> str:
        return (
            '<?xml version="1.0" encoding="UTF-8"?>'
            + _tag("Application", (0, 0, WIDTH, HEIGHT), self._page(), name="Notes", label="Notes")
            + "\n"
        )

    def _page(self) -> str:
        if self.front == HOME:
            return _tag("Icon", (20, 80, 60, 60), label="Notes")
        if self.page == "list":
            return _tag(
                "Cell", (0, 100, WIDTH, 60), _tag("StaticText", (16, 110, 200, 20), label="Groceries")
            )
        back = _tag("Button", (0, 47, 80, 44), name="Back", label="Lists") if self.bar else ""
        keyboard = _tag("Keyboard", (0, 550, WIDTH, 294), _tag("Key", (0, 560, 39, 50), label="q"))
        return (
            _tag("NavigationBar", (0, 47, WIDTH, 44), back)
            + _tag(
                "TextField",
                (10, 100, 370, 40),
                name="title",
                value=self.text or "Title",
                placeholderValue="Title",
            )
            + _tag("SecureTextField", (10, 150, 370, 40), value="•" * len(self.secret))
            + (keyboard if self.focused else "")
        )

    def shot(self) -> str:
        out = io.BytesIO()
        Image.new("RGB", (39, 84), (9, 99, 9)).save(out, "PNG")
        return base64.b64encode(out.getvalue()[: 30 if self.broken_shot else None]).decode()


def _tag(kind: str, box: tuple[int, int, int, int], inner: str = "", **said: str) -> str:
    place = dict(zip(("x", "y", "width", "height"), map(str, box), strict=True))
    named = {"type": f"XCUIElementType{kind}", "enabled": "true", "visible": "true", **place, **said}
    written = " ".join(f"{k}={quoteattr(v)}" for k, v in named.items())
    return f"<XCUIElementType{kind} {written}>{inner}</XCUIElementType{kind}>"


@contextlib.contextmanager
def serving(phone: Iphone) -> Iterator[str]:
    """Serve an iPhone on loopback; gives its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer()

        do_POST = do_DELETE = do_GET

        def _answer(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(size) or b"{}")
            status, value = 200, None
            try:
                value = phone.answer(self.command, self.path, body)
            except Refused as e:
                status, value = 404, {"error": str(e), "message": "the stand-in says so", "traceback": ""}
            raw = json.dumps({"value": value, "sessionId": None}).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing: a test's output is its own."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
