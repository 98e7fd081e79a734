"""A frame in, a PNG out: windows from the bottom up, the status bar, the keyboard."""

import io
from collections.abc import Mapping

from PIL import Image

from waypost.adapters.pocket.canvas import Canvas
from waypost.adapters.pocket.frames import Frame
from waypost.adapters.pocket.keyboard import keys
from waypost.adapters.pocket.nodes import HEIGHT, KEYBOARD, STATUS, WIDTH, Node, dp
from waypost.adapters.pocket.paint import PAINTS
from waypost.adapters.pocket.theme import Theme, theme

__all__ = ["render"]

Box = tuple[int, int, int, int]


def render(frame: Frame, *, clock: str, dark: bool, shrink: int = 1) -> bytes:
    """Draw the whole screen, 1080x2400 divided by `shrink`, as PNG."""
    colors = theme(frame.spec, dark=dark)
    image = Image.new("RGB", (WIDTH, HEIGHT), colors.window)
    canvas = Canvas(image)
    for i, window in enumerate(frame.windows):
        if window.dims:
            canvas.shade((0, 0, WIDTH, HEIGHT), 0.5)
        if window.panel is not None and i > 0 and not window.dims:
            _shadow(canvas, window.root, colors)
        _paint(canvas, window.root, (0, 0), colors, frame.scroll)
        if i == 0:
            _status(canvas, clock, colors)
    if frame.screen.keyboard:
        _keyboard(canvas, colors)
    pill = (WIDTH // 2 - dp(54), HEIGHT - dp(10), WIDTH // 2 + dp(54), HEIGHT - dp(6))
    canvas.rounded(pill, dp(2), colors.muted)
    out = io.BytesIO()
    small = image.reduce(shrink) if shrink > 1 else image
    small.save(out, "PNG", compress_level=1)
    return out.getvalue()


def _paint(
    canvas: Canvas, node: Node, origin: tuple[int, int], colors: Theme, scroll: Mapping[str, int]
) -> None:
    left, top = origin[0] + node.x, origin[1] + node.y
    box = (left, top, left + node.w, top + node.h)
    if box[3] <= 0 or box[1] >= HEIGHT or box[2] <= 0 or box[0] >= WIDTH:
        return
    if node.paint:
        kind, *how = node.paint
        PAINTS[kind](canvas, node, box, colors, tuple(how))
    if not node.extent:
        for child in node.children:
            _paint(canvas, child, (left, top), colors, scroll)
        return
    clipped = (max(0, box[0]), max(0, box[1]), min(WIDTH, box[2]), min(HEIGHT, box[3]))
    part = canvas.inside(clipped)
    at = scroll.get(node.scroll, 0) if node.scroll else 0
    inner = (left - at, top) if node.scroll.startswith("h") else (left, top - at)
    for child in node.children:
        y, x = inner[1] + child.y, inner[0] + child.x
        if y < clipped[3] and y + child.h > clipped[1] and x < clipped[2] and x + child.w > clipped[0]:
            _paint(part, child, inner, colors, scroll)
    canvas.put(part)


def _shadow(canvas: Canvas, root: Node, colors: Theme) -> None:
    for grow in (9, 6, 3):
        box = (root.x - grow, root.y - grow + 4, root.x + root.w + grow, root.y + root.h + grow + 4)
        canvas.rounded(box, dp(14), colors.shadow(grow))


def _status(canvas: Canvas, clock: str, colors: Theme) -> None:
    color = colors.status
    canvas.line(clock, (dp(20), 0, dp(120), STATUS), dp(14), color, bold=True)
    right = WIDTH - dp(20)
    for name in ("battery", "signal", "wifi"):
        canvas.glyph(name, (right - dp(16), (STATUS - dp(16)) // 2, right, (STATUS + dp(16)) // 2), color)
        right -= dp(21)


def _keyboard(canvas: Canvas, colors: Theme) -> None:
    canvas.rect((0, HEIGHT - KEYBOARD, WIDTH, HEIGHT), colors.keyboard)
    for name, (left, top, right, bottom) in keys():
        box = (left + 6, top + 8, right - 6, bottom - 8)
        canvas.rounded(box, dp(6), colors.accent if name == "enter" else colors.key)
        if name in ("delete", "enter"):
            inner = (box[0], box[1] + dp(10), box[2], box[3] - dp(10))
            canvas.glyph(name, inner, colors.on_accent if name == "enter" else colors.text)
        elif name != "space":
            canvas.line(name, box, dp(18), colors.text, align="center")
