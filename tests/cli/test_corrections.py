"""`waypost pages` and its corrections, `explain` of looks, `diff`, `verify`: every verb, every misuse."""

import shutil
from pathlib import Path

import pytest

from tests.cli.calling import called as _run
from tests.cli.calling import called_json as _json


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a finished map of pocket's clock, to be copied."""
    folder = tmp_path_factory.mktemp("maps") / "clock"
    _json("explore", "pocket:clock", "--map", str(folder), "--no-pictures")
    return folder


@pytest.fixture
def clock(explored: Path, tmp_path: Path) -> str:
    """Give a map that a test may change."""
    return str(shutil.copytree(explored, tmp_path / "clock"))


def _names(folder: str) -> dict[str, str]:
    return {p["id"]: p["name"] for p in _json("pages", folder)["pages"]}


def _pair(folder: str) -> tuple[str, str]:
    one, other, *_ = _json("pages", folder)["pages"][1:]
    return one["id"], other["id"]


def test_pages_are_merged_and_undone(clock: str) -> None:
    before = _names(clock)
    one, other = _pair(clock)
    told = _json("pages", clock, "--merge", before[one], other)
    assert told["corrections"] == 1
    assert [p["id"] for p in told["pages"]] == [min(one, other, key=lambda n: int(n[1:]))]
    assert Path(told["file"]).is_file()
    listed = _json("pages", clock)
    assert len(listed["pages"]) == len(before) - 1
    assert listed["corrections"] == [told["correction"]]
    reasons = _json("explain", clock, one, other)["reasons"]
    assert any(r["name"] == "correction" and "merged" in r["detail"] for r in reasons)
    assert "undone: merged" in _json("pages", clock, "--undo")["correction"]
    assert sorted(_names(clock).values()) == sorted(before.values())
    assert not Path(told["file"]).exists()
    assert _json("diff", str(clock), str(clock))["differs"] is False


def test_looks_are_split_off_and_undone(clock: str) -> None:
    page = max(_json("pages", clock)["pages"], key=lambda p: p["looks"])
    looks = _json("pages", clock, "--looks", page["id"])["looks"]
    assert [row["look"] for row in looks] == list(range(1, page["looks"] + 1))
    told = _json("pages", clock, "--split", page["id"], "2")
    assert [p["looks"] for p in told["pages"]] == [page["looks"] - 1, 1]
    stay, new = (p["id"] for p in told["pages"])
    found = _json("explain", clock, stay, new)
    assert not found["same"]
    assert "split" in found["reasons"][0]["detail"]
    assert not _json("explain", clock, f"{stay}#1", f"{new}#1")["same"]
    _json("pages", clock, "--undo")
    assert _json("explain", clock, stay, new)["same"]
    assert len(_names(clock)) == len(_names(clock).values())


def test_a_page_is_renamed_in_records_and_guides_and_undone(clock: str) -> None:
    sentence = "time left until the countdown rings"
    was = _json("find", clock, sentence)
    told = _json("pages", clock, "--rename", was["page"], "The egg clock")
    assert told["pages"][0]["name"] == "The egg clock"
    assert _json("find", clock, sentence)["name"] == "The egg clock"
    assert "The egg clock" in _json("route", clock, sentence)["block"]
    assert "egg clock" in Path(clock, "records.jsonl").read_text(encoding="utf-8")
    _json("pages", clock, "--undo")
    assert _json("find", clock, sentence)["name"] == was["name"]


def test_a_name_that_is_written_by_hand_is_gone_by(clock: str) -> None:
    page = _json("find", clock, "time left until the countdown rings")["page"]
    Path(clock, "pages.yaml").write_text(f"pages:\n  {page}: {{name: Egg clock}}\n", encoding="utf-8")
    assert _names(clock)[page] == "Egg clock"
    assert _json("find", clock, "how long until the egg clock rings")["name"] == "Egg clock"


def test_a_page_is_pinned_and_a_region_ignored(clock: str) -> None:
    one = _json("find", clock, "time left until the countdown rings")["page"]
    assert "pinned" in _json("pages", clock, "--pin", one)["correction"]
    assert "pinned already" in _json("pages", clock, "--pin", one, code=2)["error"]["message"]
    told = _json("pages", clock, "--ignore-region", one, "0%,80%,100%,100%")
    assert told["corrections"] == 2
    assert "0%,80%,100%,100%" in Path(told["file"]).read_text(encoding="utf-8")
    reasons = _json("explain", clock, one)["reasons"]
    assert {r["detail"].split()[1] for r in reasons if r["name"] == "correction"} == {"pinned", "ignore"}
    whole = _json("pages", clock, "--ignore-region", one, "0%,0%,100%,100%", code=2)
    assert "is recognised by" in whole["error"]["message"]
    assert _run("pages", clock).count("\n") == 1 + len(_names(clock))


def test_an_exploration_keeps_to_the_corrections(clock: str) -> None:
    one, _ = _pair(clock)
    _json("pages", clock, "--rename", one, "Mine")
    for name in ("map.sqlite", "map.sqlite-wal", "map.sqlite-shm", "records.jsonl"):
        Path(clock, name).unlink(missing_ok=True)
    _json("explore", "pocket:clock", "--map", clock, "--no-pictures")
    assert "Mine" in _names(clock).values()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--merge", "n1", "n1"], "one page already"),
        (["--merge", "nothing of it", "n1"], "No page is called"),
        (["--split", "n1", "99"], "There is no look 99"),
        (["--split", "n1", "0"], "There is no look 0"),
        (["--split", "n1", "all"], "names no looks"),
        (["--split", "n1", "3-"], "names no looks"),
        (["--split", "n1", "5-2"], "There is no look"),
        (["--split", "n1", "1-99"], "There is no look"),
        (["--rename", "n1", "   "], "a text"),
        (["--ignore-region", "n1", "#nowhere"], "lies in '#nowhere'"),
        (["--ignore-region", "n1", "a b c"], "is no region"),
        (["--ignore-region", "n1", "colour#x"], "is no role"),
        (["--undo"], "no correction to undo"),
        (["--pin", "n1", "--undo"], "One thing at a time"),
        (["--looks", "n1", "--pin", "n1"], "One thing at a time"),
        (["--looks", "nothing of it"], "No page is called"),
    ],
)
def test_a_wrong_correction_is_told_with_its_cure_and_changes_nothing(
    explored: Path, args: list[str], words: str
) -> None:
    told = _json("pages", str(explored), *args, code=2)
    assert words in told["error"]["message"]
    assert not (explored / "pages.yaml").exists()


def test_all_looks_of_a_page_cannot_go_and_a_name_is_given_once(explored: Path) -> None:
    page = max(_json("pages", str(explored))["pages"], key=lambda p: p["looks"])
    every = f"1-{page['looks']}"
    assert (
        "leave one" in _json("pages", str(explored), "--split", page["id"], every, code=2)["error"]["message"]
    )
    one, other = _pair(str(explored))
    name = _names(str(explored))[other]
    assert "already" in _json("pages", str(explored), "--rename", one, name, code=2)["error"]["message"]


def test_a_side_state_is_no_page_to_correct(explored: Path) -> None:
    side = [p for p in _json("pages", str(explored), "--all")["pages"] if p["kind"] != "page"]
    for page in side:
        assert (
            "no page of the app"
            in _json("pages", str(explored), "--pin", page["id"], code=2)["error"]["message"]
        )


def test_a_broken_file_of_corrections_is_told_by_every_command_and_kept(clock: str) -> None:
    path = Path(clock, "pages.yaml")
    path.write_text("corrections:\n- merge: [A]\n", encoding="utf-8")
    for args in (["pages", clock], ["find", clock, "x"], ["pages", clock, "--pin", "n1"], ["verify", clock]):
        message = _json(*args, code=2)["error"]["message"]
        assert "pages.yaml, line 2: `merge` names two pages" in message
    assert path.read_text(encoding="utf-8") == "corrections:\n- merge: [A]\n"


def test_two_looks_are_held_against_each_other(explored: Path) -> None:
    page = max(_json("pages", str(explored))["pages"], key=lambda p: p["looks"])
    told = _json("explain", str(explored), f"{page['id']}#1", f"{page['id']}#2")
    assert told["same"]
    assert told["subject"].startswith("look 1 of")
    assert "there is no 99" in _json("explain", str(explored), f"{page['id']}#99", code=2)["error"]["message"]


def test_a_map_does_not_differ_from_itself_and_is_live(clock: str, explored: Path) -> None:
    told = _json("diff", str(explored), clock)
    assert (told["differs"], told["added"], told["broken"]) == (False, [], [])
    assert _run("diff", str(explored), clock).strip() == "no difference"
    found = _json("verify", clock)
    assert (found["stale"], found["unknown"], found["stop_reason"]) == (0, 0, "complete")
    assert found["live"] == len(found["steps"]) > 10
    assert _json("verify", clock, "--unverified")["steps"] == []


def test_what_changed_is_told_and_exits_with_one(explored: Path, clock: str) -> None:
    one, _ = _pair(clock)
    name = _names(clock)[one]
    other, *_ = (n for n in _names(clock) if n != one)
    _run("pages", clock, "--merge", one, other)
    told = _json("diff", str(explored), clock, code=1)
    assert told["differs"]
    assert told["gone"]
    assert name or told["stayed"]
    assert "- " in _run("diff", str(explored), clock, code=1)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["diff", "nowhere", "nowhere"], "There is no map 'nowhere'"),
        (["verify", "nowhere"], "There is no map 'nowhere'"),
    ],
)
def test_a_map_that_is_not_there_is_told(args: list[str], words: str) -> None:
    assert words in _json(*args, code=2)["error"]["message"]


def test_misuse_of_diff_and_verify_is_told(clock: str, tmp_path: Path) -> None:
    assert "are one" in _json("diff", clock, clock, "--keep", code=2)["error"]["message"]
    assert "is no device" in _json("verify", clock, "--device", "phone", code=2)["error"]["message"]
    assert "There is no map" in _json("verify", clock, "--against", "nowhere", code=2)["error"]["message"]
    lost = _json("verify", clock, "--device", "pocket:mail", code=3)
    assert lost["stop_reason"] == "device_lost"


def test_another_version_is_said_until_it_is_verified(tmp_path: Path) -> None:
    folder = str(tmp_path / "mail")
    _json("explore", "pocket:mail", "--map", folder, "--budget-actions", "60", "--no-pictures")
    assert _json("pages", folder)["version"] == "4.2"
    gone = _json("go", folder, "search for a message", "--device", "pocket:mail@2")
    assert "of version 4.2, and the app is 5.0 now" in gone["trust"]
    listed = _json("pages", folder)
    assert (listed["version"], listed["met_version"]) == ("4.2", "5.0")
    assert "waypost verify" in _json("find", folder, "search for a message")["trust"]
    _json("verify", folder, "--device", "pocket:mail@2", code=1)
    assert (_json("pages", folder)["version"], _json("pages", folder)["met_version"]) == (
        "5.0",
        "",
    )
    assert "trust" not in _json("find", folder, "search for a message")
