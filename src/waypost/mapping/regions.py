"""Parts of a screen that are no evidence: what a user calls a region in, the screen without it out."""

import re
from dataclasses import dataclass, replace

from waypost.mapping.memo import per_screen
from waypost.mapping.naming import identifier, plain, spoken
from waypost.model import Bounds, Element, Role, Screen

__all__ = ["Region", "pruned"]

_SELECTOR = re.compile(r'(?P<role>[a-z]*)(?:#(?P<id>[\w.:/-]+))?(?:"(?P<label>[^"]+)")?')
_NUMBER = r"\s*(\d+(?:\.\d+)?)(%?)\s*"
_BOX = re.compile(",".join([_NUMBER] * 4))


@dataclass(frozen=True, slots=True)
class Region:
    """Elements by role, id and label, or everything whose middle lies in a box."""

    role: str = ""
    id: str = ""
    label: str = ""
    box: tuple[float, float, float, float] | None = None
    """Left, top, right, bottom as shares of the screen, so that it fits a screen of any size."""

    @classmethod
    def parse(cls, text: str, size: tuple[int, int] = (0, 0)) -> "Region":
        """Read `#feed`, `list`, `image#banner`, `button"Sale"`, `0%,10%,100%,30%`, or pixels of a screen.

        Raises ValueError that says what would do.

        >>> Region.parse("list#feed"), Region.parse("0,240,1080,480", (1080, 2400)).box
        (Region(role='list', id='feed', label='', box=None), (0.0, 0.1, 1.0, 0.2))
        """
        found = _BOX.fullmatch(text)
        if found:
            return cls(box=_shares(found.groups(), size))
        told = _SELECTOR.fullmatch(text.strip())
        if told is None or not any(told.groups()):
            raise ValueError(f"{text!r} is no region; {_CURE}")
        role = told["role"]
        if role and role not in {r.value for r in Role}:
            raise ValueError(f"{role!r} is no role; roles are {', '.join(sorted(r.value for r in Role))}")
        return cls(role, identifier(told["id"] or "") or (told["id"] or ""), plain(told["label"] or ""))

    def __str__(self) -> str:
        """Write it as `parse` reads it.

        >>> str(Region(box=(0.0, 0.125, 1.0, 0.3))), str(Region("button", "", "Sale"))
        ('0%,12.5%,100%,30%', 'button"Sale"')
        """
        if self.box is not None:
            return ",".join(f"{round(100 * share, 3):g}%" for share in self.box)
        return self.role + (f"#{self.id}" if self.id else "") + (f'"{self.label}"' if self.label else "")

    def covers(self, element: Element, size: tuple[int, int]) -> bool:
        """Whether an element of a screen belongs to the region."""
        if self.box is not None:
            x, y = element.bounds.center
            left, top, right, bottom = self.box
            return bool(
                element.bounds.area
                and left * size[0] <= x < right * size[0]
                and top * size[1] <= y < bottom * size[1]
            )
        return (
            (not self.role or element.role.value == self.role)
            and (not self.id or identifier(element.resource_id) == self.id)
            and (not self.label or plain(spoken(element)) == self.label)
        )


_CURE = 'write #ID, ROLE, ROLE#ID, ROLE"LABEL", or LEFT,TOP,RIGHT,BOTTOM in pixels or in % of the screen'


def _shares(parts: tuple[str, ...], size: tuple[int, int]) -> tuple[float, float, float, float]:
    numbers, percents = [float(n) for n in parts[::2]], parts[1::2]
    if all(percents):
        shares = [n / 100 for n in numbers]
    elif any(percents) or not all(size):
        raise ValueError(f"{','.join(parts)!r} mixes pixels and %; {_CURE}")
    else:
        shares = [n / size[i % 2] for i, n in enumerate(numbers)]
    left, top, right, bottom = shares
    if not (0 <= left < right <= 1 and 0 <= top < bottom <= 1):
        raise ValueError("A box is LEFT,TOP,RIGHT,BOTTOM within the screen, with something between")
    return left, top, right, bottom


@per_screen
def pruned(screen: Screen, regions: tuple[Region, ...]) -> Screen:
    """Return the screen without what lies in the regions; the screen itself where nothing does."""
    root = _pruned(screen.root, regions, screen.size)
    return screen if root is screen.root else replace(screen, root=root)


def _pruned(element: Element, regions: tuple[Region, ...], size: tuple[int, int]) -> Element:
    """Return what is left of an element; it keeps its identity where nothing of it goes."""
    kept = []
    for child in element.children:
        # What holds nearly all of the screen holds the page: a box never takes that away as a whole.
        whole = child.bounds.area >= 0.9 * Bounds(0, 0, *size).area
        if any(r.covers(child, size) and not (whole and r.box is not None) for r in regions):
            continue
        kept.append(_pruned(child, regions, size))
    same = len(kept) == len(element.children) and all(
        a is b for a, b in zip(kept, element.children, strict=True)
    )
    return element if same else replace(element, children=tuple(kept))
