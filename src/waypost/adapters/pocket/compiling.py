"""Raw YAML values of an app in, compiled `Spec` out: pages, overlays, bars, tables, inheritance."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from waypost.adapters.pocket.effects import effects
from waypost.adapters.pocket.expr import Expr, Row, Text
from waypost.adapters.pocket.fields import (
    PERMISSIONS,
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
from waypost.adapters.pocket.spec import Effect, Gate, Go, Moving, Page, Spec, Widget
from waypost.adapters.pocket.widgets import entry, widget, widgets

__all__ = ["Problem", "compile_app"]

_APP_KEYS = words(
    "app version package name icon color style activity start splash badge gate state volatile data bars "
    "fragments overlays pages ads crash"
)
_PAGE_KEYS = words(
    "title subtitle nav actions tabs bottom body footer fab overlays activity item like with loading "
    "permission requires back open swipe secure bar_item"
)
_OVERLAY_KEYS = words("kind title subtitle text body items buttons cancelable at open back item like with")
_KINDS = ("menu", "dialog", "sheet", "drawer")
_CLOCKS = frozenset(("clock", "date", "seconds", "looks"))
_DIRECTIONS = frozenset(("left", "right", "up", "down"))


def compile_app(raw: Any) -> Spec:
    """Compile a whole app. Raises Problem with the path of what is wrong."""
    if not isinstance(raw, dict):
        raise Problem((), "an app file is a map that starts with `app: NAME`")
    known(raw, _APP_KEYS, ())
    for key in ("app", "package", "start", "pages"):
        if key not in raw:
            raise Problem((), f"`{key}` is missing")
    pages = {k: _inherit(raw["pages"], k, ("pages", k)) for k in raw["pages"]}
    state = _state(raw)
    data = _tables(raw.get("data") or {})
    scope = Scope(
        pages=frozenset(pages),
        overlays=_overlay_ids(raw.get("overlays") or {}, pages),
        names=frozenset(state) | frozenset(data) | _CLOCKS | {"row", "item"},
        state=frozenset(state),
        tables=frozenset(data),
        fragments=raw.get("fragments") or {},
    )
    compiled = _pages(raw, pages, scope)
    if raw["start"] not in pages:
        raise Problem(("start",), f"no page {raw['start']!r}; pages are {', '.join(sorted(pages))}")
    ads = raw.get("ads") or {}
    known(ads, frozenset(("rate", "title", "text")), ("ads",))
    return Spec(
        app=str(raw["app"]),
        package=str(raw["package"]),
        name=text(raw.get("name", raw["app"]), ("name",), scope),
        icon=str(raw.get("icon", "info")),
        color=str(raw.get("color", "#1A73E8")),
        style=str(raw.get("style", "plain")),
        activity=str(raw.get("activity", ".MainActivity")),
        start=raw["start"],
        splash=int(raw.get("splash", 0)),
        badge=text(raw["badge"], ("badge",), scope) if "badge" in raw else None,
        gate=_gate(raw["gate"], ("gate",), scope) if raw.get("gate") else None,
        state=state,
        volatile=_volatile(raw.get("volatile") or [], state),
        data=data,
        pages=compiled,
        version=str(raw.get("version", "1.0")),
        ad_rate=float(ads.get("rate", 0.0)),
        ad_title=str(ads.get("title", "Special offer")),
        ad_text=str(ads.get("text", "Limited time only")),
        crash_rate=float(raw.get("crash", 0.0)),
    )


def _state(raw: Mapping[str, Any]) -> dict[str, Any]:
    state = dict(raw.get("state") or {})
    known(state, frozenset(n for n in state if isinstance(n, str)), ("state",))
    for name, value in state.items():
        if not isinstance(value, (str, int, float, bool)):
            raise Problem(("state", name), "a state variable starts as a text, number, true or false")
    return state


def _volatile(names: list[str], state: Mapping[str, Any]) -> frozenset[str]:
    for i, name in enumerate(names):
        if name not in state:
            raise Problem(("volatile", i), f"{name!r} is not in `state`")
    return frozenset(names)


def _tables(raw: Mapping[str, Any]) -> dict[str, tuple[Row, ...]]:
    made = {}
    for name, table in raw.items():
        at: At = ("data", name)
        if isinstance(table, list):
            for i, row in enumerate(table):
                if not isinstance(row, dict):
                    raise Problem((*at, i), "a row is a map of fields")
            made[name] = tuple(Row({"n": i + 1, **row}, name) for i, row in enumerate(table))
        elif isinstance(table, dict) and set(table) == {"count", "fields"}:
            made[name] = tuple(_generated(table["fields"], i, name) for i in range(int(table["count"])))
        else:
            raise Problem(at, "a table is a list of rows, or {count: N, fields: {...}}")
    return made


def _generated(fields: Mapping[str, Any], index: int, table: str) -> Row:
    row: dict[str, Any] = {"n": index + 1}
    for key, values in fields.items():
        value = values[index % len(values)] if isinstance(values, list) else values
        row[key] = value.replace("{n}", str(index + 1)) if isinstance(value, str) else value
    return Row(row, table)


def _inherit(pages: Mapping[str, Any], name: str, at: At, seen: tuple[str, ...] = ()) -> dict[str, Any]:
    """Merge what `like` names under the page, keep `with` for the caller to replace once."""
    page = pages[name]
    if not isinstance(page, dict):
        raise Problem(at, "a page is a map")
    base = page.get("like")
    if base is None:
        return dict(page)
    if base not in pages or base in seen or base == name:
        raise Problem((*at, "like"), f"{base!r} is not another page (or leads back to this one)")
    return _merged(
        _inherit(pages, base, ("pages", base), (*seen, name)), {k: v for k, v in page.items() if k != "like"}
    )


def _merged(under: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    out = dict(under)
    for key, value in over.items():
        deep = isinstance(value, dict) and isinstance(out.get(key), dict)
        out[key] = _merged(out[key], value) if deep else value
    return out


def _overlay_ids(shared: Mapping[str, Any], pages: Mapping[str, Any]) -> frozenset[str]:
    own = {f"{p}+{o}" for p, raw in pages.items() for o in raw.get("overlays") or {}}
    return frozenset(own | {f"+{o}" for o in shared})


def _pages(raw: Mapping[str, Any], pages: Mapping[str, Any], scope: Scope) -> dict[str, Page]:
    made: dict[str, Page] = {}
    bars = raw.get("bars") or {}
    for name, overlay in (raw.get("overlays") or {}).items():
        made[f"+{name}"] = _overlay(overlay, f"+{name}", ("overlays", name), scope.on(""))
    for name, page in pages.items():
        at: At = ("pages", name)
        values = {str(k): str(v) for k, v in (page.get("with") or {}).items()}
        made[name] = _page(replaced(page, values), name, at, scope.on(name), bars, str(raw["start"]))
        for key, overlay in (page.get("overlays") or {}).items():
            where = (*at, "overlays", key)
            made[f"{name}+{key}"] = _overlay(
                replaced(overlay, values), f"{name}+{key}", where, scope.on(name)
            )
    return made


def _gate(raw: Any, at: At, scope: Scope) -> Gate:
    if not isinstance(raw, dict) or set(raw) != {"unless", "page"}:
        raise Problem(at, "a gate is {unless: EXPRESSION, page: PAGE}")
    return Gate(expression(raw["unless"], (*at, "unless"), scope), scope.target(raw["page"], (*at, "page")))


def _page(raw: dict[str, Any], name: str, at: At, scope: Scope, bars: Mapping[str, Any], start: str) -> Page:
    known(raw, _PAGE_KEYS, at)
    barless = not {"title", "nav", "actions"} & set(raw)
    nav = "none" if barless else str(raw.get("nav", "none" if name == start else "back"))
    nav_tap: tuple[Effect, ...] = ()
    if nav not in ("back", "close", "none"):
        nav_tap, nav = (Go(scope.target(nav, (*at, "nav"))),), "drawer"
    looks, seconds = _loading(raw.get("loading", 0), at)
    if raw.get("permission", "location") not in PERMISSIONS:
        raise Problem((*at, "permission"), f"one of {', '.join(sorted(PERMISSIONS))}")
    tabs = _bar(bars, raw.get("tabs"), "switch", (*at, "tabs"), scope)
    swipe = _swipes(raw, name, tabs, at, scope)
    page = Page(
        id=name,
        kind="page",
        title=None if barless else text(raw.get("title", ""), (*at, "title"), scope),
        subtitle=text(raw["subtitle"], (*at, "subtitle"), scope) if "subtitle" in raw else None,
        nav=nav,
        nav_tap=nav_tap,
        actions=tuple(widget(a, (*at, "actions", i), scope) for i, a in enumerate(raw.get("actions") or [])),
        tabs=tabs,
        bottom=_bar(bars, raw.get("bottom"), "root", (*at, "bottom"), scope),
        lit=str(raw.get("bar_item", name)),
        body=widgets(raw.get("body") or [], (*at, "body"), scope),
        footer=widgets(raw.get("footer") or [], (*at, "footer"), scope),
        fab=widget(raw["fab"], (*at, "fab"), scope) if raw.get("fab") else None,
        activity=str(raw.get("activity", "")),
        item=_item(raw.get("item", ""), at, scope),
        loading_looks=looks,
        loading_seconds=seconds,
        permission=str(raw.get("permission", "")),
        requires=_gate(raw["requires"], (*at, "requires"), scope) if raw.get("requires") else None,
        back=effects(_back(raw.get("back")), (*at, "back"), scope),
        open=effects(raw.get("open"), (*at, "open"), scope),
        swipe=swipe,
        secure=literal(raw.get("secure", False), bool, (*at, "secure")),
    )
    return _with_names(page, scope)


def _overlay(raw: Any, name: str, at: At, scope: Scope) -> Page:
    if not isinstance(raw, dict):
        raise Problem(at, "an overlay is a map with `kind`")
    known(raw, _OVERLAY_KEYS, at)
    if raw.get("kind") not in _KINDS:
        raise Problem((*at, "kind"), f"one of {', '.join(_KINDS)}")

    def label(key: str) -> Text | None:
        return text(raw[key], (*at, key), scope) if key in raw else None

    page = Page(
        id=name,
        kind=raw["kind"],
        title=label("title"),
        subtitle=label("subtitle"),
        text=label("text"),
        body=widgets(raw.get("body") or [], (*at, "body"), scope)
        + tuple(entry(e, (*at, "items", i), scope, "go") for i, e in enumerate(raw.get("items") or [])),
        buttons=tuple(
            entry(e, (*at, "buttons", i), scope, "go") for i, e in enumerate(raw.get("buttons") or [])
        ),
        open=effects(raw.get("open"), (*at, "open"), scope),
        back=effects(_back(raw.get("back")), (*at, "back"), scope),
        cancelable=literal(raw.get("cancelable", True), bool, (*at, "cancelable")),
    )
    return _with_names(page, scope)


def _back(raw: Any) -> Any:
    if raw in ("home", "root", "pop", None):
        return {"home": {"home": True}, "root": {"back": 99}}.get(raw) if raw else None
    return raw


def _item(table: Any, at: At, scope: Scope) -> str:
    if table and table not in scope.tables:
        raise Problem((*at, "item"), f"no table {table!r}; tables are {', '.join(sorted(scope.tables))}")
    return str(table)


def _loading(raw: Any, at: At) -> tuple[int, float]:
    if isinstance(raw, int) and not isinstance(raw, bool):
        return raw, 0.0
    if isinstance(raw, dict) and set(raw) <= {"looks", "seconds"}:
        return int(raw.get("looks", 0)), float(raw.get("seconds", 0.0))
    raise Problem((*at, "loading"), "a number of looks, or {seconds: N}")


def _bar(bars: Mapping[str, Any], name: Any, how: str, at: At, scope: Scope) -> tuple[Widget, ...]:
    if not name:
        return ()
    if not isinstance(name, str) or name not in bars:
        raise Problem(at, f"no bar {name!r}; bars are {', '.join(sorted(bars)) or 'none'}")
    return tuple(entry(e, ("bars", name, i), scope, how) for i, e in enumerate(bars[name]))


def _swipes(
    raw: Mapping[str, Any], name: str, tabs: tuple[Widget, ...], at: At, scope: Scope
) -> dict[str, str]:
    swipe = {k: scope.target(v, (*at, "swipe", k)) for k, v in (raw.get("swipe") or {}).items()}
    if not set(swipe) <= _DIRECTIONS:
        raise Problem((*at, "swipe"), "directions are left, right, up and down")
    goes = [t.tap[0].to for t in tabs if t.tap and isinstance(t.tap[0], Go)]
    here = str(raw.get("bar_item", name)) if name not in goes else name
    if here in goes:
        i = goes.index(here)
        if i + 1 < len(goes):
            swipe.setdefault("left", goes[i + 1])
        if i:
            swipe.setdefault("right", goes[i - 1])
    return swipe


def _with_names(page: Page, scope: Scope) -> Page:
    """Take down what the page's looks depend on: what is set, and what moves by itself."""
    names: set[str] = set()
    moving: list[Moving] = []

    def depends(part: Text | Expr | None, table: str = "") -> None:
        if part is None:
            return
        # A row has other values on each line: there the clock itself has to do.
        if part.names & _CLOCKS and "row" not in part.names:
            moving.append(Moving(part, table))
            names.update(part.names - _CLOCKS)
        else:
            names.update(part.names)

    for label in (page.title, page.subtitle, page.text):
        depends(label)
    stack = [*page.body, *page.footer, *page.buttons, *page.actions, *page.tabs, *page.bottom]
    stack += [page.fab] if page.fab else []
    while stack:
        w = stack.pop()
        for part in (w.label, w.when, *w.texts.values()):
            depends(part)
        chosen = "where" in w.exprs or "search" in w.props
        for kind, expr in w.exprs.items():
            depends(expr, w.props["table"] if kind == "rotate" and not chosen else "")
        names |= {w.props[k] for k in ("bind", "search", "table") if k in w.props}
        stack += [*w.parts, *w.empty, *([w.template] if w.template else [])]
    if "language" in scope.state:
        names.add("language")
    return replace(page, names=tuple(sorted(names - {"row", "item"})), moving=tuple(moving))
