"""The nouns: plain values that every other room passes along. Standard library only, no I/O, no clock."""

from waypost.model.action import (
    Action,
    Capture,
    Direction,
    Evidence,
    Finish,
    Launch,
    LongPress,
    Point,
    Press,
    Swipe,
    Tap,
    TypeText,
    Wait,
)
from waypost.model.episode import Decision, Episode, Step, StopReason
from waypost.model.facts import Fact, Literal
from waypost.model.graph import (
    AppGraph,
    ExploreStop,
    Hypernode,
    Look,
    NodeId,
    PageKind,
    Skipped,
    Transition,
    TransitionKind,
)
from waypost.model.group import ActionGroup, Parameter
from waypost.model.plan import Goal, Plan, PlanStatus, Terms
from waypost.model.record import Record
from waypost.model.screen import Bounds, Element, ImageStatus, Observation, Role, Screen, TreeQuality
from waypost.model.task import Target, Task, Verdict

__all__ = [
    "Action",
    "ActionGroup",
    "AppGraph",
    "Bounds",
    "Capture",
    "Decision",
    "Direction",
    "Element",
    "Episode",
    "Evidence",
    "ExploreStop",
    "Fact",
    "Finish",
    "Goal",
    "Hypernode",
    "ImageStatus",
    "Launch",
    "Literal",
    "LongPress",
    "Look",
    "NodeId",
    "Observation",
    "PageKind",
    "Parameter",
    "Plan",
    "PlanStatus",
    "Point",
    "Press",
    "Record",
    "Role",
    "Screen",
    "Skipped",
    "Step",
    "StopReason",
    "Swipe",
    "Tap",
    "Target",
    "Task",
    "Terms",
    "Transition",
    "TransitionKind",
    "TreeQuality",
    "TypeText",
    "Verdict",
    "Wait",
]
