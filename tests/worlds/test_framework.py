"""A real app on a real Android framework: started from nothing but the cache, touched, read and drawn."""

import io
import itertools
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from tests.conformance.device import DeviceSuite
from waypost.adapters.framework import FrameworkDevice
from waypost.bench.tasks import read_tasks
from waypost.exploration import ExploreConfig, explore
from waypost.mapping import Mapper
from waypost.model import AppGraph, Element, Observation, Press, Tap, TypeText
from waypost.protocols import Device

WORLDS = Path(__file__).resolve().parents[2] / "worlds"
CANNOT = re.compile(r"is missing|could not fetch|could not install|is no Java")
APP = "io.appium.android.apis"


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(WORLDS / "apidemos/run"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    cache = str(tmp_path_factory.mktemp("apidemos"))
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = str(s.getsockname()[1])
    started = run("--background", "--port", port, "--cache", cache)
    if started.returncode and CANNOT.search(started.stderr):
        pytest.skip(started.stderr.strip().splitlines()[-1])
    assert started.returncode == 0, started.stderr
    yield started.stdout.strip().removeprefix("framework:")
    assert run("--stop", "--cache", cache).returncode == 0


@pytest.fixture
def phone(address: str) -> Iterator[FrameworkDevice]:
    with FrameworkDevice(address) as device:
        yield device


def shown(phone: FrameworkDevice, label: str) -> Element:
    return next(e for e in phone.observe().screen.visible() if label in (e.text, e.description))


def tap(phone: FrameworkDevice, label: str) -> set[str]:
    """Tap what is called so, and return all texts that are seen then."""
    phone.perform(Tap(shown(phone, label).bounds.center))
    return {e.text for e in phone.observe().screen.visible()}


@pytest.mark.slow
def test_five_screens_of_a_real_app_are_reached_by_touch_and_drawn(phone: FrameworkDevice) -> None:
    phone.restart()
    assert shown(phone, "Views").clickable
    tap(phone, "App")
    tap(phone, "Alert Dialogs")
    assert phone.observe().screen.activity == f"{APP}.app.AlertDialogSamples"
    assert {"Text Entry dialog", "Name:"} <= tap(phone, "TEXT ENTRY DIALOG")
    phone.perform(TypeText("Grüße <&>"))
    assert shown(phone, "Grüße <&>").focused
    phone.perform(Press("back"))
    phone.open(f"{APP}.view.Spinner1")
    assert {"Mercury", "Pluto"} <= tap(phone, "Mercury")
    assert "Mars" in tap(phone, "Mars")
    phone.open(f"{APP}.view.Tabs1")
    assert "tab3" in tap(phone, "TAB3")
    phone.open(f"{APP}.app.ReceiveResult")
    tap(phone, "GET RESULT")
    assert any("Violet" in text for text in tap(phone, "Violet"))
    with Image.open(io.BytesIO(phone.observe(pixels=True).image)) as picture:
        assert picture.size == (1080, 2400)
        assert len(picture.convert("RGB").getcolors(1 << 22) or []) > 10
    assert phone.deaths == ()


@pytest.mark.slow
def test_an_app_that_dies_says_so_as_android_does_and_starts_over(phone: FrameworkDevice) -> None:
    phone.open(f"{APP}.os.SmsReceivedDialog")  # It wants a message, and there is none.
    seen = phone.observe().screen
    assert (seen.app, seen.overlay) == (APP, "android")
    assert shown(phone, "API Demos keeps stopping")
    assert "NullPointerException" in phone.deaths[-1]
    assert "Views" in tap(phone, "CLOSE APP")


@pytest.mark.slow
def test_what_leads_to_another_app_is_noted_and_back_comes_back(phone: FrameworkDevice) -> None:
    phone.open(f"{APP}.app.Intents")
    tap(phone, "GET MUSIC")
    assert phone.observe().screen.app == "com.waypost.outside"
    assert "CHOOSER" in phone.left[-1]
    phone.perform(Press("back"))
    assert phone.observe().screen.activity == f"{APP}.app.Intents"


@pytest.mark.slow
@pytest.mark.long
class TestConformance(DeviceSuite):
    @pytest.fixture
    def device(self, phone: FrameworkDevice) -> Device:
        phone.restart()
        return phone


def test_its_task_file_can_be_read_and_asks_for_enough() -> None:
    tasks = read_tasks(WORLDS / "apidemos/tasks.yaml").tasks
    absent = [t for t in tasks if t.target is None]
    assert (len(tasks) - len(absent), len(absent)) == (40, 8)
    assert all("absent" in t.tags for t in absent)


@pytest.mark.slow
def test_menus_that_differ_in_their_rows_alone_are_explored_as_pages_of_their_own(
    phone: FrameworkDevice,
) -> None:
    phone.restart()
    true: dict[float, str] = {}

    class Told:
        """The phone, with what it says of each look kept beside it."""

        name, settles = phone.name, True
        perform, restart, close = phone.perform, phone.restart, phone.close

        def observe(self, *, pixels: bool = False) -> Observation:
            seen = phone.observe(pixels=pixels)
            true[seen.seen_at] = phone.where()
            return seen

    mapper = Mapper(AppGraph(app=APP))
    ticks = itertools.count()
    explore(Told(), mapper, ExploreConfig(actions=30), clock=lambda: float(next(ticks)))
    menus = [n for n in mapper.graph.pages() if n.level]
    shown = [{true[k.observation.seen_at] for k in n.looks} for n in menus]
    assert len(menus) >= 3
    assert all(len(pages) == 1 for pages in shown)
    assert len(set[str]().union(*shown)) == len(menus)
