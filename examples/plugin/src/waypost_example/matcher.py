"""Two looks in, whether they are one page: by the heading that stands highest."""

from waypost.model import Role, Screen
from waypost.protocols import Comparison, Reason


class SameTitle:
    """`waypost identity score --matcher same-title`."""

    def compare(self, a: Screen, b: Screen) -> Comparison:
        mine, other = (a.app, title(a)), (b.app, title(b))
        same = a == b or (mine == other and mine[1] != "")
        return Comparison(
            float(same), (Reason("title", 1.0 if same else -1.0, f"{mine[1]!r}, {other[1]!r}"),)
        )


def title(screen: Screen) -> str:
    """Return what the highest heading or text says; empty where there is none."""
    words = [e for e in screen.visible() if e.role in (Role.HEADING, Role.TEXT) and e.label]
    return min(words, key=lambda e: e.bounds.top).label if words else ""
