"""The viewer as its own page asks it: answers, corrections, refusals, and the file that is exported."""

import http.client
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from tests.surface.big import big_map
from waypost.cli.app import app
from waypost.parts.exploring import ExploreRequest, explored
from waypost.parts.face import open_map
from waypost.surface.serving import Serving
from waypost.surface.view import Viewer, serve_view
from waypost.surface.view.layout import CELL, laid_out
from waypost.surface.view.page import rendered

ASKED = "how long until the countdown rings"


@contextmanager
def _serving(folder: Path, against: Path | None = None) -> Iterator[Serving[Any]]:
    served = serve_view(Viewer(folder, against), port=0)
    try:
        yield served
    finally:
        served.close()


def _send(
    served: Serving[Any], path: str, body: dict[str, Any] | None = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection(urlsplit(served.url).netloc, timeout=60)
    try:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is None:
            connection.request("GET", path, headers=sent)
        else:
            connection.request("POST", path, json.dumps(body), {"X-Waypost": "1", **sent})
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def _asked(
    served: Serving[Any], path: str, body: dict[str, Any] | None = None, status: int = 200
) -> dict[str, Any]:
    got, _, text = _send(served, path, body)
    assert got == status, text
    said = json.loads(text)
    assert isinstance(said, dict)
    return said


def _page(served: Serving[Any], name: str) -> dict[str, Any]:
    return next(n for n in _asked(served, "/api/start")["overview"]["nodes"] if n["name"] == name)


# What it shows


def test_the_search_is_the_real_retrieval(clock_map: Path) -> None:
    with _serving(clock_map) as served:
        found = _asked(served, f"/api/search?q={quote(ASKED)}")
    with open_map(clock_map, readonly=True) as known:
        answer = known.find(ASKED)
    assert answer.record is not None
    assert (found["found"], found["reason"]) == (answer.record.node, answer.reason)
    told = [(c["id"], c["score"], c["why"]) for c in found["candidates"]]
    assert told == [(f.record.node, round(f.score, 2), list(f.why)) for f in answer.candidates]
    assert set(found["candidates"][0]["evidence"]) == {
        "summary",
        "intents",
        "words",
        "tokens",
        "elsewhere",
    }


def test_a_card_tells_all_that_is_known_of_a_page(clock_map: Path) -> None:
    with _serving(clock_map) as served:
        page = _page(served, "New alarm")
        card = _asked(served, f"/api/page?id={page['id']}")
    assert card["record"]["summary"]
    assert card["record"]["intents"]
    assert card["record"]["waypoints"] == ["Alarms", "New alarm"]
    assert card["record"]["hints"]
    assert card["evidence"]["shares"]
    assert {"does": 'tap button "Save"', "reason": "hazard: save"} in card["left_alone"]
    assert any(s["from_name"] == "Alarms" and 0 < s["reliability"] <= 1 for s in card["reached_from"])
    assert len(card["untried"]) == page["untried"]


def test_a_route_says_where_on_each_screen_to_act(clock_map: Path) -> None:
    with _serving(clock_map) as served:
        page = _page(served, "Silence after (dialog)")
        way = _asked(served, f"/api/route?to={page['id']}")
    assert way["status"] == "optimal"
    assert len(way["steps"]) == page["depth"] + 1
    assert way["steps"][-1]["from"] == page["id"]
    for step in way["steps"][:-1]:
        left, top, right, bottom = step["box"]
        assert 0 <= left < right <= 1
        assert 0 <= top < bottom <= 1
    assert way["block"].startswith("Task: ")


def test_pictures_are_made_small(clock_map: Path) -> None:
    with _serving(clock_map) as served:
        image = _page(served, "Alarms")["picture"]
        thumb = _send(served, f"/picture/thumb/{image}")
        screen = _send(served, f"/picture/screen/{image}")
        assert (thumb[0], thumb[1]["Content-Type"]) == (200, "image/webp")
        assert "immutable" in thumb[1]["Cache-Control"]
        assert len(thumb[2]) < len(screen[2]) < 40_000
        assert _send(served, f"/picture/huge/{image}")[0] == 404
        assert _send(served, f"/picture/thumb/{'0' * 64}")[0] == 404


def test_a_growing_map_is_followed(clock_map: Path) -> None:
    with _serving(clock_map) as served:
        begun = _asked(served, "/api/start")["overview"]["steps"]
        assert not _asked(served, f"/api/live?since={begun}")["changed"]
        explored("pocket:clock", clock_map, ExploreRequest(actions=8))
        told = _asked(served, f"/api/live?since={begun}")
        assert told["changed"]
        assert told["steps"] > begun
        assert len(told["taken"]) == told["steps"] - begun
        assert {s["id"] for s in told["taken"]} <= {n["id"] for n in told["overview"]["nodes"]}
        assert _asked(served, "/api/start")["overview"]["steps"] == told["steps"]


def test_two_builds_are_shown_side_by_side(clock_map: Path, tmp_path: Path) -> None:
    with open_map(shutil.copytree(clock_map, tmp_path / "old")) as old:
        gone = next(n for n in old.pages() if n.name == "Bedtime")
        old.mapper.rename(gone.id, "Bedtime")
    with _serving(clock_map, tmp_path / "old") as served:
        assert _asked(served, "/api/start")["against"]["map"] == "old"
        assert _asked(served, "/api/changes")["differs"] is False
    with _serving(clock_map) as served:
        assert "--against" in _asked(served, "/api/changes", status=400)["error"]


# What it corrects


def test_a_correction_is_written_and_taken_back(clock_map: Path) -> None:
    with _serving(clock_map) as served:
        page = _page(served, "Timer")["id"]
        done = _asked(served, "/api/correct", {"what": "rename", "page": page, "name": "Countdown"})
        assert done["pages"] == [{"id": page, "name": "Countdown"}]
        assert "Countdown" in (clock_map / "pages.yaml").read_text(encoding="utf-8")
        assert _page(served, "Countdown")["id"] == page
        _asked(served, "/api/correct", {"what": "undo"})
        assert _page(served, "Timer")["id"] == page


def test_an_edited_record_is_kept_as_the_users(clock_map: Path) -> None:
    said = {"what": "edit", "summary": "Rings when the eggs are done.", "intents": ["boil  eggs", " "]}
    with _serving(clock_map) as served:
        page = _page(served, "Timer")["id"]
        _asked(served, "/api/correct", {**said, "page": page})
        card = _asked(served, f"/api/page?id={page}")
        assert card["record"]["summary"] == "Rings when the eggs are done."
        assert card["record"]["intents"] == ["boil eggs"]
        by = card["record"]["provenance"]
        assert (by["summary"], by["intents"], by["hints"]) == ("user", "user", "seen")
        assert _asked(served, "/api/search?q=boil+eggs")["found"] == page


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"what": "burn"}, "no correction"),
        ({"what": "rename", "page": "nowhere", "name": "x"}, "No page is called"),
        ({"what": "rename", "page": "n1"}, "'name' is missing"),
        ({"what": "merge", "page": "n1", "other": "n1"}, "one page already"),
        ({"what": "split", "page": "n1", "looks": "9"}, "no look"),
        ({"what": "edit", "page": "n1", "summary": "x", "intents": "y"}, "list of texts"),
        ({"what": "undo"}, "no correction to undo"),
        ({"page": "n1"}, "says 'what'"),
    ],
)
def test_a_correction_that_makes_no_sense_is_answered_in_words(
    said: dict[str, Any], words: str, clock_map: Path
) -> None:
    with _serving(clock_map) as served:
        assert words in _asked(served, "/api/correct", said, status=400)["error"]


def test_a_map_that_is_being_written_is_corrected_later(clock_map: Path) -> None:
    with _serving(clock_map) as served, open_map(clock_map):
        said = {"what": "pin", "page": "n1"}
        assert "being written" in _asked(served, "/api/correct", said, status=409)["error"]
        assert _asked(served, "/api/page?id=n1")["pinned"] is False


# Whom it answers


def test_only_the_page_itself_is_answered(clock_map: Path) -> None:
    with _serving(clock_map) as served:
        assert _send(served, "/api/start", Host="evil.example:80")[0] == 403
        assert _send(served, "/api/start", Origin="http://evil.example")[0] == 403
        undo = {"what": "undo"}
        assert _send(served, "/api/correct", undo, Origin="http://evil.example")[0] == 403
        assert _send(served, "/api/correct", undo, X_Waypost="0")[0] == 403
        assert _send(served, "/../map.sqlite")[0] == 404
        assert _send(served, "/api/live?since=x")[0] == 400
        status, headers, _ = _send(served, "/")
        assert status == 200
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "unsafe-eval" not in headers["Content-Security-Policy"]


def test_what_an_app_shows_cannot_become_markup() -> None:
    page, _ = rendered({"start": {"map": "</script><script>alert(1)</script><!--"}})
    assert page.count("</script>") == 2
    assert "alert(1)" in page
    assert "<!--" not in page.split('id="data"')[1].split("</script>")[0]


# The layout


@given(st.lists(st.integers(0, 40), min_size=1, max_size=9), st.data())
def test_no_two_pages_lie_on_each_other(sizes: list[int], data: st.DataObject) -> None:
    groups = [(f"{d}", [f"{d}-{i}" for i in range(n)]) for d, n in enumerate(sizes)]
    ids = [i for _, held in groups for i in held]
    ways = (
        data.draw(st.lists(st.tuples(st.sampled_from(ids), st.sampled_from(ids)), max_size=60)) if ids else []
    )
    laid = laid_out(groups, ways)
    assert set(laid.places) == set(ids)
    assert len(set(laid.places.values())) == len(ids)
    for band, (_, held) in zip(laid.bands, groups, strict=True):
        for node in held:
            x, y = laid.places[node]
            assert band.left <= x <= band.left + band.width - CELL[0]
            assert 0 <= y <= laid.height - CELL[1]
    for one, other in zip(laid.bands, laid.bands[1:], strict=False):
        assert one.left + one.width < other.left


# The file, and the command


def test_the_exported_file_holds_everything(clock_map: Path, tmp_path: Path) -> None:
    out = tmp_path / "clock.html"
    result = CliRunner().invoke(app, ["view", str(clock_map), "--export", str(out), "--json"])
    assert result.exit_code == 0, result.output
    text = out.read_text(encoding="utf-8")
    told = json.loads(result.stdout)
    assert (told["bytes"], told["pages"]) == (len(text.encode()), 27)
    assert not re.findall(r"""(?:src|href)=["']?https?:""", text)
    found = re.search(r'id="data">(.*?)</script>', text)
    assert found is not None
    data = json.loads(found[1])
    nodes = data["start"]["overview"]["nodes"]
    assert set(data["cards"]) == {n["id"] for n in nodes} == set(data["routes"])
    assert {n["picture"] for n in nodes if n["picture"]} == set(data["pictures"])


def test_a_map_that_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    for more in ([], ["--export", str(tmp_path / "x.html")]):
        result = CliRunner().invoke(app, ["view", str(tmp_path / "none"), *more, "--json"])
        assert result.exit_code == 2
        assert "waypost explore" in json.loads(result.stdout)["error"]["message"]


def test_the_command_serves_until_it_is_told_to_stop(clock_map: Path) -> None:
    words = [sys.executable, "-m", "waypost", "view", str(clock_map), "--port", "0", "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        told = ""
        while not told.rstrip().endswith("}"):
            told += running.stdout.readline()
        netloc = urlsplit(json.loads(told)["url"]).netloc
        connection = http.client.HTTPConnection(netloc, timeout=60)
        connection.request("GET", "/api/start")
        assert json.loads(connection.getresponse().read())["map"] == "clock"
        connection.close()
        running.terminate()
        assert running.wait(60) == 0


def test_a_map_of_many_pages_is_laid_out(tmp_path: Path) -> None:
    with _serving(big_map(tmp_path / "big", 300)) as served:
        shown = _asked(served, "/api/start")["overview"]
    assert len(shown["nodes"]) == 300
    assert len(shown["ways"]) > 900
    width, height = shown["size"]
    assert 0.3 < width / height < 4
