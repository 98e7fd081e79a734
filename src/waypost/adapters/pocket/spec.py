"""The compiled app: what `load` makes of a YAML file and everything else in this room reads."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from waypost.adapters.pocket.expr import Env, Expr, Row, Text

__all__ = [
    "Add",
    "Append",
    "Ask",
    "Back",
    "Branch",
    "Crash",
    "Effect",
    "External",
    "Gate",
    "Go",
    "Home",
    "Moving",
    "Page",
    "Proceed",
    "Remove",
    "SetVar",
    "Spec",
    "Toast",
    "Toggle",
    "Widget",
]


@dataclass(frozen=True, slots=True)
class Go:
    to: str
    """Id of a page or overlay within the app."""
    how: str = "go"
    """`go` pushes, `switch` replaces, `root` puts it on the start page."""
    table: str = ""
    index: int = 0
    """Row of `table` that becomes the item; the row or item around where `table` is empty."""


@dataclass(frozen=True, slots=True)
class Back:
    count: int = 1


@dataclass(frozen=True, slots=True)
class Home:
    pass


@dataclass(frozen=True, slots=True)
class Proceed:
    pass


@dataclass(frozen=True, slots=True)
class SetVar:
    name: str
    value: Any = None
    expr: Expr | None = None


@dataclass(frozen=True, slots=True)
class Toggle:
    name: str


@dataclass(frozen=True, slots=True)
class Add:
    name: str
    amount: Any


@dataclass(frozen=True, slots=True)
class Append:
    table: str
    values: tuple[tuple[str, Text], ...]


@dataclass(frozen=True, slots=True)
class Remove:
    table: str


@dataclass(frozen=True, slots=True)
class Toast:
    text: Text


@dataclass(frozen=True, slots=True)
class Ask:
    permission: str


@dataclass(frozen=True, slots=True)
class External:
    package: str
    title: Text
    text: Text


@dataclass(frozen=True, slots=True)
class Crash:
    pass


@dataclass(frozen=True, slots=True)
class Branch:
    test: Expr
    then: "tuple[Effect, ...]"
    other: "tuple[Effect, ...]"


Effect: TypeAlias = (
    Go
    | Back
    | Home
    | Proceed
    | SetVar
    | Toggle
    | Add
    | Append
    | Remove
    | Toast
    | Ask
    | External
    | Crash
    | Branch
)


@dataclass(frozen=True, slots=True, eq=False)
class Widget:
    """One widget, or one entry of a bar, menu, button row, grid."""

    kind: str
    path: str
    """Where it stands in the file: `pages.inbox.body[2]`."""
    label: Text
    texts: Mapping[str, Text] = field(default_factory=dict)
    exprs: Mapping[str, Expr] = field(default_factory=dict)
    props: Mapping[str, Any] = field(default_factory=dict)
    """Literal properties: icon, style, size, ids, bind, columns ..."""
    when: Expr | None = None
    tap: tuple[Effect, ...] = ()
    long: tuple[Effect, ...] = ()
    more: tuple[Effect, ...] = ()
    enter: tuple[Effect, ...] = ()
    hazard: str = ""
    parts: "tuple[Widget, ...]" = ()
    empty: "tuple[Widget, ...]" = ()
    template: "Widget | None" = None


@dataclass(frozen=True, slots=True)
class Gate:
    """`page` comes first unless `unless` holds."""

    unless: Expr
    page: str


@dataclass(frozen=True, slots=True, eq=False)
class Moving:
    """What of a page changes by itself: a text, a condition or an order that depends on the clock."""

    part: Text | Expr
    table: str = ""
    """The rows that it turns round, all of them shown; empty where it is no order."""

    def value(self, env: Env) -> Any:
        return self.part.run(env) if self.part.run else self.part.source


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """A page or an overlay."""

    id: str
    """Within the app: `inbox`, `inbox+menu`, `+drawer`."""
    kind: str
    """`page`, `menu`, `dialog`, `sheet` or `drawer`."""
    title: Text | None = None
    subtitle: Text | None = None
    text: Text | None = None
    nav: str = "none"
    """`back`, `close`, `none` or `drawer`."""
    nav_tap: tuple[Effect, ...] = ()
    actions: tuple[Widget, ...] = ()
    tabs: tuple[Widget, ...] = ()
    bottom: tuple[Widget, ...] = ()
    lit: str = ""
    """The page whose bar entry is shown as selected."""
    body: tuple[Widget, ...] = ()
    footer: tuple[Widget, ...] = ()
    buttons: tuple[Widget, ...] = ()
    fab: Widget | None = None
    activity: str = ""
    item: str = ""
    loading_looks: int = 0
    loading_seconds: float = 0.0
    permission: str = ""
    requires: Gate | None = None
    back: tuple[Effect, ...] = ()
    open: tuple[Effect, ...] = ()
    swipe: Mapping[str, str] = field(default_factory=dict)
    """By finger direction, the page that replaces this one."""
    secure: bool = False
    cancelable: bool = True
    names: tuple[str, ...] = ()
    """Variables and tables that what is seen depends on; the clock only where `moving` cannot tell how."""
    moving: tuple[Moving, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Spec:
    app: str
    package: str
    name: Text
    icon: str
    color: str
    style: str
    activity: str
    start: str
    splash: int
    badge: Text | None
    gate: Gate | None
    state: Mapping[str, Any]
    volatile: frozenset[str]
    data: Mapping[str, tuple[Row, ...]]
    pages: Mapping[str, Page]
    """Pages and overlays by id."""
    version: str = "1.0"
    """What its build is called, as the phone's package manager would tell it."""
    ad_rate: float = 0.0
    ad_title: str = ""
    ad_text: str = ""
    crash_rate: float = 0.0

    def full(self, page: str) -> str:
        """The id with the app in front, as truth and labels write it."""
        return f"{self.app}/{page}"
