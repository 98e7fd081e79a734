"""What the truth says of an app is what the phone does."""

import random

import pytest

from tests.adapters.pocket.driving import settle, small
from waypost.adapters.pocket import PocketDevice, apps, truth
from waypost.adapters.pocket.tree import Target
from waypost.model import Action, LongPress, Press, Swipe, Tap, TypeText, Wait


def _calm(device: PocketDevice) -> str:
    """Let splash and spinners pass, and put an advertisement away."""
    for _ in range(4):
        settle(device)
        if device.where() == "side:ad":
            device.perform(Press("back"))
    return device.where()


@pytest.mark.parametrize("app", apps())
def test_every_shortest_way_arrives_when_it_is_driven(app: str) -> None:
    for goal, way in truth.ways(app).items():
        device = PocketDevice(app)
        passed = [_calm(device)]
        for action in way.actions:
            device.perform(action)
            passed.append(_calm(device))
        assert passed[-1] == goal
        assert set(way.pages) <= set(passed)
        assert not device.hazards_done


@pytest.mark.parametrize("app", apps())
def test_driving_around_harmlessly_shows_nothing_that_the_truth_does_not_know(app: str) -> None:
    rng = random.Random(7)
    device = PocketDevice(app, seed=7)
    known = truth.reachable_without_hazards(app)
    stated: dict[tuple[str, str], set[str]] = {}
    for edge in truth.transitions(app):
        stated.setdefault((edge.source, edge.widget), set()).add(edge.target)
    for _ in range(1200):
        device.observe()
        before = device.where()
        target, action = _step(device, rng)
        device.perform(action)
        after = device.where()
        if after == "launcher/home":
            device.restart(app)
        elif not after.startswith("side:"):
            assert after in known
        widget = target.touch.widget if target else None
        if widget and isinstance(action, Tap) and target and target.touch.op == "run" and before in known:
            ends = stated.get((before, widget.path), set())
            ends = ends | {before, truth.BACK} if "+" in before else ends | {before}
            assert after in ends or truth.BACK in ends or after.startswith("side:")


def _step(device: PocketDevice, rng: random.Random) -> tuple[Target | None, Action]:
    """A tap on something harmless, or a gesture."""
    targets = []
    for target in device.surface().targets:
        left, top, right, bottom = target.box
        if not target.touch.hazard and device.target((left + right) // 2, (top + bottom) // 2) is target:
            targets.append(target)
    if not targets or rng.random() < 0.15:
        return None, rng.choice((Press("back"), Wait(1.0), Swipe()))
    target = rng.choice(targets)
    left, top, right, bottom = target.box
    at = ((left + right) // 2, (top + bottom) // 2)
    if target.touch.op == "focus":
        return target, TypeText("x", at)
    return target, LongPress(at) if rng.random() < 0.1 else Tap(at)


def test_a_way_through_a_gate_counts_what_must_be_typed() -> None:
    way = truth.shortest(small(), "small/vault")
    assert way is None  # Nothing in the state says which user is let in, so that the truth cannot know it.


def test_the_shipped_gates_open_with_what_the_state_says() -> None:
    way = truth.shortest("clock", "clock/backup")
    assert way is not None
    assert way.pages == ("clock/alarms", "clock/login", "clock/backup")
    assert sum(isinstance(a, TypeText) for a in way.actions) == 2


def test_what_only_a_hazard_leads_to_is_told_apart() -> None:
    spec = small()
    pages = set(truth.pages(spec))
    assert truth.reachable_without_hazards(spec) == pages - {"small/vault"}
    hazardous = {(e.source, e.hazard) for e in truth.transitions(spec) if e.hazard}
    assert hazardous == {
        ("small/home+menu", "send"),
        ("small/people+held", "delete"),
        ("small/person", "call"),
        ("small/form", "save"),
    }


def test_swipes_that_a_way_needs_are_counted() -> None:
    deep = max(truth.ways("settings").values(), key=lambda w: len(w.actions) - w.hops)
    assert len(deep.actions) >= deep.hops


def test_the_apps_hold_at_least_120_pages_up_to_seven_hops_deep() -> None:
    assert len(apps()) >= 5
    assert sum(len(truth.pages(a)) for a in apps()) >= 120
    assert max(w.hops for a in apps() for w in truth.ways(a).values()) >= 7
