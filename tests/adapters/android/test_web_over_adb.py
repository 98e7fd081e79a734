"""The Android device on a web app in Chromium that is served as a phone, through Debian's real adb."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.adapters.android.test_typing import EVIL, TEXTS
from tests.adapters.browser.site_server import serving
from tests.adapters.phone.real_adb import Adb, connected
from tests.adapters.phone.round_trip import differences, seen
from waypost.adapters.android import AdbShell, AndroidDevice
from waypost.adapters.browser import BrowserConfig, BrowserDevice
from waypost.adapters.phone import Phone
from waypost.exploration import ExploreConfig
from waypost.mapping.signature import Signature, signature
from waypost.model import Element, Launch, Role, Tap, TypeText
from waypost.parts.devices import parse_device
from waypost.parts.exploring import surveyed
from waypost.parts.face import Map
from waypost.parts.phoning import open_phone
from waypost.protocols import Device

pytestmark = [pytest.mark.adb, pytest.mark.chromium]
ONE_LINE = [t for t in TEXTS if "\n" not in t and "\t" not in t]
"""What a field of one line can hold: a browser takes the others apart itself."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with serving() as address:
        yield address


@pytest.fixture(scope="module")
def phone(chromium: str, site: str) -> Iterator[Phone]:
    with closing(open_phone(parse_device(f"{site}/form.html"), port=0)) as phone:
        yield phone


@pytest.fixture
def device(server: Adb, phone: Phone, site: str) -> Iterator[AndroidDevice]:
    with connected(server, phone) as real:
        yield AndroidDevice(AdbShell(real.serial, host="127.0.0.1", port=real.port))


def _at(device: Device, address: str) -> None:
    device.perform(Launch(address))


def _field(device: Device, name: str) -> Element:
    fields = [e for e in device.observe().screen.visible() if e.role is Role.FIELD]
    return next(e for e in fields if name in (e.resource_id, e.description))


@pytest.mark.parametrize(
    "page", ["form.html", "list.html?sort=name#row-3", "controls.html", "modal.html", "spa.html"]
)
def test_a_page_is_the_same_page_over_adb(device: AndroidDevice, phone: Phone, site: str, page: str) -> None:
    _at(device, f"{site}/{page}")
    over, direct = device.observe().screen, phone.handset.look().screen
    assert (over.app, over.activity, over.title) == (direct.app, direct.activity, direct.title)
    assert differences(direct, over) == []
    assert seen(over) == seen(direct)


def test_a_dialog_of_the_browser_lies_over_the_page(device: AndroidDevice, phone: Phone, site: str) -> None:
    _at(device, f"{site}/dialogs.html")
    device.perform(Tap(next(e for e in device.observe().screen.visible() if e.clickable).bounds.center))
    over, direct = device.observe().screen, phone.handset.look().screen
    assert (over.app, over.activity, over.overlay) == (direct.app, direct.activity, direct.overlay)


def test_text_of_any_script_is_typed_into_a_page_and_read_back_equal(
    device: AndroidDevice, site: str
) -> None:
    _at(device, f"{site}/form.html")
    field = _field(device, "plain")
    read = {}
    for text in ONE_LINE:
        device.perform(TypeText(text, field.bounds.center))
        read[text] = _field(device, "plain").text
    assert len(read) >= 40
    assert {t: r for t, r in read.items() if t != r} == {}


@pytest.mark.parametrize("name", ["Long text", "Rich"])
def test_lines_and_blanks_stay_as_they_are_in_a_field_of_several_lines(
    device: AndroidDevice, site: str, name: str
) -> None:
    _at(device, f"{site}/form.html")
    some = [t for t in TEXTS if "\n" in t or "  " in t or "'" in t or not t.isascii()][::3]
    wanted = [*some, "a\nb\nc", "x " * 400]
    if name == "Rich":
        # Such a field holds marks, not text: the page itself draws a run of blanks as one.
        wanted = [t for t in wanted if "  " not in t]
    else:
        wanted += ["one\n\n\nfour", "  a  b  "]
    read = {}
    for text in wanted:
        device.perform(TypeText(text, _field(device, name).bounds.center))
        read[text] = _field(device, name).text
    assert {t: r for t, r in read.items() if t != r} == {}


@pytest.mark.parametrize("text", EVIL, ids=ascii)
def test_what_is_typed_into_a_page_is_never_run(
    device: AndroidDevice, phone: Phone, site: str, text: str
) -> None:
    _at(device, f"{site}/form.html")
    device.perform(TypeText(text, _field(device, "Long text").bounds.center))
    assert _field(device, "Long text").text == text
    assert phone.files.stat("/PWNED") is phone.files.stat("/sdcard/PWNED") is None


def test_a_web_app_is_mapped_over_adb_as_it_is_directly(
    device: AndroidDevice, chromium: str, site: str, tmp_path: Path
) -> None:
    config = ExploreConfig(actions=25, seed=3, pictures=False)
    with BrowserDevice(f"{site}/form.html", config=BrowserConfig(executable=chromium)) as browser:
        browser.restart()
        direct = _known(surveyed(browser, tmp_path / "direct", config))
    device.restart(site)
    assert _known(surveyed(device, tmp_path / "adb", config)) == direct


def _known(found: Map) -> tuple[set[Signature], set[tuple[str, str]]]:
    """Return every page by what it is known by, and every step on the map by name."""
    try:
        graph = found.graph
        looks = {signature(look.observation.screen) for n in graph.pages() for look in n.looks}
        return looks, {(graph.nodes[t.source].name, t.key) for t in graph.transitions.values()}
    finally:
        found.close()
