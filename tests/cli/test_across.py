"""`waypost across`: a sentence over several apps is planned, and gone, from the maps of the package."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from waypost.cli.app import app
from waypost.parts.seeds import install

runner = CliRunner()
SAY = "Look up when my parcel arrives in the shop, then start the stopwatch, then fly to the moon"


@pytest.fixture(autouse=True)
def maps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def test_without_a_map_it_says_what_to_do() -> None:
    result = runner.invoke(app, ["across", SAY])
    assert result.exit_code == 2
    assert "explore an app first" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_plan_shows_its_parts_the_memory_it_used_and_what_is_carried() -> None:
    install("pocket-shop")
    install("pocket-clock")
    result = runner.invoke(
        app, ["across", "Look up when my parcel arrives, then set an alarm for that time", "--json"]
    )
    found = json.loads(result.stdout)
    assert (result.exit_code, found["found"]) == (0, True)
    first, second = found["plan"]["legs"]
    assert [first["subtask"]["app"], second["subtask"]["app"]] == ["pocket-shop", "pocket-clock"]
    assert first["subtask"]["learns"] == second["subtask"]["needs"] == ["time"]
    assert len(first["pages"]) == len(second["pages"]) == 3
    assert first["target"] == first["pages"][0]["node"]
    text = runner.invoke(app, ["across", "show the stopwatch"]).stdout
    assert "memory of pocket-clock: " in text


def test_a_journey_is_verified_leg_by_leg_and_ends_at_what_no_app_has() -> None:
    install("pocket-clock")
    install("pocket-mail")
    said = "Open the junk folder, then start the stopwatch"
    result = runner.invoke(app, ["across", said, "--go", "--device", "pocket", "--json"])
    found = json.loads(result.stdout)
    assert (result.exit_code, found["reached"]) == (0, True)
    assert [leg["verified"] for leg in found["legs"]] == [True, True]
    result = runner.invoke(
        app, ["across", "Open the junk folder, then weigh an elephant", "--go", "--device", "pocket"]
    )
    assert result.exit_code == 1
    assert "1. pocket-mail: reached" in result.stdout
    assert "2. " in result.stdout
    assert "not reached (not_on_map)" in result.stdout


def test_going_wants_a_device() -> None:
    install("pocket-clock")
    result = runner.invoke(app, ["across", "show the stopwatch", "--go"])
    assert result.exit_code == 2
    assert "--device" in result.stderr
