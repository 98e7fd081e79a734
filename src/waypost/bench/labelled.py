"""Looks whose true pages are known: what matchers are scored on."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from waypost.model import Screen

__all__ = ["CAUSES", "LabelledLook", "LabelledSet"]

CAUSES = ("scroll", "list", "keyboard", "overlay", "loading", "theme", "language", "missing tree")
"""What makes a look differ from the others of its page, as labels name it."""


@dataclass(frozen=True, slots=True)
class LabelledLook:
    name: str
    screen: Screen
    page: str | None
    """The true page; None for another app and for an overlay of the system."""
    picture: bytes | Path = b""
    """The screenshot, or its file; empty where there is none."""
    causes: tuple[str, ...] = ()

    def image(self) -> bytes:
        """Return the screenshot; empty where there is none."""
        return self.picture.read_bytes() if isinstance(self.picture, Path) else self.picture


@dataclass(frozen=True)
class LabelledSet:
    name: str
    app: str
    """Package or origin."""
    looks: tuple[LabelledLook, ...]

    @cached_property
    def pages(self) -> tuple[LabelledLook, ...]:
        """The looks at pages of the app: those that are scored."""
        return tuple(look for look in self.looks if look.page is not None)

    @property
    def truth(self) -> list[str]:
        """The true pages of `pages`, in their order."""
        return [str(look.page) for look in self.pages]
