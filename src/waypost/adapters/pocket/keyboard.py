"""The soft keyboard: where its keys are, and what a key does to a text."""

from functools import cache

from waypost.adapters.pocket.nodes import HEIGHT, KEYBOARD, NAVBAR, WIDTH, dp

__all__ = ["key_at", "keys", "typed"]

Box = tuple[int, int, int, int]

_LINES = ("1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm")


@cache
def keys() -> tuple[tuple[str, Box], ...]:
    """Every key with its box on the screen; the words are `delete`, `space` and `enter`."""
    made: list[tuple[str, Box]] = []
    top, high = HEIGHT - KEYBOARD + dp(8), (KEYBOARD - NAVBAR - dp(12)) // 5
    for i, line in enumerate(_LINES):
        wide = WIDTH // 10
        left = (WIDTH - wide * len(line)) // 2
        made += [
            (c, (left + k * wide, top + i * high, left + (k + 1) * wide, top + (i + 1) * high))
            for k, c in enumerate(line)
        ]
    third = top + 3 * high
    made.append(("delete", (WIDTH - 150, third, WIDTH, third + high)))
    last = top + 4 * high
    made.append((",", (30, last, 180, last + high)))
    made.append(("space", (200, last, 800, last + high)))
    made.append(("enter", (820, last, WIDTH - 20, last + high)))
    return tuple(made)


def key_at(x: int, y: int) -> str:
    """The key under a point; empty between the keys.

    >>> key_at(600, 2280)
    'space'
    """
    for name, (left, top, right, bottom) in keys():
        if left <= x < right and top <= y < bottom:
            return name
    return ""


def typed(text: str, key: str) -> str:
    """What a text is after a key.

    >>> typed("ab", "delete"), typed("ab", "space"), typed("ab", "c"), typed("ab", "enter")
    ('a', 'ab ', 'abc', 'ab')
    """
    match key:
        case "delete" | "⌫":
            return text[:-1]
        case "space":
            return text + " "
        case "enter" | "":
            return text
        case _:
            return text + key
