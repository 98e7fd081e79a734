import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.mapping.looks import button, listed, screen, toolbar
from waypost.adapters.looks import write_labels, write_look
from waypost.cli.app import app
from waypost.model import Observation, Screen

runner = CliRunner()


def _run(*args: str, code: int = 0) -> tuple[str, str]:
    result = runner.invoke(app, ["identity", *args])
    assert result.exit_code == code, (result.stdout, result.stderr, result.exception)
    assert "Traceback" not in result.stderr
    return result.stdout, result.stderr


def page(title: str, *rows: str, **more: Any) -> Screen:
    bar = toolbar(title, button("Search", 60, 900))
    return screen(bar, listed(rows, identifier=f"{title.lower()}_list"), **more)


LOOKS = {
    "inbox1": page("Inbox", "Lunch on Friday", "Your invoice"),
    "inbox2": page("Inbox", "You have won", "Cheap pills", "Act now"),
    "settings": page("Settings", "Sound", "Display", activity=".Settings"),
    "permission": page("Allow?", app="com.android.permissioncontroller"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, seen in LOOKS.items():
        write_look(tmp_path, name, Observation(seen))
    return tmp_path


def test_a_folder_of_looks_is_sorted_into_pages(folder: Path) -> None:
    out, _ = _run("cluster", str(folder), "--json")
    found = json.loads(out)
    assert set(found) == set(LOOKS)
    assert found["permission"] is None
    assert found["inbox1"] == found["inbox2"] != found["settings"]


def test_a_person_is_told_how_many_pages_there_are(folder: Path) -> None:
    out, said = _run("cluster", str(folder))
    assert len(out.splitlines()) == len(LOOKS)
    assert "4 looks of org.example.app: 2 pages, 1 looks of none" in said


def test_another_app_can_be_asked_for(folder: Path) -> None:
    out, _ = _run("cluster", str(folder), "--app", "com.android.permissioncontroller", "--json")
    assert json.loads(out)["inbox1"] is None


def test_a_broken_look_is_named_and_the_others_are_sorted(folder: Path) -> None:
    (folder / "torn.json").write_text("{")
    out, said = _run("cluster", str(folder), "--json")
    assert set(json.loads(out)) == set(LOOKS)
    assert "torn.json: is not JSON" in said


def test_a_folder_that_is_none_is_wrong_use(tmp_path: Path) -> None:
    _, said = _run("cluster", str(tmp_path / "nowhere"), code=2)
    assert "no folder" in said
    out, _ = _run("cluster", str(tmp_path), "--json", code=2)
    assert json.loads(out)["error"]["kind"] == "UsageError"


@pytest.fixture
def labelled(folder: Path) -> Path:
    pages = {"inbox1": "inbox", "inbox2": "inbox", "settings": "settings", "permission": None}
    write_labels(folder, pages, {"inbox2": ["list"]})
    return folder


def test_scores_are_printed_in_the_published_form(labelled: Path) -> None:
    out, _ = _run("score", "--no-builtin", "--sets", str(labelled), "--json")
    found = json.loads(out)
    assert list(found) == ["sets"]
    assert list(found["sets"]) == [labelled.name]
    scores = found["sets"][labelled.name]
    assert list(scores)[:2] == ["ours", "paper"]
    keys = ["pair_precision", "pair_recall", "pair_f1", "b3_f1", "split", "merge", "ci95"]
    assert all(list(s) == keys for s in scores.values())
    assert scores["ours"]["pair_f1"] == 1.0
    assert scores["droidbot-state"]["split"] == 0.5


def test_failures_causes_and_costs_are_told_where_asked(labelled: Path) -> None:
    asked = ("--matcher", "mcp-devices", "--failures", "--causes", "--cost")
    out, _ = _run("score", "--no-builtin", "--sets", str(labelled), "--json", *asked)
    found = json.loads(out)
    (wrong,) = found["failures"][labelled.name]["mcp-devices"]
    assert (wrong["kind"], wrong["a"], wrong["b"], wrong["page_a"]) == ("parted", "inbox1", "inbox2", "inbox")
    assert found["causes"][labelled.name]["mcp-devices"]["list"]["pairs"] == 1
    assert found["cost"][labelled.name]["mcp-devices"][0]["looks"] == 3
    out, said = _run("score", "--no-builtin", "--sets", str(labelled), *asked)
    assert "3 looks, 2 pages" in out
    assert "parted (1 pairs) inbox" in out
    assert "CLIP" in said


def test_failures_are_shown_side_by_side(labelled: Path, tmp_path: Path) -> None:
    file = tmp_path / "wrong.html"
    asked = ("score", "--no-builtin", "--sets", str(labelled), "--matcher", "mcp-devices", "--pictures")
    _, said = _run(*asked, str(file))
    assert "what was sorted wrongly" in said
    page = file.read_text(encoding="utf-8")
    assert "mcp-devices: parted, 1 pairs" in page
    assert page.count("<figure>") == page.count("<svg") == 2  # No screenshots: drawn from their trees.
    assert "You have won" in page
    _, said = _run(*asked, str(tmp_path / "nowhere" / "wrong.html"), code=2)
    assert "name a file in a folder that exists" in said


def test_a_set_is_kept_as_a_folder(labelled: Path, tmp_path: Path) -> None:
    place = tmp_path / "kept"
    asked = ("--no-builtin", "--matcher", "activity", "--json")
    before, _ = _run("score", "--sets", str(labelled), "--keep", str(place), *asked)
    after, _ = _run("score", "--sets", str(place), *asked)
    assert json.loads(before) == json.loads(after)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (["--no-builtin"], "nothing to score"),
        (["--no-builtin", "--sets", "nowhere"], "no folder"),
        (["--only", "unknown"], "no set 'unknown'"),
        (["--only", "pocket-clock", "--actions", "1", "--matcher", "best"], "no matcher"),
    ],
)
def test_a_score_of_nothing_is_wrong_use(asked: list[str], why: str) -> None:
    _, said = _run("score", *asked, code=2)
    assert why in said
