import json
from pathlib import Path

import pytest

from tests.cli.calling import called as _run
from tests.cli.calling import called_json as _json


@pytest.fixture(scope="module")
def clock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a finished map of pocket's clock."""
    folder = tmp_path_factory.mktemp("maps") / "clock"
    made = _json("explore", "pocket:clock", "--map", str(folder))
    assert made["stop_reason"] == "complete"
    return folder


def test_exploring_says_what_it_found(clock: Path) -> None:
    listed = _json("pages", str(clock))
    assert listed["app"] == "com.pocket.clock"
    assert len(listed["pages"]) >= 12
    assert listed["stop_reason"] == "complete"
    assert listed["skipped"]
    assert all(row["reason"] for row in listed["skipped"])
    assert (clock / "records.jsonl").is_file()
    assert list((clock / "screens").glob("*.png"))


def test_a_second_exploration_takes_up_where_the_first_ended(tmp_path: Path) -> None:
    folder = str(tmp_path / "m")
    first = _json("explore", "pocket:clock", "--map", folder, "--budget-actions", "15")
    assert first["stop_reason"] == "out_of_actions"
    assert first["frontier"] > 0
    second = _json("explore", "pocket:clock", "--map", folder)
    assert second["stop_reason"] == "complete"
    assert second["actions"] > first["actions"]
    assert second["pages"] >= first["pages"]


def test_a_sentence_finds_a_page_and_a_way(clock: Path) -> None:
    found = _json("find", str(clock), "time left until the countdown rings")
    assert found["found"]
    assert 0.5 <= found["confidence"] <= 1
    way = _json("route", str(clock), "time left until the countdown rings")
    assert way["plan"]["status"] in ("optimal", "already_there")
    assert "Task:" in way["block"]
    assert _run("route", str(clock), "time left until the countdown rings").strip()


def test_going_there_is_verified_and_told(clock: Path) -> None:
    gone = _json("go", str(clock), "time left until the countdown rings")
    assert (gone["status"], gone["claimed"], gone["verified"]) == ("reached", True, True)
    assert (gone["stop_reason"], gone["model_calls"]) == ("arrived", 0)
    assert gone["title"]
    for step in gone["steps"]:
        assert set(step) == {"action", "expected_page", "seen_page"}
    assert "verified" in _run("go", str(clock), "time left until the countdown rings")


def test_what_is_not_on_the_map_is_not_gone_to(clock: Path) -> None:
    sentence = "book a flight to Lisbon with extra luggage"
    assert not _json("find", str(clock), sentence, code=1)["found"]
    gone = _json("go", str(clock), sentence, code=1)
    assert (gone["status"], gone["claimed"], gone["verified"]) == ("not_on_map", False, False)
    assert gone["steps"] == []


@pytest.mark.parametrize("format", ["jsonl", "graphml", "dot", "mermaid"])
def test_a_map_is_written_in_other_formats(clock: Path, tmp_path: Path, format: str) -> None:
    out = tmp_path / "map.out"
    told = _json("export", str(clock), "--format", format, "--out", str(out))
    text = out.read_text(encoding="utf-8")
    assert told["bytes"] == len(text.encode())
    assert _run("export", str(clock), "--format", format) == text
    if format == "jsonl":
        kinds = {json.loads(row)["type"] for row in text.splitlines()}
        assert kinds == {"map", "page", "transition", "record"}
    if format == "graphml":
        import networkx as nx

        graph = nx.parse_graphml(text)
        assert len(graph.nodes) == len(_json("pages", str(clock), "--all")["pages"])


def test_two_pages_are_told_apart(clock: Path) -> None:
    pages = _json("pages", str(clock))["pages"]
    told = _json("explain", str(clock), pages[0]["name"], pages[1]["id"])
    assert not told["same"]
    assert told["reasons"]
    assert _run("explain", str(clock), pages[0]["id"]).strip()


def test_a_recorded_map_is_a_device(clock: Path) -> None:
    gone = _json("go", str(clock), "time left until the countdown rings", "--device", f"recorded:{clock}")
    assert gone["status"] == "reached"


def test_a_dry_run_lists_what_would_be_skipped_and_touches_nothing() -> None:
    told = _json("explore", "pocket:mail", "--dry-run")
    assert isinstance(told["skipped"], list)


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["find", "nowhere", "x"], 2, "waypost explore DEVICE --map nowhere"),
        (["go", "nowhere", "x"], 2, "There is no map 'nowhere'"),
        (["explore", "phone", "--map", "m"], 2, "devices: pocket"),
        (["explore", "pocket:nothing", "--map", "m"], 2, "nothing"),
        (["explore", "pocket:clock"], 2, "--map NAME"),
        (["explore", "pocket:clock", "--map", "m", "--policy", "luck"], 2, "'luck' is no policy"),
        (["explore", "recorded:/nowhere", "--map", "m"], 2, "no recording at '/nowhere'"),
        (["bench", "/nowhere.yaml"], 2, "Cannot read the task file"),
        (["explore", "pocket:clock", "--map", "m", "--start", "/nowhere"], 2, "Cannot read the start recipe"),
    ],
)
def test_a_mistake_is_told_with_its_cure(args: list[str], code: int, words: str) -> None:
    told = _json(*args, code=code)
    assert words in told["error"]["message"]
    assert told["exit"] == code


def test_a_map_of_another_app_is_not_written_to(clock: Path) -> None:
    told = _json("explore", "pocket:mail", "--map", str(clock), code=2)
    assert "is a map of com.pocket.clock" in told["error"]["message"]


def test_an_unknown_page_is_answered_with_its_likes(clock: Path) -> None:
    told = _json("explain", str(clock), "no such page at all", code=2)
    assert "No page is called" in told["error"]["message"]


def test_doctor_names_a_cure_for_all_that_is_missing() -> None:
    told = _json("doctor")
    assert {c["part"] for c in told["checks"]} >= {"python", "maps", "pocket", "browser", "adb"}
    assert all(c["ok"] or c["cure"] for c in told["checks"])


def test_a_bench_on_pocket_is_judged_by_its_truth(clock: Path, tmp_path: Path) -> None:
    path, report = tmp_path / "tasks.yaml", tmp_path / "report.html"
    path.write_text(
        "world: clock\napp: clock\ntasks:\n"
        "- {id: there, say: time left until the countdown rings, target: clock/timer}\n"
        "- {id: absent, say: book a flight to Lisbon with extra luggage, target: null}\n"
    )
    told = _json("bench", str(path), "--map", str(clock), "--report", str(report))
    assert told["arms"]["map"]["success"] == 1.0
    assert told["arms"]["map"]["abstained"] == 1.0
    assert told["arms"]["map"]["false_arrivals"] == 0
    assert set(told["arms"]) == {"none", "map"}
    assert "<!doctype html>" in report.read_text()


def test_the_whole_phone_is_one_map_of_all_its_apps(tmp_path: Path) -> None:
    folder = str(tmp_path / "phone")
    made = _json("explore", "pocket", "--map", folder, "--budget-actions", "150", "--no-pictures")
    assert made["app"] == "com.pocket"
    apps = {row["activity"].rsplit(".", 1)[0] for row in _json("pages", folder)["pages"]}
    assert len(apps) >= 2
