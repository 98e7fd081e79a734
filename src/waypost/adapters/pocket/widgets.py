"""Raw YAML of widgets and effects in, their compiled form out; every mistake named with its path."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from waypost.adapters.pocket.expr import Expr, Text, compile_expr, compile_text
from waypost.adapters.pocket.icons import ICONS
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
    Widget,
)

__all__ = [
    "PERMISSIONS",
    "Problem",
    "Scope",
    "effects",
    "entry",
    "expression",
    "known",
    "literal",
    "replaced",
    "text",
    "widget",
    "widgets",
]

T = TypeVar("T")
At = tuple[str | int, ...]

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

_COMMON = frozenset(["id", "when", "desc", "enabled", "go", "switch", "root", "do", "long", "hazard"])
_TEXTS = frozenset(["sub", "trailing", "badge", "hint", "text", "desc", "more_desc", "title", "value"])
_EXPRS = frozenset(("enabled", "selected", "where", "rotate"))
_OWN: dict[str, frozenset[str]] = {
    kind: frozenset(own.split())
    for kind, own in {
        "text": "size align color",
        "heading": "",
        "row": "sub icon avatar trailing badge arrow ids card more more_desc",
        "switch": "bind sub icon",
        "check": "bind sub icon",
        "radio": "bind value sub",
        "slider": "bind icon",
        "picker": "value icon",
        "button": "style icon wide",
        "buttons": "",
        "icon": "color size badge",
        "icons": "",
        "field": "bind hint password number lines enter icon",
        "search": "bind enter",
        "image": "height color",
        "card": "text image sub buttons icon",
        "chips": "",
        "carousel": "as where limit",
        "grid": "columns",
        "keypad": "bind",
        "list": "as where search limit rotate empty",
        "group": "",
        "web": "links",
        "divider": "",
        "space": "",
        "progress": "",
        "use": "with",
        "entry": "label icon badge selected keep style sub",
    }.items()
}
_TAPS = ("go", "switch", "root", "do")


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
        if key not in keys:
            raise Problem((*at, str(key)), f"unknown key {key!r}; known: {', '.join(sorted(keys))}")


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


def widgets(raw: Any, at: At, scope: Scope) -> tuple[Widget, ...]:
    """Compile a list of widgets, fragments put in place."""
    if not isinstance(raw, list):
        raise Problem(at, "wants a list of widgets")
    made: list[Widget] = []
    for i, one in enumerate(raw):
        where = (*at, i)
        if isinstance(one, dict) and "use" in one:
            known(one, frozenset(("use", "with")), where)
            if one["use"] not in scope.fragments:
                raise Problem((*where, "use"), f"no fragment {one['use']!r}")
            values = {str(k): str(v) for k, v in (one.get("with") or {}).items()}
            inner = replaced(scope.fragments[one["use"]], values)
            made.extend(widgets(inner, ("fragments", one["use"]), scope))
        else:
            made.append(widget(one, where, scope))
    return tuple(made)


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


def widget(raw: Any, at: At, scope: Scope) -> Widget:
    """Compile one widget; its kind is the one key that names a kind."""
    if not isinstance(raw, dict):
        raise Problem(at, "a widget is a map such as `- row: Title`")
    kind = _kind(raw, at)
    known(raw, _COMMON | _OWN[kind] | {kind}, at)
    value = raw[kind]
    made = _plain(kind, raw, at, scope)
    return _CONTENT.get(kind, _labelled)(made, value, raw, at, scope)


def _kind(raw: Mapping[str, Any], at: At) -> str:
    kinds = [k for k in raw if k in _OWN and k not in ("entry", "use")]
    # `icon`, `switch` are also properties of other kinds: the first key decides.
    if not kinds:
        raise Problem(
            at, f"no widget kind among {', '.join(map(str, raw))}; kinds: {', '.join(sorted(_OWN))}"
        )
    first = next(iter(raw))
    return first if first in kinds else kinds[0]


def entry(raw: Any, at: At, scope: Scope, how: str) -> Widget:
    """Compile an entry of a bar, menu or button row; `how` is what its `go` does."""
    if not isinstance(raw, dict):
        raise Problem(at, "an entry is a map such as {label: Settings, go: settings}")
    known(raw, _COMMON | _OWN["entry"], at)
    if "label" not in raw and "icon" not in raw:
        raise Problem(at, "an entry needs `label` or `icon`")
    if how != "go" and "go" in raw:
        raw = {**{k: v for k, v in raw.items() if k != "go"}, how: raw["go"]}
    made = _plain("entry", raw, at, scope)
    return replace(made, label=text(raw.get("label", ""), (*at, "label"), scope))


def _plain(kind: str, raw: Mapping[str, Any], at: At, scope: Scope) -> Widget:
    texts = {k: text(raw[k], (*at, k), scope) for k in raw if k in _TEXTS and k != kind}
    exprs = {k: expression(raw[k], (*at, k), scope) for k in raw if k in _EXPRS}
    props = {k: raw[k] for k in raw if k in _PROPS and k != kind}
    for key in ("bind", "search"):
        if key in props:
            scope.variable(props[key], (*at, key))
    for key in ("icon", "image"):
        if props.get(key) and props[key] not in ICONS:
            raise Problem((*at, key), f"no icon {props[key]!r}; icons: {', '.join(sorted(ICONS))}")
    taps = [k for k in _TAPS if k in raw and k != kind]
    if len(taps) > 1:
        raise Problem(at, f"only one of {', '.join(taps)}; several effects go into `do` as a list")
    tap = raw[taps[0]] if taps else None
    if taps and taps[0] != "do":
        tap = {taps[0]: tap}
    return Widget(
        kind=kind,
        path=".".join(str(p) for p in at),
        label=Text(""),
        texts=texts,
        exprs=exprs,
        props=props,
        when=expression(raw["when"], (*at, "when"), scope) if "when" in raw else None,
        tap=effects(tap, (*at, taps[0] if taps else "do"), scope),
        long=effects(raw.get("long"), (*at, "long"), scope),
        more=effects(raw.get("more"), (*at, "more"), scope),
        enter=effects(raw.get("enter"), (*at, "enter"), scope),
        hazard=str(raw.get("hazard", "")),
    )


_PROPS = frozenset(
    ["id", "icon", "avatar", "arrow", "ids", "card", "bind", "style", "wide", "size", "align", "color", "password", "number", "lines", "height", "columns", "limit", "search", "keep", "image"]
)


def _labelled(made: Widget, value: Any, raw: Mapping[str, Any], at: At, scope: Scope) -> Widget:
    if (
        made.kind in ("switch", "check", "radio", "slider", "keypad", "search", "field")
        and "bind" not in made.props
    ):
        raise Problem(at, f"a {made.kind} needs `bind: VARIABLE`")
    label = text("" if value is None else value, (*at, made.kind), scope)
    return replace(made, label=label)


def _iconed(made: Widget, value: Any, raw: Mapping[str, Any], at: At, scope: Scope) -> Widget:
    if value and value not in ICONS:
        raise Problem((*at, made.kind), f"no icon {value!r}; icons: {', '.join(sorted(ICONS))}")
    return replace(made, props={**made.props, "icon": value or ""})


def _entries(made: Widget, value: Any, raw: Mapping[str, Any], at: At, scope: Scope) -> Widget:
    if not isinstance(value, list):
        raise Problem((*at, made.kind), "wants a list of {label: ..., ...}")
    parts = tuple(entry(e, (*at, made.kind, i), scope, "go") for i, e in enumerate(value))
    return replace(made, parts=parts)


def _keys(made: Widget, value: Any, raw: Mapping[str, Any], at: At, scope: Scope) -> Widget:
    entries = [{"label": k} for k in literal(value, list, (*at, made.kind))]
    return _entries(_labelled(made, None, raw, at, scope), entries, raw, at, scope)


def _carded(made: Widget, value: Any, raw: Mapping[str, Any], at: At, scope: Scope) -> Widget:
    buttons = raw.get("buttons") or raw.get("links") or []
    parts = tuple(entry(e, (*at, "buttons", i), scope, "go") for i, e in enumerate(buttons))
    return replace(made, label=text("" if value is None else value, (*at, made.kind), scope), parts=parts)


def _grouped(made: Widget, value: Any, raw: Mapping[str, Any], at: At, scope: Scope) -> Widget:
    return replace(made, parts=widgets(value, (*at, "group"), scope))


def _listed(made: Widget, value: Any, raw: Mapping[str, Any], at: At, scope: Scope) -> Widget:
    table = scope.table(value, (*at, made.kind))
    if "as" not in raw:
        raise Problem(at, "a list needs `as: {row: ...}`")
    return replace(
        made,
        props={**made.props, "table": table},
        template=widget(raw["as"], (*at, "as"), scope),
        empty=widgets(raw.get("empty") or [], (*at, "empty"), scope),
    )


def _spaced(made: Widget, value: Any, raw: Mapping[str, Any], at: At, scope: Scope) -> Widget:
    return replace(made, props={**made.props, "height": value or 0})


_CONTENT: dict[str, Callable[[Widget, Any, Mapping[str, Any], At, Scope], Widget]] = {
    "icon": _iconed,
    "image": _iconed,
    "buttons": _entries,
    "icons": _entries,
    "chips": _entries,
    "grid": _entries,
    "keypad": _keys,
    "card": _carded,
    "web": _carded,
    "group": _grouped,
    "list": _listed,
    "carousel": _listed,
    "divider": _spaced,
    "space": _spaced,
}


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
