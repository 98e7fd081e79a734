"""The shipped apps and tasks of the embedded phone: wide and deep enough, nasty enough, and fairly worded."""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise

import pytest

from tests.adapters.pocket.pages import pocket_screens
from waypost.adapters.pocket import apps, load
from waypost.adapters.pocket.spec import Branch, Crash, Effect, Go, Page, Spec, Widget
from waypost.bench.tasks import read_tasks
from waypost.model import Task

SPECS = tuple(load(app) for app in apps())
SETS = {"tasks": (140, 16), "tasks_situations": (140, 10)}
"""The task files, and how many tasks, and how many without such a page, each has at least."""
RISKY = {"paid", "pay_code", "compose+schedule", "reset_network"}
"""Pages behind a control that itself says pay, send or reset."""
PAGES = {spec.full(page.id): (spec, page) for spec in SPECS for page in spec.pages.values()}


@cache
def tasks(name: str) -> tuple[Task, ...]:
    path = files("waypost.adapters.pocket") / f"{name}.yaml"
    return read_tasks(path).tasks  # type: ignore[arg-type]


def widgets(page: Page) -> Iterator[Widget]:
    stack: list[Widget | None] = [*page.actions, *page.tabs, *page.bottom, *page.body, *page.footer]
    stack += [*page.buttons, page.fab]
    while stack:
        widget = stack.pop()
        if widget is not None:
            yield widget
            stack += [*widget.parts, *widget.empty, widget.template]


def flat(effects: Sequence[Effect]) -> Iterator[Effect]:
    for effect in effects:
        if isinstance(effect, Branch):
            yield from flat(effect.then)
            yield from flat(effect.other)
        else:
            yield effect


def done_by(widget: Widget) -> Iterator[Effect]:
    yield from flat((*widget.tap, *widget.long, *widget.more, *widget.enter))


def ways(page: Page) -> Iterator[tuple[Widget | None, str]]:
    """Yield every harmless way on from a page: the widget (None: a swipe, the arrow, a gate) and where to."""
    for widget in widgets(page):
        if not widget.hazard:
            yield from ((widget, e.to) for e in done_by(widget) if isinstance(e, Go))
    for effect in flat((*page.nav_tap, *page.back, *page.open)):
        if isinstance(effect, Go):
            yield None, effect.to
    yield from ((None, to) for to in page.swipe.values())
    if page.requires:
        yield None, page.requires.page


def depths(spec: Spec) -> dict[str, int]:
    """Return the fewest harmless hops from the start page, by page."""
    found = {spec.start: 0} | ({spec.gate.page: 0} if spec.gate else {})
    queue = deque(found)
    while queue:
        here = queue.popleft()
        for _, to in ways(spec.pages[here]):
            if to not in found:
                found[to] = found[here] + 1
                queue.append(to)
    return found


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9']+", text.lower())


STOP = frozenset(
    words(
        "a an and are as at be but by can did do does for from had has have how i if in is it its me my "
        "no not of off on or out so than that the them then there these they things this to up was what "
        "when where which who will with you your "
    )
)


def literals(widget: Widget) -> Iterator[str]:
    for label in (widget.label, *widget.texts.values()):
        yield from re.split(r"\{[^{}]*\}", label.source)


def shown(spec: Spec, page: Page) -> Iterator[str]:
    """Yield what a page can show: its own labels and the rows of its lists."""
    for label in (page.title, page.subtitle, page.text):
        if label:
            yield from re.split(r"\{[^{}]*\}", label.source)
    for widget in widgets(page):
        yield from literals(widget)
        for row in spec.data.get(str(widget.props.get("table", "")), ()):
            yield from (str(v) for v in row.values.values())


def leading(spec: Spec, target: str) -> Iterator[Widget]:
    for page in spec.pages.values():
        yield from (w for w, to in ways(page) if to == target and w is not None)


def has(phrase: list[str], sentence: list[str]) -> bool:
    n = len(phrase)
    return any(sentence[i : i + n] == phrase for i in range(len(sentence) - n + 1))


def copied(label: str, sentence: str) -> str:
    """Return what a sentence takes over from a label word by word; empty if nothing."""
    said, phrase = words(sentence), words(label)
    if len(phrase) >= 2 and has(phrase, said) and not set(phrase) <= STOP:
        return label
    for i in range(len(phrase) - 3):
        if has(phrase[i : i + 4], said):
            return " ".join(phrase[i : i + 4])
    for run in re.findall(r"[\u4e00-\u9fff]+", label):
        if len(run) >= 3 and run in sentence:
            return str(run)
        for i in range(len(run) - 3):
            if run[i : i + 4] in sentence:
                return str(run[i : i + 4])
    return ""


def copied_pair(label: str, sentence: str) -> str:
    """Like `copied`, but for names: any two neighbouring words that both mean something."""
    said, phrase = words(sentence), words(label)
    for pair in pairwise(phrase):
        if not set(pair) & STOP and has(list(pair), said):
            return " ".join(pair)
    return copied(label, sentence)


def test_there_are_at_least_six_apps_with_130_pages_in_all() -> None:
    assert len(SPECS) >= 6
    assert len(PAGES) >= 130


def test_some_page_is_seven_hops_deep() -> None:
    assert max(max(depths(spec).values()) for spec in SPECS) >= 7


@pytest.mark.parametrize("spec", SPECS, ids=lambda s: s.app)
def test_every_page_can_be_reached_without_doing_harm(spec: Spec) -> None:
    hidden = set(spec.pages) - set(depths(spec))
    assert hidden <= RISKY, "only what a careful visitor would not open may need a risky step"


@pytest.mark.parametrize("spec", SPECS, ids=lambda s: s.app)
def test_every_page_can_be_shown_with_words_on_it(spec: Spec) -> None:
    for _, screen in pocket_screens(spec.app):
        assert any(e.label for e in screen.visible())


def told_by(page: Page) -> set[str]:
    """Return the clocks and variables that what is seen of a page depends on."""
    return {*page.names, *(name for m in page.moving for name in m.part.names)}


DISTURBANCES = {
    "long scrolling lists": lambda s: any(len(rows) >= 30 for rows in s.data.values()),
    "tabs": lambda s: any(p.tabs for p in s.pages.values()),
    "drawers": lambda s: any(p.kind == "drawer" for p in s.pages.values()),
    "bottom sheets": lambda s: any(p.kind == "sheet" for p in s.pages.values()),
    "menus": lambda s: any(p.kind == "menu" for p in s.pages.values()),
    "dialogs": lambda s: any(p.kind == "dialog" for p in s.pages.values()),
    "permission prompts": lambda s: any(p.permission for p in s.pages.values()),
    "a login gate": lambda s: any(p.requires for p in s.pages.values()),
    "a first-run gate": lambda s: s.gate is not None,
    "a splash": lambda s: s.splash > 0,
    "loading states": lambda s: any(p.loading_looks or p.loading_seconds for p in s.pages.values()),
    "feeds that change on every look": lambda s: any(
        m.table and "looks" in m.part.names for p in s.pages.values() for m in p.moving
    ),
    "clocks": lambda s: any({"clock", "seconds"} & m.part.names for p in s.pages.values() for m in p.moving),
    "badges": lambda s: any("badge" in w.texts for p in s.pages.values() for w in widgets(p)),
    "an ad at random": lambda s: s.ad_rate > 0,
    "back that does not go back": lambda s: any(p.back for p in s.pages.values()),
    "a crash": lambda s: any(
        isinstance(e, Crash) for p in s.pages.values() for w in widgets(p) for e in done_by(w)
    ),
    "fields that raise the keyboard": lambda s: any(
        w.kind == "field" for p in s.pages.values() for w in widgets(p)
    ),
    "a pager": lambda s: any(p.swipe and not p.tabs for p in s.pages.values()),
    "secure screens": lambda s: any(p.secure for p in s.pages.values()),
    "Chinese labels": lambda s: any(
        re.search(r"[\u4e00-\u9fff]", p.title.source) for p in s.pages.values() if p.title
    ),
}


@pytest.mark.parametrize("kind", DISTURBANCES)
def test_what_real_apps_do_happens_somewhere(kind: str) -> None:
    assert [s.app for s in SPECS if DISTURBANCES[kind](s)]  # type: ignore[no-untyped-call]


def test_hazards_of_every_kind_are_there() -> None:
    kinds = {w.hazard for _, page in PAGES.values() for w in widgets(page)}
    assert {"pay", "send", "delete", "logout", "call"} <= kinds


def test_folders_that_look_alike_are_different_pages() -> None:
    mail = load("mail").pages
    shapes = {tuple(w.kind for w in widgets(mail[p])) for p in ("inbox", "spam", "bin", "sent")}
    assert len(shapes) == 1


def test_one_page_has_two_entries_of_one_label_that_lead_apart() -> None:
    entries = [(w.label.source, to) for w, to in ways(load("settings").pages["sound"]) if w]
    assert len({to for label, to in entries if label == "Default sound"}) == 2


def test_equal_labels_under_different_parents_lead_apart() -> None:
    pages = load("settings").pages
    found = {to for p in pages.values() for w, to in ways(p) if w and w.label.source == "Advanced"}
    assert len(found) == 2


def test_many_pages_are_reached_by_two_ways() -> None:
    sources: dict[str, set[str]] = {}
    for name, (spec, page) in PAGES.items():
        for _, to in ways(page):
            sources.setdefault(spec.full(to), set()).add(name)
    assert sum(len(s) >= 2 for s in sources.values()) >= 20


def test_addresses_and_numbers_are_nobodys() -> None:
    for app in apps():
        text = (files("waypost.adapters.pocket") / "apps" / f"{app}.yaml").read_text(encoding="utf-8")
        hosts = re.findall(r"[\w.-]+@([\w.-]+\w)", text)
        assert all(re.search(r"(^|\.)example(\.org|\.net|\.com)?$", h) for h in hosts), hosts
        assert all("555" in n for n in re.findall(r"\+00 [\d ]+", text))


@pytest.mark.parametrize("name", SETS)
def test_every_app_has_tasks_with_and_without_such_a_page(name: str) -> None:
    total, least_absent = SETS[name]
    present = [t for t in tasks(name) if t.target]
    absent = [t for t in tasks(name) if not t.target]
    assert len(tasks(name)) >= total
    assert len(present) >= 60
    assert len(absent) >= least_absent
    assert {t.app for t in present} == {t.app for t in absent} == set(apps())
    assert all(("absent" in t.tags) == (t.target is None) for t in tasks(name))


def test_no_id_and_no_sentence_stands_twice() -> None:
    every = [t for name in SETS for t in tasks(name)]
    assert len({t.id for t in every}) == len(every)
    assert len({(t.app, t.instruction.lower()) for t in every}) == len(every)


@pytest.mark.parametrize("name", SETS)
def test_three_in_ten_tasks_may_be_looked_at(name: str) -> None:
    share = sum("dev" in t.tags for t in tasks(name)) / len(tasks(name))
    assert 0.27 <= share <= 0.33
    assert any("dev" in t.tags for t in tasks(name) if t.target is None)


@pytest.mark.parametrize("task", tasks("tasks"), ids=lambda t: t.id)
def test_a_request_for_a_destination_is_short(task: Task) -> None:
    assert len(re.findall(r"[\u4e00-\u9fff]|[\w'-]+", task.instruction)) <= (28 if task.app == "chat" else 14)


@pytest.mark.parametrize("task", [t for name in SETS for t in tasks(name) if t.target], ids=lambda t: t.id)
def test_a_target_is_reached_without_doing_harm(task: Task) -> None:
    assert task.target is not None
    assert task.target.page in PAGES
    assert task.target.page.startswith(f"{task.app}/")
    spec, page = PAGES[task.target.page]
    assert page.id not in RISKY
    assert page.id in depths(spec)
    assert ("login" in task.tags) == (task.target.page not in signed_out(spec))


@pytest.mark.parametrize("task", [t for name in SETS for t in tasks(name) if t.target], ids=lambda t: t.id)
def test_a_sentence_does_not_share_its_wording_with_the_screen(task: Task) -> None:
    assert task.target is not None
    spec, page = PAGES[task.target.page]
    for label in shown(spec, page):
        assert not copied(label, task.instruction)
    names = [page.title.source] if page.title else []
    names += [literal for w in leading(spec, page.id) for literal in literals(w)]
    for label in names:
        assert not copied_pair(label, task.instruction)


def signed_out(spec: Spec) -> set[str]:
    """Return the pages that need no login, by name with the app."""
    found, queue = {spec.start}, deque([spec.start])
    while queue:
        for _, to in ways(spec.pages[queue.popleft()]):
            if to not in found and spec.pages[to].requires is None:
                found.add(to)
                queue.append(to)
    return {spec.full(p) for p in found}
