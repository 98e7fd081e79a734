"""Starting, losing, attaching to and letting go of a browser; what is kept and what never leaves."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.browser.reading import labels, tap
from tests.adapters.browser.site_server import SITE
from tests.conformance.device import DeviceSuite
from waypost.adapters.browser import BrowserConfig, BrowserDevice, find_chromium
from waypost.errors import DeviceError, UsageError
from waypost.model import Press, Swipe, Tap, Wait
from waypost.protocols import Device


@pytest.mark.chromium
class TestConformance(DeviceSuite):
    @pytest.fixture
    def device(self, chromium: str, site: str) -> Iterator[Device]:
        device = BrowserDevice(f"{site}/index.html", config=BrowserConfig(executable=chromium))
        yield device
        device.close()


def _told(device: BrowserDevice, part: str) -> str:
    for _ in range(20):
        text = next(e.text for e in device.observe().screen.visible() if e.resource_id == "out")
        if part in text:
            return text
        device.perform(Wait(0.1))
    return text


@pytest.mark.chromium
def test_state_is_saved_and_brought_back_with_its_database(chromium: str, site: str, tmp_path: Path) -> None:
    url = f"{site}/state.html"
    with BrowserDevice(url, config=BrowserConfig(executable=chromium)) as device:
        assert "local null, base undefined, script none" in _told(device, "worker blocked")
        tap(device, "Keep")
        device.restart()
        assert "local one, base two" in _told(device, "base two")
        device.save_state(tmp_path / "state.json")
    config = BrowserConfig(
        executable=chromium, storage_state=tmp_path / "state.json", init_script=SITE / "init_script.js"
    )
    with BrowserDevice(url, config=config) as device:
        assert "local one, base two, script yes" in _told(device, "base two")


@pytest.mark.chromium
def test_a_profile_of_its_own_lasts(chromium: str, site: str, tmp_path: Path) -> None:
    config = BrowserConfig(executable=chromium, profile_dir=tmp_path / "profile")
    with BrowserDevice(f"{site}/state.html", config=config) as device:
        tap(device, "Keep")
        _told(device, "base two")
    with BrowserDevice(f"{site}/state.html", config=config) as device:
        assert "local one, base two" in _told(device, "base two")


@pytest.fixture
def running(chromium: str, site: str, tmp_path: Path) -> Iterator[str]:
    """A browser that somebody else runs, with a page open in it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"]
    command += [
        f"--remote-debugging-port={port}",
        f"--user-data-dir={tmp_path / 'theirs'}",
        f"{site}/list.html",
    ]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


def _pages(address: str) -> list[str]:
    for _ in range(100):
        try:
            with urllib.request.urlopen(f"{address}/json") as reply:
                rows: list[dict[str, Any]] = json.load(reply)
        except OSError:
            rows = []
        pages = [r["url"] for r in rows if r["type"] == "page" and r["url"].startswith("http")]
        if pages:
            return pages
        time.sleep(0.1)
    return []


@pytest.mark.chromium
def test_an_attached_page_stays_as_it_stands(running: str, site: str) -> None:
    assert _pages(running) == [f"{site}/list.html"]
    with BrowserDevice(config=BrowserConfig(cdp=running)) as device:
        screen = device.observe().screen
        assert screen.activity == "/list.html"
        device.perform(Swipe())
        moved = labels(device.observe().screen)
        assert moved != labels(screen)
    assert _pages(running) == [f"{site}/list.html"]
    with BrowserDevice(f"{site}/two.html", config=BrowserConfig(cdp=running)) as again:
        assert labels(again.observe().screen) == moved
        again.restart()
        assert again.observe().screen.title == "Second"
    assert _pages(running) == [f"{site}/two.html"]


@pytest.mark.chromium
def test_a_crashed_page_is_an_error_and_a_restart_mends_it(chromium: str, site: str) -> None:
    with BrowserDevice(f"{site}/index.html", config=BrowserConfig(executable=chromium)) as device:
        device.observe()
        session = device._session
        assert session is not None
        with contextlib.suppress(DeviceError):
            device._call(session.free(session.cdp.send("Page.crash")))
        with pytest.raises(DeviceError, match="restart"):
            _until_it_fails(device)
        device.restart()
        assert device.observe().screen.title == "Harbour"


@pytest.mark.chromium
def test_a_browser_that_ended_is_an_error_and_a_restart_starts_another(chromium: str, site: str) -> None:
    with BrowserDevice(f"{site}/index.html", config=BrowserConfig(executable=chromium)) as device:
        device.observe()
        for child in _children(os.getpid(), "chrom"):
            os.kill(child, signal.SIGKILL)
        with pytest.raises(DeviceError, match="restart"):
            _until_it_fails(device)
        device.restart()
        assert device.observe().screen.title == "Harbour"


def _until_it_fails(device: BrowserDevice) -> None:
    """Look until the loss is noticed; the process may take a moment to end."""
    for _ in range(100):
        device.observe()


def _children(parent: int, name: str) -> list[int]:
    """Processes that this one started, at any remove, whose command has `name` in it."""
    parents, names = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:
            continue
        pid = int(stat.parent.name)
        names[pid] = text[text.index("(") + 1 : text.rindex(")")]
        parents[pid] = int(text[text.rindex(")") + 2 :].split()[1])
    ours = {parent}
    for _ in range(8):
        ours |= {p for p, up in parents.items() if up in ours}
    return [p for p in ours if name in names.get(p, "") and p != parent]


@pytest.mark.chromium
def test_a_server_that_is_not_there_is_named(chromium: str) -> None:
    with (
        BrowserDevice("http://127.0.0.1:9/", config=BrowserConfig(executable=chromium)) as device,
        pytest.raises(DeviceError, match=r"127\.0\.0\.1:9.*running"),
    ):
        device.observe()


@pytest.mark.parametrize("text", ["", "   ", "http://", "ftp://x/", "two words", "http://host:99999/"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="http://127"):
        BrowserDevice(text)


def test_a_browser_that_is_not_there_is_named() -> None:
    with (
        BrowserDevice("http://127.0.0.1:9/", config=BrowserConfig(executable="/nowhere/chromium")) as device,
        pytest.raises(DeviceError, match="apt install chromium"),
    ):
        device.observe()


def test_nothing_can_be_done_with_a_closed_device() -> None:
    device = BrowserDevice("http://127.0.0.1:9/")
    device.close()
    device.close()
    with pytest.raises(DeviceError, match="closed"):
        device.perform(Press("back"))


def test_the_users_own_profile_is_never_taken(tmp_path: Path) -> None:
    for own in (Path.home() / ".config/chromium", Path.home() / ".config/google-chrome/Default"):
        with pytest.raises(UsageError, match="your own browser"):
            BrowserDevice("http://127.0.0.1:9/", config=BrowserConfig(profile_dir=own))


def test_settings_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no storage state"):
        BrowserDevice("http://127.0.0.1:9/", config=BrowserConfig(storage_state=tmp_path / "none.json"))
    (tmp_path / "state.json").write_text("{}")
    both = BrowserConfig(storage_state=tmp_path / "state.json", profile_dir=tmp_path / "p")
    with pytest.raises(UsageError, match="not both"):
        BrowserDevice("http://127.0.0.1:9/", config=both)
    attached = BrowserConfig(cdp="http://127.0.0.1:9222", storage_state=tmp_path / "state.json")
    with pytest.raises(UsageError, match="attached"):
        BrowserDevice(config=attached)


def test_a_browser_is_found_on_the_path(chromium: str) -> None:
    assert Path(find_chromium()).exists()


@pytest.mark.chromium
def test_a_device_works_from_any_thread(chromium: str, site: str) -> None:
    with BrowserDevice(f"{site}/index.html", config=BrowserConfig(executable=chromium)) as device:
        first = device.observe().screen
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(device.observe).result().screen == first
            pool.submit(device.perform, Tap((5, 2390))).result()
