"""Dataclasses as shapes of replies: a class in, its JSON Schema out; JSON values in, an instance out."""

import dataclasses
import types
import typing
from enum import Enum
from typing import Any, TypeVar

__all__ = ["fitted", "schema_of"]

T = TypeVar("T")
_PLAIN: dict[type, str] = {str: "string", bool: "boolean", int: "integer", float: "number"}


def schema_of(kind: Any) -> dict[str, Any]:
    """Return the JSON Schema of a dataclass: every field required, nothing besides them.

    >>> @dataclasses.dataclass(frozen=True)
    ... class Choice:
    ...     page: str
    ...     also: tuple[int, ...] = ()
    >>> schema_of(Choice)["properties"]
    {'page': {'type': 'string'}, 'also': {'type': 'array', 'items': {'type': 'integer'}}}
    """
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    if kind is type(None):
        return {"type": "null"}
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [schema_of(k) for k in args]}
    if origin is typing.Literal:
        return {"enum": list(args)}
    if origin in (tuple, list):
        return {"type": "array", "items": schema_of(args[0])}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"enum": [e.value for e in kind]}
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        properties = {f.name: schema_of(hints[f.name]) for f in dataclasses.fields(kind)}
        return {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }
    raise TypeError(f"No shape for a reply: {kind!r}")


def fitted(kind: type[T], value: Any) -> T:
    """Make a `kind` of JSON values. Raises ValueError that names the place and what is wrong there.

    Types must be right; what has a default may be missing, and what is not asked for is left out.

    >>> @dataclasses.dataclass(frozen=True)
    ... class Choice:
    ...     page: str
    ...     sure: float = 0.0
    >>> fitted(Choice, {"page": "n1", "sure": 1, "why": "because"})
    Choice(page='n1', sure=1.0)
    >>> fitted(Choice, {"page": 3})
    Traceback (most recent call last):
    ValueError: page: wants a text, not 3
    """
    return typing.cast(T, _fit(kind, value, ""))


def _fit(kind: Any, value: Any, at: str) -> Any:
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return _any_of(args, value, at)
    if origin is typing.Literal:
        return _one_of(args, value, at)
    if origin in (tuple, list):
        if not isinstance(value, list):
            raise _wrong(at, "a list", value)
        return origin(_fit(args[0], v, f"{at}[{i}]") for i, v in enumerate(value))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(_one_of(tuple(e.value for e in kind), value, at))
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _object(kind, value, at)
    return _plain(kind, value, at)


def _plain(kind: Any, value: Any, at: str) -> Any:
    if kind is float and isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    if type(value) is kind:
        return value
    words = {str: "a text", bool: "true or false", int: "a whole number", float: "a number"}
    raise _wrong(at, words.get(kind, "null"), value)


def _any_of(kinds: tuple[Any, ...], value: Any, at: str) -> Any:
    fault = _wrong(at, "another kind", value)
    for kind in kinds:
        if kind is type(None):
            if value is None:
                return None
            continue
        try:
            return _fit(kind, value, at)
        except ValueError as e:
            fault = e
    raise fault


def _one_of(values: tuple[Any, ...], value: Any, at: str) -> Any:
    if isinstance(value, (str, int, float, bool, type(None))) and value in values:
        return value
    raise _wrong(at, f"one of {list(values)}", value)


def _object(kind: type[Any], value: Any, at: str) -> Any:
    if not isinstance(value, dict):
        raise _wrong(at, "an object", value)
    hints = typing.get_type_hints(kind)
    told = {}
    for field in dataclasses.fields(kind):
        where = f"{at}.{field.name}" if at else field.name
        if field.name in value:
            told[field.name] = _fit(hints[field.name], value[field.name], where)
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise ValueError(f"{where}: is missing")
    return kind(**told)


def _wrong(at: str, wanted: str, value: Any) -> ValueError:
    shown = repr(value)
    return ValueError(
        f"{at or 'the reply'}: wants {wanted}, not {shown if len(shown) <= 60 else shown[:59] + '…'}"
    )
