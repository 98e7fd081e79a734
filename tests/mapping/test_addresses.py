"""What an app's addresses tell: pages, items, views, and the layers that lie over them."""

from dataclasses import replace

from tests.mapping.looks import dialog, screen, text
from waypost.mapping import Mapper
from waypost.mapping.addresses import Addresses, Kinship
from waypost.mapping.match import EvidenceMatcher
from waypost.mapping.signature import signature
from waypost.model import AppGraph, Bounds, Element, Evidence, Observation, Role, Screen, Tap

SITE = "http://127.0.0.1:1"


def link(label: str, href: str, top: int) -> Element:
    return Element(
        Role.LINK, text=label, href=href, clickable=True, bounds=Bounds(0, top, 500, top + 90), class_name="a"
    )


def row(label: str, href: str, top: int) -> Element:
    inner = link(label, href, top)
    return Element(Role.ITEM, class_name="li", bounds=inner.bounds, children=(inner,))


def rows(links: dict[str, str], top: int = 900) -> Element:
    entries = tuple(row(label, href, top + 100 * i) for i, (label, href) in enumerate(links.items()))
    return Element(Role.LIST, class_name="ul", bounds=Bounds(0, top, 1080, 2300), children=entries)


def page(activity: str, *parts: Element) -> Screen:
    shown = screen(*parts, activity=activity, app=SITE)
    return replace(shown, root=replace(shown.root, role=Role.WEB, class_name="html"))


def drawer(*links: tuple[str, str]) -> Element:
    entries = tuple(link(label, href, 200 + 100 * i) for i, (label, href) in enumerate(links))
    return Element(Role.NAVIGATION, bounds=Bounds(0, 0, 600, 2400), children=entries)


def account(name: str, *children: str) -> Screen:
    labels = ("Account balance", "Account journal", "Changes", "Downloads", "Open", "Close")
    fixed = tuple(text(x, 300 + 70 * i, role=Role.HEADING) for i, x in enumerate(labels))
    below = rows({c: f"/book/account/{name}:{c}/" for c in children})
    return page(f"/book/account/{name}/", text("Book", 60, role=Role.HEADING), *fixed, below)


def manual(chapter: str) -> Screen:
    chapters = ("start", "syntax", "filters", "options")
    contents = rows({c: f"/book/help/{c}" for c in chapters}, 300)
    return page(f"/book/help/{chapter}", text("Manual", 60, role=Role.HEADING), contents, text(chapter, 900))


def learnt(*looks: Screen) -> Addresses:
    addresses = Addresses()
    for look in looks:
        addresses.learn(signature(look))
    return addresses


def test_a_menu_over_another_page_is_another_page() -> None:
    menu = drawer(("Journal", "/book/journal/"), ("Query", "/book/query/"), ("Help", "/book/help/"))
    over_journal, over_query = page("/book/journal/", menu), page("/book/query/", menu)
    assert not EvidenceMatcher().compare(over_journal, over_query).same
    assert EvidenceMatcher().compare(over_journal, page("/book/journal/?time=2024", menu)).same


def test_on_a_phone_a_dialog_over_two_activities_may_be_one_page() -> None:
    ask = dialog(text("Discard the draft?", 900), text("What you wrote is lost.", 1000))
    assert EvidenceMatcher().compare(screen(ask, activity=".Main"), screen(ask, activity=".Main")).same


def test_a_segment_that_rows_lead_to_and_that_is_built_alike_names_items() -> None:
    accounts = [
        account("Income", "US", "UK"),
        account("Assets", "Bank", "Cash"),
        account("Food", "Tea", "Out"),
    ]
    listed = page("/book/report/", rows({n: f"/book/account/{n}/" for n in ("Income", "Assets", "Food")}))
    known = learnt(listed, *accounts)
    assert known.items == {"/book/account/{*}"}
    assert known.kinship("/book/account/Income", "/book/account/Assets") is Kinship.ITEM


def test_pages_that_list_one_another_are_pages() -> None:
    known = learnt(*(manual(c) for c in ("start", "syntax", "filters", "options")))
    assert known.items == set()
    assert known.kinship("/book/help/start", "/book/help/syntax") is Kinship.OTHER


def test_pages_that_a_menu_leads_to_are_pages() -> None:
    reports = {n: f"/book/report/{n}/" for n in ("Income", "Assets", "Food")}
    looks = [page(href, *account(n).root.children) for n, href in reports.items()]
    known = learnt(page("/book/", rows(reports)), page("/book/", drawer(*reports.items())), *looks)
    assert known.items == set()


def test_links_that_ask_the_same_page_for_something_else_lead_to_views() -> None:
    ways = (link("Changes", "?r=changes", 300), link("Balances", "?r=balances", 400))
    known = learnt(page("/book/account/7/", *ways))
    changes, balances = (signature(page(f"/book/account/7/?r={r}", *ways)) for r in ("changes", "balances"))
    assert known.compare(changes, balances) is Kinship.VIEW
    sums = signature(page("/book/account/7/?r=changes&time=2024", *ways))
    assert known.compare(changes, sums) is Kinship.SAME


def test_items_become_one_page_once_the_address_is_understood() -> None:
    mapper = Mapper(AppGraph(app=SITE))
    names = ("Income", "Assets", "Food", "Rent")
    start = page(
        "/book/report/",
        text("Report", 60, role=Role.HEADING),
        rows({n: f"/book/account/{n}/" for n in names}),
    )
    home = mapper.enter(Observation(start))
    reached = []
    for i, name in enumerate(names):
        target = Evidence(Role.LINK, name, template="list|rows")
        reached.append(
            mapper.extend(home, Tap((9, 9), target), f"tap:{name}", Observation(account(name, f"c{i}")))
        )
    assert len({mapper.resolve(t.target) for t in reached}) == 1


def test_forms_that_ask_for_other_things_do_not_merge() -> None:
    def form(*asked: str) -> Screen:
        fields = tuple(
            Element(
                Role.FIELD, hint=a, clickable=True, bounds=Bounds(90, 1000 + 120 * i, 900, 1100 + 120 * i)
            )
            for i, a in enumerate(("Account", *asked))
        )
        parts = (text("Add", 850, role=Role.HEADING), text("Transaction", 850), text("Balance", 900), *fields)
        return page("/book/#add", dialog(*parts))

    matcher = EvidenceMatcher()
    assert not matcher.compare(form("Number", "Currency"), form("Comment", "Date")).same
    assert matcher.compare(form("Number", "Currency"), form("Number", "Currency", "Date")).same
