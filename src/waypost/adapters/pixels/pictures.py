"""A picture's bytes in, the picture out."""

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

__all__ = ["opened"]


def opened(picture: bytes) -> "Image.Image":
    """Open a PNG, JPEG or WebP. ValueError for what is none."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(picture)) as found:
            return found.convert("RGB")
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError) as e:
        raise ValueError(f"a picture cannot be read: {e}") from e
