"""`waypost distil` from end to end: a real socket, the real SDK; the model is scripted, or small and real."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.adapters.llm.endpoint import answer, fault, served
from waypost.cli.app import app
from waypost.parts.exploring import ExploreRequest, explored

runner = CliRunner()
GOOD = {
    "visual_page_summary": "A place to do things",
    "intent_from_current_screen": ["do things"],
    "navigation_memory": {"relevant_waypoint_sequence": [], "transition_hints": []},
}


@pytest.fixture
def clock(tmp_path: Path) -> Path:
    """Give a map of a few pages of pocket's clock, with pictures."""
    explored("pocket:clock", tmp_path / "clock", ExploreRequest(actions=12))
    return tmp_path / "clock"


def _run(*args: str, code: int = 0) -> Any:
    result = runner.invoke(app, [*args, "--json"])
    assert result.exit_code == code, (result.stdout, result.stderr, result.exception)
    return json.loads(result.stdout)


def _records(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(x) for x in (folder / "records.jsonl").read_text(encoding="utf-8").splitlines()]


def _model(folder: Path, url: str) -> list[str]:
    cache = str(folder.parent / "replies")
    return ["distil", str(folder), "--model", "vlm", "--base-url", url, "--reply-cache", cache]


def test_a_map_is_described_once_and_a_rerun_costs_nothing(clock: Path) -> None:
    pages = len(_records(clock))
    with served([answer(json.dumps(GOOD))] * pages) as endpoint:
        asked = [*_model(clock, endpoint.url), "--price-sent", "1", "--price-received", "2"]
        before = _run(*asked, "--dry-run")
        assert (before["pages"], before["cached"]) == (pages, 0)
        assert before["pictures"] >= pages
        assert before["cost"] > 0
        assert not endpoint.asked
        found = _run(*asked)
        assert found["written"] == pages
        assert found["spent"]["calls"] == pages
        assert found["spent"]["cost"] == pytest.approx(pages * (100 + 2 * 20) / 1e6)
        again = _run(*asked)
        assert (again["spent"]["calls"], again["spent"]["cached"]) == (0, pages)
        assert _run(*asked, "--dry-run")["cached"] == pages
    assert len(endpoint.asked) == pages
    parts = endpoint.asked[0]["messages"][0]["content"]
    assert parts[1]["image_url"]["url"].startswith("data:image/png;base64,")
    rows = _records(clock)
    assert {r["summary"] for r in rows} == {"A place to do things"}
    assert {r["model"] for r in rows} == {"vlm"}
    assert {r["prompt"] for r in rows} == {"describe-1"}
    assert {r["provenance"]["summary"] for r in rows} == {"model"}


def test_a_models_words_outlive_what_is_explored_later(clock: Path) -> None:
    with served([answer(json.dumps(GOOD))] * 99) as endpoint:
        _run(*_model(clock, endpoint.url))
    written = {r["node"] for r in _records(clock)}
    explored("pocket:clock", clock, ExploreRequest(actions=10))
    rows = {r["node"]: r for r in _records(clock)}
    assert all(rows[n]["summary"] == "A place to do things" for n in written if n in rows)
    assert set(rows) >= written


def test_one_page_alone_may_be_described(clock: Path) -> None:
    node = _records(clock)[1]["node"]
    with served([answer(json.dumps(GOOD))]) as endpoint:
        found = _run(*_model(clock, endpoint.url), "--page", node)
    assert found["written"] == 1
    assert [r["node"] for r in _records(clock) if r["model"]] == [node]


def test_page_chunks_are_written_beside(clock: Path) -> None:
    chunk = {"page_description": "Alarms", "key_ui_elements": ["Add (button)"], "page_label": "Alarm list"}
    node = _records(clock)[0]["node"]
    with served([answer(json.dumps(GOOD)), answer(json.dumps(chunk))]) as endpoint:
        found = _run(*_model(clock, endpoint.url), "--page", node, "--chunks")
    assert found["written"] == 2
    rows = [json.loads(x) for x in (clock / "chunks.jsonl").read_text().splitlines()]
    assert [r["label"] for r in rows if r["node"] == node] == ["Alarm list"]
    assert len(rows) == len(_records(clock))


def test_without_a_model_the_records_are_written_from_what_was_seen(clock: Path) -> None:
    before = _records(clock)
    assert _run("distil", str(clock), "--chunks")["records"] == len(before)
    assert _records(clock) == before


def test_a_model_that_is_not_there_is_a_model_fault_and_changes_nothing(clock: Path) -> None:
    before = (clock / "records.jsonl").read_bytes()
    with served([fault(401, "no")] * 99) as endpoint:
        found = _run(*_model(clock, endpoint.url), "--workers", "1", code=4)
    assert len(endpoint.asked) == 3
    assert found["unreached"] == 3
    assert "WAYPOST_LLM_KEY" in found["faults"][0]["why"]
    assert (clock / "records.jsonl").read_bytes() == before


def test_a_model_that_talks_nonsense_is_a_model_fault(clock: Path) -> None:
    with served([answer("What a lovely picture!")] * 99) as endpoint:
        found = _run(*_model(clock, endpoint.url), "--page", _records(clock)[0]["node"], code=4)
    assert (found["unusable"], found["spent"]["calls"]) == (1, 2)


@pytest.mark.parametrize(
    ("args", "cure"),
    [
        (["--dry-run"], "--model"),
        (["--page", "Alarms"], "--model"),
        (["--model", "m", "--base-url", "localhost:8080"], "http"),
        (["--model", "m", "--page", "no such page"], "waypost pages"),
    ],
)
def test_wrong_use_is_told_with_its_cure(clock: Path, args: list[str], cure: str) -> None:
    result = runner.invoke(app, ["distil", str(clock), *args])
    assert result.exit_code == 2, result.output
    assert cure in result.stderr
    assert "Traceback" not in result.stderr


def test_the_endpoint_may_be_named_by_the_environment(clock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    node = _records(clock)[0]["node"]
    with served([answer(json.dumps(GOOD))]) as endpoint:
        monkeypatch.setenv("WAYPOST_LLM_MODEL", "from-env")
        monkeypatch.setenv("WAYPOST_LLM_BASE_URL", endpoint.url)
        monkeypatch.setenv("WAYPOST_LLM_KEY", "k-env")
        monkeypatch.setenv("WAYPOST_LLM_CACHE", str(clock.parent / "replies"))
        assert _run("distil", str(clock), "--page", node)["written"] == 1
    assert endpoint.keys == ["Bearer k-env"]
    assert endpoint.asked[0]["model"] == "from-env"


@pytest.mark.long
@pytest.mark.model
@pytest.mark.slow
def test_a_small_real_model_describes_a_page_in_the_shape(clock: Path, small_model: str) -> None:
    """Its words are worth nothing; that they come through, are counted and are marked is what is shown."""
    node = _records(clock)[0]["node"]
    cache = str(clock.parent / "replies")
    args = [
        "distil",
        str(clock),
        "--model",
        "smollm2",
        "--base-url",
        small_model,
        "--no-images",
        "--max-tokens",
        "120",
        "--timeout",
        "300",
    ]
    result = runner.invoke(app, [*args, "--page", node, "--reply-cache", cache, "--json"])
    found = json.loads(result.stdout)
    assert found["spent"]["calls"] >= 1
    assert found["spent"]["tokens_sent"] > 100
    assert not found["spent"]["estimated"]
    assert found["unreached"] == 0
    assert found["written"] + found["unusable"] + found["refused"] == 1
    if found["written"]:
        (row,) = [r for r in _records(clock) if r["node"] == node]
        assert (row["model"], row["provenance"]["summary"]) == ("smollm2", "model")
        assert result.exit_code == 0
    else:
        assert result.exit_code == 4
