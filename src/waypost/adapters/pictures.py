"""Screenshots for a model to look at: a PNG and marks in, a smaller PNG with them drawn on it out."""

import io
import math
from typing import Any, Protocol

from waypost.model import Bounds, Point

__all__ = ["annotated"]

_GREEN = (0, 200, 60)
_LONGEST = 1_280
"""Pixels of the longer side: enough to read a label, a quarter of what a phone shows."""


class Marks(Protocol):
    """What is drawn, in pixels of a screen of `size`."""

    @property
    def size(self) -> tuple[int, int]: ...
    @property
    def tap(self) -> Bounds | None: ...
    @property
    def drag(self) -> tuple[Point, Point] | None: ...
    @property
    def private(self) -> tuple[Bounds, ...]: ...


def annotated(picture: bytes, marks: Marks) -> bytes:
    """Draw a green rectangle on what is tapped, an arrow where it is dragged, and black over what is private.

    TAG-Nav, App. C.1. A picture that cannot be read raises ValueError: it is never passed on uncovered.
    """
    from PIL import Image, ImageDraw, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(picture)) as opened:
            image = opened.convert("RGB")
    except (OSError, UnidentifiedImageError) as e:
        raise ValueError(f"a screenshot cannot be read: {e}") from e
    image.thumbnail((_LONGEST, _LONGEST))
    across, down = image.width / max(1, marks.size[0]), image.height / max(1, marks.size[1])
    draw = ImageDraw.Draw(image)
    for box in marks.private:
        draw.rectangle(_placed(box, across, down), fill=(0, 0, 0))
    width = max(3, image.width // 120)
    if marks.tap is not None and marks.tap.area:
        draw.rectangle(_placed(marks.tap, across, down), outline=_GREEN, width=width)
    if marks.drag is not None:
        (x0, y0), (x1, y1) = marks.drag
        _arrow(draw, (x0 * across, y0 * down), (x1 * across, y1 * down), width)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _placed(box: Bounds, across: float, down: float) -> tuple[float, float, float, float]:
    return (
        box.left * across,
        box.top * down,
        max(box.left, box.right - 1) * across,
        max(box.top, box.bottom - 1) * down,
    )


def _arrow(draw: Any, start: tuple[float, float], end: tuple[float, float], width: int) -> None:
    draw.line((start, end), fill=_GREEN, width=width)
    angle = math.atan2(end[1] - start[1], end[0] - start[0])
    head = 6 * width
    tips = [(end[0] - head * math.cos(angle + a), end[1] - head * math.sin(angle + a)) for a in (0.5, -0.5)]
    draw.polygon([end, *tips], fill=_GREEN)
