"""A look's screenshot in, the picture that the screen's size asks for out. Pixels are never made up."""

import io
import struct

from waypost.model import ImageStatus, Observation

__all__ = ["NoPicture", "jpeg", "png", "raw"]

_MAGIC = b"\x89PNG\r\n\x1a\n"
_MOST = 64_000_000
"""Pixels of a picture that is taken at all."""


class NoPicture(Exception):
    """There is no picture; `status` is Android's word for why."""

    def __init__(self, status: str) -> None:
        super().__init__(status)
        self.status = status


def png(look: Observation) -> bytes:
    """Return the screenshot as PNG, as large as the screen. Raises NoPicture."""
    data = _shown(look)
    size = struct.unpack(">II", data[16:24])
    if size == look.screen.size:
        return data
    from PIL import Image

    out = io.BytesIO()
    with Image.open(io.BytesIO(data)) as image:
        image.convert("RGB").resize(look.screen.size).save(out, "PNG", compress_level=1)
    return out.getvalue()


def jpeg(look: Observation, scale: float, quality: int) -> bytes:
    """Return the screenshot as JPEG, `scale` times the screen. Raises NoPicture."""
    from PIL import Image

    width, height = (max(1, round(side * scale)) for side in look.screen.size)
    out = io.BytesIO()
    with Image.open(io.BytesIO(_shown(look))) as image:
        picture = image.convert("RGB")
        if picture.size != (width, height):
            picture = picture.resize((width, height))
        picture.save(out, "JPEG", quality=max(1, min(95, quality)))
    return out.getvalue()


def raw(look: Observation) -> tuple[int, int, bytes]:
    """Return width, height and the pixels, four bytes each (red, green, blue, alpha). Raises NoPicture."""
    from PIL import Image

    with Image.open(io.BytesIO(_shown(look))) as image:
        picture = image.convert("RGBA")
        if picture.size != look.screen.size:
            picture = picture.resize(look.screen.size)
        return *picture.size, picture.tobytes()


def _shown(look: Observation) -> bytes:
    if look.image_status is ImageStatus.SECURE:
        raise NoPicture("-1 (PERMISSION_DENIED: the window is secure)")
    width, height = struct.unpack(">II", look.image[16:24]) if look.image.startswith(_MAGIC) else (0, 0)
    if look.image_status is not ImageStatus.SHOWN or not 0 < width * height <= _MOST:
        raise NoPicture("-2147483648 (UNKNOWN_ERROR)")
    return look.image
