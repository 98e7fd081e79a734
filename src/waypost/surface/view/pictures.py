"""Screenshots made small: a PNG and a width in, a WebP out."""

import io

__all__ = ["SIZES", "shrunk"]

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
