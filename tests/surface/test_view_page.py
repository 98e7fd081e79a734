"""The viewer in a real browser: searched, stepped through, corrected, followed, opened from disk."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.surface.big import big_map
from waypost.parts.exploring import ExploreRequest, explored
from waypost.parts.face import open_map
from waypost.surface.view import Viewer, exported, serve_view

pytestmark = pytest.mark.chromium
# An upper bound, so that a busy machine fails nothing; what is there is seen at once.
expect.set_options(timeout=60_000)

ASKED = "how long until the countdown rings"
SIZES = {"desktop": (1280, 800), "phone": (390, 844)}


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium)
        yield started
        started.close()


@contextmanager
def _page(
    browser: Browser, url: str, size: str = "desktop", *, dark: bool = False, **more: Any
) -> Iterator[Page]:
    """Open a page, and hold it to asking nobody else and failing nowhere."""
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if dark else "light",
        has_touch=size == "phone",
        is_mobile=size == "phone",
        **more,
    )
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda e: wrong.append(str(e)))
    page.on("console", lambda m: wrong.append(m.text) if m.type in ("error", "warning") else None)
    page.on("request", lambda r: None if r.url.startswith((url, "data:")) else wrong.append(r.url))
    try:
        page.goto(url)
        page.wait_for_selector(".node")
        yield page
        assert not wrong
    finally:
        context.close()


@contextmanager
def _shown(
    browser: Browser, folder: Path, size: str = "desktop", *, against: Path | None = None, **more: Any
) -> Iterator[Page]:
    served = serve_view(Viewer(folder, against), port=0)
    try:
        with _page(browser, served.url, size, **more) as page:
            yield page
    finally:
        served.close()


def _search(page: Page, words: str) -> None:
    page.fill("#q", words)
    page.press("#q", "Enter")
    page.wait_for_selector(".hit")


@pytest.mark.parametrize("size", SIZES)
def test_a_page_is_searched_and_its_way_stepped_through(browser: Browser, clock_map: Path, size: str) -> None:
    with _shown(browser, clock_map, size) as page:
        expect(page.locator("#panel h2")).to_have_text("Coverage")
        _search(page, ASKED)
        expect(page.locator(".hit.best b")).to_have_text("Timer")
        expect(page.locator(".hit.best")).to_contain_text("score")
        page.click(".hit.best")
        expect(page.locator("#panel h2")).to_have_text("Timer")
        for part in (
            "Summary",
            "What can be done here",
            "Waypoints",
            "Hints",
            "Recognised by",
            "Reached from",
        ):
            expect(page.locator("#panel h3", has_text=part).first).to_be_visible()
        page.click("text=Way from the start")
        expect(page.locator("#panel")).to_contain_text("1 of 2")
        expect(page.locator("#panel")).to_contain_text('tap tab "Timer"')
        expect(page.locator(".stage mark")).to_be_visible()
        page.keyboard.press("n")
        expect(page.locator("#panel")).to_contain_text("The destination: stop here.")
        expect(page.locator("#next")).to_be_disabled()
        assert page.locator(".node.way").count() == 2
        page.click("#panel button[aria-label=Back]")
        expect(page.locator("#panel h2")).to_have_text("Timer")
        # Nothing is wider than the window.
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_is_not_on_the_map_is_said(browser: Browser, clock_map: Path) -> None:
    with _shown(browser, clock_map) as page:
        _search(page, "book a flight to Lisbon")
        expect(page.locator("#panel .warn")).to_contain_text("Not on this map")
        assert page.locator(".hit.best").count() == 0


def test_the_keyboard_does_it_all(browser: Browser, clock_map: Path) -> None:
    with _shown(browser, clock_map) as page:
        page.keyboard.press("/")
        expect(page.locator("#q")).to_be_focused()
        page.keyboard.type(ASKED)
        page.keyboard.press("Enter")
        page.wait_for_selector(".hit.best")
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        expect(page.locator("#map")).to_be_focused()
        page.keyboard.press("ArrowRight")
        expect(page.locator(".node.chosen")).to_have_attribute("aria-label", "Alarms, 3 not tried")
        page.keyboard.press("ArrowRight")
        chosen = page.locator("#status").inner_text()
        assert chosen != "Alarms"
        page.keyboard.press("Enter")
        expect(page.locator("#panel h2")).to_have_text(chosen)


def test_pages_are_merged_and_parted_again(browser: Browser, clock_map: Path) -> None:
    with _shown(browser, clock_map) as page:
        expect(page.locator("#title")).to_contain_text("27 pages")
        _search(page, ASKED)
        page.click(".hit.best")
        page.click("summary:has-text('Merge with another page')")
        page.fill("#f-other", "Bedtime")
        page.click("form:has(#f-other) button")
        expect(page.locator("#status")).to_contain_text("merged")
        expect(page.locator("#title")).to_contain_text("26 pages")
        assert "merge" in (clock_map / "pages.yaml").read_text(encoding="utf-8")
        page.click("#show-map")
        page.click("#undo")
        expect(page.locator("#status")).to_contain_text("undone")
        expect(page.locator("#title")).to_contain_text("27 pages")


def test_what_makes_no_sense_is_said_on_the_page(browser: Browser, clock_map: Path) -> None:
    served = serve_view(Viewer(clock_map), port=0)
    try:
        context = browser.new_context()
        page = context.new_page()
        page.goto(served.url)
        _search(page, ASKED)
        page.click(".hit.best")
        page.click("summary:has-text('Rename')")
        page.fill("#f-name", "Alarms")
        page.click("form:has(#f-name) button")
        expect(page.locator("#panel .error")).to_contain_text("called 'Alarms' already")
        context.close()
    finally:
        served.close()


def test_an_exploration_is_followed_as_it_runs(browser: Browser, clock_map: Path) -> None:
    with _shown(browser, clock_map) as page:
        page.click("#show-live")
        expect(page.locator("#panel")).to_contain_text("Waiting for the next step")
        explored("pocket:clock", clock_map, ExploreRequest(actions=5))
        expect(page.locator("#feed .hit").first).to_be_visible(timeout=30_000)
        here = page.locator("#feed .hit b").first.inner_text()
        expect(page.locator(".node.here")).to_have_attribute(
            "aria-label", re.compile(rf"^{re.escape(here)}(, \d+ not tried)?$")
        )
        page.click("#show-live")
        expect(page.locator("#show-live")).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("size", SIZES)
def test_two_builds_lie_side_by_side(browser: Browser, clock_map: Path, tmp_path: Path, size: str) -> None:
    explored("pocket:clock", tmp_path / "old", ExploreRequest(actions=30))
    with _shown(browser, clock_map, size, against=tmp_path / "old") as page:
        page.click("#show-changes")
        expect(page.locator("#panel h2")).to_have_text("Changes")
        expect(page.locator("#panel h3", has_text="New (")).to_be_visible()
        expect(page.locator("#panel .warn").first).to_contain_text("may merely not have been seen")
        assert page.locator(".pair").count() > 3
        for figure in page.locator(".pair figure img").all()[:2]:
            expect(figure).to_be_visible()


def test_an_exported_file_is_opened_from_disk(browser: Browser, clock_map: Path, tmp_path: Path) -> None:
    path = tmp_path / "clock.html"
    with open_map(clock_map, readonly=True) as known:
        path.write_text(exported(known), encoding="utf-8")
    with _page(browser, path.as_uri(), offline=True) as page:
        expect(page.locator("#show-live")).to_be_hidden()
        _search(page, "the timer page")
        expect(page.locator("#panel")).to_contain_text("searches by words only")
        expect(page.locator(".hit.best b")).to_have_text("Timer")
        page.click(".hit.best")
        page.click("text=Way from the start")
        expect(page.locator(".stage mark")).to_be_visible()
        assert page.evaluate("document.querySelector('.stage img').naturalWidth") == 360
        assert page.locator("text=Correct this page").count() == 0


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_every_view_is_accessible(browser: Browser, clock_map: Path, size: str, dark: bool) -> None:
    with _shown(browser, clock_map, size, dark=dark, bypass_csp=True) as page:
        views: dict[str, Callable[[], object]] = {
            "coverage": lambda: page.click("#show-map"),
            "search": lambda: _search(page, ASKED),
            "card": lambda: page.click(".hit.best"),
            "route": lambda: page.click("text=Way from the start"),
            "live": lambda: page.click("#show-live"),
        }
        for name, show in views.items():
            show()
            page.wait_for_load_state("networkidle") if name != "live" else None
            axe: Any = Axe
            found = axe().run(page).response["violations"]
            told = [(v["id"], [n["html"][:120] for n in v["nodes"]][:3]) for v in found]
            assert not told, (name, told)


def test_two_thousand_pages_hold_no_more_than_a_screenful(browser: Browser, tmp_path: Path) -> None:
    with _shown(browser, big_map(tmp_path / "big", 2000)) as page:
        expect(page.locator("#title")).to_contain_text("2000 pages")
        for _ in range(3):
            assert 0 < page.locator(".node").count() <= 350
            page.mouse.move(400, 400)
            page.mouse.wheel(0, -400)
        page.click("#fit")
        expect(page.locator(".node")).to_have_count(0)
        # Far away pages are drawn, and can be chosen all the same.
        box = page.locator("#map").bounding_box()
        assert box is not None
        at = page.evaluate(
            "() => { const n = graph.nodes.get('n1000'), { x, y, k } = graph.view;"
            " return [n.at[0] * k + x + 60 * k, n.at[1] * k + y + 120 * k]; }"
        )
        page.mouse.click(box["x"] + at[0], box["y"] + at[1])
        expect(page.locator("#panel h2")).to_have_text("Photo 999")
