"""A browser and the small site, shared by the tests of a module; each test opens the page it needs."""

from collections.abc import Callable, Iterator

import pytest

from tests.adapters.browser.site_server import serving
from waypost.adapters.browser import BrowserConfig, BrowserDevice

Opened = Callable[[str], BrowserDevice]


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    with serving() as address:
        yield address


@pytest.fixture(scope="module")
def browser(chromium: str, site: str) -> Iterator[BrowserDevice]:
    device = BrowserDevice(site, config=BrowserConfig(executable=chromium, allow_hosts=("localhost",)))
    yield device
    device.close()


@pytest.fixture
def opened(browser: BrowserDevice, site: str) -> Opened:
    """Open a page of the site in the shared browser."""

    def open_page(page: str) -> BrowserDevice:
        browser.restart(f"{site}/{page}")
        return browser

    return open_page
