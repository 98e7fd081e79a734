"""A recording that stands in for a device: no phone, no network, and never a guess."""

import io
from collections import Counter

from waypost.adapters.bounded import opened_picture
from waypost.adapters.recorded.recording import Move, Recording
from waypost.errors import DeviceError, UnknownOutcome
from waypost.model import (
    Action,
    Capture,
    Finish,
    ImageStatus,
    Launch,
    LongPress,
    Observation,
    Press,
    Swipe,
    Tap,
    TypeText,
    Wait,
)

__all__ = ["RecordedDevice"]

_EPOCH = 1_700_000_000.0


class RecordedDevice:
    """Plays a recording; an action that was never tried there raises UnknownOutcome."""

    def __init__(self, recording: Recording, *, name: str = "") -> None:
        if not recording.screens or recording.start not in recording.screens:
            raise DeviceError(f"The recording of {recording.app!r} holds no look to start from")
        self._recording = recording
        self._name = name or f"recorded:{recording.app}"
        self._at = recording.start
        self._played: Counter[tuple[str, str]] = Counter()
        self._time = _EPOCH

    @property
    def name(self) -> str:
        return self._name

    @property
    def at(self) -> str:
        """Name of the look that is showing."""
        return self._at

    def observe(self, *, pixels: bool = False) -> Observation:
        self._time += 1.0
        screen = self._recording.screens[self._at]
        if not pixels:
            return Observation(screen, seen_at=self._time)
        image, status = self._picture()
        return Observation(screen, image, status, self._time)

    def perform(self, action: Action) -> None:
        match action:
            case Finish():
                raise ValueError("Finish is said to whoever asked, not to a device")
            case Wait(seconds=seconds):
                self._time += max(0.0, seconds)
            case Capture():
                pass
            case Launch(app=app):
                self.restart(app)
            case _:
                self._play(action)

    def restart(self, app: str = "") -> None:
        known = {self._recording.app, *(s.app for s in self._recording.screens.values())}
        if app and app not in known:
            raise UnknownOutcome(f"This is a recording of {self._recording.app!r}; it never showed {app!r}")
        self._at = self._recording.start

    def close(self) -> None:
        pass

    def _play(self, action: Action) -> None:
        moves = [m for m in self._recording.leaving(self._at) if _same(m.action, action)]
        if not moves and isinstance(action, Swipe) and action.start is None:
            return  # A drag over a screen that was never seen to scroll shows what it showed.
        if not moves:
            raise UnknownOutcome(f"{_gesture(action)} was never tried on {self._at!r} in this recording")
        smallest = min(_area(m.action) for m in moves)
        moves = [m for m in moves if _area(m.action) == smallest]
        self._at = self._next(moves).target

    def _next(self, moves: list[Move]) -> Move:
        """Take outcomes in turn, as often as each was recorded, the commonest first."""
        key = (self._at, str(moves[0].action))
        turn = self._played[key] % sum(m.count for m in moves)
        self._played[key] += 1
        for move in moves:
            if turn < move.count:
                return move
            turn -= move.count
        return moves[-1]

    def _picture(self) -> tuple[bytes, ImageStatus]:
        path = self._recording.pictures.get(self._at)
        if path is None or not path.is_file():
            return b"", ImageStatus.FAILED
        from PIL import UnidentifiedImageError

        try:
            with opened_picture(path) as picture:
                out = io.BytesIO()
                picture.convert("RGB").save(out, "PNG")
        except (OSError, UnidentifiedImageError, ValueError):
            return b"", ImageStatus.FAILED
        return out.getvalue(), ImageStatus.SHOWN


def _gesture(action: Action) -> str:
    return type(action).__name__


def _area(action: Action) -> int:
    target = getattr(action, "target", None)
    return target.bounds.area if target is not None else 0


def _same(recorded: Action, asked: Action) -> bool:
    """Whether what is asked for is what was recorded: the same gesture inside the recorded bounds."""
    match recorded, asked:
        case ((Tap() | LongPress() as r), (Tap() | LongPress() as a)) if type(r) is type(a):
            return r.target is not None and r.target.bounds.contains(*a.at)
        case TypeText() as r, TypeText() as a:
            same_field = r.target is None or a.at is None or r.target.bounds.contains(*a.at)
            return same_field and r.text == a.text
        case Swipe() as r, Swipe() as a:
            inside = r.target is None or a.start is None or r.target.bounds.contains(*a.start)
            return r.direction == a.direction and inside
        case Press(key=r_key), Press(key=a_key):
            return r_key == a_key
        case _:
            return False
