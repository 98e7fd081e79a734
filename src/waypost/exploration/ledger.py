"""What has been tried where, and what came of it: looks and transitions in, what is left to try out."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from waypost.exploration.yields import Yields
from waypost.mapping.addresses import lies_over
from waypost.mapping.controls import Control, controls
from waypost.mapping.layers import LayerKind
from waypost.mapping.mapper import Mapper
from waypost.mapping.match import asks_other
from waypost.mapping.signature import Signature, layer_mark
from waypost.mapping.stored import signed
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
_STAYS, _BELOW, _OVER = "stays", "below", "over:"
_DRAWER = f"{_OVER}{LayerKind.DRAWER.value}:"
_RELATIVE = {_STAYS, _BELOW}
"""Effects that are the same on many pages: none, the layer closes, a layer of that content opens."""


class Ledger:
    """Derived from the graph alone, so that an exploration can be taken up again."""

    def __init__(self, mapper: Mapper) -> None:
        self.mapper = mapper
        self.controls: dict[NodeId, dict[str, Control]] = {}
        self.barred: set[NodeId] = set()
        """Pages where something is disabled, or where a button led nowhere, while a field is empty."""
        self._parted = len(mapper.levels.parted)
        self._rebuild()

    def _rebuild(self) -> None:
        self.outcomes: dict[tuple[NodeId, str], Counter[NodeId]] = defaultdict(Counter)
        self.leaving: dict[NodeId, set[str]] = defaultdict(set)
        self._rows: dict[tuple[NodeId, str], dict[str, set[NodeId]]] = defaultdict(dict)
        self._alike: dict[str, dict[NodeId, set[str]]] = defaultdict(dict)
        self._founding: dict[NodeId, Signature | None] = {}
        self.yields = Yields()
        root = self.mapper.graph.root
        self._seen: set[NodeId] = set() if root is None else {root}
        self._plain: dict[str, NodeId] = {}
        """Pages without a layer, by their address."""
        self._drawers: dict[tuple[str, str], NodeId] = {}
        """Drawers, by the address that they lie over and what opening them is called."""
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
        parted = self.mapper.levels.parted[self._parted :]
        if parted or any(n not in self.mapper.graph.nodes for n in self.controls):
            self._rebuild()  # Pages were found to be one, or one to be several.
            for node in parted:
                self._reread(node)
            self._parted += len(parted)
            return
        self._take(transition, 1)

    def _reread(self, node: NodeId) -> None:
        """Take down what a page offers by its looks alone."""
        screens = [look.observation.screen for look in self.mapper.graph.nodes[node].looks]
        self.controls[node] = {c.key: c for screen in screens for c in controls(screen)}
        self.refresh(node)

    def _take(self, transition: Transition, times: int) -> None:
        source, key, target = transition.source, transition.key, transition.target
        self._weigh(transition)
        self.outcomes[source, key][target] += times
        self.leaving[source].add(key)
        if self.mapper.graph.nodes[target].kind is not PageKind.PAGE:
            return
        row = _row_key(transition)
        if row:
            self._rows[source, row].setdefault(key, set()).add(target)
        if transition.kind is TransitionKind.NAVIGATION:
            self._alike[self._at(source, key)].setdefault(source, set()).add(self._effect(source, target))

    def _weigh(self, transition: Transition) -> None:
        """Take down whether a control, tried for the first time, led to a page never seen."""
        target = transition.target
        new = target not in self._seen and self.mapper.graph.nodes[target].kind is PageKind.PAGE
        first = (transition.source, transition.key) not in self.outcomes
        # What a drag brings into view is told by whoever drags: it leads to no page.
        if (first or new) and not isinstance(transition.action, Swipe):
            self.yields.tried(transition.action, paid=new)
        if new:
            self._seen.add(target)

    def note(self, node: NodeId, offered: Iterable[Control], screen: Screen) -> int:
        """Take down what a look offers; return how many controls are new on the page."""
        known = self.controls.setdefault(node, {})
        before = len(known)
        for control in offered:
            known[control.key] = control
        if _bars(screen):
            self.barred.add(node)
        self.refresh(node)
        return len(known) - before

    def known(self, node: NodeId) -> int:
        """Count the controls that a page was seen to have."""
        return len(self.controls.get(node, ()))

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
        elsewhere = self._alike.get(self._at(node, control.key), {})
        twins = {other: effects for other, effects in elsewhere.items() if self._twins(node, other)}
        if twins:
            elsewhere = twins
        elif len(elsewhere) < PAGES_AGREE:
            return False
        effects = set().union(*elsewhere.values())
        if len(effects) != 1 or not self._foretold(node, next(iter(effects))):
            return False
        # From nearer the start it would be a shorter way.
        return effects <= _RELATIVE or not self._nearest(node, elsewhere)

    def _nearest(self, node: NodeId, others: Iterable[NodeId]) -> bool:
        nodes = self.mapper.graph.nodes
        return 0 <= nodes[node].depth < min((nodes[n].depth for n in others if n in nodes), default=0)

    def _twins(self, node: NodeId, other: NodeId) -> bool:
        """Whether two pages are one layer, opened over two pages of a web app."""
        a, b = self._look(node), self._look(other)
        if a is None or b is None or not a.path or a.layer is not b.layer or a.layer is LayerKind.PAGE:
            return False
        if lies_over(a.route) == lies_over(b.route):
            return False
        return layer_mark(a) == layer_mark(b) and not asks_other(a, b)

    def _at(self, node: NodeId, key: str) -> str:
        """Name a control apart for pages and for layers: what opens a menu may close it there."""
        s = self._look(node)
        return f"{s.layer.value}|{key}" if s is not None and s.path else key

    def _effect(self, source: NodeId, target: NodeId) -> str:
        """Say what a step did, as seen from where it was done: on a web app, layers belong to their pages."""
        if source == target:
            return _STAYS
        a, b = self._look(source), self._look(target)
        if a is None or b is None or not a.path or lies_over(a.route) != lies_over(b.route):
            return target
        if b.layer is not LayerKind.PAGE:
            return f"{_OVER}{layer_mark(b)}"
        return _BELOW if a.layer is not LayerKind.PAGE else target

    def foreseen(self, node: NodeId) -> list[tuple[str, NodeId]]:
        """Return where controls of a web app lead that did the same on other pages.

        Entries of a drawer, as tried in the same drawer over other pages; what opens or closes one.
        """
        s = self._look(node)
        if s is None or not s.path:
            return []
        found = []
        for key in self.controls.get(node, ()):
            elsewhere = {} if (node, key) in self.outcomes else self._alike.get(self._at(node, key), {})
            effects = set().union(*elsewhere.values()) if elsewhere else set()
            target = self._expected(s, effects.pop()) if len(effects) == 1 else None
            if target is not None:
                found.append((key, target))
        return found

    def _expected(self, s: Signature, effect: str) -> NodeId | None:
        """Return the known page that an effect would show, seen from a look."""
        below = lies_over(s.route)
        if effect == _BELOW:
            return self._plain.get(below)
        if effect.startswith(_DRAWER):
            return self._drawers.get((below, effect))
        known = s.layer is LayerKind.DRAWER and effect in self.mapper.graph.nodes
        return NodeId(effect) if known else None

    def _foretold(self, node: NodeId, effect: str) -> bool:
        """Whether the same effect on this page would show nothing new."""
        if effect == _BELOW:
            s = self._look(node)
            return s is not None and lies_over(s.route) in self._plain
        # A way around the app is worth having on every page.
        return effect != node and not effect.startswith(_DRAWER)

    def _look(self, node: NodeId) -> Signature | None:
        """Read the founding look of a page."""
        if node not in self._founding:
            known = self.mapper.graph.nodes.get(node)
            s = signed(known.looks[0]) if known and known.looks else None
            self._founding[node] = s
            if s is not None and s.path and s.layer is LayerKind.PAGE:
                self._plain.setdefault(s.route, node)
            elif s is not None and s.path and s.layer is LayerKind.DRAWER:
                self._drawers.setdefault((lies_over(s.route), f"{_OVER}{layer_mark(s)}"), node)
        return self._founding[node]

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

    def seen_elsewhere(self, node: NodeId, key: str) -> tuple[int, bool]:
        """On how many pages the same control was tried, and whether it always led to one place."""
        elsewhere = self._alike.get(self._at(node, key), {})
        effects = set().union(*elsewhere.values()) if elsewhere else set()
        return len(elsewhere), len(effects) == 1

    def uncovers(self, node: NodeId, key: str) -> bool:
        """Whether a control that closes a layer everywhere would show a page that is not on the map yet."""
        elsewhere = self._alike.get(self._at(node, key), {})
        closes = bool(elsewhere) and set().union(*elsewhere.values()) == {_BELOW}
        return closes and not self._foretold(node, _BELOW)

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
