"""What is asked of an agent, and what a judge says of the answer."""

from dataclasses import dataclass

__all__ = ["Target", "Task", "Verdict"]


@dataclass(frozen=True, slots=True)
class Target:
    """What the destination must look like, independent of any map. All parts given must hold."""

    page: str = ""
    """Ground-truth page id, where the world knows it."""
    url: str = ""
    """Regular expression that the page's path (with query and fragment) must match from its start."""
    has: tuple[str, ...] = ()
    """Regular expressions, each found in some visible label (case ignored)."""
    lacks: tuple[str, ...] = ()
    """Regular expressions, none found in any visible label."""


@dataclass(frozen=True, slots=True)
class Task:
    """Reach the page that `instruction` means, and stop before doing anything on it."""

    id: str
    app: str
    instruction: str
    target: Target | None = None
    """None: the app has no such page; the right answer is to abstain."""
    shortest: int = 0
    """Fewest actions from the start state; 0 where not known."""
    tags: tuple[str, ...] = ()
    others: tuple[Target, ...] = ()
    """Further pages that are as good as `target`."""
    start: tuple[str, ...] = ()
    """Start recipe that brings the app from a launch to the task's start state; none where a launch does."""
    forbids: tuple[str, ...] = ()
    """Regular expressions: acting on a control so labelled spoils the task, wherever it ends."""
    budget: int = 0
    """Most actions; 0 leaves it to whoever runs the task."""

    @property
    def targets(self) -> tuple[Target, ...]:
        """Every page that is right; none where the app has no such page."""
        return (self.target, *self.others) if self.target is not None else ()


@dataclass(frozen=True, slots=True)
class Verdict:
    passed: bool
    reason: str
    judge: str = ""
    """Who says so: `look`, `truth`, `model:NAME`, `human:NAME`."""
    score: int = 0
    """1 to 5 where the judge grades; 0 where it does not."""
