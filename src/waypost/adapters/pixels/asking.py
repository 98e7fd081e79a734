"""What a vision model sees on a screen: a picture in, its list of interactive elements out (TAG-Nav, 3.1)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from waypost.adapters.discreet import boxed
from waypost.adapters.pixels.pictures import opened
from waypost.errors import ReplyError
from waypost.model import Bounds, Element, Role, Screen
from waypost.protocols import LLM, ElementFinder

__all__ = ["AskedFinder", "Listed", "Sighted"]

_WHOLE = 1000
"""Models are asked for thousandths of the picture: no model agrees with another on pixels."""
_MOST = 120
"""Elements of one reply that are believed: more of them is a model that repeats itself."""
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Listed:
    """One element as the model names it; its box in thousandths of the picture."""

    kind: Literal["button", "link", "text", "heading", "field", "switch", "tab", "item", "image"]
    label: str
    left: int
    top: int
    right: int
    bottom: int


@dataclass(frozen=True, slots=True)
class Sighted:
    """The reply: what there is, and whether the page itself is still to come."""

    loading: bool
    elements: tuple[Listed, ...]


class AskedFinder:
    """Asks a model; what `reader` reads as private is covered in the picture before it leaves."""

    def __init__(self, llm: LLM, reader: ElementFinder | None = None) -> None:
        self._llm, self._reader = llm, reader
        text = Path(__file__).with_name("find.txt").read_text(encoding="utf-8")
        self._prompt = text.partition("\n")[2].strip()

    @property
    def id(self) -> str:
        return f"model:{self._llm.id}"

    def find(self, picture: bytes, size: tuple[int, int]) -> tuple[Element, ...]:
        """A reply that nobody can read finds nothing; ModelError where there is no reply at all."""
        opened(picture)
        try:
            reply = self._llm.ask(self._prompt, (self._covered(picture, size),), returns=Sighted)
        except ReplyError:
            return ()
        if reply.loading:
            return (Element(Role.PROGRESS, self.id, bounds=Bounds(0, 0, *size)),)
        placed = [self._element(e, size) for e in reply.elements[:_MOST]]
        return tuple(e for e in placed if e.bounds.area)

    def _element(self, listed: Listed, size: tuple[int, int]) -> Element:
        role, label = Role(listed.kind), " ".join(listed.label.split())[:_LONGEST]
        (left, right), (top, bottom) = (
            sorted(min(max(0, v), _WHOLE) * side // _WHOLE for v in ends)
            for ends, side in (((listed.left, listed.right), size[0]), ((listed.top, listed.bottom), size[1]))
        )
        return Element(
            role,
            self.id,
            text="" if role in (Role.FIELD, Role.IMAGE) else label,
            description=label if role is Role.IMAGE else "",
            hint=label if role is Role.FIELD else "",
            bounds=Bounds(left, top, right, bottom),
            clickable=role not in (Role.TEXT, Role.HEADING),
        )

    def _covered(self, picture: bytes, size: tuple[int, int]) -> bytes:
        if self._reader is None:
            return picture
        read = self._reader.find(picture, size)
        return boxed(picture, Screen(Element(bounds=Bounds(0, 0, *size), children=read), size=size))
