"""What was true at each look at the phone: times and pages in, the page of a past look out."""

from array import array
from bisect import bisect_left

__all__ = ["Sights"]


class Sights:
    """Pages by the time of a look, ten bytes a look: a phone may be looked at for days.

    >>> sights = Sights()
    >>> sights.note(1.5, "mail/inbox")
    >>> sights.note(2.0, "mail/letter")
    >>> sights.at(1.5)
    'mail/inbox'
    """

    def __init__(self) -> None:
        self._times, self._pages = array("d"), array("H")
        self._known: dict[str, int] = {}
        self._names: list[str] = []

    def note(self, time: float, page: str) -> None:
        """Take down a look; each is later than the one before."""
        if page not in self._known:
            self._known[page] = len(self._names)
            self._names.append(page)
        self._times.append(time)
        self._pages.append(self._known[page])

    def at(self, time: float) -> str:
        """Return the page of a look. KeyError for a look that was never taken."""
        place = bisect_left(self._times, time)
        if place == len(self._times) or self._times[place] != time:
            raise KeyError(time)
        return self._names[self._pages[place]]
