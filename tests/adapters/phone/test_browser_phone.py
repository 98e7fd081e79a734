"""A web app in Chromium, served as an Android phone."""

import base64
import struct
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest

from tests.adapters.browser.site_server import serving
from tests.adapters.phone.client import Client, centre, node
from tests.adapters.phone.test_programs import TEXTS
from waypost.parts.devices import parse_device
from waypost.parts.phoning import open_phone

pytestmark = pytest.mark.chromium


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with serving() as address:
        yield address


@pytest.fixture(scope="module")
def client(chromium: str, site: str) -> Iterator[Client]:
    phone = open_phone(parse_device(f"{site}/form.html"), port=0)
    try:
        with Client(phone.server.port) as client:
            yield client
    finally:
        phone.close()


def _field(client: Client, name: str) -> ET.Element:
    return node(client.tree(), resource_id=name)


def test_a_web_app_looks_like_an_android_app(client: Client) -> None:
    package = client.shell("pm list packages").out.strip().removeprefix("package:")
    assert package.startswith("web.h127_0_0_1.p")
    assert f"mCurrentFocus=Window{{5c0ffee u0 {package}/.Main}}" in client.shell("dumpsys window windows").out
    assert "/form.html cmp=" in client.shell("dumpsys activity activities").out
    field = _field(client, "plain")
    assert (field.get("class"), field.get("package")) == ("android.widget.EditText", package)


def test_its_screenshot_is_as_large_as_the_screen(client: Client) -> None:
    data = client.run("exec:screencap -p")
    assert struct.unpack(">II", data[16:24]) == (1080, 2400)


@pytest.mark.parametrize("text", [t for t in TEXTS if t.strip() == t])
def test_text_of_any_script_is_typed_into_a_page(client: Client, text: str) -> None:
    client.shell("ime set com.android.adbkeyboard/.AdbIME")
    client.shell("input tap {} {}".format(*centre(_field(client, "plain"))))
    client.shell("am broadcast -a ADB_CLEAR_TEXT")
    packed = base64.b64encode(text.encode()).decode()
    client.shell(f"am broadcast -a ADB_INPUT_B64 --es msg {packed}")
    assert _field(client, "plain").get("text") == text


def test_keys_append_to_a_page_field_and_take_away(client: Client) -> None:
    client.shell("input tap {} {}".format(*centre(_field(client, "plain"))))
    client.shell("input keycombination 113 29; input keyevent 67; input text one; input text %stwo")
    assert _field(client, "plain").get("text") == "one two"
    client.shell("input keyevent 67 67")
    assert _field(client, "plain").get("text") == "one t"


def test_a_password_is_typed_in_parts_though_it_is_masked(client: Client) -> None:
    client.shell("input tap {} {}".format(*centre(_field(client, "secret"))))
    assert client.shell("input text abc; input text def; input keyevent 67").code == 0
    assert len(_field(client, "secret").get("text", "")) in (0, 5)


def test_a_field_that_takes_no_text_is_an_error(client: Client) -> None:
    client.shell("input tap {} {}".format(*centre(_field(client, "stubborn"))))
    said = client.shell("input text hello")
    assert said.code == 1
    assert "did not take" in said.err


def test_addresses_are_opened_and_the_launcher_comes_up(client: Client, site: str) -> None:
    assert client.shell(f"am start -a android.intent.action.VIEW -d {site}/list.html").code == 0
    assert "/list.html cmp=" in client.shell("dumpsys activity activities").out
    assert "unable to resolve" in client.shell("am start -a x.VIEW -d http://example.org/").err
    client.shell("input keyevent HOME")
    assert "com.waypost.launcher/.Main" in client.shell("dumpsys window").out
    package = client.shell("pm list packages").out.strip().removeprefix("package:")
    client.shell(f"monkey -p {package} -c android.intent.category.LAUNCHER 1")
    assert "/form.html cmp=" in client.shell("dumpsys activity activities").out
