"""Choosing who acts on the command line: an actor's name in, the same honest outcome out."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.actors.policies import Endpoint, Told, endpoint
from waypost.cli.app import app

runner = CliRunner()
SAY = "time left until the countdown rings"


@pytest.fixture(scope="module")
def clock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("maps") / "clock"
    assert runner.invoke(app, ["explore", "pocket:clock", "--map", str(folder), "--json"]).exit_code == 0
    return folder


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with endpoint() as found:
        found.play = Told()
        yield found


def _go(*args: str) -> tuple[int, Any, str]:
    result = runner.invoke(app, ["go", *args, "--json"])
    assert "Traceback" not in result.stderr, result.exception
    return result.exit_code, json.loads(result.stdout), result.stderr


@pytest.mark.parametrize("actor", ["vision:scripted", "dual:scripted"])
def test_a_model_that_does_as_it_is_told_arrives_by_the_map(
    clock: Path, served: Endpoint, actor: str
) -> None:
    code, found, _ = _go(str(clock), SAY, "--actor", actor, "--base-url", served.url, "--no-images")
    assert (code, found["status"], found["verified"]) == (0, "reached", True)
    assert found["model_calls"] >= 2
    assert found["spent"]["calls"] >= 2


def test_two_voices_are_told_the_parts_of_a_task_and_the_way_to_each(clock: Path, served: Endpoint) -> None:
    both = f"find the stopwatch, then see the {SAY}"
    _go(str(clock), both, "--actor", "dual:scripted", "--base-url", served.url, "--no-images")
    told = json.dumps(served.transcript)
    assert "- find the stopwatch (in com.pocket.clock): now" in told, told
    assert f"- see the {SAY} (in com.pocket.clock): open" in told
    assert "the first page of the memory" in told


def test_a_hand_over_goes_by_the_map_and_asks_nobody_as_long_as_that_holds(
    clock: Path, served: Endpoint
) -> None:
    code, found, _ = _go(
        str(clock), SAY, "--actor", "handover:scripted", "--base-url", served.url, "--no-images"
    )
    assert (code, found["status"], found["verified"], found["model_calls"]) == (0, "reached", True, 0)


def test_the_follower_and_the_baseline_need_no_model(clock: Path) -> None:
    code, found, _ = _go(str(clock), SAY, "--actor", "lexical")
    assert code in (0, 1)
    assert (code == 0) == found["verified"]
    assert found["model_calls"] == 0
    assert _go(str(clock), SAY, "--actor", "follower")[0] == 0


def test_a_model_that_is_not_there_is_a_model_fault_and_no_arrival(clock: Path) -> None:
    code, found, told = _go(
        str(clock),
        SAY,
        "--actor",
        "vision:nobody",
        "--base-url",
        "http://127.0.0.1:9/v1",
        "--no-images",
        "--timeout",
        "1",
    )
    assert code == 4
    assert (found["claimed"], found["verified"], found["stop_reason"]) == (False, False, "reply_broken")
    assert "127.0.0.1:9" in told


@pytest.mark.parametrize(
    ("args", "cure"),
    [
        (["--actor", "robot"], "follower, lexical, noisy[:SLIP], vision:MODEL, dual:MODEL or handover:MODEL"),
        (["--actor", "vision:"], "vision:MODEL"),
        (["--actor", "vision:m", "--dialect", "latin"], "uitars-1000"),
        (["--actor", "lexical", "--guide", "loud"], "closed, open, edit or none"),
    ],
)
def test_what_makes_no_sense_is_told_with_its_cure(clock: Path, args: list[str], cure: str) -> None:
    code, found, _ = _go(str(clock), SAY, *args)
    assert code == 2
    assert cure in found["error"]["message"]


def test_a_bench_runs_the_actor_with_and_without_the_map(
    clock: Path, served: Endpoint, tmp_path: Path
) -> None:
    tasks = tmp_path / "tasks.yaml"
    tasks.write_text(
        f'world: pocket\ntasks:\n  - {{id: t1, app: clock, say: "{SAY}", target: clock/timer}}\n',
        encoding="utf-8",
    )
    result = runner.invoke(
        app,
        ["bench", str(tasks), "--map", str(clock), "--actor", "vision:scripted", "--base-url", served.url,
         "--no-images", "--limit", "5", "--json"],
    )  # fmt: skip
    assert result.exit_code == 0, (result.stdout, result.stderr)
    found = json.loads(result.stdout)
    by_arm = {t["arm"]: t for t in found["trials"]}
    assert by_arm["map"]["judged"]
    assert not by_arm["none"]["claimed"]
    assert found["spent"]["calls"] >= 3
