"""Nouns to plain JSON values and back: no I/O, no surprises, defaults left out."""

import dataclasses
import types
import typing
from collections.abc import Hashable
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from waypost.model import action as _actions
from waypost.model.screen import Bounds

__all__ = ["decode", "decode_action", "encode"]

T = TypeVar("T")

_PLAIN = frozenset((str, int, float, bool, type(None)))

_ACTIONS: dict[str, type[Any]] = {
    c.__name__: c
    for c in (
        _actions.Tap,
        _actions.LongPress,
        _actions.TypeText,
        _actions.Swipe,
        _actions.Press,
        _actions.Launch,
        _actions.Wait,
        _actions.Capture,
        _actions.Finish,
    )
}


def encode(value: Any) -> Any:
    """Turn a noun into JSON values; fields that hold their default are left out.

    >>> from waypost.model import Press, Bounds
    >>> encode(Press("back"))
    {'do': 'Press', 'key': 'back'}
    >>> encode(Bounds(0, 0, 4, 8))
    [0, 0, 4, 8]
    """
    kind = type(value)
    if kind in _PLAIN:
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (str, int, float)):
        return value
    if isinstance(value, (tuple, list)):
        return [encode(v) for v in value]
    if kind is Bounds:
        return [value.left, value.top, value.right, value.bottom]
    if dataclasses.is_dataclass(kind):
        row: dict[str, Any] = {"do": kind.__name__} if kind.__name__ in _ACTIONS else {}
        for name, default in _defaults(kind):
            item = getattr(value, name)
            # Most are the very default: told without comparing two trees.
            if item is not default and (default is dataclasses.MISSING or item != default):
                row[name] = encode(item)
        return row
    raise TypeError(f"Cannot encode {kind.__name__}")


@cache
def _defaults(kind: type[Any]) -> tuple[tuple[str, Any], ...]:
    return tuple((f.name, f.default) for f in dataclasses.fields(kind))


def decode(kind: type[T], row: Any) -> T:
    """Turn what `encode` made back into `kind`. Unknown keys are refused with ValueError.

    >>> from waypost.model import Tap
    >>> decode(Tap, encode(Tap((3, 4))))
    Tap(at=(3, 4), target=None)
    """
    return typing.cast(T, _decode(kind, row))


def decode_action(row: Any) -> _actions.Action:
    """Turn an encoded action of any kind back.

    >>> decode_action({"do": "Wait", "seconds": 2.0})
    Wait(seconds=2.0)
    """
    if not isinstance(row, dict) or row.get("do") not in _ACTIONS:
        raise ValueError(f"Not an action: {row!r}")
    action: _actions.Action = _decode(_ACTIONS[row["do"]], row)
    return action


@cache
def _hints(kind: Hashable) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _decode(kind: Any, row: Any) -> Any:
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        return _decode_union(typing.get_args(kind), row)
    if origin is tuple:
        args = typing.get_args(kind)
        if len(args) == 2 and args[1] is Ellipsis:
            return tuple(_decode(args[0], v) for v in row)
        return tuple(_decode(a, v) for a, v in zip(args, row, strict=True))
    if origin is typing.Literal:
        if row not in typing.get_args(kind):
            raise ValueError(f"{row!r} is not one of {typing.get_args(kind)}")
        return row
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(row)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _decode_dataclass(kind, row)
    if kind is float:
        return float(row)
    return row


def _decode_union(kinds: tuple[Any, ...], row: Any) -> Any:
    if row is None and type(None) in kinds:
        return None
    if isinstance(row, dict) and "do" in row:
        return decode_action(row)
    (kind,) = [k for k in kinds if k is not type(None)]
    return _decode(kind, row)


def _decode_dataclass(kind: Any, row: Any) -> Any:
    if isinstance(row, list):  # Bounds
        return kind(*row)
    if not isinstance(row, dict):
        raise ValueError(f"{kind.__name__} wants an object, not {row!r}")
    hints = _hints(kind)
    unknown = set(row) - set(hints) - {"do"}
    if unknown:
        raise ValueError(f"{kind.__name__} has no {sorted(unknown)}")
    try:
        return kind(**{k: _decode(hints[k], v) for k, v in row.items() if k != "do"})
    except TypeError as e:
        raise ValueError(f"{kind.__name__}: {e}") from e
