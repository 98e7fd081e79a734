"""A sentence that spans apps and the maps of the installed ones in; a plan of legs, and the journey, out.

MapAgent's planner: coarse parts, a scheduler over the apps, each app's three best pages, a fine plan; and
values that are read in one app and told in the next.
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from waypost.adapters.discreet import Discreet
from waypost.anchors import facts
from waypost.anchors.relevance import words
from waypost.errors import UsageError
from waypost.guidance import route
from waypost.library import Answer
from waypost.model import Leg, SpanningPlan, Subtask, Task
from waypost.model.codec import encode
from waypost.model.wording import one_line, quoted
from waypost.navigate import not_on_map
from waypost.parts.acting import Acting, How, acted
from waypost.parts.devices import DeviceOptions, open_device, parse_device
from waypost.parts.face import Map, open_map
from waypost.parts.folders import known_maps
from waypost.parts.models import ModelOptions, open_model
from waypost.parts.outcome import Outcome, outcome
from waypost.parts.parting import considered
from waypost.planning import AskedSubtasks, RuleSubtasks
from waypost.protocols import Device, SubtaskPlanner

__all__ = ["Carried", "Installed", "Journey", "journeyed", "subtask_planner", "told", "travelled"]


class Installed:
    """The maps of the apps that a plan may use, open together. Close it, or use it as a context manager."""

    def __init__(self, names: Sequence[str] = (), *, readonly: bool = True) -> None:
        """Open these maps, or all that there are; for going, not `readonly`: what misses is noted.

        Raises UsageError, MapError.
        """
        wanted = list(dict.fromkeys(names or known_maps()))
        if not wanted:
            raise UsageError("There is no map yet; explore an app first, or name maps with --map")
        self._open = ExitStack()
        try:
            self.maps = {n: self._open.enter_context(open_map(n, readonly=readonly)) for n in wanted}
        except BaseException:
            self._open.close()
            raise
        self._answers: dict[tuple[str, str], Answer] = {}

    def __enter__(self) -> "Installed":
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    @property
    def titles(self) -> Mapping[str, str]:
        """What each app is called, beside its map's name."""
        return {name: known.graph.app for name, known in self.maps.items()}

    def answer(self, app: str, clause: str) -> Answer:
        """Ask one app's memory; the same question costs nothing again."""
        if (app, clause) not in self._answers:
            self._answers[app, clause] = self.maps[app].find(clause)
        return self._answers[app, clause]

    def fits(self, clause: str) -> Mapping[str, float]:
        """Say how well each app's memory fits a clause."""
        found = {app: self.answer(app, clause).candidates for app in self.maps}
        return {app: pages[0].score for app, pages in found.items() if pages}

    def plan(self, instruction: str, planner: SubtaskPlanner) -> SpanningPlan:
        """Plan an instruction over the installed apps."""
        if not instruction.strip():
            raise UsageError("Say in a sentence what to do")
        legs: list[Leg] = []
        for part in planner.coarse(instruction.strip(), self.titles, self.fits):
            legs.append(self._leg(part, planner, legs[-1] if legs else None))
        return SpanningPlan(instruction.strip(), tuple(legs), planner.id)

    def _leg(self, part: Subtask, planner: SubtaskPlanner, before: Leg | None) -> Leg:
        if part.app not in self.maps:
            return Leg(part, why="no installed app has such a page")
        known, answer = self.maps[part.app], self.answer(part.app, part.what)
        pages = considered(answer)
        chosen, words = planner.fine(part, pages, answer.record is not None)
        if chosen < 0:
            return Leg(
                part, pages, why=answer.reason if answer.record is None else "none of the pages was chosen"
            )
        stays = before is not None and before.subtask.app == part.app and before.target is not None
        start = before.target if stays and before is not None else known.graph.root
        target = known.mapper.resolve(pages[chosen].node)
        plan = known.planner.plan(known.graph, start, target) if start is not None else None
        return Leg(part, pages, target, plan, stays, words)


def told(plan: SpanningPlan, maps: Mapping[str, Map]) -> str:
    """Word a plan for a person: of each leg its part, the pages looked at, and the way."""
    lines = []
    for n, leg in enumerate(plan.legs, 1):
        part = leg.subtask
        lines.append(f"{n}. {part.app or 'no installed app'}: {one_line(part.what, 200)}")
        if part.needs:
            lines.append(f"   uses: {', '.join(part.needs)}")
        if leg.pages:
            pages = ", ".join(f"{quoted(p.name)} ({p.score:g})" for p in leg.pages)
            lines.append(f"   memory of {part.app}: {pages}")
        if leg.plan is None or leg.target is None:
            lines.append(f"   no page: {leg.why}")
            continue
        graph = maps[part.app].graph
        lines += [f"   {line}" for line in route(leg.plan, graph).splitlines()]
        if part.learns:
            lines.append(f"   note: {', '.join(part.learns)}")
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Carried:
    """A value that was read in one app for a later part; `value` is empty where it was not seen."""

    name: str
    value: str
    leg: int
    """Which leg read it, from 0."""


@dataclass(frozen=True, slots=True)
class Journey:
    plan: SpanningPlan
    outcomes: tuple[Outcome, ...]
    """One a leg that was tried; the journey ends with the first that was not reached."""
    carried: tuple[Carried, ...]

    @property
    def reached(self) -> bool:
        """Whether every leg was, and each was verified."""
        return len(self.outcomes) == len(self.plan.legs) and all(o.verified for o in self.outcomes)

    def as_json(self) -> dict[str, Any]:
        return {
            "plan": encode(self.plan),
            "reached": self.reached,
            "legs": [o.as_json() for o in self.outcomes],
            "carried": [encode(c) for c in self.carried],
        }


def travelled(
    plan: SpanningPlan, installed: Installed, device: Device, acting: Acting, *, limit: int = 40
) -> Journey:
    """Go leg by leg on a device that has all the apps, and carry values over, up to the first leg missed."""
    shown = Discreet.over(device)
    outcomes: list[Outcome] = []
    carried: list[Carried] = []
    for n, leg in enumerate(plan.legs):
        known = installed.maps.get(leg.subtask.app)
        wish = _with_values(leg, carried)
        if known is None or leg.target is None:
            answer = Answer(None, 1.0, (), leg.why)
            graph = next(iter(installed.maps.values())).graph if known is None else known.graph
            outcomes.append(outcome(not_on_map(Task(f"leg {n}", "", wish)), graph, answer))
            break
        task = Task(f"leg {n}", known.graph.app, wish)
        found = acted(known, task, _answer(known, leg), shown, acting, How(limit, leg.stays))
        outcomes.append(found)
        if not found.verified:
            break
        carried += _read(found, leg, n)
    return Journey(plan, tuple(outcomes), tuple(carried))


def _answer(known: Map, leg: Leg) -> Answer:
    """Return the leg's page as an answer of its memory."""
    assert leg.target is not None
    record = known.record_of(leg.target)
    return Answer(record, 1.0, (), "chosen for this part")


def _with_values(leg: Leg, carried: Sequence[Carried]) -> str:
    """Say the part, with what was read for it; values come off screens, and stand in quotes."""
    latest = {c.name: c.value for c in carried if c.value}
    known = "; ".join(f"{n} is {quoted(latest[n])}" for n in leg.subtask.needs if n in latest)
    return leg.subtask.what + (f" ({known})" if known else "")


def _read(found: Outcome, leg: Leg, number: int) -> list[Carried]:
    """Read what later parts need off the page that was reached: the fact that is called most like it."""
    final = found.episode.final if found.episode else None
    stated = facts(final.screen) if final is not None else ()
    read = []
    for name in leg.subtask.learns:
        shares = [(len(words(name) & words(f.name)), -i) for i, f in enumerate(stated)]
        best, place = max(shares, default=(0, 0))
        read.append(Carried(name, stated[-place].value if best else "", number))
    return read


def subtask_planner(by: str, model: ModelOptions) -> SubtaskPlanner:
    """Return who plans: `rules`, or the model that is named."""
    return RuleSubtasks() if by == "rules" else AskedSubtasks(open_model(model).llm)


def journeyed(
    plan: SpanningPlan,
    installed: Installed,
    device: str,
    acting: Acting,
    *,
    options: DeviceOptions | None = None,
    limit: int = 40,
) -> Journey:
    """Open a device and go the way on it; nothing private is shown to anybody."""
    opened = open_device(parse_device(device), options)
    try:
        return travelled(plan, installed, opened, acting, limit=limit)
    finally:
        opened.close()
