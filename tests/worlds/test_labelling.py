"""A document is asked which page it shows: by its address, by what it holds, by what lies over it."""

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
import yaml
from worlds.labelling import Labeller, rules_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

NAMES = ("actual", "fava", "ihatemoney", "kolibri")
RULES = r"""
pages:
  - {page: null, css: h1, text: failed}
  - {page: 'part \1', path: '\#(\w+)'}
  - {page: start, path: ''}
over:
  - {page: dialog, css: '[role=dialog]', name: h2}
  - {page: suggestions, css: 'span:has(> input) > ul', beside: input}
"""


@pytest.fixture(scope="module")
def page() -> "Iterator[Page]":
    pytest.importorskip("playwright", reason="needs the browser extra")
    if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"))):
        pytest.skip("Chromium is missing; apt install chromium")
    from playwright.sync_api import sync_playwright

    from waypost.adapters.browser.chromium import find_chromium

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=find_chromium(), chromium_sandbox=False)
        yield browser.new_page()


@pytest.mark.parametrize("name", NAMES)
def test_the_rules_of_every_world_can_be_read(name: str) -> None:
    rules = rules_of(name)
    assert rules["pages"]
    assert all({"css", "page"} <= r.keys() for r in rules["over"])
    assert all("path" in r or "css" in r for r in rules["pages"])


@pytest.mark.chromium
@pytest.mark.parametrize(
    ("body", "label"),
    [
        ("<p>hello", "start"),
        ("<h1>It failed", None),
        ("<div role=dialog><h2>Bill 7</h2></div>", "start + dialog bill #"),
        ("<div role=dialog hidden><h2>Bill</h2></div>", "start"),
        ("<div role=dialog style='position:absolute;top:-900px'><h2>Bill</h2></div>", "start"),
        ("<span><input placeholder=Time><ul><li>2026</ul></span>", "start + suggestions time"),
    ],
)
def test_what_can_be_seen_over_a_page_is_part_of_its_label(
    page: "Page", body: str, label: str | None
) -> None:
    page.goto("about:blank")
    page.set_content(body)
    assert Labeller(yaml.safe_load(RULES)).label(page) == label


@pytest.mark.chromium
def test_what_an_address_says_is_part_of_its_label(page: "Page") -> None:
    page.goto("about:blank")
    page.set_content("<p>hello")
    page.evaluate("location.hash = 'seven'")
    assert Labeller(yaml.safe_load(RULES)).label(page) == "part seven"
