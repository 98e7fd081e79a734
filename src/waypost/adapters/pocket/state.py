"""What one app remembers and is showing: effects in, a changed stack of pages and changed variables out."""

import random
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from waypost.adapters.pocket.expr import Row
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
    Page,
    Proceed,
    Remove,
    SetVar,
    Spec,
    Toast,
    Toggle,
    Widget,
)

__all__ = ["Clock", "Entry", "Session"]

_TOAST_LOOKS = 2


class Clock:
    """The phone's own time: it moves only when something is done or looked at."""

    __slots__ = ("looks", "now")

    def __init__(self, now: float) -> None:
        self.now = now
        self.looks = 0


@dataclass(slots=True)
class Entry:
    """One page or overlay on the stack."""

    page: Page
    item: Row | None = None
    loading_looks: int = 0
    ready_at: float = 0.0
    scroll: dict[str, int] = field(default_factory=dict)
    """Pixels, by container."""


class Session:
    """One app: its variables and tables, its stack, and what lies in front of it."""

    def __init__(self, spec: Spec, clock: Clock, seed: int) -> None:
        self.spec = spec
        self.clock = clock
        self.rng = random.Random(f"{seed}:{spec.app}")
        self.vars: dict[str, Any] = dict(spec.state)
        self.tables: dict[str, tuple[Row, ...]] = dict(spec.data)
        self.answered: dict[str, bool] = {}
        """Permissions, whether granted."""
        self.stack: list[Entry] = []
        self.row: Row | None = None
        self._clear()

    def _clear(self) -> None:
        self.field: Widget | None = None
        """The field that has the focus."""
        self.keyboard = False
        self.toast = ""
        self.toast_looks = 0
        self.prompt = ""
        self.external: tuple[str, str, str] | None = None
        """Package, title and text of another app in front."""
        self.ad = False
        self.crashed = False
        self.splash = 0
        self.left = False
        """The app asked to go to the launcher; the device takes it from here."""
        self._gates: list[tuple[int, str, Row | None]] = []

    def copy(self) -> "Session":
        """A session that goes its own way from here."""
        twin = copy(self)
        twin.vars = dict(self.vars)
        twin.tables = dict(self.tables)
        twin.answered = dict(self.answered)
        twin.stack = [Entry(e.page, e.item, e.loading_looks, e.ready_at, dict(e.scroll)) for e in self.stack]
        twin._gates = list(self._gates)
        return twin

    # Names of expressions.

    def value(self, name: str) -> Any:
        if name in self.vars:
            return self.vars[name]
        if name in self.tables:
            return self.tables[name]
        match name:
            case "row":
                return self.row
            case "item":
                return self.top.item if self.stack else None
            case "clock":
                minutes = int(self.clock.now // 60)
                return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"
            case "date":
                return f"Day {int(self.clock.now // 86400) % 365 + 1}"
            case "seconds":
                return int(self.clock.now) % 86400
            case _:
                return self.clock.looks

    # Life.

    @property
    def top(self) -> Entry:
        return self.stack[-1]

    @property
    def base(self) -> Entry:
        """The page that the overlays on top lie over."""
        return next(e for e in reversed(self.stack) if e.page.kind == "page")

    def start(self) -> None:
        """Start afresh: volatile variables, the splash, the first page or its gate."""
        self._clear()
        for name in self.spec.volatile:
            self.vars[name] = self.spec.state[name]
        self.stack = []
        self.splash = self.spec.splash
        gate = self.spec.gate
        if gate and not gate.unless.run(self):
            self._gates.append((0, self.spec.start, None))
            self._push(self.spec.pages[gate.page], None)
        else:
            self._push(self.spec.pages[self.spec.start], None)

    def looked(self) -> None:
        """Count a look: splash, spinners and snackbars pass."""
        self.pass_looks(1)

    def pass_looks(self, looks: int) -> None:
        if self.splash:
            self.splash = max(0, self.splash - looks)
            return
        if self.toast_looks:
            self.toast_looks = max(0, self.toast_looks - looks)
        if self.stack and self.top.loading_looks:
            self.top.loading_looks = max(0, self.top.loading_looks - looks)

    def front(self) -> str:
        """What lies in front of the page, if anything does."""
        if self.crashed:
            return "crash"
        if self.splash:
            return "splash"
        if self.external:
            return "external"
        if self.ad:
            return "ad"
        return "permission" if self.prompt else ""

    @property
    def loading(self) -> bool:
        entry = self.base
        return entry.loading_looks > 0 or self.clock.now < entry.ready_at

    # Doing.

    def run(self, effects: Sequence[Effect], row: Row | None = None, *, closed: int = 0) -> None:
        """Do effects in order; `closed` overlays were closed already and count for the first Back."""
        for effect in effects:
            self.row = row
            closed = self._do(effect, row, closed)
        self.row = None

    def _do(self, effect: Effect, row: Row | None, closed: int) -> int:
        match effect:
            case Go():
                self._go(effect, row)
            case Back(count=count):
                self._pop(count - closed)
                return 0
            case Home():
                self.left = True
            case Proceed():
                self._proceed()
            case Branch(test=test, then=then, other=other):
                self.run(then if test.run(self) else other, row, closed=closed)
            case Ask(permission=permission):
                self.ask(permission)
            case External(package=package, title=title, text=text):
                self.external = (package, title.show(self), text.show(self))
            case Crash():
                self.crashed = True
            case _:
                self._change(effect, row)
        return closed

    def _change(self, effect: Effect, row: Row | None) -> None:
        match effect:
            case SetVar(name=name, value=value, expr=expr):
                self.vars[name] = expr.run(self) if expr else value
            case Toggle(name=name):
                self.vars[name] = not self.vars[name]
            case Add(name=name, amount=amount):
                self.vars[name] += amount
            case Append(table=table, values=values):
                rows = self.tables[table]
                made = {"n": len(rows) + 1, **{k: t.show(self) for k, t in values}}
                self.tables[table] = (*rows, Row(made, table))
            case Remove(table=table):
                gone = self._meant(table, row)
                self.tables[table] = tuple(r for r in self.tables[table] if r is not gone)
            case Toast(text=text):
                self.toast, self.toast_looks = text.show(self), _TOAST_LOOKS
            case _:
                raise ValueError(f"No such effect: {effect!r}")

    def _meant(self, table: str, row: Row | None) -> Row | None:
        for candidate in (row, self.top.item if self.stack else None):
            if candidate is not None and candidate.table == table:
                return candidate
        return None

    def ask(self, permission: str) -> None:
        if permission not in self.answered:
            self.prompt = permission

    def answer(self, granted: bool) -> None:
        self.answered[self.prompt] = granted
        self.prompt = ""

    def _go(self, go: Go, row: Row | None) -> None:
        page = self.spec.pages[go.to]
        item = self._item(page, go, row)
        if page.kind != "page":
            self._push(page, item)
            return
        self._drop_overlays()
        if go.how == "root":
            self.stack = self.stack[:1] if self.stack[0].page.id == self.spec.start else []
            if self.stack and page.id == self.spec.start:
                return
            if not self.stack and page.id != self.spec.start:
                self._push(self.spec.pages[self.spec.start], None)
        elif go.how == "switch":
            self.stack.pop()
        self._enter(page, item)

    def _item(self, page: Page, go: Go, row: Row | None) -> Row | None:
        table = go.table or page.item
        if go.table:
            rows = self.tables[go.table]
            return rows[go.index] if go.index < len(rows) else None
        if not table:
            return row if row is not None else self.top.item
        meant = self._meant(table, row)
        if meant is None and self.tables[table]:
            return self.tables[table][0]
        return meant

    def _enter(self, page: Page, item: Row | None) -> None:
        """Open a page as a user does: its gate, an ad or a crash may come first."""
        gate = page.requires
        if gate and not gate.unless.run(self):
            self._gates.append((len(self.stack), page.id, item))
            self._push(self.spec.pages[gate.page], None)
            return
        self._push(page, item)
        if self.spec.ad_rate and self.rng.random() < self.spec.ad_rate:
            self.ad = True
        if self.spec.crash_rate and self.rng.random() < self.spec.crash_rate:
            self.crashed = True

    def _push(self, page: Page, item: Row | None) -> None:
        self._hide_keyboard()
        entry = Entry(page, item, page.loading_looks)
        if page.loading_seconds:
            entry.ready_at = self.clock.now + page.loading_seconds
        self.stack.append(entry)
        if page.permission:
            self.ask(page.permission)
        if page.open:
            self.run(page.open)

    def _hide_keyboard(self) -> None:
        self.keyboard = False
        self.field = None

    def _drop_overlays(self) -> None:
        while self.stack and self.top.page.kind != "page":
            self.stack.pop()

    def focus(self, field: Widget) -> None:
        self.field = field
        self.keyboard = True

    def enter(self) -> None:
        """Take the enter key: what the focused field says, and the keyboard goes."""
        effects = self.field.enter if self.field else ()
        self._hide_keyboard()
        self.run(effects)

    def type(self, text: str) -> None:
        """Replace the text of the focused field; without one the text goes nowhere."""
        if self.field is not None:
            self.vars[self.field.props["bind"]] = text

    def close_overlay(self) -> None:
        self.stack.pop()
        self._hide_keyboard()

    def _pop(self, count: int) -> None:
        for _ in range(count):
            if len(self.stack) > 1:
                self.stack.pop()
                self._hide_keyboard()
            elif count < 90:  # `back: root` is written as a large count and stops at the start page.
                self.left = True
                self.stack = []
                return

    def _proceed(self) -> None:
        if not self._gates:
            self._pop(1)
            return
        depth, page, item = self._gates.pop()
        self.stack = self.stack[:depth]
        self._enter(self.spec.pages[page], item)

    def back(self) -> None:
        """Take the Back key: what is in front first, then the keyboard, then the page's own way."""
        match self.front():
            case "crash":
                self.crashed, self.left, self.stack = False, True, []
            case "splash":
                self.left, self.stack = True, []
            case "external":
                self.external = None
            case "ad":
                self.ad = False
            case "permission":
                self.answer(False)
            case _ if self.keyboard:
                self._hide_keyboard()
            case _:
                self.up()

    def up(self) -> None:
        """Leave the page as its arrow does."""
        if self.top.page.back:
            self.run(self.top.page.back)
        elif self.top.page.kind == "page":
            self._forget_gate()
            self._pop(1)
        elif self.top.page.cancelable:
            self.close_overlay()

    def _forget_gate(self) -> None:
        if self._gates and self._gates[-1][0] == len(self.stack) - 1:
            self._gates.pop()
