"""What one page of a web app tells of the next: menus that stay open, dialogs that open anywhere."""

from tests.mapping.looks import dialog, text
from tests.mapping.test_addresses import SITE, drawer, link, page
from waypost.exploration.ledger import Ledger
from waypost.exploration.promise import price
from waypost.mapping import Mapper
from waypost.mapping.controls import Control, controls
from waypost.model import AppGraph, Bounds, Element, NodeId, Observation, Role, Screen

ENTRIES = (("Income", "/book/income/"), ("Journal", "/book/journal/"), ("Query", "/book/query/"))


def button(label: str) -> Element:
    return Element(Role.BUTTON, text=label, clickable=True, bounds=Bounds(900, 0, 1060, 120))


def plain(name: str) -> Screen:
    return page(
        f"/book/{name}/", button("☰"), text(name, 300, role=Role.HEADING), text(f"all of {name}", 500)
    )


def menu(name: str) -> Screen:
    return page(f"/book/{name}/", button("☰"), drawer(*ENTRIES))


def form(name: str) -> Screen:
    parts = (text("Add", 850, role=Role.HEADING), link("Close", "", 1000), link("Today", "", 1200))
    return page(f"/book/{name}/#add", dialog(*parts))


class Walk:
    """Steps through looks, as an exploration would."""

    def __init__(self, start: Screen) -> None:
        self.mapper = Mapper(AppGraph(app=SITE))
        self.ledger = Ledger(self.mapper)
        self.screen, self.node = start, self.mapper.enter(Observation(start))
        self.ledger.note(self.node, controls(start), start)

    def control(self, label: str) -> Control:
        return next(c for c in controls(self.screen) if c.label == label)

    def tap(self, label: str, after: Screen) -> NodeId:
        control = self.control(label)
        step = self.mapper.extend(self.node, control.action, control.key, Observation(after))
        self.ledger.count(step)
        self.screen, self.node = after, step.target
        self.ledger.note(self.node, controls(after), after)
        return self.node


def test_what_closes_a_menu_everywhere_is_tried_first_where_it_shows_a_new_page() -> None:
    walk = Walk(plain("income"))
    walk.tap("☰", menu("income"))
    walk.tap("☰", plain("income"))
    walk.tap("☰", menu("income"))
    over = walk.tap("Journal", menu("journal"))
    closing = walk.control("☰")
    assert walk.ledger.uncovers(over, closing.key)
    assert price(walk.ledger, over, closing.key, closing) < 0
    walk.tap("☰", plain("journal"))
    assert not walk.ledger.uncovers(over, closing.key)


def test_entries_of_one_menu_are_foreseen_over_other_pages_and_not_tried_again() -> None:
    walk = Walk(plain("income"))
    walk.tap("☰", menu("income"))
    over_query = walk.tap("Query", menu("query"))
    walk.tap("Income", menu("income"))
    over_journal = walk.tap("Journal", menu("journal"))
    entry = walk.control("Query")
    assert (entry.key, over_query) in walk.ledger.foreseen(over_journal)
    assert not walk.ledger.open(over_journal, entry)


def test_a_dialog_that_was_tried_over_one_page_is_not_tried_over_the_next() -> None:
    walk = Walk(plain("income"))
    walk.tap("☰", form("income"))
    walk.tap("Today", form("income"))
    walk.tap("Close", plain("income"))
    walk.tap("☰", menu("income"))
    walk.tap("Journal", menu("journal"))
    walk.tap("☰", plain("journal"))
    over = walk.tap("☰", form("journal"))
    assert not walk.ledger.open(over, walk.control("Today"))
    assert not walk.ledger.open(over, walk.control("Close"))
