"""Several finders as one: what each of them finds, the same thing once."""

from waypost.model import Bounds, Element
from waypost.protocols import ElementFinder

__all__ = ["JoinedFinder"]

_SAME = 0.5
"""Share of the smaller box from which two finders have found one thing."""


class JoinedFinder:
    """Asks finders in order; of two that find one thing, the first that has words for it is heard."""

    def __init__(self, *finders: ElementFinder) -> None:
        self._finders = finders

    @property
    def id(self) -> str:
        return "+".join(f.id for f in self._finders)

    def find(self, picture: bytes, size: tuple[int, int]) -> tuple[Element, ...]:
        found: list[Element] = []
        for finder in self._finders:
            for element in finder.find(picture, size):
                twin = next((i for i, e in enumerate(found) if _one(e.bounds, element.bounds)), None)
                if twin is None:
                    found.append(element)
                elif element.label and not found[twin].label:
                    found[twin] = element
        return tuple(found)


def _one(a: Bounds, b: Bounds) -> bool:
    return a.clip(b).area > _SAME * max(1, min(a.area, b.area))
