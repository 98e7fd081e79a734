import pytest

from waypost.adapters.android.web import web_page
from waypost.adapters.served import package_name

RECORD = "    * Hist  #0: ActivityRecord{{1a2b3c4 u0 {cmp} t1}}\n      packageName={pkg} processName={pkg}\n"
INTENT = "      Intent {{ act=android.intent.action.MAIN dat={url} cmp={cmp} }}\n"
LABEL = '      taskDescription: label="{title}" icon=null\n'
WEB = "web.h127_0_0_1.p5006"


def _said(url: str, cmp: str = f"{WEB}/.Main", title: str = "") -> str:
    words = {"url": url, "cmp": cmp, "pkg": cmp.partition("/")[0], "title": title}
    return (RECORD + INTENT + LABEL).format(**words)


@pytest.mark.parametrize("place", ["/", "", "/a/b?q=1&r=cmp=x/.y#part", "/%E4%BD%A0"])
def test_a_served_web_app_is_known_by_its_address(place: str) -> None:
    page = web_page(_said(f"http://127.0.0.1:5006{place}", title=" A title "), WEB)
    assert page is not None
    assert (page.app, page.place, page.title) == ("http://127.0.0.1:5006", place, "A title")


@pytest.mark.parametrize(
    "name", ["com.android.chrome", "org.mozilla.firefox", "web.shop", "org.chromium.webapk.a1"]
)
def test_the_link_that_once_opened_a_real_browser_is_not_where_it_is(name: str) -> None:
    for activity in (".Main", "com.google.android.apps.chrome.Main"):
        assert web_page(_said("https://example.org/old", f"{name}/{activity}"), name) is None


def test_an_address_of_another_app_counts_for_nothing() -> None:
    assert web_page(_said("http://127.0.0.1:9999/"), WEB) is None
    other = _said("http://127.0.0.1:5006/", "org.other/.Main")
    assert web_page(other, WEB) is None
    assert web_page(other + _said("http://127.0.0.1:5006/b"), WEB) is not None


def test_a_second_app_of_one_name_is_known_as_well() -> None:
    page = web_page(_said("http://app.example.com/x", "web.com.example.app_2/.Main"), "web.com.example.app_2")
    assert page is not None
    assert page.place == "/x"


def test_text_that_is_no_dump_tells_nothing() -> None:
    for text in (
        "",
        "dat=http://127.0.0.1:5006/ cmp=web.h127_0_0_1.p5006/.Main",
        "Can't find service: activity",
    ):
        assert web_page(text, WEB) is None


def test_an_origin_is_served_by_the_name_that_it_is_known_by() -> None:
    for origin in ("http://127.0.0.1:5006", "http://[::1]:80", "https://app.example.com", "http://localhost"):
        name = package_name(origin)
        page = web_page(_said(f"{origin}/p", f"{name}/.Main"), name)
        assert page is not None
        assert page.app == origin
