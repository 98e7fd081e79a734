"""What every part of an app file is checked with: problems with their path, scopes, texts, expressions."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

from waypost.adapters.pocket.expr import Expr, Text, compile_expr, compile_text

__all__ = [
    "PERMISSIONS",
    "At",
    "Problem",
    "Scope",
    "expression",
    "known",
    "literal",
    "replaced",
    "text",
    "words",
]

T = TypeVar("T")
At: TypeAlias = tuple[str | int, ...]

PERMISSIONS: Mapping[str, str] = {
    "location": "access this device's location",
    "camera": "take pictures and record video",
    "contacts": "access your contacts",
    "microphone": "record audio",
    "notifications": "send you notifications",
    "phone": "make and manage phone calls",
    "storage": "access photos and media on your device",
    "calendar": "access your calendar",
}


def words(line: str) -> frozenset[str]:
    """The words of a line, as a set."""
    return frozenset(line.split())


class Problem(Exception):
    """Something wrong in an app file, at `path`."""

    def __init__(self, path: At, message: str) -> None:
        super().__init__(message)
        self.path = path
        self.message = message


@dataclass(frozen=True, slots=True)
class Scope:
    """What names may be used where."""

    pages: frozenset[str]
    overlays: frozenset[str]
    names: frozenset[str]
    state: frozenset[str]
    tables: frozenset[str]
    fragments: Mapping[str, Any]
    page: str = ""

    def on(self, page: str) -> "Scope":
        return replace(self, page=page)

    def target(self, name: Any, at: At) -> str:
        """Find the page or overlay that `name` means from here."""
        for found in (f"{self.page}+{name}", f"+{name}"):
            if found in self.overlays:
                return found
        if name in self.pages or name in self.overlays:
            return str(name)
        raise Problem(
            at,
            f"no page or overlay {name!r} can be reached from here; pages: {', '.join(sorted(self.pages))}",
        )

    def variable(self, name: Any, at: At) -> str:
        if name not in self.state:
            raise Problem(at, f"no variable {name!r}; put it into `state` with its first value")
        return str(name)

    def table(self, name: Any, at: At) -> str:
        if name not in self.tables:
            raise Problem(at, f"no table {name!r}; tables: {', '.join(sorted(self.tables)) or 'none'}")
        return str(name)


def known(raw: Mapping[str, Any], keys: frozenset[str], at: At) -> None:
    """Refuse keys that the schema does not have."""
    for key in raw:
        if not isinstance(key, str):
            raise Problem(
                at, f"a key is read by YAML as {key!r}; quote it or choose another (on, off, yes, no)"
            )
        if key not in keys:
            raise Problem((*at, key), f"unknown key {key!r}; known: {', '.join(sorted(keys))}")


def literal(value: Any, kind: type[T], at: At) -> T:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise Problem(at, f"wants {kind.__name__}, not {value!r}")
    return value


def text(value: Any, at: At, scope: Scope) -> Text:
    """Compile a label: a string, a number, or a map by language."""
    if isinstance(value, dict):
        return _languages(value, at, scope)
    if isinstance(value, bool):
        raise Problem(at, f"a label must be a text; quote it (YAML reads it as {value!r})")
    if value is None or isinstance(value, (list, tuple)):
        raise Problem(at, f"a label must be a text, not {value!r}")
    try:
        made = compile_text(str(value))
    except ValueError as e:
        raise Problem(at, str(e)) from e
    _declared(made.names, at, scope)
    return made


def _languages(value: Mapping[str, Any], at: At, scope: Scope) -> Text:
    if "en" not in value:
        raise Problem(at, "a label by language needs at least `en`")
    by = {k: text(v, (*at, k), scope) for k, v in value.items()}
    if "language" not in scope.state:
        return by["en"]
    names = frozenset({"language"}).union(*(t.names for t in by.values()))
    return Text(by["en"].source, names, lambda env: by.get(env.value("language"), by["en"]).show(env))


def expression(value: Any, at: At, scope: Scope) -> Expr:
    try:
        made = compile_expr(str(value))
    except ValueError as e:
        raise Problem(at, str(e)) from e
    _declared(made.names, at, scope)
    return made


def _declared(names: frozenset[str], at: At, scope: Scope) -> None:
    for name in sorted(names - scope.names):
        raise Problem(at, f"no variable or table {name!r}; put it into `state` or `data`")


def replaced(value: Any, values: Mapping[str, str]) -> Any:
    """Put values in for `$name` in every string below."""
    if isinstance(value, str):
        if "$" not in value:
            return value
        return re.sub(r"\$([a-z_]+)", lambda m: values.get(m[1], m[0]), value)
    if isinstance(value, dict):
        return {k: replaced(v, values) for k, v in value.items()}
    if isinstance(value, list):
        return [replaced(v, values) for v in value]
    return value
