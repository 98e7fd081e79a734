"""What every actor around another one passes on: the questions asked, and what was remembered."""

from waypost.model import Anchor
from waypost.protocols import Actor

__all__ = ["Wrapper"]


class Wrapper:
    """Has an actor, and counts its own questions beside that one's."""

    def __init__(self, actor: Actor) -> None:
        self._actor = actor
        self._own_calls = 0

    @property
    def model_calls(self) -> int:
        return self._own_calls + int(getattr(self._actor, "model_calls", 0))

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        return tuple(getattr(self._actor, "anchors", ()))
