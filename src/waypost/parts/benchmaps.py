"""Maps for the arms of a comparison: a suite and an arm in, a map that says what it was made by out.

Beside each map lies `bench.json`, which names suite, app, version and arm: a map that another arm, app or
version was made for is refused, so that no cell can be run with a wrong one (in TAG-Nav some were; Table 17).
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from waypost.bench import StepLog, Truth, coverage
from waypost.bench.linting import keyed
from waypost.errors import UsageError
from waypost.exploration import ExploreConfig, StartRecipe
from waypost.mapping import StepSeen
from waypost.mapping.settle import settled
from waypost.model import Action, Episode, Task
from waypost.parts.exploring import ExploreRequest, explored, surveyed
from waypost.parts.face import Map, open_map
from waypost.parts.formats import HANDBOOK
from waypost.parts.learning import learned
from waypost.parts.linting import memory_texts
from waypost.parts.started import Started
from waypost.parts.suites import POCKET
from waypost.parts.taped import Taped

__all__ = [
    "MANUAL",
    "POLICIES",
    "Stamp",
    "checked",
    "folder_of",
    "make_map",
    "shipped_manual",
    "stamp",
    "stamp_of",
]

POLICIES = ("frontier", "auto_bfs", "random")
MANUAL = "manual"
_FILE = "bench.json"
_CEILING = 4_000


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a map was made by."""

    suite: str
    arm: str
    app: str = ""
    version: str = ""
    seed: int = 0
    actions: int = 0
    stands: Mapping[str, str] = field(default_factory=dict)
    """Which true page each page of the map stands for, where the world knows."""
    pages_true: int = 0
    """True pages that can be reached, where the world knows; 0 where it does not."""


def folder_of(maps: Path, suite: str, arm: str, app: str = "") -> Path:
    """Return where the map of an arm lies: one of its own for each app of a phone."""
    return maps / suite / arm / app if app and suite == POCKET else maps / suite / arm


def stamp(folder: Path, what: Stamp) -> None:
    """Note what a map was made by."""
    told = json.dumps(asdict(what), ensure_ascii=False, indent=1, sort_keys=True)
    (folder / _FILE).write_text(told + "\n", encoding="utf-8")


def stamp_of(folder: Path) -> Stamp:
    """Return what a map was made by. Raises UsageError where it does not say."""
    try:
        return Stamp(**json.loads((folder / _FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as e:
        raise UsageError(
            f"{str(folder)!r} has no {_FILE} that says which suite and arm it was made for; make it with "
            "`waypost bench SUITE --store FOLDER --explore ACTIONS`"
        ) from e


def checked(folder: Path, wanted: Stamp, tasks: Iterable[Task]) -> Map:
    """Open the map of an arm. Raises UsageError where it is another's, or holds the tasks themselves."""
    if not (folder / "map.sqlite").is_file():
        raise UsageError(f"There is no map in {str(folder)!r}; add --explore ACTIONS to have it made")
    told = stamp_of(folder)
    for name in ("suite", "arm", "app", "version"):
        is_, should = getattr(told, name), getattr(wanted, name)
        if is_ != should and (should or name != "version"):
            raise UsageError(f"{str(folder)!r} was made for {name} {is_!r}, and {should!r} is asked for")
    known = open_map(folder)
    known.records()
    known.close()
    known = open_map(folder, readonly=True)
    if faults := keyed(tasks, memory_texts(known)):
        known.close()
        raise UsageError(f"{str(folder)!r}: {faults[0].task}: {faults[0].text}")
    return known


def make_map(
    folder: Path, what: Stamp, device: Any, actions: int, *, recipe: StartRecipe | None = None
) -> Stamp:
    """Explore with the arm's policy, or walk the phone's shortest ways by hand for `manual`."""
    if what.suite == POCKET:
        return _manual_phone(folder, what) if what.arm == MANUAL else _phone(folder, what, actions)
    if what.arm == MANUAL:
        raise UsageError(
            f"A manual map of {what.suite} is made in a checkout: python -m worlds.manual {what.suite} "
            f"--url ADDRESS --map {folder}"
        )
    spec, options = device
    request = ExploreRequest(actions=actions, seed=what.seed, policy=what.arm, recipe=recipe)
    done = explored(str(spec), folder, request, options=options)
    return _stamped(folder, what, actions=done.actions)


def shipped_manual(folder: Path, suite: str, app: str) -> None:
    """Lay the manual of a pocket app that comes with Waypost beside its map; one that is there stays."""
    path = folder / HANDBOOK
    source = files("waypost.adapters.pocket") / "manuals" / f"{app}.md"
    if suite == POCKET and source.is_file() and not path.exists():
        path.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")


def _stamped(folder: Path, what: Stamp, **more: Any) -> Stamp:
    made = Stamp(**{**asdict(what), **more})
    stamp(folder, made)
    return made


def _phone(folder: Path, what: Stamp, actions: int) -> Stamp:
    from waypost.adapters.pocket import PocketDevice
    from waypost.adapters.pocket.known import app_truth, gate_recipe

    device = PocketDevice(what.app, seed=what.seed, shrink=3)
    log = StepLog(device.label)

    def noted(step: StepSeen) -> None:
        log.add(step.source, step.key, step.target, step.before_at, step.after_at)

    lines = gate_recipe(what.app)
    recipe = StartRecipe.parse(lines, {}) if lines else None
    config = ExploreConfig(policy=what.arm, actions=actions or _CEILING, seed=what.seed, pictures=True)
    truth = app_truth(what.app)
    with surveyed(device, folder, config, recipe, listener=noted) as known:
        found = coverage(known.graph, log, Truth(truth.pages, truth.reachable), known.mapper.resolve)
        known.name_choosers()
        known.remember()
    stands = {str(node): page for node, page in found.stands.items()}
    return _stamped(folder, what, actions=found.actions, stands=stands, pages_true=len(truth.reachable))


def _manual_phone(folder: Path, what: Stamp) -> Stamp:
    """Go every shortest way once, as somebody would who knows the app: no detours, no false steps."""
    from waypost.adapters.pocket.known import app_truth

    walked: list[tuple[Episode, tuple[str, ...]]] = []
    for page, actions, lines in _ways(what.app):
        episode, labels = _walked(what, page, actions, lines)
        if labels[-1] == page:
            walked.append((episode, labels))
    learned([episode for episode, _ in walked], folder, device=f"pocket:{what.app}")
    with open_map(folder) as known:
        known.remember()
        stands, steps = _stands(known, walked), known.graph.steps
    return _stamped(folder, what, actions=steps, stands=stands, pages_true=len(app_truth(what.app).reachable))


def _ways(app: str) -> list[tuple[str, tuple[Action, ...], tuple[str, ...]]]:
    """Return every page with the shortest way to it, and what leads past a login first where it must."""
    from waypost.adapters.pocket import truth
    from waypost.adapters.pocket.known import start_recipe, started_spec

    fresh = truth.ways(app)
    ways = [(page, way.actions, ()) for page, way in sorted(fresh.items())]
    behind = truth.ways(started_spec(app)) if start_recipe(app) else {}
    return [
        *ways,
        *((p, w.actions, start_recipe(app)) for p, w in sorted(behind.items()) if p not in fresh),
    ]


def _walked(
    what: Stamp, page: str, actions: tuple[Action, ...], lines: tuple[str, ...]
) -> tuple[Episode, tuple[str, ...]]:
    """Walk one way on a phone of its own, where nothing pops up; with the true page of each look."""
    from waypost.adapters.pocket import PocketDevice, load

    calm = replace(load(what.app), ad_rate=0.0, crash_rate=0.0, splash=0)
    phone = PocketDevice(what.app, seed=what.seed, shrink=3, specs=[calm])
    taped = Taped(Started(phone, StartRecipe.parse(lines, {})) if lines else phone)
    taped.restart()
    settled(taped)
    for action in actions:
        taped.perform(action)
        settled(taped)
    # Named by nothing that a task says: a memory must not know what it will be asked.
    episode = taped.episode("a way", pixels=True)
    looks = (*(s.observation for s in episode.steps), episode.final)
    return episode, tuple(phone.label(look.seen_at) for look in looks if look is not None)


def _stands(known: Map, walked: Iterable[tuple[Episode, tuple[str, ...]]]) -> dict[str, str]:
    """Return which true page each page of a map stands for: what most looks that it recognises show."""
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for episode, labels in walked:
        looks = [*(s.observation for s in episode.steps), episode.final]
        for look, label in zip(looks, labels, strict=True):
            found = known.mapper.locate(look) if look is not None else None
            if found is not None:
                votes[str(known.mapper.resolve(found.node))][label] += 1
    return {node: min(seen, key=lambda page: (-seen[page], page)) for node, seen in votes.items()}
