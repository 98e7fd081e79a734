"""Gestures in, points that a screen takes out: shared by the devices that are touched at points."""

from waypost.errors import DeviceError
from waypost.model import Direction, Point, Swipe

__all__ = ["on_screen", "swipe_points"]


def on_screen(at: Point, size: tuple[int, int]) -> Point:
    """Return a point that lies on a screen of `size`; raises DeviceError for any other.

    >>> on_screen((3, 4), (1080, 2400))
    (3, 4)
    """
    width, height = size
    if not (0 <= at[0] < width and 0 <= at[1] < height):
        raise DeviceError(f"The point {at} lies off the screen, which is {width} x {height}")
    return at


def swipe_points(action: Swipe, size: tuple[int, int], *, kept: int = 1) -> tuple[Point, Point]:
    """Return where a swipe starts and ends.

    It keeps off the outer `kept` eighths of each side, which a phone's own gestures hold.

    >>> swipe_points(Swipe(Direction.UP), (1080, 2400))
    ((540, 1800), (540, 600))
    """
    if action.start is not None and action.end is not None:
        return action.start, action.end
    width, height = size
    x, y = action.start or (width // 2, height // 2)
    low, high = height * kept // 8, min(height - 1, height * (8 - kept) // 8)
    left, right = width * kept // 8, min(width - 1, width * (8 - kept) // 8)
    match action.direction:
        case Direction.UP:
            return (x, min(high, y + height // 4)), (x, max(low, y - height // 4))
        case Direction.DOWN:
            return (x, max(low, y - height // 4)), (x, min(high, y + height // 4))
        case Direction.LEFT:
            return (min(right, x + width // 3), y), (max(left, x - width // 3), y)
        case Direction.RIGHT:
            return (max(left, x - width // 3), y), (min(right, x + width // 3), y)
