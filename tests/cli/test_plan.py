"""`waypost plan`, `facts` and `static` as a person calls them."""

from pathlib import Path

import pytest

from tests.cli.calling import called as _run
from tests.cli.calling import called_json as _json


@pytest.fixture(scope="module")
def clock(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("maps") / "clock"
    _json("explore", "pocket:clock", "--map", str(folder))
    return str(folder)


def test_several_pages_are_planned_and_the_bound_is_shown(clock: str) -> None:
    (plan,) = _json("plan", clock, "--visit", "Timer", "--visit", "Bedtime")["plans"]
    assert plan["status"] == "optimal"
    assert plan["bound"] == plan["cost"]
    assert "Route to" in _run("plan", clock, "--either", "Timer", "--either", "Bedtime")
    two = _json("plan", clock, "--visit", "Timer", "--alternatives", "2")["plans"]
    assert two[0]["cost"] <= two[1]["cost"]


def test_every_planner_can_be_asked_for(clock: str) -> None:
    costs = set()
    for planner in ("default", "product", "fast_downward", "lmcut"):
        (plan,) = _json("plan", clock, "--visit", "Timer", "--visit", "Bedtime", "--planner", planner)[
            "plans"
        ]
        costs.add(plan["cost"])
    assert len(costs) == 1
    assert _json("plan", clock, "--visit", "Timer", "--planner", "lazy")["plans"][0]["steps"]


def test_a_plan_that_does_not_exist_ends_with_one(clock: str) -> None:
    (plan,) = _json("plan", clock, "--visit", "Timer", "--avoid", "Timer", code=1)["plans"]
    assert plan["status"] == "unreachable"
    assert "No route" in _run("plan", clock, "--visit", "Timer", "--hops", "0", code=1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--visit", "Nowhere at all"], "waypost pages"),
        ([], "Say where to"),
        (["--visit", "Timer", "--planner", "magic"], "there are default, product"),
        (["--visit", "Timer", "--hold", "not "], "is no fact"),
        (["--visit", "Timer", "--visit", "Bedtime", "--alternatives", "2"], "ways to one page"),
    ],
)
def test_a_mistake_is_told_with_the_cure(clock: str, words: list[str], said: str) -> None:
    assert said in _json("plan", clock, *words, code=2)["error"]["message"]


def test_the_problem_is_written_as_pddl(clock: str, tmp_path: Path) -> None:
    files = _json("plan", clock, "--visit", "Timer", "--pddl", str(tmp_path / "out"))["files"]
    assert [Path(f).name for f in files] == ["domain.pddl", "problem.pddl"]
    assert "(at ?p - page)" in Path(files[0]).read_text(encoding="utf-8")
    (tmp_path / "file").write_text("")
    told = _json("plan", clock, "--visit", "Timer", "--pddl", str(tmp_path / "file" / "in"), code=2)
    assert "Cannot write" in told["error"]["message"]


def test_facts_of_ones_own_are_planned_with_and_a_broken_file_is_told(clock: str) -> None:
    file = Path(clock) / "facts.yaml"
    try:
        file.write_text(
            "pages: {Timer: {needs: [wound up]}}\nsteps: [{from: Bedtime, do: Schedule, makes: x}]\n"
        )
        assert _json("plan", clock, "--visit", "Timer", code=1)["plans"][0]["status"] == "unreachable"
        given = _json("plan", clock, "--visit", "Timer", "--given", "wound up")["plans"][0]
        assert given["status"] == "optimal"
        listed = _json("facts", clock)
        assert any("wound up" in row["needs"] for row in listed["steps"])
        assert "needs wound up" in _run("facts", clock)
        file.write_text("steps: [")
        assert "mend it" in _json("facts", clock, code=2)["error"]["message"]
    finally:
        file.unlink()


def test_a_file_that_is_no_package_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.apk").write_text("no")
    assert "give an APK file" in _json("static", str(tmp_path / "x.apk"), code=2)["error"]["message"]
    assert "There is no file" in _json("static", str(tmp_path / "y.apk"), code=2)["error"]["message"]
