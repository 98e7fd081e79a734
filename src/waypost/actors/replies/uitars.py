"""UI-TARS' grammar: `Thought: ...` and `Action: click(start_box='(x,y)')` in, the move out.

Both spellings of a place are read, `start_box='<|box_start|>(x,y)<|box_end|>'` and
`point='<point>x y</point>'`, and what the model is known to leave out: ends of quotes and brackets, the
heading, the quotes themselves. A claim to be done must be whole.
"""

import re
from dataclasses import dataclass

from waypost.actors.replies.said import Do, Drag, Move, Said, Spot, Touch, Unreadable, Write, only, thought_in
from waypost.model import Direction, Finish, Launch, Press, Wait
from waypost.model.replies import unthought

__all__ = ["uitars"]

_WIDE = str.maketrans("（）：，＝“”‘’＂＇［］０１２３４５６７８９", "():,=\"\"''\"'[]0123456789")
_HEAD = re.compile(r"^\W*(?:action|动作|操作)\s*\d*\W{0,3}[:：]", re.IGNORECASE | re.MULTILINE)
_MARKS = re.compile(r"<\|(?!box_start|box_end)[a-z_]+\|>|</?answer>|</?action>|```[\w-]*|</s>", re.IGNORECASE)
_CALL = re.compile(r"([a-z_]+)\s*\(", re.IGNORECASE)
_ALONE = re.compile(r"^[\s`*>-]*[a-z_]+\s*\(.*$", re.IGNORECASE)
_NAMES = "(start_box|end_box|start_point|end_point|point|content|text|direction|app_name|key|time)"
_KEYED = re.compile(rf"\s*{_NAMES}\s*[=:]\s*")
_OPENS, _SHUTS = ("'", '"', "“", "‘", "＂", "＇"), ("'", '"', "”", "’", "＂", "＇")
_NUMBERS = re.compile(r"-?\d+(?:\.\d+)?")
_CLICKS = frozenset({"click", "tap", "left_click", "left_single", "left_double"})
_HOLDS = frozenset({"long_press", "longpress", "long_click"})
_WRITES = frozenset({"type", "input", "input_text"})
_ENDS = frozenset({"finished", "finish", "done"})
_KEYS = {"press_back": "back", "press_home": "home", "press_enter": "enter", "back": "back", "home": "home"}
_SEEN = {"down": Direction.UP, "up": Direction.DOWN, "right": Direction.LEFT, "left": Direction.RIGHT}
"""Scrolling down shows what is further down: the content is dragged up."""
_KNOWN = _CLICKS | _HOLDS | _WRITES | _ENDS | set(_KEYS) | {
    "scroll", "swipe", "drag", "wait", "open_app", "open", "hotkey", "call_user",
}  # fmt: skip


def uitars(text: str) -> Said | Unreadable:
    r"""Read a reply of UI-TARS.

    >>> uitars("Thought: The switch is off.\nAction: click(start_box='(512,300)')")
    Said(move=Touch(at=Spot(x=512.0, y=300.0), hold=False), thought='The switch is off.', more=0)
    >>> uitars("Thought: I have finished the task.")
    Unreadable(fault='it holds no line that begins with "Action:"')
    """
    plain = _MARKS.sub(" ", unthought(text))
    head = _HEAD.search(plain)
    if head is None:
        return _headless(plain)
    calls = _calls(plain[head.end() :])
    if not calls:
        return Unreadable('it names no action of the list behind "Action:"')
    moves: list[Move] = []
    for call in calls:
        move = _move(call)
        if isinstance(move, Unreadable):
            if not moves:
                return move
            break
        moves.append(move)
    return only(moves, thought_in(plain[: head.start()]))


def _headless(plain: str) -> Said | Unreadable:
    """Take a call that stands on a line of its own; what is said in passing is no action."""
    lines = [line for line in plain.splitlines() if _ALONE.match(line.translate(_WIDE))]
    calls = [call for line in lines for call in _calls(line)]
    if len(calls) != 1:
        return Unreadable('it holds no line that begins with "Action:"')
    move = _move(calls[0])
    return move if isinstance(move, Unreadable) else Said(move, thought_in(plain.split(lines[0])[0]))


@dataclass(frozen=True, slots=True)
class _Call:
    name: str
    inside: str
    whole: bool
    """Whether its bracket is shut."""


def _calls(text: str) -> list[_Call]:
    found, at = [], 0
    while match := _CALL.search(text.translate(_WIDE), at):
        name = match.group(1).casefold()
        end = _shut(text.translate(_WIDE), match.end())
        inside = text[match.end() : end if end >= 0 else len(text)]
        at = end + 1 if end >= 0 else len(text)
        if name in _KNOWN:
            found.append(_Call(name, inside, end >= 0))
        elif not found:
            break  # A name that is not on the list is not passed over: what follows may rest on it.
    return found or _bare(text)


def _bare(text: str) -> list[_Call]:
    """Take a key that is named without brackets; a claim to be done is not taken so."""
    word = text.strip().strip("`*'\". ").casefold()
    return [_Call(word, "", True)] if word in _KEYS or word == "wait" else []


def _shut(text: str, at: int) -> int:
    """Return where the bracket that was opened before `at` is shut, quoted text left out; -1 for nowhere."""
    depth, quote = 1, ""
    for i in range(at, len(text)):
        c = text[i]
        if quote:
            if c == quote and text[i - 1] != "\\" and re.match(r"\s*(?:[,)]|$)", text[i + 1 :]):
                quote = ""
        elif c in "'\"" and re.search(r"[=:(,]\s*$", text[at - 1 : i]):
            quote = c
        else:
            depth += (c == "(") - (c == ")")
            if depth == 0:
                return i
    # A quote that was never shut: the last bracket of the line will be the call's.
    line = text[at:].split("\n", 1)[0].rstrip()
    return at + len(line) - 1 if quote and line.endswith(")") and line.count("(") < line.count(")") else -1


def _move(call: _Call) -> Move | Unreadable:
    told = _arguments(call.inside)
    name = call.name
    if name in _CLICKS | _HOLDS:
        spot = _spot(told, "start_box", "point", "start_point") or _spot({"": call.inside}, "")
        return Touch(spot, name in _HOLDS) if spot else Unreadable(f"{name} names no point")
    if name in _WRITES:
        return _write(call, told)
    if name in ("scroll", "swipe", "drag"):
        return _drag(name, told)
    return _do(call, told)


def _do(call: _Call, told: dict[str, str]) -> Move | Unreadable:
    name = call.name
    if name in _ENDS or name == "call_user":
        if not call.whole:
            return Unreadable(f"{name} is cut off")
        return Do(Finish(name in _ENDS, told.get("content", "") or ("" if told else _unquoted(call.inside))))
    if name in _KEYS:
        return Do(Press(_KEYS[name]))  # type: ignore[arg-type]
    if name == "hotkey":
        key = told.get("key", "").casefold().strip()
        known = key if key in ("back", "home", "enter") else ""
        return Do(Press(known)) if known else Unreadable(f"there is no key {key[:20]!r}")  # type: ignore[arg-type]
    if name in ("open_app", "open"):
        app = told.get("app_name", "") or _unquoted(call.inside)
        return Do(Launch(app)) if app else Unreadable("open_app names no app")
    return Do(Wait())


def _write(call: _Call, told: dict[str, str]) -> Move | Unreadable:
    content = told.get("content", told.get("text"))
    if content is None:
        content = _unquoted(call.inside)
    if not content:
        return Unreadable("type has no content")
    content = content.replace("\\n", "\n").replace("\\'", "'").replace('\\"', '"')
    return Write(content.rstrip("\n"), _spot(told, "start_box", "point"), submit=content.endswith("\n"))


def _drag(name: str, told: dict[str, str]) -> Move | Unreadable:
    start, end = (
        _spot(told, "start_box", "point", "start_point"),
        _spot(told, "end_box", "end_point"),
    )
    if start and end and start != end:
        return Drag(None, start, end)
    way = told.get("direction", "").strip().casefold()
    if way not in _SEEN:
        return Unreadable(f"{name} names neither two points nor a direction")
    # A scroll says what to see, a swipe where the finger goes.
    return Drag(_SEEN[way] if name == "scroll" else Direction(way), start)


def _arguments(inside: str) -> dict[str, str]:
    """Part the named arguments. A quoted value reaches to a quote behind which the next one begins."""
    plain = inside.translate(_WIDE)
    told: dict[str, str] = {}
    at = 0
    while match := _KEYED.match(plain, at):
        start = match.end()
        quote = re.escape(plain[start]) if plain[start : start + 1] in ("'", '"') else ""
        parted = re.compile(rf"{quote}\s*,\s*(?={_NAMES}\s*[=:])").search(plain, start + len(quote[-1:]))
        told.setdefault(match.group(1), _unquoted(inside[start : parted.start() if parted else len(inside)]))
        at = parted.end() if parted else len(plain)
    return told


def _unquoted(text: str) -> str:
    text = text.strip().rstrip(",").strip()
    if text.startswith(_OPENS):
        text = text[1:]
    return text[:-1] if text.endswith(_SHUTS) and not text.endswith("\\'") else text


def _spot(told: dict[str, str], *names: str) -> Spot | None:
    """Read a point; of a box, its middle."""
    for name in names:
        numbers = [float(n) for n in _NUMBERS.findall(told.get(name, "").translate(_WIDE))]
        if len(numbers) == 2:
            return Spot(*numbers)
        if len(numbers) == 4:
            x0, y0, x1, y1 = numbers
            return Spot((x0 + x1) / 2, (y0 + y1) / 2)
    return None
