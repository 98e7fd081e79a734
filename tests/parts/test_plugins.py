"""Plug-ins as users meet them: packages that are built, installed beside ours, and asked for by name."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.calling import called_json

EXAMPLE = Path(__file__).parents[2] / "examples" / "plugin"
BROKEN = {
    "absent": "waypost_broken:Absent",
    "raising": "waypost_broken:Raising",
    "wordless": "waypost_broken:Wordless",
    "uncallable": "waypost_broken:UNCALLABLE",
    "liar": "waypost_broken:Liar",
}
CODE = """
class Raising:
    def compare(self, a, b):
        raise KeyError("no such [thing]")


class Wordless:
    pass


UNCALLABLE = 7


class Nowhere:
    # Says that it has arrived without a step.

    def plan(self, graph, start, goal, *, penalties=None, terms=None):
        from waypost.model import Plan, PlanStatus

        (page,) = goal.groups[0]
        return Plan(PlanStatus.OPTIMAL, page, (), 0.0, 0.0)


class Idle:
    def __init__(self, words):
        self.words = words

    def act(self, instruction, observation, guidance):
        return self.words or 1 / 0


class Liar:
    def compare(self, a, b):
        return 0.9
"""
PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "waypost-broken"
version = "0.1"
[project.entry-points."waypost.matchers"]
ours = "waypost_broken:Raising"
{matchers}
[project.entry-points."waypost.planners"]
raising = "waypost_broken:Wordless"
nowhere = "waypost_broken:Nowhere"
[project.entry-points."waypost.actors"]
idle = "waypost_broken:Idle"
[project.entry-points."waypost.devices"]
raising = "waypost_broken:Raising"
"""


def _installed(source: Path, target: Path) -> Path:
    """Build a package and install it into a folder, as `pip install` does; no index is asked."""
    words = ["--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check", "--quiet"]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *words, "--target", str(target), str(source)],
        check=True,
        capture_output=True,
    )
    return target


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("source") / "plugin"
    # A copy: building leaves files behind.
    subprocess.run(["cp", "-r", str(EXAMPLE), str(source)], check=True)
    return _installed(source, tmp_path_factory.mktemp("example"))


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("source") / "broken"
    (source / "waypost_broken").mkdir(parents=True)
    (source / "waypost_broken" / "__init__.py").write_text(CODE)
    lines = "\n".join(f'{name} = "{at}"' for name, at in BROKEN.items())
    (source / "pyproject.toml").write_text(PROJECT.format(matchers=lines))
    return _installed(source, tmp_path_factory.mktemp("broken"))


@pytest.fixture
def beside(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the folder of a package where Python finds it, as an environment's own folder is."""
    monkeypatch.syspath_prepend(str(request.getfixturevalue(request.param)))


def _slides(folder: Path) -> Path:
    folder.mkdir()
    for n, text in enumerate(("Welcome", "Our prices", "How to reach us"), 1):
        (folder / f"{n}.txt").write_text(text)
    return folder


@pytest.mark.slow
def test_a_package_is_found_by_a_process_that_knows_nothing_of_it(example: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "waypost", "doctor", "--json"],
        env={**os.environ, "PYTHONPATH": str(example)},
        capture_output=True,
        text=True,
        check=True,
    )
    found = {row["part"]: row for row in json.loads(done.stdout)["checks"]}
    for part in ("same-title (matcher)", "fewest-taps (planner)", "slides (device)", "first-word (actor)"):
        assert found[f"plug-in {part}"] == {
            **found[f"plug-in {part}"],
            "ok": True,
            "found": "waypost-example 1.0",
        }


@pytest.mark.slow
@pytest.mark.parametrize("beside", ["example"], indirect=True)
@pytest.mark.usefixtures("beside")
def test_a_package_adds_a_part_of_every_kind(tmp_path: Path) -> None:
    one = ("identity", "score", "--only", "pocket-clock", "--actions", "20")
    both = called_json(*one, "--matcher", "same-title", "--matcher", "activity")["sets"]["pocket-clock"]
    assert set(both) == {"same-title", "activity"}
    assert both["same-title"]["pair_f1"] > both["activity"]["pair_f1"]

    slides = _slides(tmp_path / "slides")
    explored = called_json("explore", f"slides:{slides}", "--map", "talk", "--budget-actions", "12")
    assert explored["app"] == "slides"
    assert explored["pages"] == 3
    planned = called_json("plan", "talk", "--visit", "How to reach us", "--planner", "fewest-taps")
    (plan,) = planned["plans"]
    assert plan["planner"] == "fewest-taps (waypost-example 1.0)"
    assert plan["status"] == "satisficing"
    assert len(plan["steps"]) == 2
    assert plan["cost"] > 0
    # The map knows the device that it was made on.
    assert called_json("go", "talk", "how to reach us")["verified"]
    gone = called_json("go", "talk", "our prices", "--actor", "first-word:next")
    assert gone["status"] == "reached"


@pytest.mark.slow
@pytest.mark.parametrize("beside", ["broken"], indirect=True)
@pytest.mark.usefixtures("beside")
def test_what_is_wrong_with_a_plugin_is_told_in_words() -> None:
    told = {row["part"]: row for row in called_json("doctor")["checks"] if "plug-in" in row["part"]}
    wrong = {part.split()[1]: row["found"] for part, row in told.items() if not row["ok"]}
    assert "has no attribute 'Absent'" in wrong["absent"]
    assert "is of type int" in wrong["uncallable"]
    assert "a part of Waypost has that name" in wrong["ours"]
    assert all(row["cure"] == "pip uninstall waypost-broken" for row in told.values() if not row["ok"])


@pytest.mark.slow
@pytest.mark.parametrize("beside", ["broken"], indirect=True)
@pytest.mark.usefixtures("beside")
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("absent", "has no attribute 'Absent'"),
        ("raising", "KeyError: 'no such [thing]'"),
        ("wordless", "has no method 'compare'"),
        ("liar", "gave float where Comparison belongs"),
    ],
)
def test_a_broken_matcher_ends_in_a_message(name: str, said: str) -> None:
    told = called_json(
        "identity", "score", "--only", "pocket-clock", "--actions", "20", "--matcher", name, code=2
    )
    assert said in told["error"]["message"]
    assert "waypost-broken 0.1" in told["error"]["message"]


@pytest.mark.slow
@pytest.mark.parametrize("beside", ["broken"], indirect=True)
@pytest.mark.usefixtures("beside")
def test_a_broken_device_or_planner_ends_in_a_message() -> None:
    device = called_json("explore", "raising:x", "--map", "m", code=3)
    assert "takes no arguments" in device["error"]["message"]
    assert "slides" not in called_json("explore", "slides:x", "--map", "m", code=2)["error"]["message"][9:]


@pytest.mark.slow
@pytest.mark.parametrize("beside", ["broken"], indirect=True)
@pytest.mark.usefixtures("beside")
def test_a_plan_that_is_none_and_an_actor_that_breaks_are_told() -> None:
    called_json("map", "get", "pocket-clock")
    one = ("plan", "pocket-clock", "--visit", "Timer", "--planner")
    told = called_json(*one, "nowhere", code=2)["error"]["message"]
    assert "gave a plan that is wrong: not every group of the goal is visited" in told
    assert "has no method 'plan'" in called_json(*one, "raising", code=2)["error"]["message"]
    assert "Did you mean 'nowhere'?" in called_json(*one, "nowhre", code=2)["error"]["message"]
    go = ("go", "pocket-clock", "how long until the countdown rings", "--actor")
    # Whoever acts is at fault as a model would be, and what was done so far is told.
    broken = called_json(*go, "idle", code=4)
    assert (broken["status"], broken["verified"]) != ("reached", True)
    called_json(*go, "idle:word", code=4)


def test_a_part_that_there_is_not_is_named_with_those_that_there_are() -> None:
    from waypost.parts.plugins import unknown

    said = str(unknown("planner", "shortst", ("default", "shortest")))
    assert said == "'shortst' is no planner; there are default, shortest. Did you mean 'shortest'?"
