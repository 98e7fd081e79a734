"""A stand-in for the phone on a JVM: an app of two pages behind the lines that the real one answers."""

import base64
import contextlib
import io
import json
import socketserver
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.sax.saxutils import quoteattr

from PIL import Image

__all__ = ["APP", "Jvm", "serving"]

APP = "org.toy.notes"
SIZE = (1080, 2400)


@dataclass
class Jvm:
    page: str = "list"
    text: str = ""
    focused: bool = False
    owner: str = APP
    secure: bool = False
    deaf: bool = False
    """Whether the field takes nothing that is typed."""
    asked: list[dict[str, Any]] = field(default_factory=list)

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Answer one line."""
        self.asked.append(asked)
        match asked["do"]:
            case "hello":
                return {"app": APP, "version": "7.1", "size": list(SIZE), "activities": [f"{APP}.List"]}
            case "look":
                return self._look(asked.get("pixels", False))
            case "tap" | "hold":
                self._touched(asked["y"])
            case "type":
                self.text = self.text if self.deaf else asked["text"]
                return {"taken": self.focused}
            case "home":
                self.owner = "com.waypost.launcher"
            case "back":
                self.page, self.focused = "list", False
            case "launch":
                self.owner = APP
            case "restart":
                self.owner, self.page, self.focused = APP, "list", False
            case "open" if asked["activity"] != f"{APP}.List":
                return {"error": "ActivityNotFoundException"}
        return {}

    def _touched(self, y: int) -> None:
        if self.page == "list" and 300 <= y < 500:
            self.page = "note"
        elif self.page == "note" and 300 <= y < 500:
            self.focused = True

    def _look(self, pixels: bool) -> dict[str, Any]:
        told: dict[str, Any] = {
            "tree": self.tree(),
            "owner": self.owner,
            "activity": f"{APP}.{self.page.title()}" if self.owner == APP else "",
            "title": self.page,
            "page": f"{APP}.{self.page}",
            "left": [],
            "deaths": [],
        }
        if pixels:
            out = io.BytesIO()
            Image.new("RGB", SIZE, "white").save(out, "PNG")
            png = "" if self.secure else base64.b64encode(out.getvalue()).decode()
            told |= {"secure": self.secure, "png": png}
        return told

    def tree(self) -> str:
        """Write what is shown, as uiautomator does."""
        if self.owner != APP:
            inside = _node("android.widget.TextView", "Close app", 300, self.owner, clickable=True)
        elif self.page == "list":
            inside = _node("android.widget.TextView", "Shopping", 300, APP, clickable=True)
        else:
            inside = _node("android.widget.EditText", self.text, 300, APP, focused=self.focused)
        frame = _node("android.widget.FrameLayout", "", 0, self.owner, inside)
        return f'<hierarchy rotation="0">{frame}</hierarchy>'


def _node(kind: str, text: str, top: int, owner: str, inside: str = "", **flags: bool) -> str:
    bottom = 2400 if inside else top + 200
    said = "".join(f' {name}="{str(on).lower()}"' for name, on in flags.items())
    return (
        f'<node index="0" class="{kind}" text={quoteattr(text)} package="{owner}"{said}'
        f' bounds="[0,{top}][1080,{bottom}]">{inside}</node>'
    )


@contextlib.contextmanager
def serving(jvm: Jvm) -> Iterator[str]:
    """Serve a stand-in on loopback, and give its address."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            for line in self.rfile:
                self.wfile.write(json.dumps(jvm.answer(json.loads(line))).encode() + b"\n")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
