"""One question put to a map, in numbers: start, goal and terms in, what a search needs out."""

from dataclasses import dataclass
from functools import cached_property
from itertools import dropwhile

from waypost.model import Goal, NodeId, Terms, Transition
from waypost.model.facts import initial, literal
from waypost.planning.moves import Move, Moves, Penalties, Pricing, relaunch

__all__ = ["Needs", "Op", "Problem", "aim"]


def aim(goal: NodeId | Goal) -> Goal:
    """Return a goal as one; a page alone stands for being there."""
    return goal if isinstance(goal, Goal) else Goal.either([goal])


@dataclass(frozen=True, slots=True)
class Needs:
    """Which facts, as bits, must hold and must not."""

    must: int = 0
    never: int = 0

    @property
    def contradictory(self) -> bool:
        """Whether they ask for a fact and for its absence: then they never hold."""
        return bool(self.must & self.never)

    def hold(self, facts: int) -> bool:
        return facts & self.must == self.must and not facts & self.never


@dataclass(frozen=True, slots=True)
class Op:
    """A move priced for one question, with the facts as bits."""

    step: Transition
    target: int
    early: int
    late: int
    onward: bool
    needs: Needs
    keep: int
    """Bits that stay as they are; what is neither kept nor added is gone."""
    add: int


def _after(start: NodeId, goal: Goal) -> list[frozenset[NodeId]]:
    """Return the groups that are left once one is on `start`."""
    if not goal.ordered:
        return [g for g in goal.groups if start not in g]
    return list(dropwhile(lambda g: start in g, goal.groups))


class Problem:
    """A start (a page's number, or `nowhere`), groups to visit, and moves priced as they are asked for."""

    def __init__(
        self,
        moves: Moves,
        start: NodeId,
        goal: Goal,
        terms: Terms,
        penalties: Penalties,
        *,
        moved: bool = False,
    ) -> None:
        self.moves, self.goal, self.terms, self.moved = moves, goal, terms, moved
        self.pricing = Pricing(moves, terms, penalties)
        self.nowhere = len(moves.pages)
        self.start_page = start
        self.start = moves.index.get(start, self.nowhere)
        self.root = moves.index.get(moves.root, self.nowhere) if moves.root is not None else self.nowhere
        left = _after(start, goal) if start in moves.nodes else list(goal.groups)
        self.groups = [frozenset(moves.index[p] for p in g if p in moves.index) for g in left]
        """What is still to be visited; the page one starts from counts, even where it is a side state."""
        wanted = {literal(f).fact for f in goal.facts}
        self.facts = sorted(moves.gated | wanted)
        """The facts that matter here; each is one bit, in this order."""
        self._bit = {fact: 1 << i for i, fact in enumerate(self.facts)}
        self.needs = self._needs(goal.facts)
        held = initial(moves.facts) if terms.held is None else terms.held
        self.held = sum(bit for fact, bit in self._bit.items() if fact in held)
        self.complete = len(self.groups) if goal.ordered else (1 << len(self.groups)) - 1
        """The progress at which nothing is left to visit."""
        self.serves = self._served()
        self._ops: dict[int, list[Op]] = {}
        self.settled = not self.groups and self.needs.hold(self.held)

    def _served(self) -> dict[int, int]:
        served: dict[int, int] = {}
        for i, group in enumerate(self.groups):
            for page in group:
                served[page] = served.get(page, 0) | 1 << i
        return served

    def advanced(self, progress: int, page: int) -> int:
        """Return the progress after landing on `page`: groups visited as bits; their number where ordered."""
        served = self.serves.get(page, 0)
        if not served:
            return progress
        if not self.goal.ordered:
            return progress | served
        while served >> progress & 1:
            progress += 1
        return progress

    def lacking(self, progress: int) -> list[int]:
        """Name the groups still to be visited, in order."""
        if self.goal.ordered:
            return list(range(progress, len(self.groups)))
        return [i for i in range(len(self.groups)) if not progress >> i & 1]

    def done(self, progress: int, facts: int) -> bool:
        return progress == self.complete and self.needs.hold(facts)

    def ops(self, page: int) -> list[Op]:
        """Return what may be done on a page; what the terms bar is left out."""
        if page == self.nowhere:
            return []
        known = self._ops.get(page)
        if known is None:
            known = [op for op in map(self._op, self.moves.leaving[page]) if op is not None]
            self._ops[page] = known
        return known

    def _op(self, move: Move) -> Op | None:
        early, late = (self.pricing.price(move, moved=m) for m in (False, True))
        if early is None or late is None:
            return None
        step, needs, keep, add = move.step, Needs(), -1, 0
        if self.moves.heeds_facts:
            needs = self._needs(step.preconditions)
            keep, add = self._effects(step.effects)
        return Op(step, move.target, early, late, move.onward, needs, keep, add)

    def relaunch(self, page: int) -> Op | None:
        """Return the step that starts the app over; None on the root, and where it is barred."""
        if self.root == self.nowhere or (page == self.root and not self.facts):
            return None
        source = self.start_page if page == self.nowhere else self.moves.pages[page]
        price = self.pricing.relaunch(source)
        if price is None or self.moves.root is None:
            return None
        step = relaunch(self.moves.app, source, self.moves.root)
        return Op(step, self.root, price, price, True, Needs(), self.kept, 0)

    @cached_property
    def kept(self) -> int:
        """Bits of the facts that outlive a relaunch."""
        lost = {name for name, fact in self.moves.facts.items() if fact.volatile}
        gone = [f for f in self.facts if f in lost or f.partition("=")[0] in lost]
        return ~sum(self._bit[f] for f in gone)

    def _needs(self, literals: tuple[str, ...]) -> Needs:
        if not literals:
            return Needs()
        must = never = 0
        for read in map(literal, literals):
            if read.positive:
                must |= self._bit[read.fact]
            else:
                never |= self._bit[read.fact]
        return Needs(must, never)

    def _effects(self, effects: tuple[str, ...]) -> tuple[int, int]:
        keep, add = -1, 0
        for read in map(literal, effects):
            if read.positive and "=" not in read.fact:
                gone = 0
            else:
                # A value drives out the others; a name that no longer holds takes its values along.
                name = read.variable if read.positive else read.fact
                gone = sum(b for f, b in self._bit.items() if f == read.fact or f.partition("=")[0] == name)
            keep, add = keep & ~gone, add & ~gone
            if read.positive:
                add |= self._bit.get(read.fact, 0)
        return keep, add
