"""Journeys over several apps: what is carried, and what becomes of a hop that misses."""

from pathlib import Path

import pytest

from waypost.adapters.pocket import PocketDevice
from waypost.adapters.through import Through
from waypost.model import Action, Tap
from waypost.parts.acting import Acting, ActorChoice
from waypost.parts.seeds import install
from waypost.parts.spanning import Installed, told, travelled
from waypost.planning import RuleSubtasks

MAPS = ("pocket-mail", "pocket-settings")


@pytest.fixture(autouse=True)
def _maps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for name in MAPS:
        install(name)


class _Numb(Through):
    """A phone whose glass does not feel."""

    def perform(self, action: Action) -> None:
        if not isinstance(action, Tap):
            super().perform(action)


def test_a_value_is_read_where_it_stands_and_told_in_the_next_app() -> None:
    with Installed(MAPS, readonly=False) as installed:
        said = "Read the build number on the about page of the phone's settings, then write it in a new email"
        plan = installed.plan(said, RuleSubtasks())
        assert [leg.subtask.app for leg in plan.legs] == ["pocket-settings", "pocket-mail"]
        assert plan.legs[0].subtask.learns == plan.legs[1].subtask.needs == ("build number",)
        device = PocketDevice("")
        journey = travelled(plan, installed, device, Acting(ActorChoice()))
        assert journey.reached
        assert device.where() == "mail/compose"
        (value,) = journey.carried
        assert value.value == "PKT.7.1.1130"
        final = journey.outcomes[1].episode
        assert final is not None
        assert f'build number is "{value.value}"' in final.task.instruction


def test_a_journey_on_a_phone_that_does_nothing_ends_at_its_first_leg_and_claims_nothing() -> None:
    with Installed(MAPS, readonly=False) as installed:
        plan = installed.plan("Open the junk folder, then show the about page", RuleSubtasks())
        journey = travelled(plan, installed, _Numb(PocketDevice("")), Acting(ActorChoice()))
        assert not journey.reached
        assert [o.verified for o in journey.outcomes] == [False]
        assert journey.outcomes[0].status == "failed"


def test_legs_in_one_app_go_on_from_where_the_last_one_ended() -> None:
    with Installed(MAPS) as installed:
        plan = installed.plan("Open the junk folder in mail, then list the emails I wrote", RuleSubtasks())
        first, second = plan.legs
        assert (first.stays, second.stays) == (False, True)
        assert second.plan is not None
        assert second.plan.steps[0].source == first.target
        assert "memory of pocket-mail" in told(plan, installed.maps)
