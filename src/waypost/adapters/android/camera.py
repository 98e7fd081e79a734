"""What `screencap` prints in; a picture, or the reason that there is none, out."""

import io

from waypost.adapters.android.shell import PATIENCE, Late, Shell
from waypost.adapters.android.state import on_display, secure
from waypost.adapters.trees import clean
from waypost.model import ImageStatus, Screen

__all__ = ["Camera", "picture"]

_MAGIC = b"\x89PNG\r\n\x1a\n"
_END = b"IEND\xaeB`\x82"
_DARK = 0.85
"""Share of pure black from which on the system is asked whether it blanks the picture."""


def picture(raw: bytes) -> tuple[bytes, str]:
    """Part a picture from what was printed around it; empty where there is none, or half of one."""
    start = raw.find(_MAGIC)
    before = clean((raw if start < 0 else raw[:start]).decode("utf-8", errors="replace")).strip()
    end = raw.rfind(_END)
    if start < 0 or end < start:
        return b"", before[:300]
    return raw[start : end + len(_END)], before[:300]


class Camera:
    """Takes pictures of a phone's screen; on a foldable, of the display that is on."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._display = ""

    def shot(self, screen: Screen, window: str) -> tuple[ImageStatus, bytes]:
        """Take one picture. Never makes one up: what is blank by the system's will is SECURE."""
        try:
            image, said = self._taken()
            if "display" in said.casefold() or (image and not _fits(image, screen.size)):
                self._display = on_display(self._text("dumpsys", "display"))
                image, said = self._taken() if self._display else (image, said)
            dark = _darkness(image) if image else None
            if dark is None:
                return (ImageStatus.SECURE if self._forbidden(window) else ImageStatus.FAILED), b""
            if dark >= _DARK and self._blanked(screen, window, dark):
                return ImageStatus.SECURE, b""
        except Late:
            return ImageStatus.FAILED, b""
        return ImageStatus.SHOWN, image

    def _taken(self) -> tuple[bytes, str]:
        which = ["-d", self._display] if self._display else []
        return picture(self._shell.run(["screencap", "-p", *which], seconds=PATIENCE))

    def _text(self, *words: str) -> str:
        return self._shell.run(list(words)).decode("utf-8", errors="replace")

    def _forbidden(self, window: str) -> bool:
        return secure(self._text("dumpsys", "window", "windows"), window)

    def _blanked(self, screen: Screen, window: str, dark: float) -> bool:
        if self._forbidden(window):
            return True
        # Nothing but black, although the tree shows words: the policy of the phone forbids pictures.
        return dark == 1.0 and any(e.text for e in screen.visible())


def _fits(image: bytes, size: tuple[int, int]) -> bool:
    """Whether a picture has the screen's form, by its header."""
    if len(image) < 24:
        return True
    width, height = int.from_bytes(image[16:20], "big"), int.from_bytes(image[20:24], "big")
    return abs(width * size[1] - height * size[0]) <= 0.02 * width * size[1]


def _darkness(image: bytes) -> float | None:
    """Return the share of pure black, 0 to 1; None for what is no whole picture."""
    from PIL import Image  # Loaded only for those who take pictures.

    try:
        counts = Image.open(io.BytesIO(image)).convert("L").histogram()
    except (OSError, ValueError, SyntaxError):
        return None
    return counts[0] / max(1, sum(counts))
