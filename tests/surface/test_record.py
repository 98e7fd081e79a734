"""The recorder as a person meets it: a page in a real browser on a phone, and the map that comes of it."""

import http.client
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect, sync_playwright

from tests.cli.calling import called_json
from waypost.errors import DeviceError, UsageError
from waypost.navigate.episodes import append_episode
from waypost.parts.face import open_map
from waypost.surface.record import Recorder, RecordRequest, serve_record
from waypost.surface.serving import Serving

TOKEN = "a-token-of-the-test"


@contextmanager
def _serving(device: str, folder: Path) -> Iterator[tuple[Serving[Any], threading.Event]]:
    recorder, done = Recorder(RecordRequest(device, str(folder))), threading.Event()
    served = serve_record(recorder, TOKEN, finished=done.set, port=0)
    try:
        yield served, done
    finally:
        served.close()
        recorder.close()


def _do(recorder: Recorder, label: str, did: str = "tap", **more: Any) -> dict[str, Any]:
    """Do something to what is called so on the screen that shows."""
    rows = recorder.state()["elements"]
    left, top, width, height = next(e["box"] for e in rows if e["label"] == label)
    return recorder.do(did, {"x": left + width / 2, "y": top + height / 2, **more})


def _post(served: Serving[Any], body: dict[str, Any], **headers: str) -> tuple[int, dict[str, Any]]:
    where = urlsplit(served.url)
    link = http.client.HTTPConnection(where.hostname or "", where.port, timeout=60)
    sent = {"X-Waypost": "1", "X-Waypost-Token": TOKEN} | {k.replace("_", "-"): v for k, v in headers.items()}
    link.request("POST", "/api/do", json.dumps(body), sent)
    reply = link.getresponse()
    told = json.loads(reply.read())
    link.close()
    return reply.status, told


def test_what_is_tapped_and_named_becomes_a_map(tmp_path: Path) -> None:
    recorder = Recorder(RecordRequest("pocket:clock", str(tmp_path / "m")))
    try:
        assert recorder.state()["page"]["new"]
        seen = _do(recorder, "Timer")
        assert (seen["pages"], seen["steps"], seen["page"]["new"]) == (2, 1, True)
        named = recorder.do("name", {"name": "Kitchen timer"})
        assert named["page"]["name"] == "Kitchen timer"
        back = recorder.do("back", {})
        assert not back["page"]["new"]
        with pytest.raises(UsageError, match="nothing to tap there"):
            recorder.do("tap", {"x": 0.5, "y": 0.0})
        with pytest.raises(UsageError, match="share of the screen"):
            recorder.do("tap", {"x": 2, "y": 0.5})
    finally:
        made = recorder.close()
    assert made == recorder.close()
    assert made["pages"] == made["records"] == 2
    with pytest.raises(UsageError, match="finished"):
        recorder.state()
    with open_map(tmp_path / "m") as known:
        assert "Kitchen timer" in {n.name for n in known.pages()}
        # It is a map like any other: found on, planned on, gone by, on the device that it was made on.
        assert known.go("Kitchen timer").verified


def test_the_last_step_can_be_forgotten_and_only_that_one(tmp_path: Path) -> None:
    recorder = Recorder(RecordRequest("pocket:clock", str(tmp_path / "m")))
    try:
        _do(recorder, "Timer")
        _do(recorder, "Stopwatch")
        left = recorder.do("forget", {})
        assert left["steps"] == 1
        assert "Stopwatch" not in [s["did"] for s in left["trail"]]
        with pytest.raises(UsageError, match="only the last one"):
            recorder.do("forget", {})
    finally:
        recorder.close()
    with open_map(tmp_path / "m") as known:
        assert "Stopwatch" not in {n.name for n in known.pages()}


def test_what_may_do_harm_is_done_only_when_it_is_asked_for_again(tmp_path: Path) -> None:
    recorder = Recorder(RecordRequest("pocket:mail", str(tmp_path / "m")))
    try:
        asked = recorder.state()
        assert asked["page"]["side"]  # A permission is asked for: no page of the app.
        _do(recorder, "Only this time")
        state = _do(recorder, "Compose")
        steps = state["steps"]
        risky = next(e for e in state["elements"] if e["hazard"])
        with pytest.raises(UsageError, match=f"may do harm \\({risky['hazard']}\\)"):
            _do(recorder, risky["label"])
        assert recorder.state()["steps"] == steps
        assert _do(recorder, risky["label"], sure=True)["steps"] == steps + 1
    finally:
        recorder.close()


def test_what_is_typed_goes_to_the_device_and_not_into_the_step(tmp_path: Path) -> None:
    recorder = Recorder(RecordRequest("pocket:settings", str(tmp_path / "m")))
    try:
        before = _do(recorder, "Search settings")
        assert "ringtone" in [e["label"] for e in before["elements"]]  # A search of before.
        _do(recorder, "Search settings", "type", text="hotspot")
        found = recorder.do("enter", {})
        assert [e["label"] for e in found["elements"]] == ["Search settings"]
        assert "hotspot" not in json.dumps(found["trail"])
    finally:
        recorder.close()
    with open_map(tmp_path / "m") as known:
        assert [t.action.text for t in known.graph.transitions.values() if hasattr(t.action, "text")] == [""]


def test_a_map_of_another_app_is_left_alone(tmp_path: Path) -> None:
    Recorder(RecordRequest("pocket:clock", str(tmp_path / "m"))).close()
    with pytest.raises(UsageError, match=r"is a map of com\.pocket\.clock"):
        Recorder(RecordRequest("pocket:mail", str(tmp_path / "m")))
    with pytest.raises((UsageError, DeviceError)):
        Recorder(RecordRequest("recorded:nowhere", str(tmp_path / "n")))


def test_nobody_taps_without_the_token(tmp_path: Path) -> None:
    with _serving("pocket:clock", tmp_path / "m") as (served, done):
        assert served.url.endswith(f"/#{TOKEN}")
        assert _post(served, {"what": "state"}, X_Waypost_Token="guess")[0] == 403
        assert _post(served, {"what": "state"}, X_Waypost="")[0] == 403
        assert _post(served, {"what": "state"}, Host="evil.example")[0] == 403
        assert _post(served, {"what": "state"}, Origin="http://evil.example")[0] == 403
        assert _post(served, {"what": "fly"})[0] == 400
        assert _post(served, {"what": "state"})[0] == 200
        assert not done.is_set()


def test_an_agents_run_becomes_a_map_with_no_device(tmp_path: Path) -> None:
    called_json("map", "get", "pocket-clock")
    with open_map("pocket-clock") as known:
        episode = known.go("how long until the countdown rings").episode
    assert episode is not None
    append_episode(tmp_path / "run.jsonl", episode, device="pocket:clock")
    made = called_json("record", "--from", str(tmp_path / "run.jsonl"), "--map", "lived")
    assert (made["episodes"], made["pages"], made["app"]) == (1, 2, "com.pocket.clock")
    assert {p["name"] for p in called_json("pages", "lived")["pages"]} == {"Alarms", "Timer"}


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    told = called_json("record", "--from", str(tmp_path / "none.jsonl"), "--map", "m", code=2)
    assert "none.jsonl" in told["error"]["message"]
    assert "Say where to keep" in called_json("record", "pocket:clock", code=2)["error"]["message"]
    assert "Name a device" in called_json("record", "--map", "m", code=2)["error"]["message"]


@pytest.mark.slow
def test_the_command_serves_until_the_person_is_done(tmp_path: Path) -> None:
    words = ("record", "pocket:clock", "--map", str(tmp_path / "m"), "--port", "0", "--no-open", "--json")
    with subprocess.Popen(
        [sys.executable, "-m", "waypost", *words], stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        told = ""
        while not told.rstrip().endswith("}"):
            told += running.stdout.readline()
        where = urlsplit(json.loads(told)["url"])
        link = http.client.HTTPConnection(where.hostname or "", where.port, timeout=60)
        sent = {"X-Waypost": "1", "X-Waypost-Token": where.fragment}
        link.request("POST", "/api/do", json.dumps({"what": "finish"}), sent)
        assert json.loads(link.getresponse().read())["finished"]["pages"] == 1
        link.close()
        made = json.loads(running.stdout.read())
    assert running.returncode == 0
    assert (made["pages"], made["records"]) == (1, 1)


@pytest.mark.chromium
@pytest.mark.parametrize(("width", "height"), [(1280, 860), (390, 844)], ids=["desktop", "phone"])
def test_a_person_records_a_map_on_the_page(chromium: str, tmp_path: Path, width: int, height: int) -> None:
    expect.set_options(timeout=60_000)
    with _serving("pocket:clock", tmp_path / "m") as (served, done), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium)
        page = browser.new_page(viewport={"width": width, "height": height})
        wrong: list[str] = []
        page.on("pageerror", lambda e: wrong.append(str(e)))
        page.on(
            "request",
            lambda r: None if r.url.startswith(("http://127.0.0.1", "data:")) else wrong.append(r.url),
        )
        page.goto(served.url)
        expect(page.locator("#counts")).to_have_text("1 page, 0 steps")
        _tap(page, "Timer")
        expect(page.locator("#counts")).to_have_text("2 pages, 1 step")
        expect(page.locator("#said")).to_have_text("A new page.")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert not Axe().run(page).response["violations"]
        # One keystroke, a name, Enter.
        page.keyboard.press("n")
        page.keyboard.type("Egg timer")
        page.keyboard.press("Enter")
        expect(page.locator("#said")).to_contain_text("'Egg timer'")
        page.keyboard.press("b")
        expect(page.locator("#counts")).to_have_text("2 pages, 2 steps")
        _tap(page, "World")
        expect(page.locator("#counts")).to_have_text("3 pages, 3 steps")
        page.keyboard.press("u")
        expect(page.locator("#said")).to_have_text("forgotten")
        page.mouse.click(*_corner(page))
        expect(page.locator("#error")).to_contain_text("nothing to tap")
        page.keyboard.press("Shift+F")
        expect(page.locator("h2")).to_have_text("The map is written.")
        assert done.wait(60)
        assert not wrong
        browser.close()
    with open_map(tmp_path / "m") as known:
        assert "Egg timer" in {n.name for n in known.pages()}
        assert "World" not in {n.name for n in known.pages()}


def _tap(page: Page, name: str) -> None:
    page.locator(f"#screen button[aria-label='{name}']").first.click()


def _corner(page: Page) -> tuple[float, float]:
    box = page.locator("#screen").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + 2
