"""One cell of a comparison: a task, an arm, an actor and a seed in, the episode with all about it out."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from waypost.actors import Follower
from waypost.adapters.embedders import word_pieces
from waypost.bench import LookJudge, same_place
from waypost.bench.store import Key, Memory, Run
from waypost.errors import WaypostError
from waypost.guidance import silent
from waypost.model import AppGraph, Episode, NodeId, Observation, Record, StopReason, Task, Transition
from waypost.navigate import NavigateConfig, arrival, navigate, not_on_map
from waypost.parts.acting import Acting, GuideMode, guide_for, parse_actor
from waypost.parts.armwords import NONE, ArmWords, arm_words
from waypost.parts.benchmaps import Stamp
from waypost.parts.face import Map
from waypost.parts.formats import formatted
from waypost.parts.models import ModelOptions
from waypost.parts.planning import planner_called
from waypost.protocols import Actor, Device, Guide, Planner

__all__ = ["Condition", "Opened", "fingerprint", "one"]


@dataclass(frozen=True, slots=True)
class Condition:
    arm: str
    """`none`, or the arm of a map, and behind it what is given, how it is told and who plans (`armwords`)."""
    actor: str = "follower"
    seed: int = 0
    mode: GuideMode = "closed"
    limit: int = 40
    pictures: bool = False
    """Take a screenshot with every look, not only with the last."""
    model: ModelOptions = ModelOptions()

    @property
    def who(self) -> str:
        """Name the actor, and how it is told the way where that is not at each step."""
        words = arm_words(self.arm)
        # What the arm's own name says is not said again.
        told = self.actor == "follower" or self.arm == NONE or words.mode or words.form
        return self.actor if told or self.mode == "closed" else f"{self.actor}/{self.mode}"


@dataclass(frozen=True, slots=True)
class Opened:
    """What a cell is run with."""

    device: Callable[[Task], Device]
    """Opens a device in the task's start state."""
    label: Callable[[Device, Observation], str]
    """The true page of a look; empty where the world does not know it."""
    shortest: Callable[[Task], int]
    clock: Callable[[], float]
    map: Map | None = None
    stamp: Stamp | None = None


class _Unlearning:
    """A map that forgets what an episode teaches: the next one must find it as this one did."""

    def __init__(self, known: Map) -> None:
        self._mapper = known.mapper

    @property
    def graph(self) -> AppGraph:
        return self._mapper.graph

    def locate(self, observation: Observation) -> Any:
        return self._mapper.locate(observation)

    def resolve(self, node: NodeId) -> NodeId:
        return self._mapper.resolve(node)

    def miss(self, transition: Transition) -> None:
        """Take no notice."""


def one(suite: str, task: Task, condition: Condition, opened: Opened) -> Run:
    """Run one cell. What breaks outside of the episode is told in the run, and counts as missed."""
    key = Key(suite, task.id, condition.arm, condition.who, condition.seed)
    words, known = arm_words(condition.arm), opened.map
    record, memory = _asked(task, known, opened.stamp, words) if known is not None else (None, Memory())
    prepared = _Cell(task, condition, opened, record)
    shortest = opened.shortest(task)
    mapped = fingerprint(known.graph) if known is not None else ""
    if known is not None and record is None and words.aims:
        gone = not_on_map(task, memory.page)
        return Run(key, gone, map=mapped, memory=memory, shortest=shortest)
    began = opened.clock()
    try:
        episode, label, name = prepared.run()
    except WaypostError as e:
        lost = Episode(task, (), None, StopReason.DEVICE_LOST, note=str(e))
        return Run(key, lost, map=mapped, memory=memory, shortest=shortest, fault=str(e))
    return Run(
        key,
        episode,
        name,
        mapped,
        opened.clock() - began,
        label,
        _as_named(episode, known, opened.stamp, label),
        shortest,
        memory,
        tuple(prepared.told),
        *prepared.spent(),
        told_tokens=prepared.told_tokens,
        told_looks=prepared.told_looks,
    )


class _Cell:
    def __init__(self, task: Task, condition: Condition, opened: Opened, record: Record | None) -> None:
        self._task, self._condition, self._opened, self._record = task, condition, opened, record
        self._words = arm_words(condition.arm)
        self._acting: Acting | None = None
        self.told: list[str] = []
        self.told_tokens = self.told_looks = 0

    def run(self) -> tuple[Episode, str, str]:
        """Return the episode, the true page of its last look, and the device's name."""
        known, record, how = self._opened.map, self._record, self._condition
        device = self._opened.device(self._task)
        try:
            goal = known.mapper.resolve(record.node) if known and record else None
            limit = self._task.budget or how.limit
            locator = _Unlearning(known) if known else None
            episode = navigate(
                replace(self._task, app=""),
                device,
                self._actor(limit, goal),
                self._telling(),
                verify=arrival(locator, goal) if locator and goal else None,
                locate=(lambda look: _node(locator, look)) if locator else None,
                limit=limit,
                config=NavigateConfig(pixels=how.pictures, last_pixels=True),
            )
            label = self._opened.label(device, episode.final) if episode.final else ""
            return replace(episode, task=self._task, goal=goal), label, device.name
        finally:
            device.close()

    def spent(self) -> tuple[int, float]:
        told = self._acting.spent() if self._acting else None
        return (told["tokens_sent"] + told["tokens_received"], told["cost"]) if told else (0, 0.0)

    def _planner(self, known: Map) -> Planner:
        return planner_called(self._words.planner) if self._words.planner else known.planner

    def _actor(self, limit: int, goal: NodeId | None) -> Actor:
        known, how = self._opened.map, self._condition
        name = how.actor
        if name == "follower":
            if known is None or goal is None:
                # The follower goes by a map: without one, the actor that matches words stands in.
                name = "lexical"
            else:
                return Follower(_Unlearning(known), self._planner(known), goal)
        self._acting = Acting(parse_actor(name, how.model, seed=how.seed))
        return self._acting.actor(limit, known=known, goal=goal)

    def _telling(self) -> Guide:
        known, record = self._opened.map, self._record
        if known is None or self._condition.actor == "follower":
            return silent
        say, words, planner = self._task.instruction, self._words, self._planner(known)
        if words.form:
            guide = formatted(words.form, known, say, record, planner, _Unlearning(known))
        elif record is not None:
            guide = guide_for(known, say, record, words.mode or self._condition.mode, planner=planner)
        else:
            return silent

        def told(observation: Observation) -> str:
            text = guide(observation)
            if text and text not in self.told:
                self.told.append(text)
            self.told_tokens += word_pieces(text)
            self.told_looks += 1
            return text

        return told


def _node(locator: _Unlearning, look: Observation) -> NodeId | None:
    found = locator.locate(look)
    return found.node if found else None


def _asked(task: Task, known: Map, stamp: Stamp | None, words: ArmWords) -> tuple[Record | None, Memory]:
    """Ask the memory, or give it away; and hold what it says against the truth."""
    targets = _targets(task, known, stamp)
    near = {t.source for t in known.graph.transitions.values() if t.target in targets}
    near |= {t.target for t in known.graph.transitions.values() if t.source in targets}
    found = Memory(
        covered=bool(targets),
        near=tuple(sorted(near - targets)),
        target=tuple(sorted(targets)),
    )
    if not words.aims:
        # It sets out for no page of its own: there is nothing to hold against the truth but the map.
        return None, found
    if words.given:
        record, confidence = _nearest(known, targets), 1.0
    else:
        answer = known.find(task.instruction)
        record, confidence = answer.record, answer.confidence
        if record is None:
            return None, replace(found, refused=True, page=answer.reason, confidence=confidence)
    if record is None:
        return None, replace(found, refused=True, page="the target is not on this map", retrieved=None)
    node = known.mapper.resolve(record.node)
    root = known.graph.root
    plan = known.planner.plan(known.graph, root, node) if root is not None else None
    return record, replace(
        found,
        retrieved=node in targets,
        path=plan is not None and plan.found,
        page=record.name,
        waypoints=len(plan.steps) + 1 if plan is not None and plan.found else 0,
        hints=len(record.hints),
        confidence=confidence,
    )


def _targets(task: Task, known: Map, stamp: Stamp | None) -> set[NodeId]:
    """Return the pages of a map that are targets: by the world's truth, or by what their looks show."""
    wanted = {t.page for t in task.targets if t.page}
    if wanted:
        stands = stamp.stands if stamp else {}
        return {NodeId(n) for n, page in stands.items() if page in wanted and NodeId(n) in known.graph.nodes}
    judge = LookJudge()
    return {
        n.id
        for n in known.graph.pages()
        if any(judge.judge(task, look.observation).passed for look in n.looks)
    }


def _nearest(known: Map, targets: Iterable[NodeId]) -> Record | None:
    wanted = set(targets)
    fitting = [r for r in known.records() if known.mapper.resolve(r.node) in wanted]
    return min(fitting, key=lambda r: (r.depth, r.node), default=None)


def _as_named(episode: Episode, known: Map | None, stamp: Stamp | None, label: str) -> bool:
    """Whether the last look truly is the page that the actor set out for, by no eye of the map's own."""
    if known is None or episode.goal is None or episode.final is None:
        return False
    if stamp is not None and stamp.stands:
        return stamp.stands.get(str(episode.goal)) == label
    looks = known.graph.nodes[episode.goal].looks
    return any(same_place(look.observation.screen, episode.final.screen) for look in looks)


def fingerprint(graph: AppGraph) -> str:
    """Return what tells one map from another: a digest of its pages and steps."""
    parts = [*sorted(graph.nodes), *sorted(f"{s} {k} {t}" for s, k, t in graph.transitions)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
