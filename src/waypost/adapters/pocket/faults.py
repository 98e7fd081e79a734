"""What goes wrong on purpose: rates in, seeded mishaps of looks and actions out."""

import random
from dataclasses import dataclass, replace

from waypost.model import Element, Screen, TreeQuality

__all__ = ["Faults", "Mishaps", "truncated"]


@dataclass(frozen=True, slots=True)
class Faults:
    """Chances, 0 to 1, of each mishap; all zero means a device that never fails."""

    seed: int = 0
    no_tree: float = 0.0
    """A look comes without a tree."""
    truncated: float = 0.0
    """A look comes with only the first part of its tree."""
    stale: float = 0.0
    """A look comes with the tree of the look before, marked PARTIAL."""
    black: float = 0.0
    """A screenshot is blanked, as if the window were secure."""
    unpictured: float = 0.0
    """A screenshot fails."""
    slow: float = 0.0
    """An action is followed by looks in the middle of an animation."""
    slow_looks: int = 2
    """How many such looks."""
    lost: float = 0.0
    """An action finds the device gone; it answers again after `restart`."""

    @classmethod
    def none(cls) -> "Faults":
        return cls()

    @classmethod
    def all_on(cls, seed: int = 0) -> "Faults":
        """Everything, at moderate rates."""
        return cls(seed, 0.02, 0.02, 0.03, 0.03, 0.02, 0.10, 2, 0.002)

    @property
    def any(self) -> bool:
        return replace(self, seed=0, slow_looks=2) != Faults()


class Mishaps:
    """Draws what goes wrong, one seeded stream a device."""

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.any = faults.any
        self._rng = random.Random(f"{faults.seed}:mishaps")

    def strikes(self, rate: float) -> bool:
        return rate > 0 and self._rng.random() < rate

    def animation(self) -> int:
        """Looks that the action just done takes to settle."""
        return self.faults.slow_looks if self.strikes(self.faults.slow) else 0

    def tree(self, screen: Screen, before: Screen | None) -> tuple[Screen, bool]:
        """The screen as the tree service answers; True where it is the one `before`."""
        faults = self.faults
        if self.strikes(faults.no_tree):
            return replace(screen, root=Element(), quality=TreeQuality.NONE), False
        if self.strikes(faults.truncated):
            return replace(screen, root=truncated(screen.root, 0.5), quality=TreeQuality.PARTIAL), False
        if self.strikes(faults.stale) and before is not None:
            return replace(before, quality=TreeQuality.PARTIAL), True
        return screen, False


def truncated(root: Element, share: float) -> Element:
    """Keep the first part of a tree, in tree order.

    >>> tree = Element(children=(Element(text="a"), Element(text="b"), Element(text="c")))
    >>> [e.text for e in truncated(tree, 0.5).children]
    ['a']
    """
    left = [max(1, int(sum(1 for _ in root.walk()) * share))]

    def cut(element: Element) -> Element | None:
        if left[0] <= 0:
            return None
        left[0] -= 1
        children = tuple(c for c in map(cut, element.children) if c is not None)
        return replace(element, children=children)

    return cut(root) or root
