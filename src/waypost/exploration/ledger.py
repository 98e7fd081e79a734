"""What has been tried where, and what came of it: looks and transitions in, what is left to try out."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from waypost.mapping.controls import Control
from waypost.mapping.mapper import Mapper
from waypost.model import (
    Element,
    LongPress,
    NodeId,
    PageKind,
    Role,
    Screen,
    Swipe,
    Tap,
    Transition,
    TransitionKind,
    TypeText,
)

__all__ = ["Ledger"]

ROWS_AGREE = 3
"""Rows of one list that must lead to one page before the others are held to lead there too."""
ROWS_STAY = 4
"""The same, where the rows lead nowhere."""
ROWS_MOST = 6
"""The most rows that are asked for, however long the list."""
PAGES_AGREE = 4
"""Pages on which the same control must lead to one place before it is held to do so everywhere."""


class Ledger:
    """Derived from the graph alone, so that an exploration can be taken up again."""

    def __init__(self, mapper: Mapper) -> None:
        self.mapper = mapper
        self.controls: dict[NodeId, dict[str, Control]] = {}
        self.barred: set[NodeId] = set()
        """Pages where something is disabled, or where a button led nowhere, while a field is empty."""
        self._rebuild()

    def _rebuild(self) -> None:
        self.outcomes: dict[tuple[NodeId, str], Counter[NodeId]] = defaultdict(Counter)
        self.leaving: dict[NodeId, set[str]] = defaultdict(set)
        self._rows: dict[tuple[NodeId, str], dict[str, set[NodeId]]] = defaultdict(dict)
        self._alike: dict[str, dict[NodeId, set[NodeId]]] = defaultdict(dict)
        self._nodes = len(self.mapper.graph.nodes)
        for transition in self.mapper.graph.transitions.values():
            self._take(transition, transition.successes)
        kept = self.controls
        self.controls = {}
        for node, known in kept.items():
            self.controls.setdefault(self.mapper.resolve(node), {}).update(known)
        self.barred = {self.mapper.resolve(n) for n in self.barred}

    def count(self, transition: Transition) -> None:
        """Take down one step more."""
        if any(n not in self.mapper.graph.nodes for n in self.controls):
            self._rebuild()  # Pages were found to be one.
            return
        self._take(transition, 1)

    def _take(self, transition: Transition, times: int) -> None:
        source, key, target = transition.source, transition.key, transition.target
        self.outcomes[source, key][target] += times
        self.leaving[source].add(key)
        if self.mapper.graph.nodes[target].kind is not PageKind.PAGE:
            return
        row = _row_key(transition)
        if row:
            self._rows[source, row].setdefault(key, set()).add(target)
        if transition.kind is TransitionKind.NAVIGATION:
            self._alike[key].setdefault(source, set()).add(target)

    def note(self, node: NodeId, controls: Iterable[Control], screen: Screen) -> int:
        """Take down what a look offers; return how many controls are new on the page."""
        known = self.controls.setdefault(node, {})
        before = len(known)
        for control in controls:
            known[control.key] = control
        if _bars(screen):
            self.barred.add(node)
        self.refresh(node)
        return len(known) - before

    def refresh(self, node: NodeId) -> None:
        """Tell the map what is left to try on a page."""
        known = self.controls.get(node, {})
        left = [k for k in self.mapper.graph.untried.get(node, ()) if k not in known]
        self.mapper.set_untried(node, [*(k for k, c in known.items() if self.open(node, c)), *left])

    def open(self, node: NodeId, control: Control) -> bool:
        """Whether trying it may still teach something."""
        if (node, control.key) in self.outcomes or (node, control.key) in self.mapper.graph.skipped:
            return False
        if isinstance(control.action, TypeText) and node not in self.barred:
            return False
        return not self.covered(node, control)

    def covered(self, node: NodeId, control: Control) -> bool:
        """Whether its likes tell what it does: rows of one list, or the same control on other pages."""
        if control.template:
            row = f"{_verb(control.action)}:{control.template}"
            rows = self._rows.get((node, row), {})
            targets = set().union(*rows.values()) if rows else set()
            return len(rows) >= self._enough(node, control, targets) and len(targets) == 1
        elsewhere = self._alike.get(control.key, {})
        if len(elsewhere) < PAGES_AGREE:
            return False
        targets = set().union(*elsewhere.values())
        return len(targets) == 1 and node not in targets

    def _enough(self, node: NodeId, control: Control, targets: set[NodeId]) -> int:
        """Say how many rows must agree: half of a short list, a few of a long one."""
        if isinstance(control.action, LongPress):
            return 1
        alike = sum(1 for c in self.controls.get(node, {}).values() if c.template == control.template)
        return max(ROWS_STAY if targets == {node} else ROWS_AGREE, min(alike // 2, ROWS_MOST))

    def rows_tried(self, node: NodeId, control: Control) -> tuple[int, int]:
        """How many rows like it were tried, and to how many pages they led."""
        rows = self._rows.get((node, f"{_verb(control.action)}:{control.template}"), {})
        return len(rows), len(set().union(*rows.values())) if rows else 0

    def seen_elsewhere(self, key: str) -> tuple[int, bool]:
        """On how many pages the same control was tried, and whether it always led to one place."""
        elsewhere = self._alike.get(key, {})
        return len(elsewhere), len(set().union(*elsewhere.values())) == 1 if elsewhere else False

    def stays(self, node: NodeId) -> list[Control]:
        """Buttons of a page that were tried and led nowhere."""
        return [
            c
            for k, c in self.controls.get(node, {}).items()
            if isinstance(c.action, Tap)
            and c.action.target is not None
            and c.action.target.role in (Role.BUTTON, Role.LINK, Role.GROUP)
            and not c.template
            and set(self.outcomes.get((node, k), ())) == {node}
        ]

    def figures(self) -> tuple[int, int]:
        """Count what was tried and what is left, each once a page."""
        return len(self.outcomes), sum(len(keys) for keys in self.mapper.graph.untried.values())


def _verb(action: object) -> str:
    return type(action).__name__


def _row_key(transition: Transition) -> str:
    target = getattr(transition.action, "target", None)
    if target is None or not target.template or isinstance(transition.action, Swipe):
        return ""
    return f"{_verb(transition.action)}:{target.template}"


def _bars(screen: Screen) -> bool:
    """Whether a disabled button waits for a field to be filled in, and no secret is asked."""
    fields = [e for e in screen.visible() if e.role is Role.FIELD]
    if not fields or any(e.password for e in fields):
        return False
    return any(_waits(e) for e in screen.visible())


def _waits(element: Element) -> bool:
    return not element.enabled and element.role in (Role.BUTTON, Role.LINK, Role.IMAGE)
