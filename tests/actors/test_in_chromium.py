"""Actors that ask a model, on a real web app in a real browser: what they point at is what is tapped."""

from collections.abc import Iterator, Sequence

import pytest

from tests.adapters.browser.site_server import serving
from waypost.actors import DIALECTS, Vision
from waypost.actors.numbering import numbered
from waypost.actors.placing import Scale, resized
from waypost.adapters.browser import BrowserConfig, BrowserDevice
from waypost.adapters.marking import marked
from waypost.guidance import silent
from waypost.model import Observation, StopReason, Task
from waypost.navigate import NavigateConfig, navigate

pytestmark = pytest.mark.chromium


@pytest.fixture(scope="module")
def device(chromium: str) -> Iterator[BrowserDevice]:
    with serving() as site:
        opened = BrowserDevice(f"{site}/index.html", config=BrowserConfig(executable=chromium))
        yield opened
        opened.close()


class Pointing:
    """A model that taps the link `Second page` in whatever grammar it is asked in, then says so."""

    id = "pointing"

    def __init__(self, device: BrowserDevice, name: str, *, lies: bool = False) -> None:
        self._device, self._name, self._lies = device, name, lies
        self.pictures: list[int] = []

    def ask(self, prompt: str, images: Sequence[bytes] = (), *, returns: type[str]) -> str:
        self.pictures.append(len(images))
        screen = self._device.observe().screen
        if screen.title == "Second" or self._lies:
            return {
                "uitars": "Thought: there\nAction: finished(content='there')",
                "qwen": '<tool_call>{"arguments": {"action": "terminate", "status": "success"}}</tool_call>',
                "agentcpm": '{"STATUS": "finish"}',
            }.get(self._name, 'Action: {"action_type": "status", "goal_status": "complete"}')
        link = next(t for t in numbered(screen) if t.target.label == "Second page")
        thousand = DIALECTS[self._name].scale is Scale.THOUSAND
        frame = (1000, 1000) if thousand else resized(screen.size)
        x, y = (round(v * f / s) for v, f, s in zip(link.at, frame, screen.size, strict=True))
        return {
            "uitars": f"Thought: there\nAction: click(start_box='({x},{y})')",
            "qwen": f'<tool_call>{{"action": "click", "coordinate": [{x}, {y}]}}</tool_call>',
            "agentcpm": f'{{"POINT": [{x}, {y}]}}',
        }.get(self._name, f'Action: {{"action_type": "click", "index": {link.number}}}')


def _second(observation: Observation) -> bool:
    return observation.screen.title == "Second"


@pytest.mark.parametrize("name", ["uitars", "qwen", "agentcpm", "marks", "tree"])
def test_every_dialect_finds_its_way_in_a_web_app(device: BrowserDevice, name: str) -> None:
    dialect = DIALECTS[name]
    model = Pointing(device, name)
    actor = Vision(model, dialect, draw=marked)  # type: ignore[arg-type]
    config = NavigateConfig(pixels=dialect.eyes)
    episode = navigate(
        Task("t", "", "second page"), device, actor, silent, verify=_second, limit=4, config=config
    )
    assert (episode.stop, episode.actions) == (StopReason.ARRIVED, 1)
    assert set(model.pictures) == {int(dialect.eyes)}


def test_a_liar_in_a_web_app_is_not_believed(device: BrowserDevice) -> None:
    actor = Vision(Pointing(device, "tree", lies=True), DIALECTS["tree"])  # type: ignore[arg-type]
    episode = navigate(Task("t", "", "second page"), device, actor, silent, verify=_second, limit=4)
    assert (episode.stop, episode.claimed, episode.verified) == (StopReason.FALSE_CLAIM, True, False)
