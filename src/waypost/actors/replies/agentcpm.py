"""AgentCPM-GUI's grammar: one compact object such as `{"thought": ..., "POINT": [x, y]}` in, the move out."""

import re
from typing import Any

from waypost.actors.replies.fields import Fields, drag_of, fields_in, number, press_of, spoken, spot, wait_of
from waypost.actors.replies.said import Do, Drag, Move, Said, Touch, Unreadable, Write, only, thought_in
from waypost.model import Finish
from waypost.model.replies import unthought

__all__ = ["agentcpm"]

_HELD = 1000
"""Milliseconds from which a touch is held."""
_DONE = frozenset({"finish", "satisfied"})
_ENDED = frozenset({"impossible", "interrupt", "need_feedback"})


def agentcpm(text: str) -> Said | Unreadable:
    """Read a reply of AgentCPM-GUI. What it does comes before what it says of the task.

    >>> agentcpm('{"thought":"open it","POINT":[480,210]}').move
    Touch(at=Spot(x=480.0, y=210.0), hold=False)
    >>> agentcpm('{"POINT":[480,210],"to":"up"}').move
    Drag(direction=<Direction.UP: 'up'>, start=Spot(x=480.0, y=210.0), end=None)
    >>> agentcpm('{"STATUS":"continue"}')
    Unreadable(fault='it names no action')
    """
    plain = unthought(text)
    found = fields_in(plain)
    if isinstance(found, Unreadable):
        return found
    rows, whole = found
    moves: list[Move] = []
    for row in rows:
        move = _move(row, whole=whole)
        if isinstance(move, Unreadable):
            if not moves:
                return move
            break
        moves.append(move)
    thought = spoken(rows[0], "thought") if rows else ""
    return only(moves, thought_in(thought or re.split(r"[{\[]", plain, maxsplit=1)[0]))


def _move(fields: Fields, *, whole: bool) -> Move | Unreadable:
    if "point" in fields:
        return _touch(fields)
    if "press" in fields:
        return press_of(spoken(fields, "press"))
    if "type" in fields:
        text = spoken(fields, "type")
        return Write(text.rstrip("\n"), None, text.endswith("\n")) if text else Unreadable("TYPE has no text")
    status = spoken(fields, "status").strip().casefold()
    if status in _DONE | _ENDED:
        if not whole:
            return Unreadable("it ends the task, and is cut off")
        return Do(Finish(status in _DONE, "" if status in _DONE else status))
    if "duration" in fields:
        millis = number(fields["duration"])
        return wait_of(None if millis is None else millis / 1000)
    return Unreadable("it names no action")


def _touch(fields: Fields) -> Move | Unreadable:
    at = spot(fields["point"])
    if at is None:
        return Unreadable("POINT is no point")
    to: Any = fields.get("to")
    if to is None:
        return Touch(at, (number(fields.get("duration")) or 0.0) >= _HELD)
    end = spot(to) if not isinstance(to, str) or re.search(r"\d", to) else None
    if end is not None:
        return Drag(None, at, end) if end != at else Unreadable("the drag goes nowhere")
    return drag_of(str(to), at, scroll=False)
