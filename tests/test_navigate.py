import pytest

from tests.actors.phone import Phone, charted
from waypost.adapters.recorded import RecordedDevice, Recording
from waypost.errors import DeviceError, ReplyError
from waypost.guidance import fixed, narrated, silent
from waypost.model import (
    Action,
    Bounds,
    Decision,
    Element,
    Finish,
    NodeId,
    Observation,
    Press,
    Role,
    Screen,
    StopReason,
    Swipe,
    Tap,
    Task,
    TreeQuality,
    Wait,
)
from waypost.navigate import NavigateConfig, arrival, navigate, not_on_map
from waypost.protocols import Verifier

PAGES = {"Home": {"Next": "Second"}, "Second": {"Next": "Third"}, "Third": {}}
TASK = Task("t1", "app", "the third page")
NEXT = Tap((500, 250))


class Scripted:
    """Plays the actions it was given; then claims to be there."""

    model_calls = 7

    def __init__(self, *actions: Action) -> None:
        self._actions = list(actions)
        self.heard: list[str] = []

    def act(self, instruction: str, observation: Observation, guidance: str) -> Decision:
        self.heard.append(guidance)
        return Decision(self._actions.pop(0) if self._actions else Finish(True))


class Endless:
    def __init__(self, *actions: Action) -> None:
        self._actions = actions
        self._turn = -1

    def act(self, instruction: str, observation: Observation, guidance: str) -> Decision:
        self._turn += 1
        return Decision(self._actions[self._turn % len(self._actions)])


class Mute:
    def act(self, instruction: str, observation: Observation, guidance: str) -> Decision:
        raise ReplyError("neither an action nor words")


def _shows(title: str) -> Verifier:
    def verify(observation: Observation) -> bool | None:
        screen = observation.screen
        return None if screen.quality is TreeQuality.NONE else screen.activity == title

    return verify


def test_a_claim_that_a_fresh_look_bears_out_is_an_arrival() -> None:
    episode = navigate(TASK, Phone(PAGES), Scripted(NEXT, NEXT), silent, verify=_shows("Third"))
    assert (episode.stop, episode.claimed, episode.verified) == (StopReason.ARRIVED, True, True)
    assert episode.actions == 2
    assert episode.model_calls == 7


def test_a_claim_elsewhere_is_a_false_claim() -> None:
    episode = navigate(TASK, Phone(PAGES), Scripted(NEXT), silent, verify=_shows("Third"))
    assert (episode.stop, episode.claimed, episode.verified) == (StopReason.FALSE_CLAIM, True, False)


def test_a_claim_that_nothing_can_check_is_unverified() -> None:
    episode = navigate(TASK, Phone(PAGES), Scripted(NEXT, NEXT), silent)
    assert (episode.stop, episode.claimed, episode.verified) == (StopReason.UNVERIFIED, True, False)
    blind = Phone(PAGES, blind={3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    episode = navigate(TASK, blind, Scripted(NEXT), silent, verify=_shows("Third"))
    assert (episode.stop, episode.verified) == (StopReason.UNVERIFIED, False)


def test_the_claim_is_checked_on_a_look_that_the_actor_never_saw() -> None:
    phone = Phone(PAGES)
    episode = navigate(TASK, phone, Scripted(NEXT, NEXT), silent, verify=_shows("Third"))
    assert episode.final is not None
    assert episode.final.seen_at > episode.steps[-1].observation.seen_at


def test_arriving_without_claiming_is_no_arrival() -> None:
    actor = Scripted(NEXT, NEXT, Finish(False, "lost my way"))
    episode = navigate(TASK, Phone(PAGES), actor, silent, verify=_shows("Third"))
    assert (episode.stop, episode.claimed, episode.verified) == (StopReason.GAVE_UP, False, False)
    assert episode.note == "lost my way"


@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_lost_device_is_never_a_success(after: int) -> None:
    phone = Phone(PAGES, lost_at=after)
    episode = navigate(TASK, phone, Scripted(NEXT, NEXT, NEXT), silent, verify=_shows("Third"))
    assert episode.stop is StopReason.DEVICE_LOST
    assert not episode.verified
    assert episode.note == "the cable is out"
    assert len(episode.steps) == after + 1


def test_a_device_lost_at_the_last_look_leaves_the_claim_unverified() -> None:
    class Dying(Phone):
        def observe(self, *, pixels: bool = False) -> Observation:
            if self.looks >= 1:
                raise DeviceError("the cable is out")
            return super().observe(pixels=pixels)

    episode = navigate(TASK, Dying(PAGES), Scripted(), silent, verify=_shows("Home"))
    assert (episode.stop, episode.claimed, episode.verified) == (StopReason.DEVICE_LOST, True, False)


def test_an_unusable_reply_is_never_a_success() -> None:
    episode = navigate(TASK, Phone(PAGES), Mute(), silent, verify=_shows("Home"))
    assert (episode.stop, episode.claimed, episode.verified) == (StopReason.REPLY_BROKEN, False, False)


def test_a_budget_that_runs_out_is_said_so() -> None:
    rows = {f"p{n}": {"Next": f"p{n + 1}"} for n in range(50)}
    phone = Phone(rows | {"p50": {}})
    episode = navigate(TASK, phone, Endless(NEXT), silent, limit=5)
    assert episode.stop is StopReason.OUT_OF_STEPS
    assert episode.actions == len(phone.done) == 5


def test_a_claim_after_the_last_allowed_action_still_counts() -> None:
    episode = navigate(TASK, Phone(PAGES), Scripted(NEXT, NEXT), silent, verify=_shows("Third"), limit=2)
    assert episode.stop is StopReason.ARRIVED


def test_a_tap_that_does_nothing_is_a_loop_after_three() -> None:
    phone = Phone(PAGES)
    episode = navigate(TASK, phone, Endless(Tap((5, 2300))), silent)
    assert episode.stop is StopReason.LOOP
    assert len(phone.done) == 3


def test_going_to_and_fro_is_a_loop() -> None:
    episode = navigate(TASK, Phone(PAGES), Endless(NEXT, Press("back")), silent)
    assert episode.stop is StopReason.LOOP
    assert episode.actions <= 8


def test_waiting_for_ever_is_a_loop() -> None:
    assert navigate(TASK, Phone(PAGES), Endless(Wait()), silent).stop is StopReason.LOOP


def test_scrolling_on_through_a_list_is_no_loop() -> None:
    rows = [f"Row {a}{b}" for a in "ABCDEFG" for b in "ABCDEFG"]
    phone = Phone({"Home": {r: "Home" for r in rows}}, {"Home": rows})
    assert navigate(TASK, phone, Endless(Swipe()), silent, limit=12).stop is StopReason.OUT_OF_STEPS


def test_the_guide_is_asked_before_every_step() -> None:
    actor = Scripted(NEXT)
    navigate(TASK, Phone(PAGES), actor, fixed("go on"))
    assert actor.heard == ["go on", "go on"]


def test_without_a_restart_the_run_goes_from_where_the_app_stands() -> None:
    phone = Phone(PAGES)
    phone.at = "Second"
    config = NavigateConfig(restart=False)
    episode = navigate(TASK, phone, Scripted(NEXT), silent, verify=_shows("Third"), config=config)
    assert episode.stop is StopReason.ARRIVED


def test_steps_and_episode_tell_the_recognised_pages() -> None:
    chart = charted(PAGES)
    locate = lambda o: found.node if (found := chart.locate(o)) else None  # noqa: E731
    verify = arrival(chart, NodeId("Third"))
    episode = navigate(TASK, Phone(PAGES), Scripted(NEXT, NEXT), silent, verify=verify, locate=locate)
    assert [s.at for s in episode.steps] == ["Home", "Second", "Third"]
    assert episode.page == "Third"
    assert narrated(episode, chart.graph)[0] == {
        "action": "tap at 500, 250",
        "expected": None,
        "seen": "Second",
    }


def test_a_task_that_is_not_on_the_map_is_an_episode_of_nothing() -> None:
    episode = not_on_map(TASK, "the map has no such page")
    assert (episode.stop, episode.claimed, episode.actions) == (StopReason.NOT_ON_MAP, False, 0)


def test_what_a_recording_never_saw_is_unknown_and_not_a_lost_device() -> None:
    bounds = Bounds(0, 0, 10, 10)
    screen = Screen(Element(Role.BUTTON, text="Go", bounds=bounds, clickable=True), "app", size=(10, 10))
    device = RecordedDevice(Recording("app", "home", {"home": screen}))
    episode = navigate(Task("t", "", "go"), device, Scripted(Tap((5, 5))), silent)
    assert (episode.stop, episode.claimed) == (StopReason.UNKNOWN, False)
    assert "never tried" in episode.note
