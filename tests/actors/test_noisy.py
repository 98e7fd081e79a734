from waypost.actors import Noisy, NoisyConfig
from waypost.adapters.pocket import PocketDevice
from waypost.mapping import controls, settled
from waypost.model import Action, Decision, Finish, Observation, Press, Tap
from waypost.parts.acting import parse_actor
from waypost.parts.models import ModelOptions


class _Sure:
    """Always taps the first control that it sees."""

    model_calls = 3

    def act(self, instruction: str, observation: Observation, guidance: str) -> Decision:
        return Decision(next(c.action for c in controls(observation.screen) if isinstance(c.action, Tap)))


class _Says:
    def __init__(self, action: Action) -> None:
        self._action = action

    def act(self, instruction: str, observation: Observation, guidance: str) -> Decision:
        return Decision(self._action)


def _look() -> Observation:
    phone = PocketDevice("clock")
    phone.restart()
    return settled(phone)


def _taken(config: NoisyConfig, seed: int, steps: int = 200) -> list[Decision]:
    look, actor = _look(), Noisy(_Sure(), seed=seed, config=config)
    return [actor.act("go", look, "") for _ in range(steps)]


def test_it_slips_about_as_often_as_it_is_told_and_only_onto_what_does_no_harm() -> None:
    meant = _Sure().act("", _look(), "").action
    taken = _taken(NoisyConfig(slip=0.3, early=0.0), 1, 400)
    slips = [d.action for d in taken if d.thought == "slips"]
    assert 80 <= len(slips) <= 160
    assert not any(getattr(getattr(a, "target", None), "hazard", "") for a in slips)
    assert any(a != meant for a in slips)


def test_the_same_seed_errs_the_same_and_another_one_otherwise() -> None:
    config = NoisyConfig(slip=0.3)
    assert _taken(config, 1) == _taken(config, 1)
    assert _taken(config, 1) != _taken(config, 2)


def test_without_noise_it_is_the_actor_inside() -> None:
    meant = _Sure().act("", _look(), "").action
    assert {d.action for d in _taken(NoisyConfig(slip=0.0, early=0.0), 1)} == {meant}
    assert Noisy(_Sure()).model_calls == 3


def test_it_may_end_too_early_but_never_before_its_first_step_nor_against_an_end() -> None:
    taken = _taken(NoisyConfig(slip=0.0, early=1.0), 1, 3)
    assert isinstance(taken[0].action, Tap)
    assert taken[1].action == Finish(True, "it looks right")
    told = Noisy(_Says(Finish(False, "no")), config=NoisyConfig(slip=1.0)).act("", _look(), "")
    assert told.action == Finish(False, "no")
    assert Noisy(_Says(Press("back")), config=NoisyConfig(slip=1.0)).act("", _look(), "").action == Press(
        "back"
    )


def test_how_often_it_slips_is_said_in_its_name() -> None:
    assert parse_actor("noisy:0.4", ModelOptions()).slip == 0.4
    assert parse_actor("noisy", ModelOptions()).slip == NoisyConfig().slip
