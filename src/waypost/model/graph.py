"""The map of one app version on one device profile: hypernodes, and the transitions between them."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NewType

from waypost.model.action import Action
from waypost.model.facts import Fact
from waypost.model.screen import Observation
from waypost.model.ways import Transitions

__all__ = [
    "AppGraph",
    "ExploreStop",
    "Hypernode",
    "Look",
    "NodeId",
    "PageKind",
    "Skipped",
    "Standing",
    "Transition",
    "TransitionKind",
]

NodeId = NewType("NodeId", str)


class PageKind(StrEnum):
    PAGE = "page"
    OVERLAY = "overlay"
    """A side state that may lie over any page: permission, ad, crash, update. Never a route step."""
    EXTERNAL = "external"
    """Another app or site."""


class TransitionKind(StrEnum):
    NAVIGATION = "navigation"
    OVERLAY = "overlay"
    """From or to a side state."""
    SYSTEM = "system"
    """Back, home, launch, wait: not an element of the page."""


class Standing(StrEnum):
    """What is known of a transition on the version of the app that was met last."""

    LIVE = "live"
    """Seen to work on it."""
    STALE = "stale"
    """Looked for and not found, or found to lead elsewhere."""
    UNKNOWN = "unknown"
    """Seen on another version only, or taken over from a page that was split."""


@dataclass(frozen=True, slots=True)
class Look:
    """One stored observation of a page."""

    observation: Observation
    """Without pixels; the picture lies under `image_hash`."""
    image_hash: str = ""
    """SHA-256 of the PNG, hex; empty where no picture was taken."""
    visits: int = 1

    def again(self) -> "Look":
        """Return it as seen once more."""
        return replace(self, visits=self.visits + 1)


@dataclass(frozen=True, slots=True)
class Hypernode:
    """Observations that a matcher holds to be one page."""

    id: NodeId
    name: str = ""
    """Short title for people; unique within the map."""
    kind: PageKind = PageKind.PAGE
    overlay: str = ""
    """For side states, which: `permission`, `ad`, `crash`, `update`, `dialog`."""
    looks: tuple[Look, ...] = ()
    """Distinct looks, oldest first; the first is the founding one."""
    visits: int = 0
    depth: int = -1
    """Fewest known steps from the root; -1 where no way is known."""
    level: bool = False
    """Whether its rows lead to pages that what they list alone tells from it: folders, menus of menus."""


@dataclass(frozen=True, slots=True)
class Transition:
    """Doing `action` on `source` was seen to lead to `target`."""

    source: NodeId
    action: Action
    target: NodeId
    key: str
    """Names the action on `source` whatever the look; equal keys are the same thing done again."""
    kind: TransitionKind = TransitionKind.NAVIGATION
    tries: int = 1
    """How often the action was done on `source`, whatever came of it."""
    successes: int = 1
    """How often it led to `target`."""
    failures: int = 0
    """Tries during navigation that were meant to land on `target` and did not."""
    last_seen: float = 0.0
    """Seconds since the epoch."""
    latency: float = 0.0
    """Mean seconds from the action to a settled screen."""
    hazard: str = ""
    preconditions: tuple[str, ...] = ()
    """Literals that must hold for the action to lead to `target`: `signed_in`, `not locked`, `theme=dark`."""
    effects: tuple[str, ...] = ()
    """Literals that hold afterwards; what is not named stays as it was."""
    standing: Standing = Standing.LIVE
    unverified: str = ""
    """What claims the step, where nobody ever saw it: `static` for an app's package; empty once seen."""

    @property
    def reliability(self) -> float:
        """Laplace-smoothed share of tries that led to `target`, 0 to 1."""
        return (self.successes + 1) / (self.tries + self.failures + 2)


@dataclass(frozen=True, slots=True)
class Skipped:
    """An element that exploration left alone, and why."""

    node: NodeId
    action: Action
    reason: str


class ExploreStop(StrEnum):
    RUNNING = "running"
    """Under way, or cut off: the frontier says what is left."""
    COMPLETE = "complete"
    """Nothing untried is left that the guard allows."""
    OUT_OF_ACTIONS = "out_of_actions"
    OUT_OF_TIME = "out_of_time"
    OUT_OF_WALKS = "out_of_walks"
    DEVICE_LOST = "device_lost"
    INTERRUPTED = "interrupted"


@dataclass
class AppGraph:
    """Everything that exploration saw. Grown only by `mapping.Mapper`."""

    app: str = ""
    version: str = ""
    """The version of the app that its transitions were seen on."""
    met: str = ""
    """Another version that was met since, and that not all of them were verified on; empty for none."""
    profile: str = ""
    root: NodeId | None = None
    nodes: dict[NodeId, Hypernode] = field(default_factory=dict)
    transitions: dict[tuple[NodeId, str, NodeId], Transition] = field(default_factory=Transitions)
    """By source, action key, target."""
    skipped: dict[tuple[NodeId, str], Skipped] = field(default_factory=dict)
    """By node and action key."""
    untried: dict[NodeId, tuple[str, ...]] = field(default_factory=dict)
    """Action keys known on a page and not yet done: the frontier."""
    facts: dict[str, Fact] = field(default_factory=dict)
    """What preconditions and effects speak of, by name; what is not in here does not hold at first."""
    stop: ExploreStop = ExploreStop.RUNNING
    steps: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.transitions, Transitions):
            self.transitions = Transitions(self.transitions)

    def leaving(self, node: NodeId) -> Iterator[Transition]:
        """Yield the steps from a page, in the order in which they were found."""
        assert isinstance(self.transitions, Transitions)
        return iter(self.transitions.leaving(node))

    def entering(self, node: NodeId) -> Iterator[Transition]:
        return (t for t in self.transitions.values() if t.target == node)

    def outcomes(self, node: NodeId, key: str) -> list[Transition]:
        """What doing `key` on `node` was seen to lead to, most often first."""
        found = [t for t in self.leaving(node) if t.key == key]
        return sorted(found, key=lambda t: (-t.successes, t.target))

    def pages(self) -> Iterator[Hypernode]:
        """Yield what counts as a page: no side states, no other apps."""
        return (n for n in self.nodes.values() if n.kind is PageKind.PAGE)
