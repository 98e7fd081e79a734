"""A small phone that understands a command line as Android's does: enough to drive, with faults."""

import base64
import io
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from PIL import Image

from tests.adapters.trees.dumps import dump, node
from waypost.adapters.android.shell import Late, line

__all__ = ["Item", "Page", "ToyPhone"]

APP = "org.toy"
LAUNCHER = "com.toy.launcher"
KEYS = "org.keys/.Service"
WRITER = "com.android.adbkeyboard/.AdbIME"
_PNG_SIZE = (108, 240)


@dataclass(frozen=True)
class Item:
    text: str
    box: tuple[int, int, int, int]
    to: str = ""
    """Page that a tap opens."""
    field: str = ""
    """Name of the text it holds; a tap gives it the focus."""
    password: bool = False


@dataclass(frozen=True)
class Page:
    name: str
    items: tuple[Item, ...]


PAGES = {
    "home": Page(
        "home",
        (
            Item("Settings", (0, 100, 1080, 250), to="settings"),
            Item("", (40, 300, 1040, 420), field="search"),
            Item("", (40, 450, 1040, 560), field="pin", password=True),
        ),
    ),
    "settings": Page("settings", (Item("Sound", (0, 100, 1080, 250)), Item("Display", (0, 260, 1080, 400)))),
}


@dataclass
class ToyPhone:
    """Answers a command line; `log` holds every command as the shell split it."""

    pages: dict[str, Page] = field(default_factory=lambda: dict(PAGES))
    serial: str = "toy"
    front: str = APP
    stack: list[str] = field(default_factory=lambda: ["home"])
    fields: dict[str, str] = field(default_factory=dict)
    focused: str = ""
    ime: str = KEYS
    imes: list[str] = field(default_factory=lambda: [KEYS])
    clipboard: bool = False
    clip: str = ""
    turn: int = 0
    log: list[list[str]] = field(default_factory=list)
    busy: set[str] = field(default_factory=set)
    """Rungs that find the screen never at rest: `normal`, `compressed`."""
    terminal: bool = True
    """Whether a dump can be written to /dev/tty."""
    writes: bool = True
    """Whether a dump can be written to a file."""
    secure: bool = False
    shot: Callable[[], bytes] | None = None
    loses: str = ""
    """Signs that keys do not type."""
    rights: bool = True
    dialog: str = ""
    """Package of a dialog over everything."""
    printed: dict[str, bytes] = field(default_factory=dict)
    """Answers to whole commands, in place of the phone's own."""
    files: dict[str, bytes] = field(default_factory=dict)
    hangs: bool = False
    tells: int = 10_000
    """Signs of a text that its tree says; then come dots."""

    # ---- the narrow seam, and the line behind the wire ------------------------------------------
    def run(self, *commands: Sequence[str], seconds: float = 20.0) -> bytes:
        return self.execute(line(commands))

    def execute(self, written: str) -> bytes:
        lexer = shlex.shlex(written, posix=True, punctuation_chars=";&|<>()")
        lexer.whitespace_split = True
        lexer.commenters = ""
        out, words = b"", list[str]()
        for word in [*lexer, ";"]:
            if word != ";":
                words.append(word)
                continue
            if words:
                self.log.append(words)
                out += self._command(words)
            words = []
        return out

    def _command(self, words: list[str]) -> bytes:
        whole = " ".join(words)
        if whole in self.printed:
            return self.printed[whole]
        known = getattr(self, f"_{words[0].replace('-', '_')}", None)
        if known is None:
            return f"/system/bin/sh: {words[0]}: inaccessible or not found\n".encode()
        answer = known(words[1:])
        return answer if isinstance(answer, bytes) else str(answer or "").encode()

    # ---- what it shows ---------------------------------------------------------------------------
    @property
    def page(self) -> Page:
        return (
            self.pages[self.stack[-1]]
            if self.front == APP
            else Page("launcher", (Item("Toy", (0, 0, 200, 200)),))
        )

    @property
    def size(self) -> tuple[int, int]:
        return (2400, 1080) if self.turn % 2 else (1080, 2400)

    def tree(self) -> str:
        width, height = self.size
        owner = self.dialog or self.front
        kids = [self._item(i, owner) for i in self.page.items] if not self.dialog else [node(text="Allow?")]
        return dump(node(*kids, bounds=f"[0,0][{width},{height}]", package=owner), rotation=str(self.turn))

    def _item(self, item: Item, owner: str) -> str:
        box = "[{},{}][{},{}]".format(*item.box)
        said = {"package": owner, "bounds": box, "clickable": "true"}
        if not item.field:
            return node(text=item.text, **{"class": "android.widget.Button"}, **said)
        held = self.fields.get(item.field, "")
        told = held if len(held) <= self.tells else held[: self.tells] + "…"
        return node(
            text="•" * len(held) if item.password else told,
            focused=str(self.focused == item.field).lower(),
            password=str(item.password).lower(),
            **{"class": "android.widget.EditText"},
            **said,
        )

    def _uiautomator(self, words: list[str]) -> bytes:
        if self.hangs:
            raise Late("'toy' did not answer")
        rung = "compressed" if "--compressed" in words else "normal"
        if rung in self.busy:
            return b"ERROR: could not get idle state.\n"
        text = self.tree().encode()
        if words[-1] == "/dev/tty":
            said = b"UI hierchary dumped to: /dev/tty\n"
            return text + said if self.terminal else b"/dev/tty: No such device or address\n"
        if not self.writes:
            return b"ERROR: null root node returned by UiTestAutomationBridge.\n"
        self.files[words[-1]] = text
        return f"UI hierchary dumped to: {words[-1]}\n".encode()

    def _screencap(self, _: list[str]) -> bytes:
        if self.shot is not None:
            return self.shot()
        out = io.BytesIO()
        Image.new(
            "RGB", _PNG_SIZE if not self.turn % 2 else _PNG_SIZE[::-1], (0 if self.secure else 200, 0, 0)
        ).save(out, "PNG")
        return out.getvalue()

    # ---- files -----------------------------------------------------------------------------------
    def _rm(self, words: list[str]) -> str:
        self.files.pop(words[-1], None)
        return ""

    def _cat(self, words: list[str]) -> bytes:
        path = words[-1]
        return self.files.get(path, f"cat: {path}: No such file or directory\n".encode())

    # ---- what it says ----------------------------------------------------------------------------
    def _dumpsys(self, words: list[str]) -> str:
        width, height = self.size
        if words[0] == "window":
            title = f"{self.dialog or self.front}/.Main"
            flags = "fl=SECURE 81810100" if self.secure else "fl=81810100"
            return (
                f"Window #1 Window{{1f2 u0 {title}}}:\n  mAttrs={{(0,0) {flags}}}\n"
                f"  init=1080x2400 420dpi cur={width}x{height} app={width}x{height - 60}\n"
                f"  mCurrentRotation=ROTATION_{self.turn * 90}\n  mCurrentFocus=Window{{1f2 u0 {title}}}\n"
            )
        if words[0] == "input_method":
            return f"  mCurMethodId={self.ime}\n  mInputShown={str(bool(self.focused)).lower()}\n"
        if words[0] == "package":
            return "    versionCode=7 minSdk=21\n    versionName=1.4.2\n"
        return "mWakefulness=Awake\n" if words[0] == "power" else ""

    def _getprop(self, words: list[str]) -> str:
        return {
            "ro.product.model": "Toy",
            "ro.build.version.release": "14",
            "ro.build.version.sdk": "34",
        }.get(words[0], "") + "\n"

    def _wm(self, words: list[str]) -> str:
        return "Physical size: 1080x2400\n" if words[0] == "size" else "Physical density: 420\n"

    def _settings(self, words: list[str]) -> str:
        return f"{self.ime}\n" if words[-1] == "default_input_method" else "null\n"

    def _ps(self, _: list[str]) -> str:
        return "ARGS\ninit\n"

    def _cmd(self, words: list[str]) -> str:
        if words[:2] == ["clipboard", "help"]:
            return "  set-text TEXT\n" if self.clipboard else "No shell command implementation.\n"
        if words[:2] == ["clipboard", "set-text"]:
            self.clip = words[2]
        if words[:2] == ["package", "resolve-activity"]:
            return f"priority=0\n{APP}/.Main\n" if words[-1] == APP else "No activity found\n"
        return ""

    # ---- what is done to it ----------------------------------------------------------------------
    def _am(self, words: list[str]) -> str:
        if words[0] == "start":
            self._show(words[-1].partition("/")[0])
        elif words[0] == "force-stop" and words[1] == APP:
            self.stack, self.focused = ["home"], ""
        elif words[0] == "broadcast" and self.ime == WRITER:
            self._write(base64.b64decode(words[-1]).decode())
        return ""

    def _monkey(self, words: list[str]) -> str:
        package = words[1]
        if package not in (APP, LAUNCHER):
            return "** No activities found to run, monkey aborted.\n"
        return self._show(package)

    def _show(self, package: str) -> str:
        self.front = package if package in (APP, LAUNCHER) else self.front
        return ""

    def _ime(self, words: list[str]) -> str:
        if words[0] == "list":
            return "\n".join(self.imes) + "\n"
        if words[0] == "set" and words[1] in self.imes:
            self.ime = words[1]
        return ""

    def _input(self, words: list[str]) -> str:
        if not self.rights:
            return "java.lang.SecurityException: Injecting requires the INJECT_EVENTS permission\n"
        if words[0] == "tap":
            self._tap(int(words[1]), int(words[2]))
        elif words[0] == "keyevent":
            for key in words[1:]:
                self._key(key)
        elif words[0] == "text":
            if not words[1].isascii():
                return "java.lang.NullPointerException: Attempt to get length of null array\n"
            typed = words[1].replace("%s", " ")
            self._write("".join(c for c in typed if c not in self.loses))
        return ""

    def _write(self, text: str) -> None:
        if self.focused:
            self.fields[self.focused] = self.fields.get(self.focused, "") + text

    def _tap(self, x: int, y: int) -> None:
        for item in self.page.items:
            left, top, right, bottom = item.box
            if left <= x < right and top <= y < bottom:
                self.focused = item.field
                if item.to:
                    self.stack.append(item.to)

    def _key(self, key: str) -> None:
        if key in ("67", "KEYCODE_DEL") and self.focused:
            self.fields[self.focused] = self.fields.get(self.focused, "")[:-1]
        elif key == "KEYCODE_PASTE":
            self._write(self.clip)
        elif key == "KEYCODE_HOME":
            self.front = LAUNCHER
        elif key == "KEYCODE_BACK":
            if self.focused:
                self.focused = ""
            elif len(self.stack) > 1:
                self.stack.pop()
            else:
                self.front = LAUNCHER
