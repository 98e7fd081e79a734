"""What went wrong is told by rule, with what it went by; figures do not depend on the order of running."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from waypost.bench.misses import cleanliness, miss
from waypost.bench.store import EpisodeStore, Key, Memory, Run
from waypost.bench.summary import summary
from waypost.bench.verdicts import TruthJudge, held, spoiled, trial
from waypost.model import (
    Action,
    Decision,
    Episode,
    Evidence,
    Launch,
    NodeId,
    Observation,
    Press,
    Screen,
    Step,
    StopReason,
    Tap,
    Target,
    Task,
    Verdict,
)

THERE = Task("t", "app", "go there", Target(page="app/bill+edit"))
ABSENT = Task("u", "app", "go nowhere", None)
BLIND = Memory()
HERE = Memory(covered=True, retrieved=True, path=True, page="Bill", waypoints=3)
OTHER = replace(HERE, retrieved=False, page="Inbox")


def _run(  # noqa: PLR0913 - what an episode may end with is many things
    task: Task = THERE,
    *,
    memory: Memory = BLIND,
    label: str = "app/inbox",
    stop: StopReason = StopReason.ARRIVED,
    page: str = "",
    arm: str = "ours",
    actions: tuple[Action, ...] = (Press("back"),),
    fault: str = "",
) -> Run:
    steps = tuple(
        Step(Observation(Screen()), Decision(a), NodeId(f"n{n % 2}")) for n, a in enumerate(actions)
    )
    episode = Episode(
        task,
        steps,
        Observation(Screen(activity="/x")),
        stop,
        claimed=stop in (StopReason.ARRIVED, StopReason.FALSE_CLAIM),
        page=NodeId(page) if page else None,
    )
    run = Run(Key("suite", task.id, arm, "follower"), episode, label=label, memory=memory, fault=fault)
    return replace(run, verdicts=(held(run, TruthJudge(label)),))


def _kind(run: Run) -> str:
    found = miss(run, trial(run))
    return found.kind if found else ""


@pytest.mark.parametrize(
    ("run", "kind"),
    [
        (_run(label="app/bill+edit", memory=HERE), ""),
        (_run(memory=OTHER), "A"),
        (_run(memory=replace(HERE, refused=True), stop=StopReason.NOT_ON_MAP), "A"),
        (_run(ABSENT, memory=OTHER), "A"),
        (_run(ABSENT, memory=OTHER, stop=StopReason.NOT_ON_MAP), ""),
        (_run(label="app/bill", memory=HERE), "B"),
        (_run(memory=replace(OTHER, near=("n7",)), page="n7"), "B"),
        (_run(memory=HERE, stop=StopReason.OUT_OF_STEPS), "C"),
        (_run(stop=StopReason.GAVE_UP), "C"),
        (_run(memory=HERE, stop=StopReason.DEVICE_LOST), "D"),
        (_run(memory=OTHER, fault="the browser died"), "D"),
        (_run(stop=StopReason.REPLY_BROKEN), "D"),
    ],
)
def test_every_miss_has_one_class_and_says_why(run: Run, kind: str) -> None:
    assert _kind(run) == kind
    found = miss(run, trial(run))
    assert found is None or found.evidence


def test_the_right_address_with_something_missing_is_a_near_miss() -> None:
    task = Task("t", "app", "go", Target(url="/x", has=("Save",)))
    run = replace(_run(task, memory=HERE), verdicts=(Verdict(False, "nothing matches", "look"),))
    assert _kind(run) == "B"


def test_a_forbidden_control_spoils_an_arrival_wherever_it_ends() -> None:
    task = replace(THERE, forbids=("^delete",))
    taps = (Tap((1, 1), target=Evidence(label="Delete all")),)
    run = _run(task, label="app/bill+edit", memory=HERE, actions=taps)
    assert spoiled(run) == "Delete all"
    assert not run.verdicts[0].passed
    assert "forbids" in run.verdicts[0].reason


def test_a_way_is_clean_where_nothing_is_done_twice() -> None:
    run = _run(actions=(Press("back"), Launch("app"), Press("back"), Launch("app")))
    found = cleanliness(run.episode, 2, reached=True)
    assert (found.actions, found.detours, found.backtracks, found.restarts, found.loops) == (4, 2, 2, 2, 2)
    assert cleanliness(run.episode, 2, reached=False).detours == 0


def _many() -> list[Run]:
    runs = []
    for n in range(12):
        task = replace(THERE, id=f"t{n}")
        for arm, good in (("none", n < 3), ("frontier", n < 9)):
            memory = replace(HERE, waypoints=1 + n % 6) if arm == "frontier" else BLIND
            runs.append(_run(task, label="app/bill+edit" if good else "app/inbox", memory=memory, arm=arm))
        runs.append(_run(replace(ABSENT, id=f"u{n}"), arm="none", stop=StopReason.GAVE_UP))
    return runs


def test_a_summary_is_the_same_in_whatever_order_it_was_run() -> None:
    runs = _many()
    told = summary(runs).as_json()
    random.Random(4).shuffle(runs)
    assert summary(runs).as_json() == told
    (pair,) = told["pairs"]
    assert (pair["n"], pair["first_reached"], pair["second_reached"], pair["up"], pair["down"]) == (
        12,
        3,
        9,
        6,
        0,
    )
    assert pair["difference"] == 0.5
    assert pair["ci95"][0] > 0
    cells = {c["arm"]: c for c in told["cells"]}
    assert cells["none"]["abstained"] == 1.0
    assert cells["frontier"]["structure"]["perfect_follower"] == 12
    assert sum(b["n"] for b in told["by_waypoints"]) == told["success_against_waypoints"]["n"] == 12


def test_with_several_seeds_a_task_counts_once() -> None:
    runs = [replace(r, key=replace(r.key, seed=s)) for r in _many() for s in range(3)]
    (pair,) = summary(runs).as_json()["pairs"]
    assert (pair["n"], pair["up"]) == (12, 6)


def test_a_run_comes_back_from_the_store_as_it_went_in(tmp_path: Path) -> None:
    store = EpisodeStore(tmp_path / "s").open()
    screen = Screen(activity="/bills?x=1")
    run = replace(
        _run(memory=replace(HERE, near=("n1", "n2"))), told=("Destination: Bill",), tokens=7, cost=0.5
    )
    run = replace(run, episode=replace(run.episode, final=Observation(screen, image=b"png", seen_at=4.0)))
    store.add(run)
    store.add(replace(run, key=replace(run.key, seed=1)))
    back, twin = store.runs()
    assert back.episode.final is not None
    assert (back.episode.final.screen, back.episode.final.image) == (screen, b"png")
    assert (back.memory, back.told, back.tokens, back.cost) == (run.memory, run.told, 7, 0.5)
    assert back.verdicts == run.verdicts
    assert twin.key.seed == 1
    assert len(list((tmp_path / "s" / "pictures").iterdir())) == 1
    (bare, _) = store.runs(screens=False)
    assert bare.episode.final is not None
    assert bare.episode.final.screen.activity == "/bills?x=1"
    assert not bare.episode.final.image
