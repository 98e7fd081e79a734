"""Raw YAML of effects in, their compiled form out."""

from collections.abc import Callable
from typing import Any

from waypost.adapters.pocket.fields import PERMISSIONS, At, Problem, Scope, expression, known, literal, text
from waypost.adapters.pocket.spec import (
    Add,
    Append,
    Ask,
    Back,
    Branch,
    Crash,
    Effect,
    External,
    Go,
    Home,
    Proceed,
    Remove,
    SetVar,
    Toast,
    Toggle,
)

__all__ = ["effects"]


def effects(raw: Any, at: At, scope: Scope) -> tuple[Effect, ...]:
    """Compile effects: nothing, a map, or a list of maps."""
    if raw is None:
        return ()
    if isinstance(raw, list):
        return tuple(e for i, one in enumerate(raw) for e in effects(one, (*at, i), scope))
    if not isinstance(raw, dict):
        raise Problem(at, "effects are a map such as {go: page}, or a list of such maps")
    if "if" in raw:
        known(raw, frozenset(("if", "then", "else")), at)
        return (
            Branch(
                expression(raw["if"], (*at, "if"), scope),
                effects(raw.get("then"), (*at, "then"), scope),
                effects(raw.get("else"), (*at, "else"), scope),
            ),
        )
    made: list[Effect] = []
    for key, value in raw.items():
        if key not in _EFFECTS:
            raise Problem(
                (*at, str(key)), f"unknown effect {key!r}; effects: {', '.join(sorted(_EFFECTS))}, if"
            )
        made.extend(_EFFECTS[key](value, (*at, key), scope))
    return tuple(made)


def _go(how: str) -> Callable[[Any, At, Scope], list[Effect]]:
    def make(value: Any, at: At, scope: Scope) -> list[Effect]:
        if isinstance(value, dict):
            known(value, frozenset(("to", "item", "index")), at)
            table = scope.table(value["item"], (*at, "item")) if "item" in value else ""
            return [Go(scope.target(value.get("to"), (*at, "to")), how, table, int(value.get("index", 0)))]
        return [Go(scope.target(value, at), how)]

    return make


def _set(value: Any, at: At, scope: Scope) -> list[Effect]:
    made: list[Effect] = []
    for name, new in literal(value, dict, at).items():
        where = (*at, name)
        scope.variable(name, where)
        expr = expression(new[1:], where, scope) if isinstance(new, str) and new.startswith("=") else None
        made.append(SetVar(name, None if expr else new, expr))
    return made


def _append(value: Any, at: At, scope: Scope) -> list[Effect]:
    return [
        Append(scope.table(t, (*at, t)), tuple((k, text(v, (*at, t, k), scope)) for k, v in fields.items()))
        for t, fields in literal(value, dict, at).items()
    ]


def _external(value: Any, at: At, scope: Scope) -> list[Effect]:
    known(literal(value, dict, at), frozenset(("package", "title", "text")), at)
    title, body = (text(value.get(k, ""), (*at, k), scope) for k in ("title", "text"))
    return [External(str(value.get("package", "com.android.browser")), title, body)]


def _ask(value: Any, at: At, scope: Scope) -> list[Effect]:
    if value not in PERMISSIONS:
        raise Problem(at, f"no permission {value!r}; permissions: {', '.join(sorted(PERMISSIONS))}")
    return [Ask(value)]


_EFFECTS: dict[str, Callable[[Any, At, Scope], list[Effect]]] = {
    "go": _go("go"),
    "switch": _go("switch"),
    "root": _go("root"),
    "back": lambda v, at, s: [Back(1 if v is True else literal(v, int, at))],
    "home": lambda v, at, s: [Home()],
    "proceed": lambda v, at, s: [Proceed()],
    "set": _set,
    "toggle": lambda v, at, s: [Toggle(s.variable(v, at))],
    "add": lambda v, at, s: [Add(s.variable(n, (*at, n)), a) for n, a in literal(v, dict, at).items()],
    "append": _append,
    "remove": lambda v, at, s: [Remove(s.table(v, at))],
    "toast": lambda v, at, s: [Toast(text(v, at, s))],
    "ask": _ask,
    "external": _external,
    "crash": lambda v, at, s: [Crash()],
}
