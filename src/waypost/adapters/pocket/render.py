"""A frame in, a PNG out."""

from waypost.adapters.pocket.frames import Frame

__all__ = ["render"]


def render(frame: Frame, *, clock: str, dark: bool) -> bytes:
    """Draw the whole screen, 1080x2400."""
    return b""
