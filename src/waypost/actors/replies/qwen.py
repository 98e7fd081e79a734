"""Qwen-VL's grammar: `<tool_call>{"name": ..., "arguments": {...}}</tool_call>` in, the move out."""

import re
from typing import Any

from waypost.actors.replies.fields import Fields, fields_in
from waypost.actors.replies.said import Move, Said, Unreadable, only, thought_in
from waypost.actors.replies.verbs import ACTION_NAMES, move_of
from waypost.model.replies import json_in, unthought

__all__ = ["qwen"]

_CALL = re.compile(r"<tool_call>(.*?)(?=</?tool_call>|$)", re.DOTALL | re.IGNORECASE)


def qwen(text: str) -> Said | Unreadable:
    """Read a reply of Qwen-VL, with or without the tags, the outer object, or the end of either.

    >>> qwen('<tool_call>{"name": "mobile_use", "arguments": {"action": "wait", "time": 2}}').move
    Do(action=Wait(seconds=2.0))
    """
    plain = unthought(text)
    calls = [c for c in _CALL.findall(plain) if c.strip()]
    thought = thought_in(re.split(r"<tool_call>|[{\[]", text, maxsplit=1)[0])
    moves: list[Move] = []
    for call in calls or [plain]:
        read = _moves(call)
        if isinstance(read, Unreadable):
            if not moves:
                return read
            break
        moves += read
    return only(moves, thought)


def _moves(text: str) -> list[Move] | Unreadable:
    found = fields_in(text)
    if isinstance(found, Unreadable):
        return found
    rows, whole = found
    moves: list[Move] = []
    for row in rows:
        move = _move(row, whole=whole)
        if isinstance(move, Unreadable):
            return moves or move
        moves.append(move)
    return moves


def _move(fields: Fields, *, whole: bool) -> Move | Unreadable:
    inner: Any = fields.get("arguments", fields.get("parameters", fields.get("args")))
    if isinstance(inner, str):
        # Some servers hand the arguments on as text within the text.
        try:
            inner = json_in(inner)
        except ValueError as e:
            return Unreadable(f"its arguments cannot be read: {e}")
    if inner is None:
        return move_of(fields, whole=whole)
    if not isinstance(inner, dict):
        return Unreadable("its arguments are no object")
    told: Fields = {re.sub(r"[_\s-]", "", str(k)).casefold(): v for k, v in inner.items()}
    if not any(isinstance(told.get(name), str) for name in ACTION_NAMES):
        told["action"] = fields.get("name", "")  # A tool of its own for each action.
    return move_of(told, whole=whole)
