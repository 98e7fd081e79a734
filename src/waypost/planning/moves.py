"""What of a map a plan may use, and at which price: a map and a price list in, moves between pages out."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from waypost.model import (
    AppGraph,
    Fact,
    Launch,
    NodeId,
    PageKind,
    Press,
    Standing,
    Terms,
    Transition,
    TransitionKind,
)
from waypost.model.facts import literal
from waypost.planning.cost import Costs, hazard, whole

__all__ = ["Move", "Moves", "Penalties", "Pricing", "free", "relaunch", "returning"]

Penalties: TypeAlias = Callable[[NodeId, str], float]


@dataclass(frozen=True, slots=True)
class Move:
    """A transition that a plan may use, between pages by number."""

    step: Transition
    source: int
    target: int
    early: int
    """Price (see `UNIT`) before the plan has gone forward, `late` after; they differ for ways back."""
    late: int
    onward: bool
    """Whether it goes forward: from then on, what leads back leads back along the plan."""


class Moves:
    """The part of a map that a plan may use: no side states, no other apps, no hazards unless allowed."""

    def __init__(
        self, graph: AppGraph, costs: Costs, *, allow_hazards: bool = False, heeds_facts: bool = True
    ) -> None:
        self.heeds_facts = heeds_facts
        """Without, every step counts as open, as on a map that knows no facts."""
        self.nodes = frozenset(graph.nodes)
        self.pages = [n.id for n in graph.nodes.values() if n.kind is PageKind.PAGE]
        self.index = {page: i for i, page in enumerate(self.pages)}
        self.app, self.root = graph.app, graph.root
        self.facts: dict[str, Fact] = dict(graph.facts)
        self.relaunch = None if graph.root not in self.index else whole(costs.relaunch)
        self.all: list[Move] = []
        self.leaving: list[list[Move]] = [[] for _ in self.pages]
        self.gated = frozenset[str]()
        """Facts that some step needs or rules out."""
        self._transitions = list(graph.transitions.values())
        self._kinds = _kinds(graph)
        usual = _expected(self._transitions)
        self.back = returning(self._transitions)
        """Action keys that lead to where one came from."""
        for step in sorted(self._transitions, key=lambda t: (t.source, t.key, t.target)):
            if self._usable(step, allow_hazards):
                expected = usual[step.source, step.key, step.preconditions] == step.target
                self._add(step, costs, expected, step.key in self.back)
        if heeds_facts:
            self.gated = frozenset(literal(p).fact for m in self.all for p in m.step.preconditions)

    def _add(self, step: Transition, costs: Costs, expected: bool, back: bool) -> None:
        # What leads back is relied on until the plan itself moves on, and never on the root.
        early = whole(costs.price(step, expected=expected and not (back and step.source == self.root)))
        late = whole(costs.price(step, expected=expected and not back))
        if early is None or late is None:
            return
        move = Move(step, self.index[step.source], self.index[step.target], early, late, not back)
        self.all.append(move)
        self.leaving[move.source].append(move)

    def shows(self, graph: AppGraph) -> bool:
        """Whether nothing that matters here has changed on the map."""
        # Lists compare by identity first, so an unchanged map costs one quick pass.
        return (
            self._transitions == list(graph.transitions.values())
            and self._kinds == _kinds(graph)
            and self.root == graph.root
            and self.facts == graph.facts
        )

    def _usable(self, step: Transition, allow_hazards: bool) -> bool:
        same = step.source == step.target and not step.effects
        if same or step.source not in self.index or step.target not in self.index:
            return False
        if step.kind is TransitionKind.OVERLAY or not (allow_hazards or not hazard(step)):
            return False
        # A relaunch is open everywhere and no edge; what opens another app of a joined map is one.
        return not isinstance(step.action, Launch) or step.action.app not in ("", self.app)


@dataclass(frozen=True, slots=True)
class Pricing:
    """What moves cost under the terms of one question; None for what is barred."""

    moves: Moves
    terms: Terms
    penalties: Penalties

    def price(self, move: Move, *, moved: bool) -> int | None:
        step, terms = move.step, self.terms
        if (step.source, step.key) in terms.avoid_actions or step.target in terms.avoid_pages:
            return None
        if terms.avoid_hazards and hazard(step) in terms.avoid_hazards:
            return None
        fee = whole(self.penalties(step.source, step.key))
        return None if fee is None else fee + (move.late if moved else move.early)

    def relaunch(self, source: NodeId) -> int | None:
        """Return what starting over costs on a page, known or not."""
        moves, terms = self.moves, self.terms
        if moves.relaunch is None or moves.root in terms.avoid_pages:
            return None
        if (source, "launch") in terms.avoid_actions:
            return None
        fee = whole(self.penalties(source, "launch"))
        return None if fee is None else fee + moves.relaunch


def free(source: NodeId, key: str) -> float:
    """Charge nothing: the penalties of a fresh start."""
    return 0.0


def relaunch(app: str, source: NodeId, root: NodeId) -> Transition:
    """Make the step that starts an app over; it is open on every page, and on no map."""
    action = Launch(app, fresh=True)
    return Transition(source, action, root, "launch", TransitionKind.SYSTEM, tries=0, successes=0)


def _kinds(graph: AppGraph) -> list[tuple[NodeId, PageKind]]:
    return [(n.id, n.kind) for n in graph.nodes.values()]


def returning(transitions: Iterable[Transition]) -> frozenset[str]:
    """Name the actions that lead to where one came from: Back, and what behaves like it in this app.

    A control that bears one name on several pages and leads to another page from each, nearly always
    to one that leads on to it, is an "up" arrow, whatever it is called. A home button leads to one page.
    """
    transitions = list(transitions)
    ahead = {(t.source, t.target) for t in transitions}
    by_key: dict[str, list[Transition]] = {}
    for step in transitions:
        if step.source != step.target:
            by_key.setdefault(step.key, []).append(step)
    return frozenset(
        key
        for key, steps in by_key.items()
        if steps[0].action == Press("back")
        or (
            len({t.source for t in steps}) >= 3
            and len({t.target for t in steps}) >= 2
            and sum((t.target, t.source) in ahead for t in steps) >= 0.75 * len(steps)
        )
    )


def _expected(transitions: list[Transition]) -> dict[tuple[NodeId, str, tuple[str, ...]], NodeId]:
    """Name for each action the outcome to expect: best record, then latest seen.

    Outcomes with different preconditions are no rivals: the facts say which of them it will be.
    """
    best: dict[tuple[NodeId, str, tuple[str, ...]], Transition] = {}
    for step in transitions:
        at = (step.source, step.key, step.preconditions)
        rival = best.get(at)
        if rival is None or _record(step) > _record(rival):
            best[at] = step
    return {at: step.target for at, step in best.items()}


def _record(step: Transition) -> tuple[bool, float, float, str]:
    return step.standing is not Standing.STALE, step.reliability, step.last_seen, step.target
