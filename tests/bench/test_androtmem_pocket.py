"""Long tasks in AndroTMem's form, made from the phone: every memory is scored by AMS and TCR."""

import json
from pathlib import Path

import pytest
from benchmarks.androtmem_pocket import as_androtmem, long_task, measured

from tests.cli.calling import called_json
from waypost.bench.androtmem import read_task


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, object]]:
    folder = tmp_path_factory.mktemp("long")
    return folder, measured(2, folder)


def test_the_end_rests_on_every_writing_and_each_writing_on_where_its_value_stood() -> None:
    task = next(t for t in map(long_task, range(12)) if t is not None)
    truth = read_task(as_androtmem(task))
    needed = truth.needed()
    writings = [s.index for s in truth.steps if s.action["action"] == "text"]
    assert len(writings) == len(task.seen)
    assert {*writings, truth.final.index} <= needed
    assert {s.step for s in task.seen} <= needed


@pytest.mark.slow
def test_full_replay_and_anchors_know_what_the_last_three_actions_cannot(
    made: tuple[Path, dict[str, object]],
) -> None:
    modes = made[1]["modes"]
    assert isinstance(modes, dict)
    assert list(modes) == ["raw", "last-3", "summary", "capped list", "ASM"]
    assert modes["raw"]["ams"] >= modes["last-3"]["ams"]
    assert modes["ASM"]["tcr"] >= modes["last-3"]["tcr"]
    assert modes["ASM"]["tokens"] < modes["raw"]["tokens"]


@pytest.mark.slow
def test_what_is_written_is_scored_by_the_command_to_the_same_figures(
    made: tuple[Path, dict[str, object]],
) -> None:
    folder, found = made
    told = called_json("tasks", "ams", str(folder / "tasks.jsonl"), str(folder / "last-3.jsonl"))
    modes = found["modes"]
    assert isinstance(modes, dict)
    assert (told["strict"]["ams"], told["strict"]["tcr"]) == (modes["last-3"]["ams"], modes["last-3"]["tcr"])
    unseen = called_json(
        "tasks", "ams", str(folder / "tasks.jsonl"), str(folder / "last-3.jsonl"), "--images", str(folder)
    )
    assert unseen["released"]["ams"] == 100.0
    assert unseen["strict"]["steps"] == 0
    assert unseen["steps_without_screenshot"] == told["strict"]["steps"]


def test_a_file_that_is_none_is_wrong_use(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps([1]), encoding="utf-8")
    assert (
        "in place of an object"
        in called_json("tasks", "ams", str(path), str(path), code=2)["error"]["message"]
    )
