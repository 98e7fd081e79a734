"""Screenshots made small: a PNG and a width in, a WebP out; what was made once is kept."""

import io
from collections import OrderedDict
from collections.abc import Callable

__all__ = ["SIZES", "Pictures", "shrunk"]

SIZES = {"thumb": 132, "screen": 540}
"""Widths in pixels by the name that the page asks for."""


def shrunk(png: bytes, width: int, quality: int = 72) -> bytes:
    """Return a picture as WebP, at most `width` wide; empty for none."""
    if not png:
        return b""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as picture:
        width = min(width, picture.width)
        height = max(1, round(picture.height * width / picture.width))
        out = io.BytesIO()
        picture.convert("RGB").resize((width, height)).save(out, "WEBP", quality=quality, method=2)
    return out.getvalue()


class Pictures:
    """A map's pictures in the sizes that are shown; the `limit` that were asked for last are kept."""

    def __init__(self, read: Callable[[str], bytes], limit: int = 3000) -> None:
        self._read, self._limit = read, limit
        self._kept: OrderedDict[tuple[str, str], bytes] = OrderedDict()

    def get(self, image_hash: str, size: str) -> bytes:
        """Return a picture as WebP; empty where there is none."""
        at = (image_hash, size)
        if at not in self._kept:
            self._kept[at] = shrunk(self._read(image_hash), SIZES[size])
            if len(self._kept) > self._limit:
                self._kept.popitem(last=False)
        self._kept.move_to_end(at)
        return self._kept[at]
