"""Stand-ins for whoever wraps actors: an actor that plays decisions, and looks that can be told apart."""

from collections.abc import Callable, Iterator, Sequence
from itertools import count

from waypost.model import Action, Bounds, Decision, Element, Observation, Role, Screen, Tap

__all__ = ["Plays", "looks", "page", "tap"]


class Plays:
    """Gives actions in order, the last one for ever; or what a function of its guidance says."""

    def __init__(self, *actions: Action, say: Callable[[str, int], Action] | None = None) -> None:
        self._actions, self._say = actions, say
        self.told: list[str] = []
        """Guidance of each question."""
        self.model_calls = 0

    def act(self, instruction: str, observation: Observation, guidance: str) -> Decision:
        n = len(self.told)
        self.told.append(guidance)
        self.model_calls += 1
        if self._say is not None:
            return Decision(self._say(guidance, n))
        return Decision(self._actions[min(n, len(self._actions) - 1)])


def page(title: str, *labels: str, switches: Sequence[tuple[str, bool]] = ()) -> Screen:
    """Make a screen with a heading, buttons and switches."""
    parts = [Element(Role.HEADING, text=title, bounds=Bounds(0, 0, 900, 100))]
    for n, label in enumerate(labels):
        box = Bounds(0, 300 + 150 * n, 900, 400 + 150 * n)
        parts.append(Element(Role.BUTTON, text=label, bounds=box, clickable=True))
    for n, (label, on) in enumerate(switches):
        box = Bounds(0, 1200 + 150 * n, 900, 1300 + 150 * n)
        parts.append(Element(Role.SWITCH, text=label, bounds=box, clickable=True, checkable=True, checked=on))
    return Screen(Element(bounds=Bounds(0, 0, 900, 2000), children=tuple(parts)), app="app", size=(900, 2000))


def looks(*screens: Screen) -> Iterator[Observation]:
    """Yield looks at these screens in order, then at the last for ever, each later than the one before."""
    for n in count():
        yield Observation(screens[min(n, len(screens) - 1)], seen_at=float(n + 1))


def tap(n: int) -> Tap:
    """Tap a place that no other number taps."""
    return Tap((100 + 10 * n, 100))
