"""What trying a control costs beyond getting there: the less it promises, the dearer."""

from waypost.exploration.ledger import Ledger
from waypost.exploration.scrolling import pulls
from waypost.mapping.controls import Control
from waypost.mapping.hazards import refuses
from waypost.model import Direction, Evidence, LongPress, NodeId, Role, Swipe, Tap, TypeText

__all__ = ["PROMISED", "price"]

_TOGGLES = (Role.CHECKBOX, Role.SWITCH, Role.RADIO, Role.SLIDER)
_A_PAGE, _WORN, _WORN_MOST = 3, 0.25, 8.0
"""Controls tried for each page found that are no sign of wear; what each one more costs; at most."""
PROMISED = 6.0
"""What a page is worth that is known to be there and was never seen: the most that a price is below 0."""
_AROUND = 3.0
_BARS = ("navigation", "tablist")
_IDLE_MOST = 2.0
"""What it costs at most that controls of a sort brought little: about a way to a list nearby and back."""
_UNKNOWN = 1.0
"""A control that an earlier session saw and this one has not seen yet."""


def price(ledger: Ledger, node: NodeId, key: str, control: Control | None) -> float:
    """Price a control of a page, in actions: 0 is a thing never met before, higher is tried later."""
    if control is None:
        return _UNKNOWN
    if ledger.uncovers(node, key):
        return -PROMISED
    cost = _by_kind(control) + _idle(ledger, control)
    if control.template:
        rows, targets = ledger.rows_tried(node, control)
        # Rows that led to a page each are the entries of a menu; rows that led to one page are its content.
        return cost + 0.2 + (0.9 * rows + _worn(ledger, node) if targets <= 1 else 0.9 * (rows - targets))
    if refuses(control.label):
        cost += 0.6  # What turns back can wait: a skipped introduction never comes again.
    pages, agreed = ledger.seen_elsewhere(node, key)
    if not pages and _leads_around(control):
        return cost - _AROUND
    return cost + _worn(ledger, node) + min(pages, 4) * (1.5 if agreed else 0.4)


def _idle(ledger: Ledger, control: Control) -> float:
    """Price the tries for nothing that controls of its sort took in this app for each that paid."""
    return min(_IDLE_MOST, 1.0 / ledger.yields.odds(control.action) - 1.0)


def _worn(ledger: Ledger, node: NodeId) -> float:
    """Price what a page has that has shown few pages for much trying: chips make ever new names."""
    tried = ledger.leaving.get(node, set())
    pages = {target for key in tried for target in ledger.outcomes[node, key]}
    return min(_WORN_MOST, _WORN * max(0, len(tried) - _A_PAGE * len(pages)))


def _leads_around(control: Control) -> bool:
    """Whether it is an entry of a drawer, a bar or tabs: menus are walked before content."""
    target = getattr(control.action, "target", None)
    if not isinstance(control.action, Tap) or target is None or target.role is Role.FIELD:
        return False
    return any(a.split(" ")[0] in _BARS for a in target.ancestors)


def _by_kind(control: Control) -> float:
    match control.action:
        case Swipe() if pulls(control):
            return 0.5  # What a bar hides are ways around the app.
        case Swipe(direction=direction):
            return 1.5 if direction in (Direction.UP, Direction.DOWN) else 1.0
        case LongPress():
            return 9.0
        case TypeText():
            return 8.0
        case Tap(target=Evidence(role=role)) if role in _TOGGLES:
            return 1.7
        case Tap(target=Evidence(role=Role.FIELD)):
            return 3.0
        case Tap(target=Evidence(role=Role.GROUP)) if not control.label:
            return 0.8
        case _:
            return 0.0
