"""Where on the map is this? Looks and steps in, a growing graph out; the only code that grows one."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from waypost.mapping.changes import Changes
from waypost.mapping.match import compare
from waypost.mapping.merge import merge
from waypost.mapping.overlays import side_state
from waypost.mapping.pagenames import page_name, unique
from waypost.mapping.recognise import Recogniser, Way
from waypost.mapping.settle import loading
from waypost.mapping.signature import Signature, signature
from waypost.mapping.store import MapStore
from waypost.mapping.words import plain
from waypost.model import (
    Action,
    AppGraph,
    Episode,
    ExploreStop,
    Finish,
    Hypernode,
    Launch,
    Look,
    NodeId,
    Observation,
    PageKind,
    Press,
    Skipped,
    StopReason,
    Transition,
    TransitionKind,
    TreeQuality,
    Wait,
)
from waypost.protocols import Comparison, Reason

__all__ = ["Location", "Mapper", "StepSeen"]

LOOKS = 12
"""Distinct looks kept of one page; the founding one is among them."""


@dataclass(frozen=True, slots=True)
class Location:
    """A known page that a look was recognised as."""

    node: NodeId
    confidence: float
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class StepSeen:
    """One step as it was counted, for scoring against a ground truth."""

    seq: int
    source: NodeId
    key: str
    target: NodeId
    before_at: float
    after_at: float


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
        self._seen_at = 0.0
        self._eye = Recogniser(graph)
        for node in graph.nodes.values():
            for look in node.looks:
                self._eye.learn(node, signature(look.observation.screen))

    def locate(self, observation: Observation) -> Location | None:
        """Say which known page a look shows; None for an unknown one. Changes nothing on the map."""
        side = side_state(observation.screen, self.graph.app)
        if side is not None:
            known = self._eye.side(side.kind, side.overlay, observation.screen.app)
            return (
                Location(known, 1.0, (Reason("side", 1.0, side.overlay or "another app"),)) if known else None
            )
        found = self._eye.find(signature(observation.screen), Way())
        return Location(found.node, found.score, found.reasons) if found else None

    def enter(self, observation: Observation) -> NodeId:
        """Recognise a look or found a page on it, without a step; the first page ever is the root."""
        node = self._place(observation, Way())
        if self.graph.root is None and self.graph.nodes[node].kind is PageKind.PAGE:
            self.graph.root = node
            self._set_depth(node, 0)
            self._changes.meta = True
        self._seen_at = observation.seen_at
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
        transition = self._count(source, action, key, target, after.seen_at, latency)
        self._strike(source, key)
        for other in self._eye.joinable(Way(source, action, key), target):
            self.merge(target, other)
        self._reunite()
        source, target = self.resolve(source), self.resolve(target)
        transition = self.graph.transitions[source, key, target]
        self.graph.steps += 1
        acted_at = before.seen_at if before else self._seen_at
        step = StepSeen(self.graph.steps, source, key, target, acted_at, after.seen_at)
        self._changes.steps.append((step.seq, source, key, target, after.seen_at))
        self._changes.meta = True
        self._seen_at = after.seen_at
        if self._listener:
            self._listener(step)
        return transition

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

    def stop(self, reason: ExploreStop) -> None:
        """Take down why exploration ended."""
        self.graph.stop = reason
        self._changes.meta = True

    def rename(self, node: NodeId, name: str) -> None:
        """Call a page by another name, as more becomes known of it."""
        node = self.resolve(node)
        self.graph.nodes[node] = replace(self.graph.nodes[node], name=name)
        self._changes.nodes.add(node)

    def commit(self) -> None:
        """Write everything since the last commit in one transaction; without a store, forget it."""
        if self._store is not None:
            self._store.save(self.graph, self._changes)
        self._changes = Changes()

    def absorb(self, episode: Episode) -> None:
        """Fold a recorded run into the map: what was explored and what was lived is one memory.

        A run that did not arrive adds pages, and ways to pages that had none; the ways that are known stay
        as they are, and so do their counts.
        """
        from waypost.mapping.controls import action_key
        from waypost.mapping.pointing import pointed

        good = episode.stop in (StopReason.ARRIVED, StopReason.UNVERIFIED)
        afters = [*(s.observation for s in episode.steps[1:]), episode.final]
        node: NodeId | None = None
        for step, after in zip(episode.steps, afters, strict=False):
            known = None if good or node is None else self._reached(step.observation)
            node = known or (self.enter(step.observation) if node is None else node)
            if after is None or isinstance(step.decision.action, Finish):
                continue
            if self.graph.root is None:
                # Only side states so far: what shows once they are gone is where the app begins.
                node = self.enter(after)
                continue
            if not good and (there := self._reached(after)) is not None:
                node = there
                continue
            action = pointed(step.decision.action, step.observation.screen)
            key = action_key(action)
            if not good and self.graph.outcomes(node, key):
                # It contradicts what is known of this action: the page is kept, the way is not.
                node = self.enter(after)
                continue
            node = self.extend(node, action, key, after).target

    def _reached(self, observation: Observation) -> NodeId | None:
        """Return the page that a look shows, if a way to it is known."""
        found = self.locate(observation)
        return found.node if found and self.graph.nodes[found.node].depth >= 0 else None

    def nearest(self, observation: Observation) -> Location | None:
        """Return the page most like a look, be it like enough or not; None where nothing is comparable."""
        found = self._eye.nearest(signature(observation.screen), Way())
        return Location(found.node, found.score, found.reasons) if found else None

    def judge(self, a: Signature, b: Signature) -> Comparison:
        """Weigh two looks with what is known of this app."""
        return compare(a, b, self._eye.known)

    def judge_pages(self, one: NodeId, other: NodeId) -> Comparison:
        """Weigh the two looks of two pages that are most alike."""
        looks = [[signature(k.observation.screen) for k in self.graph.nodes[n].looks] for n in (one, other)]
        judged = [self.judge(a, b) for a in looks[0] for b in looks[1]]
        return max(judged, key=lambda c: c.score, default=Comparison(0.0))

    # Placing a look

    def _place(self, observation: Observation, way: Way) -> NodeId:
        side = side_state(observation.screen, self.graph.app)
        s = signature(observation.screen)
        # Too little to go by: taken for the page that was expected, and not kept as one of its looks.
        weak = s.empty or s.quality is not TreeQuality.FULL or loading(observation.screen)
        if side is not None:
            known = self._eye.side(side.kind, side.overlay, observation.screen.app)
            node = known or self._found(observation, s, side.kind, side.overlay)
        else:
            found = self._eye.find(s, way) or (self._eye.expected(way) if weak else None)
            node = found.node if found else self._found(observation, s, PageKind.PAGE, "", way)
        self._visit(node, observation, s, keep=not weak)
        return node

    def _found(
        self, observation: Observation, s: Signature, kind: PageKind, overlay: str, way: Way | None = None
    ) -> NodeId:
        node = NodeId(f"n{len(self.graph.nodes) + len(self._aliases) + 1}")
        taken = {n.name for n in self.graph.nodes.values()}
        target = getattr(way.action, "target", None) if way else None
        led = "" if target is None or target.template or not plain(target.label) else target.label
        name = unique(page_name(observation.screen, s, kind, overlay, led=led), taken, s.selected)
        self.graph.nodes[node] = Hypernode(node, name, kind, overlay)
        return node

    def _visit(self, node: NodeId, observation: Observation, s: Signature, *, keep: bool) -> None:
        known = self.graph.nodes[node]
        looks = list(known.looks)
        at = self._eye.look(node, s)
        if at is not None:
            looks[at] = replace(looks[at], visits=looks[at].visits + 1)
            self._changes.looks.add((node, at))
        elif len(looks) < LOOKS and (keep or not looks):
            picture = hashlib.sha256(observation.image).hexdigest() if observation.image else ""
            if picture:
                self._changes.pictures[picture] = observation.image
            looks.append(Look(replace(observation, image=b""), picture))
            self._changes.looks.add((node, len(looks) - 1))
        self.graph.nodes[node] = replace(known, looks=tuple(looks), visits=known.visits + 1)
        self._changes.nodes.add(node)
        if len(looks) > len(known.looks):
            self._eye.learn(self.graph.nodes[node], s)

    def merge(self, one: NodeId, other: NodeId) -> NodeId:
        """Make two pages one, as they prove to be or as the user says; the older id stays and is returned."""
        one, other = self.resolve(one), self.resolve(other)
        if one == other:
            return one
        keep, gone = sorted((one, other), key=list(self.graph.nodes).index)
        merge(self.graph, keep, gone, LOOKS, self._changes)
        self._aliases[gone] = keep
        self._eye.join(self.graph.nodes[keep], gone)
        depth = self.graph.nodes[keep].depth
        if depth >= 0:
            self.graph.nodes[keep] = replace(self.graph.nodes[keep], depth=-1)
            self._set_depth(keep, depth)
        return keep

    def _reunite(self) -> None:
        """Join the pages of an address that has just been found to name items."""
        for pages in self._eye.kindred():
            for i, one in enumerate(pages):
                for other in pages[i + 1 :]:
                    one, other = self.resolve(one), self.resolve(other)
                    if one != other and self.judge_pages(one, other).same:
                        self.merge(one, other)

    # Counting a step

    def _count(
        self, source: NodeId, action: Action, key: str, target: NodeId, at: float, latency: float
    ) -> Transition:
        outcomes = self.graph.outcomes(source, key)
        tries = max((t.tries for t in outcomes), default=0) + 1
        for other in outcomes:
            self._put(replace(other, tries=tries))
        known = self.graph.transitions.get((source, key, target))
        if known is None:
            evidence = getattr(action, "target", None)
            known = Transition(
                source,
                action,
                target,
                key,
                self._kind(source, action, target),
                tries,
                0,
                hazard=evidence.hazard if evidence else "",
            )
        successes = known.successes + 1
        mean = known.latency + (latency - known.latency) / successes
        counted = replace(known, successes=successes, last_seen=at, latency=mean)
        self._put(counted)
        depth = self.graph.nodes[source].depth
        if counted.kind is not TransitionKind.OVERLAY and depth >= 0:
            self._set_depth(target, depth + 1)
        return counted

    def _kind(self, source: NodeId, action: Action, target: NodeId) -> TransitionKind:
        ends = (self.graph.nodes[source].kind, self.graph.nodes[target].kind)
        if any(k is not PageKind.PAGE for k in ends):
            return TransitionKind.OVERLAY
        return (
            TransitionKind.SYSTEM if isinstance(action, (Press, Launch, Wait)) else TransitionKind.NAVIGATION
        )

    def _put(self, transition: Transition) -> None:
        at = (transition.source, transition.key, transition.target)
        self.graph.transitions[at] = transition
        self._changes.transitions.add(at)

    def _strike(self, node: NodeId, key: str) -> None:
        left = self.graph.untried.get(node, ())
        if key in left:
            self.graph.untried[node] = tuple(k for k in left if k != key)
            self._changes.untried.add(node)

    def _set_depth(self, node: NodeId, depth: int) -> None:
        """Lower a page's depth, and that of whatever it leads to."""
        waiting = [(node, depth)]
        while waiting:
            at, steps = waiting.pop(0)
            known = self.graph.nodes[at]
            if known.kind is not PageKind.PAGE or 0 <= known.depth <= steps:
                continue
            self.graph.nodes[at] = replace(known, depth=steps)
            self._changes.nodes.add(at)
            onward = (t for t in self.graph.leaving(at) if t.kind is not TransitionKind.OVERLAY)
            waiting.extend((t.target, steps + 1) for t in onward)
