"""Circles are counted in code: what is barred, what is demanded, who is overruled, and when it is over."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.actors.told import Plays, looks, page, tap
from tests.conformance.actor import ActorSuite
from waypost.actors import Lexical, LoopBreaker, StepBudget
from waypost.actors.breaking import BreakerConfig
from waypost.model import (
    Action,
    Bounds,
    Decision,
    Element,
    Finish,
    Observation,
    Press,
    Role,
    Screen,
    Wait,
)
from waypost.protocols import Actor

A, B, C = page("A", "one", "two"), page("B", "three"), page("C", "four")


def _run(
    actor: Plays, screens: list[Screen], steps: int, *, limit: int = 99, exits: list[Action] | None = None
) -> tuple[LoopBreaker, list[Action]]:
    breaker = LoopBreaker(actor, StepBudget(limit), exits=(lambda look: exits) if exits is not None else None)
    seen = looks(*screens)
    return breaker, [breaker.act("go", next(seen), "").action for _ in range(steps)]


class TestBreakerFits(ActorSuite):
    @pytest.fixture
    def start(self) -> Observation:
        return Observation(A)

    @pytest.fixture
    def make(self) -> Callable[[], Actor]:
        return lambda: LoopBreaker(Lexical(), StepBudget(60))


def test_what_did_nothing_twice_is_barred_and_the_actor_is_asked_for_another_way() -> None:
    actor = Plays(tap(1), tap(1), tap(1), tap(2))
    breaker, done = _run(actor, [A], 3)
    assert done == [tap(1), tap(1), tap(2)]
    assert (breaker.modalities, breaker.strategies) == (1, 0)
    assert "barred on this screen" in actor.told[2]
    assert "Not again: tap at 110, 100 did nothing here" in actor.told[3]


def test_two_vain_actions_of_two_kinds_are_not_a_loop_yet() -> None:
    actor = Plays(tap(1), tap(2), tap(3))
    breaker, done = _run(actor, [A], 3)
    assert done == [tap(1), tap(2), tap(3)]
    assert (breaker.modalities, breaker.strategies) == (0, 0)


def test_three_actions_that_leave_the_screen_as_it_was_demand_another_strategy() -> None:
    actor = Plays(tap(1), tap(2), tap(3), tap(4))
    breaker, done = _run(actor, [A], 4)
    assert breaker.strategies == 1
    assert "going in circles" in actor.told[3]
    assert done[3] == tap(4)


def test_an_actor_that_insists_is_overruled_by_another_exit_and_told_so() -> None:
    actor = Plays(tap(1))
    way = tap(9)
    _, done = _run(actor, [A, A, A, B], 4, exits=[way])
    assert done[:3] == [tap(1), tap(1), way]
    assert "These lead on from here: tap at 190, 100" in actor.told[4]
    assert "In place of tap at 110, 100, tap at 190, 100 was done" in actor.told[5]


def test_without_a_map_the_way_out_is_back() -> None:
    _, done = _run(Plays(tap(1)), [A], 3)
    assert done[2] == Press("back")


def test_after_two_other_ways_it_gives_up_and_claims_nothing() -> None:
    breaker, done = _run(Plays(tap(1)), [A], 20)
    over = next(a for a in done if isinstance(a, Finish))
    assert not over.arrived
    assert "went in circles" in over.answer
    assert breaker.strategies == 2
    assert done.index(over) <= 8


def test_going_to_and_fro_between_two_pages_is_a_circle() -> None:
    actor = Plays(tap(1), Press("back"), tap(1), Press("back"), tap(2))
    breaker, done = _run(actor, [A, B, A, B, A], 5)
    assert breaker.strategies == 1
    assert done[4] == tap(2)


def test_a_longer_circle_is_broken_when_an_action_comes_round_the_fourth_time() -> None:
    actor = Plays(say=lambda told, n: tap(7) if "Not again" in told else tap(1))
    breaker, done = _run(actor, [A, B, C] * 4, 10)
    assert done[:9] == [tap(1)] * 9
    assert done[9] == tap(7)
    assert breaker.modalities == 1


def test_waiting_for_a_page_that_loads_is_no_loop() -> None:
    spinner = Element(Role.PROGRESS, bounds=Bounds(400, 900, 500, 1000))
    loading = replace(A, root=replace(A.root, children=(spinner,)))
    breaker, done = _run(Plays(Wait()), [loading], 8)
    assert done == [Wait()] * 8
    assert breaker.strategies == 0


def test_progress_resets_the_count() -> None:
    actor = Plays(tap(1), tap(2), tap(3), tap(4), tap(5))
    breaker, _ = _run(actor, [A, A, A, B, B, B], 5)
    assert breaker.strategies == 0


def test_being_asked_twice_about_one_look_counts_once() -> None:
    actor = Plays(tap(1))
    breaker = LoopBreaker(actor, StepBudget(99))
    seen = looks(A)
    first = next(seen)
    for _ in range(5):
        breaker.act("go", first, "")
    assert breaker.act("go", next(seen), "").action == tap(1)
    assert breaker.modalities == 0


def test_with_no_steps_to_spare_nothing_is_broken_off() -> None:
    actor = Plays(tap(1))
    breaker, done = _run(actor, [A], 4, limit=3)
    assert done == [tap(1), tap(1), tap(1), tap(1)]
    assert breaker.strategies == 0


def test_a_finish_passes_and_calls_are_counted() -> None:
    actor = Plays(Finish(True))
    breaker, done = _run(actor, [A], 1)
    assert done == [Finish(True)]
    assert breaker.model_calls == 1
    assert BreakerConfig().vain == 2
    assert isinstance(breaker.act("go", next(looks(A)), ""), Decision)
