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


@dataclass(frozen=True, slots=True)
class Verdict:
    passed: bool
    reason: str
    judge: str = ""
