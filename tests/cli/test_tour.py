"""What the tour shows is held, on the whole phone, at every check.

For tasks the floors lie under what was measured (.697 reached, .846 abstained, SPL .650), not at what is
aimed at (.95, .9, .9): they keep what there is. Raise them with the memory, never lower them.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from waypost.cli.app import app

POLICIES, ARMS = {"frontier", "auto_bfs", "random"}, {"none", "random", "auto_bfs", "frontier"}


def _tour(out: Path, *args: str) -> Any:
    result = CliRunner().invoke(app, ["tour", "--out", str(out), "--json", *args])
    assert result.exit_code == 0, (result.output, result.exception)
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    out = tmp_path_factory.mktemp("tour") / "out"
    return _tour(out), out


@pytest.mark.slow
def test_the_frontier_policy_finds_the_phone_without_a_false_edge(whole: tuple[Any, Path]) -> None:
    explore = whole[0]["explore"]
    assert set(explore) == POLICIES
    ours = explore["frontier"]
    assert ours["pages_true"] >= 120
    assert ours["coverage"] >= 0.95
    assert ours["false_edges"] == 0
    assert ours["pages_per_true_page"] == 1.0
    assert all(explore[p]["actions"] <= ours["actions"] * 1.02 for p in POLICIES)


@pytest.mark.slow
def test_memory_reaches_what_is_there_and_abstains_from_what_is_not(whole: tuple[Any, Path]) -> None:
    tasks = whole[0]["tasks"]
    assert set(tasks) == ARMS
    ours, baseline = tasks["frontier"], tasks["none"]
    assert ours["n"] >= 60
    assert ours["absent_n"] >= 10
    assert ours["success"] >= 0.75
    assert ours["abstained"] >= 0.76
    assert ours["false_arrivals"] == 0
    assert ours["spl"] >= 0.69
    assert baseline["success"] < ours["success"]


@pytest.mark.slow
def test_the_report_holds_every_picture_and_asks_for_nothing(whole: tuple[Any, Path]) -> None:
    page = (whole[1] / "report.html").read_text(encoding="utf-8")
    assert page.count("data:image/webp;base64,") >= 120
    assert "<script" not in page
    assert 'src="http' not in page


@pytest.mark.slow
def test_a_phone_on_which_everything_goes_wrong_is_not_split_up(tmp_path: Path) -> None:
    found = _tour(tmp_path / "out", "--faults", "--app", "mail", "--app", "clock")["explore"]["frontier"]
    assert found["pages_per_true_page"] <= 1.05
    assert found["coverage"] >= 0.9


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("x")
    result = CliRunner().invoke(app, ["tour", "--out", str(tmp_path), "--json"])
    assert result.exit_code == 2
    assert "holds something else" in json.loads(result.stdout)["error"]["message"]
    assert (tmp_path / "precious").exists()
