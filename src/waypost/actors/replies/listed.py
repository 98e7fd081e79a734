"""What a model without a grammar of its own is asked for: `Reason: ... Action: {"action_type": ...}`.

Elements are named by the numbers that they were shown with (M3A's and T3A's way).
"""

import re

from waypost.actors.replies.fields import fields_in, spoken
from waypost.actors.replies.said import Move, Said, Unreadable, only, thought_in
from waypost.actors.replies.verbs import move_of
from waypost.model.replies import unthought

__all__ = ["listed"]

_HEAD = re.compile(r"^\W*action\s*\d*\W{0,3}[:：]", re.IGNORECASE | re.MULTILINE)


def listed(text: str) -> Said | Unreadable:
    r"""Read a reply that names an element by its number.

    >>> listed('Reason: it is off.\nAction: {"action_type": "click", "index": 3}')
    Said(move=Touch(at=Mark(number=3), hold=False), thought='it is off.', more=0)
    >>> listed("The task is complete!")
    Unreadable(fault='the reply holds no JSON object')
    """
    plain = unthought(text)
    head = _HEAD.search(plain)
    found = fields_in(plain[head.end() :] if head else plain)
    if isinstance(found, Unreadable):
        return found
    rows, whole = found
    moves: list[Move] = []
    thought = thought_in(plain[: head.start()] if head else re.split(r"[{\[]", plain, maxsplit=1)[0])
    for row in rows:
        move = move_of(row, whole=whole)
        if isinstance(move, Unreadable):
            if not moves:
                return move
            break
        thought = thought or thought_in(spoken(row, "thought", "reason", "reasoning", "thinking"))
        moves.append(move)
    return only(moves, thought)
