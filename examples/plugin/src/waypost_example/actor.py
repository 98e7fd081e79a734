"""An instruction and a look in, one decision out: taps whatever shares a word with the instruction."""

from waypost.model import Decision, Finish, Observation, Tap


class FirstWord:
    """`waypost go MAP SENTENCE --actor first-word[:WORD]`; made afresh for every episode."""

    def __init__(self, words: str) -> None:
        self._words = {w.casefold() for w in words.split(",") if w}
        self._tapped: set[str] = set()

    def act(self, instruction: str, observation: Observation, guidance: str) -> Decision:
        wanted = self._words or {w.casefold() for w in instruction.split()}
        for element in observation.screen.visible():
            shared = wanted & {w.casefold() for w in element.label.split()}
            if element.clickable and shared and element.label not in self._tapped:
                self._tapped.add(element.label)
                return Decision(Tap(element.bounds.center), f"{element.label!r} says {min(shared)!r}")
        return Decision(Finish(arrived=bool(self._tapped)), "nothing here says more of it")
