"""Every way that a model can behave, over the real wire: what is claimed, true, and verified."""

from collections.abc import Iterator

import pytest

from tests.actors.policies import POLICIES, Endpoint, Oracle, Play, PocketTruth, endpoint, way_to
from waypost.actors import DIALECTS, LoopBreaker, StepBudget, StopGate, Vision, verification_of
from waypost.adapters.llm import Asking, Backoff, OpenAiChat, Retrying
from waypost.adapters.llm import Endpoint as Address
from waypost.adapters.pocket import PocketDevice
from waypost.guidance import silent
from waypost.model import Episode, Observation, StopReason, Task
from waypost.navigate import navigate
from waypost.protocols import LLM, Actor

TARGET = "clock/world"


@pytest.fixture(scope="module")
def served() -> Iterator[Endpoint]:
    with endpoint(patience=0.4) as found:
        yield found


@pytest.fixture(scope="module")
def oracle() -> Oracle:
    found = way_to("clock", TARGET)
    assert found is not None
    return found


def _run(
    served: Endpoint, oracle: Oracle, policy: str, *, wrapped: bool = False, limit: int = 12
) -> tuple[Episode, bool]:
    device = PocketDevice("clock")
    served.play = Play(policy, oracle, PocketTruth(device), wrong=0.0)
    address = Address("scripted", served.url, timeout=0.2 if policy == "slow" else 20.0)
    llm: LLM = Asking(Retrying(OpenAiChat(address), sleep=lambda seconds: None, backoff=Backoff(tries=3)))
    actor: Actor = Vision(llm, DIALECTS["tree"])
    if wrapped:
        budget = StepBudget(limit)
        actor = StopGate(LoopBreaker(actor, budget), budget, verify=verification_of(llm))

    def there(observation: Observation) -> bool:
        return device.where() == oracle.target

    task = Task("t", "", "show the world clock")
    episode = navigate(task, device, actor, silent, verify=there, limit=limit)
    return episode, device.where() == oracle.target


@pytest.mark.parametrize("policy", ["perfect", "slow", "dropping"])
def test_a_model_that_knows_the_way_arrives_however_bad_the_line(
    served: Endpoint, oracle: Oracle, policy: str
) -> None:
    episode, there = _run(served, oracle, policy)
    assert (episode.stop, episode.claimed, episode.verified, there) == (StopReason.ARRIVED, True, True, True)


def test_a_liar_claims_and_is_not_believed(served: Endpoint) -> None:
    far = way_to("clock", "clock/forecast")
    assert far is not None
    episode, there = _run(served, far, "lying")
    assert (episode.stop, episode.claimed, episode.verified, there) == (
        StopReason.FALSE_CLAIM,
        True,
        False,
        False,
    )
    gated, _ = _run(served, far, "lying", wrapped=True)
    assert (gated.stop, gated.claimed) == (StopReason.GAVE_UP, False)


def test_what_cannot_be_understood_ends_the_run_and_claims_nothing(served: Endpoint, oracle: Oracle) -> None:
    episode, _ = _run(served, oracle, "unparsable")
    assert (episode.stop, episode.claimed, episode.actions) == (StopReason.REPLY_BROKEN, False, 0)


def test_a_circle_is_ended_by_the_loop_and_left_by_the_breaker(served: Endpoint, oracle: Oracle) -> None:
    bare, _ = _run(served, oracle, "looping", limit=30)
    assert bare.stop in (StopReason.LOOP, StopReason.OUT_OF_STEPS)
    broken, _ = _run(served, oracle, "looping", wrapped=True, limit=30)
    assert broken.stop is StopReason.GAVE_UP
    assert not broken.claimed
    assert "circles" in broken.note


def test_one_seed_is_one_run(served: Endpoint, oracle: Oracle) -> None:
    first, again = (_run(served, oracle, "noisy")[0] for _ in range(2))
    assert [s.decision.action for s in first.steps] == [s.decision.action for s in again.steps]


def test_no_policy_crashes_the_loop_and_none_is_verified_where_it_is_not(
    served: Endpoint, oracle: Oracle
) -> None:
    for policy in POLICIES:
        episode, there = _run(served, oracle, policy, wrapped=True)
        assert episode.verified <= there
        assert episode.verified == (episode.stop is StopReason.ARRIVED)
