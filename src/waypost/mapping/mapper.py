"""Where on the map is this? Looks and steps in, a growing graph out; the only code that grows one."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from itertools import combinations

from waypost.mapping.applying import apply
from waypost.mapping.changes import Changes
from waypost.mapping.corrections import Corrections, Split
from waypost.mapping.counting import counted
from waypost.mapping.depths import lower, nearest
from waypost.mapping.levels import Levels, moved_within, part
from waypost.mapping.looks import LOOKS, visited
from waypost.mapping.match import compare
from waypost.mapping.merge import merge
from waypost.mapping.overlays import side_state
from waypost.mapping.pagenames import first_name, unique
from waypost.mapping.places import Location, StepSeen, Way
from waypost.mapping.recognise import Recogniser
from waypost.mapping.settle import loading
from waypost.mapping.signature import Signature
from waypost.mapping.splitting import Step, split
from waypost.mapping.standing import meet, stood
from waypost.mapping.store import MapStore
from waypost.mapping.teaching import SAID, Teacher
from waypost.model import (
    Action,
    AppGraph,
    Episode,
    ExploreStop,
    Fact,
    Hypernode,
    NodeId,
    Observation,
    PageKind,
    Screen,
    Skipped,
    Standing,
    Transition,
    TransitionKind,
    TreeQuality,
)
from waypost.protocols import Comparison, Reason

__all__ = ["Location", "Mapper", "StepSeen"]


class Mapper:
    """A graph, the eye that recognises its pages, and the store that keeps it."""

    def __init__(
        self,
        graph: AppGraph,
        *,
        store: MapStore | None = None,
        listener: Callable[[StepSeen], None] | None = None,
    ) -> None:
        self.graph = graph
        self._store, self._listener = store, listener
        self._aliases: dict[NodeId, NodeId] = dict(store.aliases()) if store else {}
        self._changes = Changes()
        self._last = Observation(Screen())
        self.levels = Levels()
        self.teach(store.corrections() if store else Corrections())

    def teach(self, corrections: Corrections) -> None:
        """Go by what the user corrected, from now on and on what is on the map already."""
        self.teacher = Teacher(corrections)
        self._eye = Recogniser(self.graph, self.teacher.seen)
        for node in self.graph.nodes.values():
            for look in node.looks:
                self._eye.learn(node, self.teacher.seen(look))
        apply(self, self.teacher, self._eye)

    def read(self, screen: Screen) -> Signature:
        """Return the evidence of a look, as this map weighs it."""
        return self.teacher.read(screen)

    def locate(self, observation: Observation) -> Location | None:
        """Say which known page a look shows; None for an unknown one. Changes nothing on the map."""
        side = side_state(observation.screen, self.graph.app)
        if side is not None:
            known = self._eye.side(side.kind, side.overlay, observation.screen.app)
            reasons = (Reason("side", 1.0, side.overlay or "another app"),)
            return Location(known, 1.0, reasons) if known else None
        s = self.read(observation.screen)
        found = self._eye.find(s, Way())
        if found is None or not self.teacher:
            return Location(found.node, found.score, found.reasons) if found else None
        placed = self.teacher.place(s, found.node, self._eye.known).node
        said = tuple(self.teacher.reasons(placed, placed)) if placed is not None else ()
        return Location(placed, found.score, (*said, *found.reasons)) if placed is not None else None

    def enter(self, observation: Observation) -> NodeId:
        """Recognise a look or found a page on it, without a step; the first page ever is the root."""
        node = self._place(observation, Way())
        if self.graph.root is None and self.graph.nodes[node].kind is PageKind.PAGE:
            self.graph.root = node
            lower(self.graph, node, 0, self._changes)
            self._changes.meta = True
        self._last = observation
        self._reunite()
        return self.resolve(node)

    def extend(
        self,
        source: NodeId,
        action: Action,
        key: str,
        after: Observation,
        *,
        before: Observation | None = None,
        latency: float = 0.0,
    ) -> Transition:
        """Recognise where a step led, or found a page there, and count the step.

        `before` is the look that was acted on, where it is not the one that was placed last.
        """
        source = self.resolve(source)
        target = self._place(after, Way(source, action, key))
        self.count(source, action, key, target, after.seen_at, latency)
        self.set_untried(source, self.graph.untried.get(source, ()))
        for other in self._eye.joinable(Way(source, action, key), target):
            if self.teacher.allows(self.resolve(target), self.resolve(other)):
                self.merge(target, other)
        self._reunite()
        before = before or self._last
        source, target = self._ends(Way(source, action, key), target, before, after)
        self.graph.steps += 1
        step = StepSeen(self.graph.steps, source, key, target, before.seen_at, after.seen_at)
        self._changes.steps.append((step.seq, source, key, target, after.seen_at))
        self._changes.meta = True
        self._last = after
        if self._listener:
            self._listener(step)
        return self.graph.transitions[source, key, target]

    def resolve(self, node: NodeId) -> NodeId:
        """Return the id that a page goes by now; pages found to be one keep their old ids as aliases."""
        while node in self._aliases:
            node = self._aliases[node]
        return node

    def set_untried(self, node: NodeId, keys: Iterable[str]) -> None:
        """Say what is known on a page and not yet done; what was done there is left out."""
        node = self.resolve(node)
        done = {t.key for t in self.graph.leaving(node)}
        left = tuple(k for k in dict.fromkeys(keys) if k not in done)
        if self.graph.untried.get(node, ()) != left:
            self.graph.untried[node] = left
            self._changes.untried.add(node)

    def skip(self, node: NodeId, action: Action, key: str, reason: str) -> None:
        """Take down what exploration leaves alone on a page, and why."""
        node = self.resolve(node)
        skipped = Skipped(node, action, reason)
        if (node, key) not in self.graph.skipped or self.graph.skipped[node, key].reason != reason:
            self.graph.skipped[node, key] = skipped
            self._changes.skipped.add((node, key))

    def miss(self, transition: Transition) -> None:
        """Count a try, during navigation, that did not land where the map says."""
        at = (self.resolve(transition.source), transition.key, self.resolve(transition.target))
        if at in self.graph.transitions:
            known = self.graph.transitions[at]
            self._put(replace(known, failures=known.failures + 1))

    def meet(self, version: str) -> None:
        """Note which version of the app is at hand; on another one, every step has to prove itself anew."""
        before = self.graph.met
        for t in meet(self.graph, version):
            self._put(t)
        self._changes.meta = self._changes.meta or before != self.graph.met

    def verify(self, transition: Transition, standing: Standing, *, at: float = 0.0) -> None:
        """Take down what came of looking for a step on the app as it is now; `at` is when it was taken."""
        known = self.graph.transitions.get((transition.source, transition.key, transition.target))
        if known is not None:
            self._put(stood(known, standing, at))

    def settle_version(self) -> None:
        """Say that the map is one of the version that was met: all that can be verified was."""
        if self.graph.met:
            self.graph.version, self.graph.met = self.graph.met, ""
            self._changes.meta = True

    def adopt(self, node: NodeId, observation: Observation) -> None:
        """Keep a look as one of a page that it was not recognised as."""
        self._visit(self.resolve(node), observation, self.read(observation.screen), keep=True)

    def forget(self, step: Transition) -> None:
        """Take a step off the map that proved wrong."""
        at = (self.resolve(step.source), step.key, self.resolve(step.target))
        if self.graph.transitions.pop(at, None) is not None:
            self._changes.transitions.add(at)

    def mark_level(self, node: NodeId) -> None:
        """Say that the rows of a page lead to pages that only what they list tells from it."""
        self.graph.nodes[node] = replace(self.graph.nodes[node], level=True)
        self._changes.meta = True

    def declare(self, fact: Fact) -> None:
        """Take down something that preconditions and effects speak of."""
        if self.graph.facts.get(fact.name) != fact:
            self.graph.facts[fact.name] = fact
            self._changes.facts.add(fact.name)

    def tell(self, step: Transition, *, needs: Iterable[str] = (), makes: Iterable[str] = ()) -> Transition:
        """Add to a step of the map what it needs and makes, and return it as it is now."""
        at = (self.resolve(step.source), step.key, self.resolve(step.target))
        known = self.graph.transitions[at]
        told = replace(
            known,
            preconditions=tuple(dict.fromkeys((*known.preconditions, *needs))),
            effects=tuple(dict.fromkeys((*known.effects, *makes))),
        )
        if told != known:
            self._put(told)
        return told

    def stop(self, reason: ExploreStop) -> None:
        """Take down why exploration ended."""
        self.graph.stop = reason
        self._changes.meta = True

    def rename(self, node: NodeId, name: str) -> None:
        """Call a page by another name, as more becomes known of it; what the user called it stays."""
        if not self.teacher.name(self.resolve(node)):
            self.call(node, name)

    def call(self, node: NodeId, name: str) -> None:
        """Call a page as the user says, whatever is known of it; where another has the name, numbered."""
        node = self.resolve(node)
        if self.graph.nodes[node].name != name:
            name = unique(name, {n.name for n in self.graph.nodes.values() if n.id != node})
            self.graph.nodes[node] = replace(self.graph.nodes[node], name=name)
            self._changes.nodes.add(node)

    def commit(self) -> None:
        """Write everything since the last commit in one transaction; without a store, forget it."""
        if self._store is not None:
            self._store.save(self.graph, self._changes)
        self._changes = Changes()

    def absorb(self, episode: Episode) -> None:
        """Fold a recorded run into the map: what was explored and what was lived is one memory."""
        from waypost.mapping.absorbing import absorb

        absorb(self, episode)

    def nearest(self, observation: Observation) -> Location | None:
        """Return the page most like a look, be it like enough or not; None where nothing is comparable."""
        found = self._eye.nearest(self.read(observation.screen), Way())
        return Location(found.node, found.score, found.reasons) if found else None

    def nearer(self, s: Signature, split: Split) -> str:
        """Return which of the two pages of a split a look is nearer to."""
        return self.teacher.nearest(s, split, self._eye.known)

    def judge(self, a: Signature, b: Signature) -> Comparison:
        """Weigh two looks with what is known of this app."""
        return compare(a, b, self._eye.known)

    def judge_pages(self, one: NodeId, other: NodeId) -> Comparison:
        """Weigh the two looks of two pages that are most alike."""
        looks = [[self.teacher.seen(k) for k in self.graph.nodes[n].looks] for n in (one, other)]
        judged = [self.judge(a, b) for a in looks[0] for b in looks[1]]
        best = max(judged, key=lambda c: c.score, default=Comparison(0.0))
        if (level := self._eye.told_apart(one, other)) is not None:
            best = Comparison(min(best.score, 0.01), (level, *best.reasons))
        said = tuple(self.teacher.reasons(one, other))
        if any(r.weight <= -SAID for r in said):
            return Comparison(min(best.score, 0.01), (*said, *best.reasons))
        return replace(best, reasons=(*said, *best.reasons))

    # Placing a look

    def _place(self, observation: Observation, way: Way) -> NodeId:
        side = side_state(observation.screen, self.graph.app)
        s = self.read(observation.screen)
        # Too little to go by: taken for the page that was expected, and not kept as one of its looks.
        weak = s.empty or s.quality is not TreeQuality.FULL or loading(observation.screen)
        if side is not None:
            known = self._eye.side(side.kind, side.overlay, observation.screen.app)
            node = known or self._found(observation, s, side.kind, side.overlay)
        else:
            found = self._eye.find(s, way) or (self._eye.expected(way) if weak else None)
            placed = self.teacher.place(s, found.node if found else None, self._eye.known)
            node = placed.node or self._found(observation, s, PageKind.PAGE, "", way)
            if placed.node is None and self.teacher:
                return self._settle(node, placed.page, observation, s)
        self._visit(node, observation, s, keep=not weak)
        return node

    def _settle(self, node: NodeId, page: str, observation: Observation, s: Signature) -> NodeId:
        """Hold a page that was just founded against the corrections: it may be one with another."""
        page = page or self.teacher.meant(s, self._eye.known, level=self.graph.nodes[node].level)
        self._visit(node, observation, s, keep=True)
        twin = self.teacher.twin(page, node) if page else None
        node = self.merge(twin, node) if twin is not None else node
        if name := self.teacher.name(node):
            self.call(node, name)
        return node

    def _found(
        self, observation: Observation, s: Signature, kind: PageKind, overlay: str, way: Way | None = None
    ) -> NodeId:
        node = self._fresh()
        taken = {n.name for n in self.graph.nodes.values()}
        level = way is not None and self._eye.beside_levels(s, way)
        name = first_name(observation.screen, s, (kind, overlay), way, taken, level=level)
        self.graph.nodes[node] = Hypernode(node, name, kind, overlay, level=level)
        self._changes.meta = self._changes.meta or level
        return node

    def _fresh(self) -> NodeId:
        return NodeId(f"n{len(self.graph.nodes) + len(self._aliases) + 1}")

    def _visit(self, node: NodeId, observation: Observation, s: Signature, *, keep: bool) -> None:
        known = self.graph.nodes[node]
        page = visited(known, observation, self._eye.look(node, s), self._changes, keep=keep)
        self.graph.nodes[node] = page
        if len(page.looks) > len(known.looks):
            self._eye.learn(page, s)

    def merge(self, one: NodeId, other: NodeId) -> NodeId:
        """Make two pages one, as they prove to be or as the user says; the older id stays and is returned."""
        one, other = self.resolve(one), self.resolve(other)
        if one == other:
            return one
        keep, gone = sorted((one, other), key=list(self.graph.nodes).index)
        merge(self.graph, keep, gone, LOOKS, self._changes)
        self._aliases[gone] = keep
        self._eye.join(self.graph.nodes[keep], gone)
        self.teacher.moved(gone, keep)
        depth = self.graph.nodes[keep].depth
        if depth >= 0:
            self.graph.nodes[keep] = replace(self.graph.nodes[keep], depth=-1)
            lower(self.graph, keep, depth, self._changes)
        return keep

    def split(self, node: NodeId, off: Collection[int], led: Iterable[Step] = ()) -> tuple[NodeId, NodeId]:
        """Make some looks of a page a page of their own; returns the page that stays and the new one.

        The founding look stays. `led` are steps that are known to have led to the looks that go, beside
        what the store tells. ValueError where no look, or every look, is to go.
        """
        node = self.resolve(node)
        new = self._fresh()
        first = self.graph.nodes[node].looks[min(off, default=0)].observation.screen
        taken = {n.name for n in self.graph.nodes.values()}
        name = first_name(first, self.read(first), (PageKind.PAGE, ""), None, taken)
        steps = [
            replace(s, source=self.resolve(s.source), target=self.resolve(s.target))
            for s in (self._store.steps() if self._store else [])
        ]
        made = Hypernode(new, name, level=self.graph.nodes[node].level)
        split(self.graph, node, made, off, [*steps, *led], self._changes)
        self._eye.part(self.graph.nodes[node], self.graph.nodes[new])
        lower(self.graph, new, nearest(self.graph, new), self._changes)
        return node, new

    def _reunite(self) -> None:
        """Join the pages of an address that has just been found to name items."""
        for pair in (p for pages in self._eye.kindred() for p in combinations(pages, 2)):
            one, other = map(self.resolve, pair)
            if one != other and self.teacher.allows(one, other) and self.judge_pages(one, other).same:
                self.merge(one, other)

    # Counting a step

    def _ends(self, way: Way, target: NodeId, *seen: Observation) -> tuple[NodeId, NodeId]:
        """Return what a step that was counted led from and to, parting its page where it proves levels."""
        source, target = self.resolve(way.source or target), self.resolve(target)
        if source == target and not self.graph.nodes[source].level:
            looks = [self.read(o.screen) for o in seen]
            moved = moved_within(looks[0], looks[1], way, seen[1].seen_at)
            if moved is not None and (proved := self.levels.saw(source, moved)):
                part(self, source, proved)
                ends = [found.node if (found := self._eye.find(s, Way())) else source for s in looks]
                return ends[0], ends[1]
        return source, target

    def count(
        self, source: NodeId, action: Action, key: str, target: NodeId, at: float, latency: float
    ) -> Transition:
        """Count one more time that a step led from one known page to another."""
        *others, done = counted(self.graph, Transition(source, action, target, key), at, latency)
        for t in (*others, done):
            self._put(t)
        depth = self.graph.nodes[source].depth
        if done.kind is not TransitionKind.OVERLAY and depth >= 0:
            lower(self.graph, target, depth + 1, self._changes)
        return done

    def _put(self, transition: Transition) -> None:
        at = (transition.source, transition.key, transition.target)
        self.graph.transitions[at] = transition
        self._changes.transitions.add(at)
