"""Raw YAML of widgets in, their compiled form out; every mistake named with its path."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from waypost.adapters.pocket.effects import effects
from waypost.adapters.pocket.expr import Text
from waypost.adapters.pocket.fields import (
    At,
    Problem,
    Scope,
    expression,
    known,
    literal,
    replaced,
    text,
    words,
)
from waypost.adapters.pocket.icons import ICONS
from waypost.adapters.pocket.spec import Widget

__all__ = ["entry", "widget", "widgets"]

_COMMON = words("id when desc enabled go switch root do long hazard")
_TEXTS = words("sub trailing badge hint text desc more_desc title value")
_EXPRS = frozenset(("enabled", "selected", "where", "rotate"))
_OWN: dict[str, frozenset[str]] = {
    kind: words(own)
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


_PROPS = words(
    "id icon avatar arrow ids card bind style wide size align color password number lines height "
    "columns limit search keep image"
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
