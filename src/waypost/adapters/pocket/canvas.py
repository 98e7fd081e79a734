"""Smooth shapes and text in any script, drawn on an image."""

import unicodedata
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from waypost.adapters.pocket.glyphs import glyph

__all__ = ["Canvas", "Color", "mixed"]

Color = tuple[int, int, int]
Box = tuple[int, int, int, int]
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

_CJK = (
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc",
    "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
    "/usr/share/fonts/opentype/noto/NotoSerifCJK-Regular.ttc",
    "/System/Library/Fonts/PingFang.ttc",
    "C:/Windows/Fonts/msyh.ttc",
)
_SYMBOLS = ("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/System/Library/Fonts/Apple Symbols.ttf")
_LATIN = frozenset("©«°±´·»‘’“”…")
"""What the default font has beyond ASCII."""


def mixed(a: Color, b: Color, share: float) -> Color:
    """`share` of b in a.

    >>> mixed((0, 0, 0), (100, 200, 50), 0.5)
    (50, 100, 25)
    """
    return tuple(int(x + (y - x) * share) for x, y in zip(a, b, strict=True))  # type: ignore[return-value]


@lru_cache(maxsize=64)
def _font(script: str, size: int) -> Font | None:
    paths = {"cjk": _CJK, "symbol": _SYMBOLS}.get(script)
    if paths is None:
        return ImageFont.load_default(size)
    for path in paths:
        if Path(path).exists():
            return ImageFont.truetype(path, size)
    return None


def _script(c: str) -> str:
    if ord(c) < 0x7F or c in _LATIN:
        return "latin"
    return "cjk" if 0x2E7F < ord(c) < 0xFFFF else "symbol"


def _plain(text: str) -> str:
    """Letters without their accents, for a machine that has no font for them.

    >>> _plain("né – 小")
    'ne - 小'
    """
    text = text.translate({ord("•"): "·", ord("–"): "-", ord("—"): "-", ord("€"): "E"})
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


@lru_cache(maxsize=2048)
def _runs(text: str) -> tuple[tuple[str, str], ...]:
    """A text in pieces of one script; spaces stay with what is before them."""
    runs: list[tuple[str, str]] = []
    for c in text if _font("symbol", 24) else _plain(text):
        script = runs[-1][0] if runs and c == " " else _script(c)
        if runs and runs[-1][0] == script:
            runs[-1] = (script, runs[-1][1] + c)
        else:
            runs.append((script, c))
    return tuple(runs)


@lru_cache(maxsize=256)
def _disc(radius: int) -> Image.Image:
    big = Image.new("L", (radius * 8, radius * 8), 0)
    ImageDraw.Draw(big).ellipse((0, 0, radius * 8 - 1, radius * 8 - 1), fill=255)
    return big.resize((radius * 2, radius * 2), Image.Resampling.LANCZOS)


def _advance(script: str, run: str, size: int) -> float:
    font = _font(script, size)
    return font.getlength(run) if font else len(run) * size * 0.9


class Canvas:
    """An image with an origin: everything is drawn in screen coordinates."""

    def __init__(self, image: Image.Image, origin: tuple[int, int] = (0, 0)) -> None:
        self.image = image
        self.origin = origin
        self._draw = ImageDraw.Draw(image)

    def inside(self, box: Box) -> "Canvas":
        """A canvas for the part inside `box`; `put` it back when it is drawn."""
        x, y = self.origin
        return Canvas(self.image.crop((box[0] - x, box[1] - y, box[2] - x, box[3] - y)), (box[0], box[1]))

    def put(self, part: "Canvas") -> None:
        self.image.paste(part.image, (part.origin[0] - self.origin[0], part.origin[1] - self.origin[1]))

    def _local(self, box: Box) -> Box:
        x, y = self.origin
        return box[0] - x, box[1] - y, box[2] - x, box[3] - y

    def rect(self, box: Box, color: Color) -> None:
        left, top, right, bottom = self._local(box)
        if right > left and bottom > top:
            self._draw.rectangle((left, top, right - 1, bottom - 1), fill=color)

    def rounded(self, box: Box, radius: int, color: Color, corners: str = "tlbr") -> None:
        """Fill a box with smooth round corners; `corners` "t" rounds the upper ones only."""
        left, top, right, bottom = self._local(box)
        r = min(radius, (right - left) // 2, (bottom - top) // 2)
        if r < 1:
            self.rect(box, color)
            return
        low = bottom - r if corners != "t" else bottom
        if right - left > 2 * r:
            self._draw.rectangle((left + r, top, right - r - 1, bottom - 1), fill=color)
        if low > top + r:
            self._draw.rectangle((left, top + r, right - 1, low - 1), fill=color)
        disc = _disc(r)
        for x, y, part in (
            (left, top, (0, 0)),
            (right - r, top, (r, 0)),
            (left, bottom - r, (0, r)),
            (right - r, bottom - r, (r, r)),
        ):
            if corners == "t" and part[1]:
                continue
            tile = disc.crop((part[0], part[1], part[0] + r, part[1] + r))
            self.image.paste(color, (x, y), tile)

    def framed(self, box: Box, radius: int, line: Color, fill: Color, wide: int = 3) -> None:
        """A filled box with an outline."""
        self.rounded(box, radius, line)
        self.rounded((box[0] + wide, box[1] + wide, box[2] - wide, box[3] - wide), radius - wide, fill)

    def disc(self, center: tuple[int, int], radius: int, color: Color) -> None:
        x, y = center[0] - self.origin[0], center[1] - self.origin[1]
        self.image.paste(color, (x - radius, y - radius), _disc(radius))

    def shade(self, box: Box, share: float) -> None:
        """Darken a box, as a scrim does."""
        left, top, right, bottom = self._local(box)
        part = self.image.crop((left, top, right, bottom))
        self.image.paste(part.point(lambda v: int(v * (1 - share))), (left, top))

    def glyph(self, name: str, box: Box, color: Color) -> None:
        size = min(box[2] - box[0], box[3] - box[1])
        left, top = (
            (box[0] + box[2] - size) // 2 - self.origin[0],
            (box[1] + box[3] - size) // 2 - self.origin[1],
        )
        if size > 0:
            self.image.paste(color, (left, top), glyph(name, size))

    def width(self, text: str, size: int) -> float:
        """Advance of a line, pixels."""
        return sum(_advance(script, run, size) for script, run in _runs(text))

    def fitted(self, text: str, size: int, room: int) -> str:
        """Cut a line short with an ellipsis where it is too long."""
        if self.width(text, size) <= room:
            return text
        while text and self.width(text + "…", size) > room:
            text = text[:-1]
        return text.rstrip() + "…"

    def line(
        self, text: str, box: Box, size: int, color: Color, *, align: str = "left", bold: bool = False
    ) -> None:
        """Draw one line, centred vertically in its box."""
        text = self.fitted(text, size, box[2] - box[0] + 6)
        wide = self.width(text, size)
        x = box[0] - self.origin[0]
        x += {"left": 0, "center": int((box[2] - box[0] - wide) / 2), "right": int(box[2] - box[0] - wide)}[
            align
        ]
        y = (box[1] + box[3]) // 2 - self.origin[1]
        stroke = 0.5 * max(1, size // 40) if bold else 0
        at = float(x)
        for script, run in _runs(text):
            font = _font(script, size)
            if font is None:
                self._boxes(run, (int(at), y), size, color)
            else:
                self._draw.text((at, y), run, fill=color, font=font, anchor="lm", stroke_width=stroke)
            at += _advance(script, run, size)

    def _boxes(self, text: str, at: tuple[int, int], size: int, color: Color) -> None:
        """Where no font has the script: one box a character."""
        x, y = at
        for i, c in enumerate(text):
            if not c.isspace():
                left = x + int(i * size * 0.9)
                self._draw.rectangle(
                    (left + 2, y - size // 2 + 2, left + int(size * 0.8), y + size // 2 - 2),
                    outline=color,
                    width=2,
                )
