"""How many actions are left: one count for an actor and all that it is wrapped in."""

from waypost.model import Observation

__all__ = ["StepBudget", "with_advice"]


class StepBudget:
    """Counts looks, not questions: an actor that is asked twice about one look has used one step."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._looks = 0
        self._last: float | None = None

    def seen(self, observation: Observation) -> None:
        """Take note of a look; the same one may be told any number of times."""
        if observation.seen_at != self._last:
            self._last = observation.seen_at
            self._looks += 1

    @property
    def left(self) -> int:
        """Actions that may still be done, the next one included.

        >>> budget = StepBudget(2)
        >>> budget.left
        2
        """
        return self._limit - max(0, self._looks - 1)


def with_advice(guidance: str, *advice: str) -> str:
    r"""Put advice behind the guidance, a paragraph each; what is empty is left out.

    >>> with_advice("", "Look again.", ""), with_advice("Go home.", "Look again.")
    ('Look again.', 'Go home.\n\nLook again.')
    """
    return "\n\n".join(part.strip() for part in (guidance, *advice) if part.strip())
