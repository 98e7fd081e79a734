"""What a model of each family would write for an action: dialect, action and screen in, a reply out."""

import json
from typing import Any

from waypost.actors import DIALECTS
from waypost.actors.placing import Scale, resized
from waypost.model import (
    Action,
    Direction,
    Finish,
    LongPress,
    Point,
    Press,
    Role,
    Screen,
    Swipe,
    Tap,
    TypeText,
)

__all__ = ["reply"]

_SEEN = {Direction.UP: "down", Direction.DOWN: "up", Direction.LEFT: "right", Direction.RIGHT: "left"}
"""A drag upwards shows what lies further down."""
_WHY = "as planned."


def reply(dialect: str, action: Action, screen: Screen) -> str:
    """Word an action in the grammar that this dialect's models were trained on."""
    match DIALECTS[dialect].prompt:
        case "uitars":
            return f"Thought: {_WHY}\nAction: {_uitars(action, _Places(dialect, screen))}"
        case "qwen":
            told = {"name": "mobile_use", "arguments": _qwen(action, _Places(dialect, screen))}
            return f"{_WHY}\n<tool_call>\n{json.dumps(told)}\n</tool_call>"
        case "agentcpm":
            return json.dumps({"thought": _WHY, **_agentcpm(action, _Places(dialect, screen))})
    return f"Reason: {_WHY}\nAction: {json.dumps(_listed(action, _Places(dialect, screen)))}"


class _Places:
    """Points as a dialect counts them on one screen."""

    def __init__(self, dialect: str, screen: Screen) -> None:
        self.size = screen.size
        self._frame = (1000, 1000) if DIALECTS[dialect].scale is Scale.THOUSAND else resized(screen.size)
        self.focused = any(e.focused and e.role is Role.FIELD for e in screen.visible())

    def at(self, point: Point) -> list[int]:
        told = zip(point, self._frame, self.size, strict=True)
        return [round(frame * (v + 0.5) / side) for v, frame, side in told]

    def drag(self, action: Swipe) -> tuple[list[int], list[int]]:
        """Return both ends of a swipe; without any, over the middle of the screen."""
        if action.start and action.end:
            return self.at(action.start), self.at(action.end)
        (x, y), (dx, dy) = (s // 2 for s in self.size), (s // 4 for s in self.size)
        way = {
            Direction.UP: (0, -dy),
            Direction.DOWN: (0, dy),
            Direction.LEFT: (-dx, 0),
            Direction.RIGHT: (dx, 0),
        }[action.direction]
        return self.at((x - way[0], y - way[1])), self.at((x + way[0], y + way[1]))


def _listed(action: Action, places: _Places) -> dict[str, Any]:
    match action:
        case Tap(at=point):
            return {"action_type": "click", "coordinate": places.at(point)}
        case LongPress(at=point):
            return {"action_type": "long_press", "coordinate": places.at(point)}
        case TypeText(text=text, at=point, submit=submit):
            row: dict[str, Any] = {"action_type": "input_text", "text": text, "submit": submit}
            return row | ({"coordinate": places.at(point)} if point else {})
        case Swipe(start=start, end=end) if start and end:
            return {"action_type": "swipe", "coordinate": places.at(start), "coordinate2": places.at(end)}
        case Swipe(direction=direction):
            return {"action_type": "scroll", "direction": _SEEN[direction]}
        case Press(key=key):
            return {"action_type": "keyboard_enter" if key == "enter" else f"navigate_{key}"}
        case Finish():
            return {"action_type": "status", "goal_status": "complete"}
    return {"action_type": "wait"}


def _uitars(action: Action, places: _Places) -> str:
    def box(point: Point) -> str:
        x, y = places.at(point)
        return f"'({x},{y})'"

    match action:
        case Tap(at=point):
            return f"click(start_box={box(point)})"
        case LongPress(at=point):
            return f"long_press(start_box={box(point)})"
        case TypeText(text=text, at=point, submit=submit):
            where = f", start_box={box(point)}" if point else ""
            end = "\\n" if submit else ""
            return f"type(content='{text}{end}'{where})"
        case Swipe():
            (x1, y1), (x2, y2) = places.drag(action)
            return f"drag(start_box='({x1},{y1})', end_box='({x2},{y2})')"
        case Press(key=key):
            return f"press_{key}()"
        case Finish():
            return "finished(content='there')"
    return "wait()"


def _qwen(action: Action, places: _Places) -> dict[str, Any]:
    match action:
        case Tap(at=point):
            return {"action": "click", "coordinate": places.at(point)}
        case LongPress(at=point):
            return {"action": "long_press", "coordinate": places.at(point), "time": 2}
        case TypeText(text=text, at=point, submit=submit):
            where = {"coordinate": places.at(point)} if point else {}
            return {"action": "type", "text": text + ("\n" if submit else ""), **where}
        case Swipe():
            start, end = places.drag(action)
            return {"action": "swipe", "coordinate": start, "coordinate2": end}
        case Press(key=key):
            return {"action": "system_button", "button": key.capitalize()}
        case Finish():
            return {"action": "terminate", "status": "success"}
    return {"action": "wait", "time": 1}


def _agentcpm(action: Action, places: _Places) -> dict[str, Any]:
    match action:
        case Tap(at=point):
            return {"POINT": places.at(point)}
        case LongPress(at=point):
            return {"POINT": places.at(point), "duration": 1500}
        case TypeText(at=point) if point and not places.focused:
            return {"POINT": places.at(point)}  # This family types into what has the focus.
        case TypeText(text=text, submit=submit):
            return {"TYPE": text + ("\n" if submit else "")}
        case Swipe():
            start, end = places.drag(action)
            return {"POINT": start, "to": end}
        case Press(key=key):
            return {"PRESS": key.upper()}
        case Finish():
            return {"STATUS": "finish"}
    return {"duration": 500}
