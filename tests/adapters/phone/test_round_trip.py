"""A screen that went through `uiautomator dump` and back is the same screen to whoever makes a map of it."""

from collections import Counter
from dataclasses import replace

import pytest

from tests.adapters.browser.site_server import SITE, serving
from tests.adapters.phone.round_trip import differences, through_xml
from tests.adapters.pocket.pages import pocket_screens
from waypost.adapters.browser import BrowserConfig, BrowserDevice
from waypost.errors import DeviceError
from waypost.model import Bounds, Element, Role, Screen, Tap

_BOX = Bounds(0, 0, 100, 50)
_OUT_OF_VIEW = {
    "chat/moments",
    "chat/new_group",
    "mail/account",
    "music/library_albums",
    "music/library_songs",
}
"""Pages of which a row that lies below the screen tells something: Android leaves such rows out of a dump."""


def test_the_pages_of_an_app_come_through_as_they_are() -> None:
    assert [
        name for name, screen in pocket_screens("clock") if differences(screen, through_xml(screen))
    ] == []


@pytest.mark.slow
def test_all_pages_of_pocket_come_through_as_they_are() -> None:
    found = {name: differences(screen, through_xml(screen)) for name, screen in pocket_screens()}
    assert len(found) >= 270
    assert {name for name, lost in found.items() if lost} <= _OUT_OF_VIEW
    assert not any({"elements", "active layer", "title"} & set(lost) for lost in found.values())


@pytest.mark.chromium
def test_the_pages_of_a_web_site_come_through_as_they_are(chromium: str) -> None:
    lost: Counter[str] = Counter()
    looks = 0
    with serving() as site, BrowserDevice(site, config=BrowserConfig(executable=chromium)) as device:
        for page in sorted(p.name for p in SITE.glob("*.html")):
            device.restart(f"{site}/{page}")
            first = device.observe().screen
            taps = [e.bounds.center for e in first.visible() if e.clickable and e.enabled][:4]
            for at in (None, *taps):
                if at is not None:
                    device.restart(f"{site}/{page}")
                    try:
                        device.perform(Tap(at))
                    except DeviceError:
                        continue
                screen = device.observe().screen
                looks += 1
                lost.update(differences(screen, through_xml(screen)))
    assert looks > 30
    assert not lost


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("class_name", ["", "div", "android.view.View", "android.widget.Button"])
def test_every_role_comes_through_whatever_its_class(role: Role, class_name: str) -> None:
    element = Element(role, class_name, text="x", bounds=_BOX)
    read = through_xml(Screen(element)).root
    # A bare view that says something and does nothing is a text, as Compose and Flutter write theirs.
    only_says = role is Role.GROUP and class_name == "android.view.View"
    expected = Role.TEXT if only_says else role
    assert read == replace(element, role=expected, class_name=class_name or read.class_name)


def test_every_state_and_text_comes_through() -> None:
    flags = (
        "clickable",
        "long_clickable",
        "scrollable",
        "checkable",
        "checked",
        "selected",
        "focused",
        "password",
    )
    plain = Element(
        Role.FIELD,
        "input:text",
        text="  two  words\n\"<&>' 👩‍👩‍👧 ",
        description="d;=\\",
        hint="h",
        resource_id="i",
        bounds=_BOX,
        href="/a;b=c\\d?e=f",
    )
    for element in (
        plain,
        replace(plain, enabled=False, text=plain.hint),
        *(replace(plain, **{flag: True}) for flag in flags),  # type: ignore[arg-type]
    ):
        assert through_xml(Screen(element)).root == element


def test_what_was_scrolled_out_of_a_web_page_comes_through_and_elsewhere_it_does_not() -> None:
    below = Element(Role.LINK, "a", "Reports", visible=False, href="/reports")
    bar = Element(Role.NAVIGATION, "nav", bounds=_BOX, children=(below,))
    page = Screen(Element(Role.WEB, "html", bounds=_BOX, children=(bar,)), app="http://a.b")
    assert through_xml(page) == page
    native = replace(page, root=replace(page.root, role=Role.GROUP))
    assert not through_xml(native).root.children[0].children
