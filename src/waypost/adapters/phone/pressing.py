"""Key codes in, keys pressed on the phone: those that change a text are put together into one change."""

import threading
from collections.abc import Callable, Sequence
from typing import Literal, cast

from waypost.adapters.phone.drafts import Draft
from waypost.adapters.phone.handset import Handset
from waypost.adapters.phone.keys import EDITS, PASTE, PRESSES
from waypost.model import Press

__all__ = ["press"]


def press(hand: Handset, codes: Sequence[int], gone: threading.Event, *, long: bool = False) -> None:
    """Press keys one after the other; what changes a text goes to the field as one change."""
    edits: list[Callable[[Draft], Draft]] = []

    def flush() -> None:
        if edits:
            pending = list(edits)
            edits.clear()

            def change(draft: Draft) -> Draft:
                for edit in pending:
                    draft = edit(draft)
                return draft

            hand.edit(change, gone)

    for code in codes:
        if code in EDITS:
            edits.append(EDITS[code])
        elif code == PASTE:
            edits.append(_pasted(hand.clipboard))
        else:
            flush()
            _key(hand, code, gone, long=long)
    flush()


def _key(hand: Handset, code: int, gone: threading.Event, *, long: bool) -> None:
    if code in PRESSES and not (long and code == 3):
        hand.act(Press(cast(Literal["back", "home", "enter"], PRESSES[code])), gone)
    elif code in (223, 224):
        hand.awake = code == 224
    elif code == 26:
        hand.awake = not hand.awake
    elif code == 111:
        hand.hide_keyboard(gone)
    else:
        hand.note(f"key {code} does nothing on this device")


def _pasted(text: str) -> Callable[[Draft], Draft]:
    return lambda draft: draft.insert(text)
