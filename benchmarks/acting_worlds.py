"""Where actors are run: a world's name in, tasks with the true way, fresh phones, and a map of it out.

Two kinds: the embedded phone, which says itself what page it shows; and a real web app of `worlds/` in a
real browser, whose targets and hand-made routes say it. No actor is told either.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from worlds.labelling import free_port
from worlds.routes import Step, find, labels, look_until
from worlds.verify import read_routes

from tests.actors.policies import Oracle, PocketTruth, Truth, way_to
from waypost.adapters.browser import BrowserDevice
from waypost.adapters.pocket import PocketDevice
from waypost.adapters.pocket.truth import ways
from waypost.adapters.through import Through
from waypost.bench import read_tasks
from waypost.bench.judge import LookJudge
from waypost.errors import WaypostError
from waypost.mapping import settled
from waypost.model import Action, Episode, NodeId, Observation, Screen, Tap, Task
from waypost.parts.exploring import explore
from waypost.parts.face import Map, open_map
from waypost.parts.learning import learned
from waypost.parts.taped import Taped
from waypost.protocols import Device

__all__ = ["ROOT", "WORLDS", "Case", "World", "served", "world"]

ROOT = Path(__file__).parent.parent
APP = "clock"
WEB = ("ihatemoney", "fava")
WORLDS = ("pocket", *WEB)
_SAME = 0.75
"""Share of labels that a look must have in common with a look of the way to be taken for it."""


@dataclass(frozen=True, slots=True)
class Case:
    task: Task
    oracle: Oracle


class World(Protocol):
    """A place to act in."""

    name: str
    cases: Sequence[Case]
    known: Map

    def fresh(self, seed: int) -> Device:
        """Return a phone as nobody has touched it; `done` takes it back."""
        ...

    def done(self, device: Device) -> None: ...

    def truth(self, device: Device, case: Case) -> Truth: ...

    def named(self, device: Device, node: NodeId) -> bool:
        """Whether it truly is on the page that the map calls `node`."""
        ...


@contextmanager
def world(name: str, tasks: int) -> Iterator[World]:
    """Open a world with its map made; a web app is installed, served on loopback, and stopped after."""
    with tempfile.TemporaryDirectory() as home:
        if name == "pocket":
            with explore(f"pocket:{APP}", Path(home) / "map", actions=700) as known:
                yield _Pocket(known, tasks)
            return
        with served(name) as url:
            yield from _Web.opened(name, url, Path(home) / "map", tasks)


class _Pocket:
    name = "pocket"

    def __init__(self, known: Map, tasks: int) -> None:
        self.known = known
        self.cases = list(_pocket_cases())[:tasks]
        looks = ((page, way_to(APP, page)) for page in ways(APP))
        self._pages = {n: p for p, o in looks if o and (n := _node(known, o.look)) is not None}
        """By page of the map, the page that it truly is."""

    def fresh(self, seed: int) -> Device:
        return PocketDevice(APP, seed=seed)

    def done(self, device: Device) -> None:
        device.close()

    def truth(self, device: Device, case: Case) -> Truth:
        assert isinstance(device, PocketDevice)
        return PocketTruth(device)

    def named(self, device: Device, node: NodeId) -> bool:
        assert isinstance(device, PocketDevice)
        return device.where() == self._pages.get(node)


def _pocket_cases() -> Iterator[Case]:
    """Take the tasks of the app whose way the phone's truth can walk from a fresh start."""
    for task in read_tasks(ROOT / "src/waypost/adapters/pocket/tasks.yaml").tasks:
        if task.app == APP and task.target is not None and task.target.page:
            oracle = way_to(APP, task.target.page)
            if oracle is not None:
                yield Case(task, oracle)


def _node(known: Map, look: Screen) -> NodeId | None:
    found = known.mapper.locate(Observation(look))
    return known.mapper.resolve(found.node) if found else None


@dataclass(frozen=True, slots=True)
class _Route(Oracle):
    """A hand-made way through a web app; where things stand is read off the screen at hand."""

    steps: tuple[Step, ...] = ()
    looks: tuple[Screen, ...] = ()
    """What the walk saw before each step."""

    def action(self, number: int, screen: Screen) -> Action:
        step = self.steps[number]
        found = find(screen, {"tap": step} if isinstance(step, str) else step)
        return Tap(found.bounds.center) if found is not None else self.actions[number]


class _Seeing(Through):
    """A browser whose last look is kept: what the actor was shown is what the truth is asked about."""

    last = Screen()

    def observe(self, *, pixels: bool = False) -> Observation:
        seen = self._device.observe(pixels=pixels)
        self.last = seen.screen
        return seen


@dataclass(frozen=True, slots=True)
class _WebTruth:
    """The target by the task's own patterns; a page of the way by what its walk saw there."""

    device: _Seeing
    case: Case

    def where(self) -> str:
        route, screen = self.case.oracle, self.device.last
        assert isinstance(route, _Route)
        if LookJudge().judge(self.case.task, Observation(screen)).passed:
            return route.target
        shares = [(_alike(screen, look), page) for look, page in zip(route.looks, route.pages, strict=True)]
        best = max(shares, default=(0.0, ""))
        return best[1] if best[0] >= _SAME else "elsewhere"

    def screen(self) -> Screen:
        return self.device.last


def _alike(a: Screen, b: Screen) -> float:
    """Return the share of labels that two looks at one address have in common.

    >>> _alike(Screen(activity="/a"), Screen(activity="/b"))
    0.0
    """
    if a.activity != b.activity:
        return 0.0
    one, two = set(labels(a)), set(labels(b))
    return len(one & two) / max(1, len(one | two))


class _Web:
    def __init__(self, name: str, url: str, known: Map, cases: Sequence[Case]) -> None:
        self.name, self.known, self.cases, self._url = name, known, cases, url

    @classmethod
    def opened(cls, name: str, url: str, folder: Path, most: int) -> Iterator[World]:
        """Walk each route once: that gives the ways, what they look like, and a map to check claims by."""
        ready = re.compile(read_routes(ROOT / "worlds" / name / "routes.yaml").ready)
        cases, episodes = [], []
        for task, steps in _plain_routes(name)[:most]:
            device = Taped(BrowserDevice(url))
            try:
                device.restart()
                look_until(device, lambda s: any(ready.search(x) for x in labels(s)))
                walked = _walked(device, task, steps)
            except WaypostError as e:
                print(f"{task.id}: {e}", file=sys.stderr)
                continue
            finally:
                device.close()
            cases.append(Case(task, walked[0]))
            episodes.append(walked[1])
        learned(episodes, folder)
        with open_map(folder) as known:
            known.remember()
            yield cls(name, url, known, cases)

    def fresh(self, seed: int) -> Device:
        # A browser of its own: no run begins where another has left something.
        return _Seeing(BrowserDevice(self._url))

    def done(self, device: Device) -> None:
        device.close()

    def truth(self, device: Device, case: Case) -> Truth:
        assert isinstance(device, _Seeing)
        return _WebTruth(device, case)

    def named(self, device: Device, node: NodeId) -> bool:
        """Ask which looks of the routes the map calls so, and whether this one passes for one of them."""
        assert isinstance(device, _Seeing)
        seen = device.last
        for case in self.cases:
            route = case.oracle
            assert isinstance(route, _Route)
            ends = _node(self.known, route.look) == node
            if ends and LookJudge().judge(case.task, Observation(seen)).passed:
                return True
            on_the_way = (look for look in route.looks if _node(self.known, look) == node)
            if any(_alike(seen, look) >= _SAME for look in on_the_way):
                return True
        return False


def _plain_routes(name: str) -> list[tuple[Task, tuple[Step, ...]]]:
    """Return the tasks whose way is taps alone."""
    routes = read_routes(ROOT / "worlds" / name / "routes.yaml").routes
    tasks = read_tasks(ROOT / "worlds" / name / "tasks.yaml").tasks
    found = [(replace(t, app=""), routes[t.id]) for t in tasks if t.id in routes]
    return [(t, steps) for t, steps in found if all(isinstance(s, str) or "tap" in s for s in steps)]


def _walked(device: Taped, task: Task, steps: Sequence[Step]) -> tuple[_Route, Episode]:
    """Take the steps; raises WaypostError where one is lost, or where they end elsewhere."""
    looks: list[Screen] = []
    actions: list[Action] = []
    for step in steps:
        row: dict[str, Any] = {"tap": step} if isinstance(step, str) else step
        screen = look_until(device, lambda s, row=row: find(s, row) is not None).screen
        found = find(screen, row)
        if found is None:
            raise WaypostError(f"nothing visible is called {row!r}")
        looks.append(screen)
        actions.append(Tap(found.bounds.center))
        device.perform(actions[-1])
    settled(device)
    judge = LookJudge()
    look_until(device, lambda s: judge.judge(task, Observation(s)).passed)
    episode = device.episode(task.id, pixels=True)
    assert episode.final is not None
    verdict = judge.judge(task, episode.final)
    if not verdict.passed:
        raise WaypostError(f"its route does not arrive: {verdict.reason}")
    pages = tuple(f"step {n}" for n in range(len(steps)))
    return _Route(task.id, tuple(actions), pages, episode.final.screen, tuple(steps), tuple(looks)), episode


@contextmanager
def served(name: str) -> Iterator[str]:
    """Start a world on a free port, as a user does; stop it after."""
    script = [sys.executable, str(ROOT / "worlds" / name / "run")]
    started = subprocess.run(
        [*script, "--background", "--port", str(free_port())], stdout=subprocess.PIPE, text=True, check=False
    )
    if started.returncode:
        raise SystemExit(f"the world {name!r} did not start; try worlds/{name}/run")
    try:
        yield started.stdout.strip()
    finally:
        subprocess.run([*script, "--stop"], check=False)
