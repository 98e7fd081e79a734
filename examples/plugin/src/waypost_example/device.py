"""A folder of text files in, a device that shows them one after the other: `slides:FOLDER`."""

from pathlib import Path

from waypost.errors import DeviceError
from waypost.model import Action, Bounds, Element, Finish, Observation, Press, Role, Screen, Tap

SIZE = (360, 800)
NEXT = Bounds(0, 720, 360, 800)


class Slides:
    """Each file is a page with its text and a button `Next`; Back goes to the one before."""

    settles = True  # Nothing moves by itself: one look is enough.

    def __init__(self, address: str) -> None:
        self._files = sorted(Path(address).expanduser().glob("*.txt"))
        if not self._files:
            raise DeviceError(f"There is no .txt file in {address!r}")
        self._at, self._clock = 0, 0.0

    @property
    def name(self) -> str:
        return f"slides:{self._files[0].parent}"

    def observe(self, *, pixels: bool = False) -> Observation:
        """Look; there are no pixels to be had here, which is legal."""
        text = self._files[self._at].read_text(encoding="utf-8").strip()
        words = Element(Role.HEADING, text=text, bounds=Bounds(0, 0, 360, 80))
        onward = Element(Role.BUTTON, text="Next", bounds=NEXT, clickable=True)
        root = Element(Role.GROUP, bounds=Bounds(0, 0, *SIZE), children=(words, onward))
        self._clock += 1.0
        return Observation(Screen(root, app="slides", size=SIZE), seen_at=self._clock)

    def perform(self, action: Action) -> None:
        match action:
            case Finish():
                raise ValueError("Finish is a claim, and nothing that a device does")
            case Tap(at=(x, y)) if NEXT.contains(x, y):
                self._at = min(self._at + 1, len(self._files) - 1)
            case Press(key="back"):
                self._at = max(self._at - 1, 0)

    def restart(self, app: str = "") -> None:
        self._at = 0

    def close(self) -> None:
        pass
