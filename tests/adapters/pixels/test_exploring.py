"""Screens that tell nothing are explored, remembered and gone through: by the real reader of text."""

from importlib.util import find_spec
from pathlib import Path

import pytest

import waypost
from tests.adapters.browser.site_server import serving
from waypost.adapters.browser import BrowserConfig, BrowserDevice
from waypost.adapters.pixels import OcrFinder, Pictured
from waypost.adapters.pocket import Faults, PocketDevice
from waypost.protocols import Device

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("rapidocr") is None, reason='pip install "waypost[ocr]"'),
]
SITE = Path(__file__).parent / "site"


def gone(known: waypost.Map, device: Device, sentence: str) -> bool | None:
    device.restart()
    return known.go(sentence, device=device).verified


def test_a_pocket_app_with_its_tree_switched_off(tmp_path: Path) -> None:
    phone = PocketDevice("clock", faults=Faults(no_tree=1.0))
    device = Pictured(phone, OcrFinder())
    with waypost.explore(device, tmp_path / "map", actions=7, seed=0) as known:
        for sentence, page in (("World clock", "clock/world"), ("Timer", "clock/timer")):
            assert gone(known, device, sentence)
            assert phone.where() == page


@pytest.mark.chromium
def test_a_page_that_is_one_canvas(chromium: str, tmp_path: Path) -> None:
    with serving(SITE) as address:
        inner = BrowserDevice(address, config=BrowserConfig(executable=chromium))
        device = Pictured(inner, OcrFinder())
        try:
            with waypost.explore(device, tmp_path / "map", actions=16, seed=0) as known:
                names = {p.name for p in known.pages()}
                assert {"Ledger", "Invoices", "Customers", "Statements"} <= names
                for sentence in ("Customers", "Overdue"):
                    assert gone(known, device, sentence)
                    assert sentence in {e.text for e in device.observe().screen.walk()}
        finally:
            device.close()
