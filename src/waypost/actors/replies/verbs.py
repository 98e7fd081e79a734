"""The verbs that models use in JSON: fields with an `action` in, the move out."""

import re

from waypost.actors.replies.fields import Fields, drag_of, number, press_of, spoken, spot, wait_of
from waypost.actors.replies.said import Do, Drag, Mark, Move, Spot, Touch, Unreadable, Write
from waypost.model import Capture, Finish, Launch

__all__ = ["ACTION_NAMES", "move_of"]

ACTION_NAMES = ("action", "actiontype", "type", "actionname", "function")
_TOUCHES = frozenset({"click", "tap", "leftclick", "touch", "clickelement", "tapelement"})
_HOLDS = frozenset({"longpress", "longclick", "longtap", "hold"})
_WRITES = frozenset({"type", "typetext", "input", "inputtext", "entertext", "settext", "write"})
_DRAGS = frozenset({"swipe", "drag", "scroll", "swipetwopoints"})
_KEYS = frozenset({"back", "home", "enter", "pressback", "presshome", "pressenter", "navigateback",
                   "navigatehome", "keyboardenter"})  # fmt: skip
_ASKS_KEY = frozenset({"systembutton", "key", "press", "presskey", "keyevent", "hotkey"})
_OPENS = frozenset({"open", "openapp", "launch", "launchapp", "startapp"})
_ENDS = frozenset({"terminate", "finish", "finished", "status", "done", "complete", "completed", "stop"})
_GOOD = frozenset(
    {"success", "succeeded", "complete", "completed", "finish", "finished", "done", "ok", "true"}
)
_BAD = frozenset({"failure", "failed", "fail", "infeasible", "impossible", "false", "aborted"})
_PLACES = ("coordinate", "coordinates", "point", "position", "startbox", "bbox", "start", "startpoint")
_OTHERS = ("coordinate2", "endcoordinate", "end", "endpoint", "endbox", "to", "position2")


def move_of(fields: Fields, *, whole: bool) -> Move | Unreadable:
    """Read one action. A claim to be done counts only from a reply that stood there `whole`.

    >>> move_of({"action": "click", "coordinate": [500, 300]}, whole=True)
    Touch(at=Spot(x=500.0, y=300.0), hold=False)
    >>> move_of({"action": "terminate"}, whole=True)
    Unreadable(fault="it ends the task without saying how: 'success' or 'failure'")
    """
    verb = _verb(fields)
    if verb in _TOUCHES or verb in _HOLDS:
        at = _place(fields)
        return Touch(at, verb in _HOLDS) if at else Unreadable(f"{verb} names neither an element nor a point")
    if verb in _WRITES:
        text = spoken(fields, "text", "content", "value", "typedtext", "input")
        if not text:
            return Unreadable(f"{verb} has no text")
        submit = fields.get("submit") is True or text.endswith("\n")
        return Write(text.rstrip("\n"), _place(fields), submit)
    if verb in _DRAGS:
        return _drag(verb, fields)
    if verb in _ENDS or verb == "answer":
        return _end(verb, fields, whole=whole)
    return _other(verb, fields)


def _other(verb: str, fields: Fields) -> Move | Unreadable:
    if verb in _KEYS:
        return press_of(verb)
    if verb in _ASKS_KEY:
        return press_of(spoken(fields, "button", "key", "text", "value"))
    if verb in _OPENS:
        app = spoken(fields, "appname", "text", "app", "value", "package")
        return Do(Launch(app)) if app else Unreadable(f"{verb} names no app")
    if verb in ("wait", "sleep"):
        return wait_of(fields.get("time", fields.get("seconds", fields.get("duration"))))
    if verb in ("screenshot", "capture", "capturescreen", "takescreenshot"):
        return Do(Capture())
    return Unreadable(f"there is no action {verb[:30]!r}" if verb else "it names no action")


def _verb(fields: Fields) -> str:
    for name in ACTION_NAMES:
        value = fields.get(name)
        if isinstance(value, str) and value.strip():
            return re.sub(r"[^a-z0-9]", "", value.casefold())
    return ""


def _place(fields: Fields) -> Spot | Mark | None:
    for name in ("index", "element", "elementid", "mark", "id"):
        value = number(fields.get(name))
        if value is not None:
            # Half an element is none.
            return Mark(int(value)) if value == int(value) and abs(value) < 1e9 else None
    for name in _PLACES:
        found = spot(fields.get(name))
        if found is not None:
            return found
    return spot(fields) if {"x", "y"} <= fields.keys() else None


def _drag(verb: str, fields: Fields) -> Move | Unreadable:
    start = _place(fields)
    end = next((s for n in _OTHERS if (s := spot(fields.get(n))) is not None), None)
    if isinstance(start, Spot) and end is not None:
        return Drag(None, start, end) if start != end else Unreadable(f"{verb} goes nowhere")
    way = spoken(fields, "direction", "to", "value")
    if not way:
        return Unreadable(f"{verb} names neither two points nor a direction")
    return drag_of(way, start, scroll=verb == "scroll")


def _end(verb: str, fields: Fields, *, whole: bool) -> Move | Unreadable:
    if not whole:
        return Unreadable("it ends the task, and is cut off")
    words = spoken(fields, "text", "answer", "message", "content", "reason")
    if verb == "answer":
        return Do(Finish(True, words)) if words else Unreadable("answer has no text")
    told = fields.get("status", fields.get("goalstatus", fields.get("success", fields.get("result"))))
    how = str(told).strip().casefold() if told is not None else ""
    if how in _GOOD:
        return Do(Finish(True, words))
    if how in _BAD:
        return Do(Finish(False, words))
    return Unreadable("it ends the task without saying how: 'success' or 'failure'")
