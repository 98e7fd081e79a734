"""Set-of-marks: a screenshot, numbers with their frames and what is private in, a picture for a model out."""

import colorsys
import io
from collections.abc import Sequence
from typing import Any, TypeAlias

from waypost.model import Bounds

__all__ = ["marked"]

_LONGEST = 1_280
"""Pixels of the longer side of a picture with numbers; without them, models count the pixels as they are."""
_Box: TypeAlias = tuple[int, int, int, int]


def marked(
    picture: bytes,
    size: tuple[int, int],
    marks: Sequence[tuple[int, Bounds]],
    private: Sequence[Bounds] = (),
) -> bytes:
    """Frame each element in a colour of its own, with its number on a tag that hides as little as it can.

    Larger frames are drawn first, and tags last, so that no tag lies under a frame. What is private is
    blacked out before. A picture that cannot be read raises ValueError: it is never passed on uncovered.
    """
    from PIL import Image, ImageDraw, ImageFont, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(picture)) as opened:
            image = opened.convert("RGB")
    except (OSError, UnidentifiedImageError) as e:
        raise ValueError(f"a screenshot cannot be read: {e}") from e
    if marks:
        image.thumbnail((_LONGEST, _LONGEST))
    across, down = image.width / max(1, size[0]), image.height / max(1, size[1])
    draw = ImageDraw.Draw(image)
    for box in private:
        draw.rectangle(_placed(box, across, down), fill=(0, 0, 0))
    font = ImageFont.load_default(max(13, image.width // 30))
    frames = [(n, _placed(box, across, down)) for n, box in marks]
    frames.sort(key=lambda f: -_area(f[1]))
    for n, frame in frames:
        draw.rectangle(frame, outline=_colour(n), width=max(2, image.width // 250))
    taken: list[_Box] = []
    for n, frame in sorted(frames, key=lambda f: _area(f[1])):
        left, top, right, bottom = (int(v) for v in draw.textbbox((0, 0), str(n), font=font))
        tag = _tag(frame, (right - left + 6, bottom - top + 6), (image.width, image.height), taken)
        taken.append(tag)
        draw.rectangle(tag, fill=_colour(n), outline=(255, 255, 255))
        draw.text((tag[0] + 3 - left, tag[1] + 3 - top), str(n), font=font, fill=_ink(_colour(n)))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _placed(box: Bounds, across: float, down: float) -> _Box:
    left, top = int(box.left * across), int(box.top * down)
    return left, top, max(left, int(box.right * across) - 1), max(top, int(box.bottom * down) - 1)


def _area(box: _Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def _tag(frame: _Box, size: tuple[int, int], picture: tuple[int, int], taken: Sequence[_Box]) -> _Box:
    """Return where a tag goes: the first of a frame's places that covers the least of the tags so far."""
    left, top, right, bottom = frame
    wide, high = size
    places = [
        (left, top), (right - wide, top), (left, bottom - high), (right - wide, bottom - high),
        (left, top - high), (left - wide, top), (right, top), (left, bottom),
        ((left + right - wide) // 2, top), ((left + right - wide) // 2, bottom - high),
    ]  # fmt: skip
    boxes = [_inside(x, y, size, picture) for x, y in places]
    return min(boxes, key=lambda box: sum(_shared(box, other) for other in taken))


def _inside(x: int, y: int, size: tuple[int, int], picture: tuple[int, int]) -> _Box:
    x, y = max(0, min(x, picture[0] - size[0])), max(0, min(y, picture[1] - size[1]))
    return x, y, x + size[0], y + size[1]


def _shared(a: _Box, b: _Box) -> int:
    wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return wide * high if wide > 0 and high > 0 else 0


def _colour(n: int) -> tuple[int, int, int]:
    """Return a strong colour, far from that of the numbers before (steps of the golden angle)."""
    red, green, blue = colorsys.hsv_to_rgb((n * 0.618034) % 1.0, 0.9, 0.8)
    return int(red * 255), int(green * 255), int(blue * 255)


def _ink(colour: tuple[int, int, int]) -> Any:
    light = 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]
    return (0, 0, 0) if light > 140 else (255, 255, 255)
