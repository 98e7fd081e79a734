"""The JSON in a model's reply, however it is wrapped or spelt: text in, a JSON value out.

Models put prose and fences around it, think aloud before it, leave commas at ends, quote with what their
language quotes with, and write Chinese punctuation. What was cut off is refused: half a reply is none.
"""

import json
import re
from typing import Any

__all__ = ["all_json_in", "json_in", "unthought"]

_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
# Where the prompt itself opens the thought, the reply only ends it.
_THOUGHT_ENDS = re.compile(r"^.*</(think|thinking|thought|reasoning)>", re.DOTALL | re.IGNORECASE)
_MARKS = re.compile(r"<\|[a-z_]+\|>|</?answer>|```[\w-]*", re.IGNORECASE)
_DEEPEST = 60
"""Levels of nesting; no reply that we ask for has more than a few."""
_OPEN, _SHUT = "{｛", "}｝"
_LIST_OPEN, _LIST_SHUT = "[［【", "]］】"
_COMMA, _COLON = ",，、", ":："
_QUOTES = {'"': '"＂', "“": "”", "”": "”", "'": "'", "‘": "’", "「": "」", "『": "』", "＂": '＂"', "`": "`"}
_ENDS = _COMMA + _COLON + _SHUT + _LIST_SHUT
_WORDS = {"true": True, "false": False, "null": None, "none": None, "yes": True, "no": False}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?(?![\w.])")


def unthought(text: str) -> str:
    """Return a reply without what the model thought aloud: what it muses about is no answer.

    >>> unthought("<think>tap 3?</think>tap 4"), unthought("tap 3? no</think>tap 4")
    (' tap 4', ' tap 4')
    """
    return _THOUGHT_ENDS.sub(" ", _THOUGHT.sub(" ", text))


def json_in(text: str) -> Any:
    r"""Return the first whole JSON object, else list, in a text. Raises ValueError that says what is wrong.

    >>> json_in('Sure! ```json\n{"page": "n1", "sure": True,}\n``` Anything else?')
    {'page': 'n1', 'sure': True}
    >>> json_in("｛“页面”：“设置”，“步骤”：［“打开菜单”］｝")
    {'页面': '设置', '步骤': ['打开菜单']}
    >>> json_in("I cannot see a page.")
    Traceback (most recent call last):
    ValueError: the reply holds no JSON object
    """
    text = _MARKS.sub(" ", unthought(text)).strip()
    if not text:
        raise ValueError("the reply is empty")
    try:
        whole = json.loads(text)
        if isinstance(whole, (dict, list)):
            return whole
    except (ValueError, RecursionError):
        pass
    return _found(text)


def all_json_in(text: str) -> list[Any]:
    """Return every whole JSON object of a text in order, those inside of others not counted.

    Where the first is broken it raises as `json_in` does; what is broken behind it is left out.

    >>> all_json_in('{"a": 1}; then {"b": 2}, {"c"')
    [{'a': 1}, {'b': 2}]
    """
    text = _MARKS.sub(" ", unthought(text)).strip()
    found, at = [json_in(text)], 0
    if isinstance(found[0], list):
        return found
    while (at := _next(text, _OPEN, at)) >= 0 and len(found) < 20:
        reader = _Reader(text, at)
        try:
            value = reader.value(0)
        except _Cut:
            break
        except ValueError:
            at = _behind(text, at)
            continue
        at = reader.at
        if value and value != found[0]:
            found.append(value)
    return found


def _found(text: str) -> Any:
    fault = ValueError("the reply holds no JSON object")
    for opens in (_OPEN, _LIST_OPEN):
        at, tries = 0, 0
        while (at := _next(text, opens, at)) >= 0 and tries < 20:
            tries += 1
            reader = _Reader(text, at)
            try:
                value = reader.value(0)
            except _Cut:
                raise
            except ValueError as e:
                fault = e
                # Never an inner part of what is broken: that would be half an answer.
                at = _behind(text, at)
                continue
            if value:  # `{}` in the prose is no answer.
                return value
            at = reader.at
        if tries:
            break
    raise fault


def _behind(text: str, at: int) -> int:
    """Return the place behind the bracket that shuts the one at `at`; the end where none does.

    A bracket inside of a text shuts nothing.

    >>> _behind('{"a": "]}"} {"b": 1}', 0)
    11
    """
    depth = 0
    for found in _TEXT_OR_SIGN.finditer(text, at):
        sign = found[0]
        depth += (sign in _OPEN + _LIST_OPEN) - (sign in _SHUT + _LIST_SHUT)
        if depth <= 0 and len(sign) == 1:
            return found.end()
    return len(text)


def _next(text: str, signs: str, at: int) -> int:
    return min((i for sign in signs if (i := text.find(sign, at)) >= 0), default=-1)


_TEXT_OR_SIGN = re.compile(
    rf'"(?:[^"\\]|\\.)*(?:"|$)|[{re.escape(_OPEN + _LIST_OPEN + _SHUT + _LIST_SHUT)}]', re.DOTALL
)


class _Cut(ValueError):
    pass


class _Reader:
    """Reads one value, forgiving all but a missing end."""

    def __init__(self, text: str, at: int) -> None:
        self.text, self.at = text, at

    def value(self, depth: int) -> Any:
        if depth > _DEEPEST:
            raise ValueError("the reply is nested too deep")
        sign = self._peek()
        if sign in _OPEN:
            return self._object(depth)
        if sign in _LIST_OPEN:
            return self._list(depth)
        if sign in _QUOTES:
            return self._string()
        return self._bare()

    def _peek(self) -> str:
        text = self.text
        while self.at < len(text) and (text[self.at].isspace() or text.startswith("//", self.at)):
            if text[self.at] == "/":
                end = text.find("\n", self.at)
                self.at = len(text) if end < 0 else end
            else:
                self.at += 1
        if self.at >= len(text):
            raise _Cut("the reply is cut off")
        return text[self.at]

    def _object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        self.at += 1
        while (sign := self._peek()) not in _SHUT:
            if sign in _COMMA:
                self.at += 1
                continue
            key = self._string(name=True) if sign in _QUOTES else self._word()
            if self._peek() not in _COLON:
                raise ValueError(f"no value for {key[:40]!r}")
            self.at += 1
            found[key] = self.value(depth + 1)
        self.at += 1
        return found

    def _list(self, depth: int) -> list[Any]:
        found: list[Any] = []
        self.at += 1
        while (sign := self._peek()) not in _LIST_SHUT:
            if sign in _COMMA:
                self.at += 1
                continue
            found.append(self.value(depth + 1))
        self.at += 1
        return found

    def _string(self, *, name: bool = False) -> str:
        text, shut = self.text, _QUOTES[self.text[self.at]]
        self.at += 1
        out: list[str] = []
        while self.at < len(text):
            c = text[self.at]
            if c == "\\":
                out.append(self._escape())
            elif c in shut and (name or self._ends()):
                self.at += 1
                return _joined("".join(out))
            else:
                out.append(c)
                self.at += 1
        raise _Cut("the reply is cut off")

    def _ends(self) -> bool:
        """Whether a quote ends its text: what follows shows, since models forget to escape inner ones."""
        rest = self.text[self.at + 1 : self.at + 200].lstrip()
        return not rest or rest[0] in _ENDS or rest.startswith("//")

    def _escape(self) -> str:
        text, at = self.text, self.at
        sign = text[at + 1 : at + 2]
        if sign == "u" and re.fullmatch(r"[0-9a-fA-F]{4}", text[at + 2 : at + 6]):
            self.at += 6
            return chr(int(text[at + 2 : at + 6], 16))
        self.at += 2
        return _ESCAPES.get(sign, sign)

    def _word(self) -> str:
        found = re.compile(r"[\w.-]+").match(self.text, self.at)
        if not found:
            raise ValueError(f"a name is missing at {self.text[self.at : self.at + 20]!r}")
        self.at = found.end()
        return found.group()

    def _bare(self) -> Any:
        if found := _NUMBER.match(self.text, self.at):
            self.at = found.end()
            number = found.group()
            return float(number) if found.group(1) or found.group(2) else int(number[:400])
        word = self._word().casefold()
        if word not in _WORDS:
            raise ValueError(f"{word[:40]!r} is neither a text in quotes nor a number")
        return _WORDS[word]


def _joined(text: str) -> str:
    r"""Put the halves of a sign together that `\ud83d\ude00` spells as two; drop odd halves."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "ignore")
