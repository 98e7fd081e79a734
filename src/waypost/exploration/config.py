"""How to explore, and how it is going."""

from dataclasses import dataclass

__all__ = ["ExploreConfig", "Progress"]


@dataclass(frozen=True, slots=True)
class ExploreConfig:
    policy: str = "frontier"
    """`frontier`, `auto_bfs`, `state_dfs` or `random`."""
    actions: int | None = None
    """Actions that the device may perform in all, launches among them; None: no limit."""
    minutes: float | None = None
    seed: int = 0
    walks: int = 1000
    """Walks from the start page (Auto-BFS and random walk; TAG-Nav, App. B.2)."""
    depth: int = 5
    """Forward steps of one walk."""
    local: float = 0.7
    """Probability of a local probe instead of a random step."""
    undo_cycles: int = 15
    """Probes with a verified return in one local round."""
    pictures: bool = False
    """Take a screenshot of each page when it is first seen."""


@dataclass(frozen=True, slots=True)
class Progress:
    """One reading, taken after each step."""

    pages: int
    transitions: int
    actions: int
    tried: int
    """Known elements that were acted on, each counted once a page."""
    untried: int
    elapsed: float
    """Seconds."""
    eta: float | None
    """Seconds until the budget is spent; None where there is none."""
    page: str = ""
    """Name of the page that is being looked at."""

    @property
    def coverage(self) -> float:
        """Share of the known elements that were tried.

        >>> Progress(3, 4, 10, 6, 2, 1.0, None).coverage
        0.75
        """
        known = self.tried + self.untried
        return self.tried / known if known else 1.0
