"""`waypost tasks make`: a map and a device in, tasks that were done once each and how they were done out."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from waypost.actors import Follower
from waypost.bench import LookJudge
from waypost.bench.synthesis import Made, Variety, variety, worded
from waypost.errors import UsageError
from waypost.guidance import silent
from waypost.model import Episode, NodeId, Observation, StopReason, Task
from waypost.model.wording import one_line
from waypost.navigate import NavigateConfig, arrival, navigate
from waypost.navigate.episodes import append_episode
from waypost.parts.face import Map
from waypost.planning.subgoals import SubgoalConfig, sampled
from waypost.protocols import LLM, Device

__all__ = ["MadeTasks", "MakeRequest", "made_tasks", "write_tasks"]

_SPARE = 8
"""Sequences drawn for each task that is wanted: what cannot be done on the app is left out."""


@dataclass(frozen=True, slots=True)
class MakeRequest:
    count: int = 100
    seed: int = 0
    fewest: int = 2
    most: int = 5
    hops: int = 6
    limit: int = 20
    """Most actions between two sub-goals."""
    trajectories: Path | None = None
    """File for the episodes, with a screenshot of every look; none where empty."""


@dataclass(frozen=True, slots=True)
class Reworded:
    """What a model answers."""

    request: str


@dataclass(frozen=True, slots=True)
class MadeTasks:
    made: tuple[Made, ...]
    variety: Variety
    tried: int
    failed: tuple[tuple[str, str], ...]
    """Sentences of what could not be done, and why."""

    def as_json(self) -> dict[str, Any]:
        return {
            "tasks": len(self.made),
            "verified": len(self.made),
            "tried": self.tried,
            "failed": [{"say": said, "why": why} for said, why in self.failed],
            "variety": self.variety.as_json(),
        }


def made_tasks(
    known: Map,
    open_device: Callable[[], Device],
    request: MakeRequest,
    *,
    llm: LLM | None = None,
    done: Callable[[int], None] = lambda count: None,
) -> MadeTasks:
    """Draw, word and do tasks until there are enough; only what a run has shown to be possible is kept."""
    if known.graph.root is None:
        raise UsageError("The map is empty; explore the app first")
    rng = random.Random(request.seed)
    made: list[Made] = []
    failed: list[tuple[str, str]] = []
    tried = 0
    device = open_device()
    try:
        barred: set[NodeId] = set()
        for task in _drawn(known, request, rng):
            if barred.intersection(task.pages):
                continue
            tried += 1
            episode, lost, why = _done(known, task, device, request.limit)
            if why:
                # What could not be reached once costs minutes each time: it is not drawn again.
                barred.add(lost)
                failed.append((task.task.instruction, why))
                continue
            kept = _reworded(task, llm) if llm is not None else task
            made.append(kept)
            if request.trajectories is not None:
                append_episode(request.trajectories, replace(episode, task=kept.task), device=device.name)
            done(len(made))
            if len(made) >= request.count:
                break
    except KeyboardInterrupt:
        # It may take an hour: whoever stops it keeps what has been made.
        pass
    finally:
        device.close()
    return MadeTasks(tuple(made), variety(made, known.graph), tried, tuple(failed))


def _drawn(known: Map, request: MakeRequest, rng: random.Random) -> Iterator[Made]:
    records = {known.mapper.resolve(r.node): r for r in known.records()}
    config = SubgoalConfig(request.fewest, request.most, request.hops)
    said: set[str] = set()
    goals = sampled(known.graph, known.planner, rng, _SPARE * request.count, config=config)
    for number, found in enumerate(goals, 1):
        made = worded(number, found, known.graph, records, rng)
        if made is not None and made.task.instruction.casefold() not in said:
            said.add(made.task.instruction.casefold())
            yield made


def _done(known: Map, made: Made, device: Device, limit: int) -> tuple[Episode, NodeId, str]:
    """Go to every sub-goal in turn; returns the run, and where and why it failed, empty where it did not."""
    steps: list[Any] = []
    final: Observation | None = None
    for number, node in enumerate(made.pages):
        leg = _leg(known, made.task, device, node, limit, fresh=number == 0)
        # The claim at the end of a leg is a step of its own; only the last one belongs to the task.
        steps += leg.steps if number == len(made.pages) - 1 else leg.steps[: leg.actions]
        final = leg.final
        if not leg.verified:
            name = known.graph.nodes[node].name
            return (
                leg,
                node,
                f"sub-goal {number + 1} ({name!r}) was not reached: {leg.note or leg.stop.value}",
            )
    whole = Episode(made.task, tuple(steps), final, StopReason.ARRIVED, claimed=True, verified=True)
    assert final is not None
    verdict = LookJudge().judge(made.task, final)
    why = "" if verdict.passed else f"the last page does not pass the target: {verdict.reason}"
    return whole, made.pages[-1], why


def _leg(known: Map, task: Task, device: Device, node: NodeId, limit: int, *, fresh: bool) -> Episode:
    mapper = known.mapper
    return navigate(
        Task(task.id, "", task.instruction),
        device,
        Follower(mapper, known.planner, node),
        silent,
        verify=arrival(mapper, node),
        limit=limit,
        config=NavigateConfig(restart=fresh, pixels=True, last_pixels=True),
    )


def _reworded(made: Made, llm: LLM) -> Made:
    prompt = files("waypost.parts").joinpath("reword.txt").read_text(encoding="utf-8")
    said = llm.ask(prompt.format(said=made.task.instruction), returns=Reworded).request
    text = one_line(said, 500)
    return replace(made, task=replace(made.task, instruction=text)) if text else made


def write_tasks(path: Path, found: MadeTasks, *, world: str, device: str) -> None:
    """Write tasks as a task file that `waypost bench` runs. Raises UsageError."""
    rows = [
        {
            "id": m.task.id,
            "say": m.task.instruction,
            "target": {"url": m.task.target.url, "has": list(m.task.target.has)} if m.task.target else None,
            "shortest": m.task.shortest,
            "tags": list(m.task.tags),
        }
        for m in found.made
    ]
    data = {"world": world, "device": device, "tasks": rows}
    try:
        path.write_text(
            yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=110), encoding="utf-8"
        )
    except OSError as e:
        raise UsageError(f"Cannot write {str(path)!r}: {e.strerror or e}") from e
