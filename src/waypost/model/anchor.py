"""What is worth remembering inside of one task: a fact, what it was read from, what it hangs on."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from waypost.model.screen import Bounds

__all__ = ["Anchor", "AnchorId", "AnchorKind", "AnchorStatus", "Link", "Proof", "Relation"]

AnchorId = NewType("AnchorId", str)
"""`a1`, `a2` ... in the order of their making."""


class AnchorKind(StrEnum):
    """AndroTMem's six."""

    SUBGOAL = "subgoal"
    """Something to be reached on the way; done only where `verified`."""
    STATE_CHANGE = "state_change"
    DEPENDENCY = "dependency"
    """A value or a state that something later needs."""
    EXCEPTION = "exception"
    CONTEXT_INFO = "context_info"
    FINISH = "finish"


class Relation(StrEnum):
    """How an anchor is tied to an earlier one. The first three make it a dependent of that one."""

    PREREQUISITE = "prerequisite"
    """The earlier one must hold for this one."""
    RESULT_OF = "result_of"
    """This one came of the earlier one."""
    ENABLES = "enables"
    """The earlier one makes this one possible."""
    BLOCKS = "blocks"
    """This one stands in the way of the earlier one."""


@dataclass(frozen=True, slots=True)
class Link:
    relation: Relation
    to: AnchorId
    critical: bool = False
    """Without the other, this one is worth nothing."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What an anchor was read from. A stored picture proves what was, never where to tap now."""

    step: int
    """Number of the step whose look it was read from, from 0."""
    quote: str = ""
    """The words as they stood on the screen."""
    bounds: Bounds | None = None
    """Where they stood then: the crop to look at again."""
    page: str = ""
    """What the page called itself."""


class AnchorStatus(StrEnum):
    VALID = "valid"
    SUPERSEDED = "superseded"
    """A later look says otherwise."""
    STRUCK = "struck"
    """Found to be wrong, or hung on something that was."""
    FOLDED = "folded"
    """Part of a summary that took its place."""


@dataclass(frozen=True, slots=True)
class Anchor:
    id: AnchorId
    kind: AnchorKind
    content: str
    """One sentence."""
    proof: Proof
    name: str = ""
    """What `value` is the value of, as the screen calls it; empty for what is no value."""
    value: str = ""
    links: tuple[Link, ...] = ()
    subgoal: AnchorId | None = None
    """The sub-goal that was being worked on."""
    verified: bool = False
    """A look has shown it: for a sub-goal, that it is done."""
    doubted: bool = False
    """Its value may be read wrongly: another thing of that name stood beside it, or it was cut short."""
    status: AnchorStatus = AnchorStatus.VALID
    why: str = ""
    """What ended it; empty while it is valid."""
