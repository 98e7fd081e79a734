from pathlib import Path

import jsonschema
import pytest
import yaml
from worlds.verify import borrowed

from tests.cli.calling import called, called_json
from waypost.bench.linting import Known, copied, keyed, lint
from waypost.bench.tasks import TaskSet, read_tasks
from waypost.errors import UsageError
from waypost.model import Bounds, Element, Screen, Target, Task
from waypost.parts.suites import suite, suites

SCHEMA = Path(__file__).parents[2] / "src/waypost/bench/tasks.schema.json"


def _screen(*labels: str, path: str = "/") -> Screen:
    box = Bounds(0, 0, 10, 10)
    parts = tuple(Element(text=label, bounds=box) for label in labels)
    return Screen(Element(children=parts, bounds=box), activity=path)


def _rules(tasks: list[Task], known: Known | None = None) -> list[tuple[str, str]]:
    return [(f.task, f.rule) for f in lint(TaskSet("w", tuple(tasks)), known)]


def _task(name: str, say: str, target: Target | None) -> Task:
    return Task(name, "w", say, target)


def test_a_target_that_several_pages_show_is_ambiguous() -> None:
    known = Known({"bills": [_screen("Bills")], "bill": [_screen("Bills", "Amount")]})
    vague, clear = Target(has=("^Bills$",)), Target(has=("^Bills$",), lacks=("^Amount$",))
    assert _rules([_task("a", "show them", vague)], known) == [("a", "ambiguous")]
    assert _rules([_task("a", "show them", clear)], known) == []


def test_a_sentence_that_takes_a_label_of_several_words_is_told() -> None:
    known = Known({"chart": [_screen("Cash Flow")]}, {"chart": ["Cash Flow", "Chart"]})
    target = Target(has=("^Cash Flow$",))
    assert _rules([_task("a", "show the cash flow", target)], known) == [("a", "copied")]
    assert _rules([_task("a", "show the chart of money in and out", target)], known) == []


def test_what_no_way_leads_to_is_told_only_where_all_ways_are_known() -> None:
    task = _task("a", "go", Target(page="w/attic"))
    partial = Known(labels={"w/attic": []}, reachable=frozenset({"w/hall"}))
    assert _rules([task], partial) == []
    whole = Known(labels={"w/attic": []}, reachable=frozenset({"w/hall"}), complete=True)
    assert _rules([task], whole) == [("a", "unreachable")]
    assert _rules([_task("b", "go away", None)], whole) == []


def test_a_memory_that_holds_a_sentence_of_the_test_is_not_older_than_it() -> None:
    tasks = [_task("a", "Show the bill!", None), _task("b", "Show all bills", None)]
    assert [f.task for f in keyed(tasks, ["Home", "used to: show the bill, once"])] == ["a"]
    assert keyed(tasks, ["show the bills"]) == []


def test_what_is_forbidden_may_not_be_what_is_wanted() -> None:
    task = Task("a", "w", "go", Target(has=("^Pay$",)), forbids=("^Pay$",))
    assert _rules([task]) == [("a", "spoiled")]


def test_the_rule_on_wording_is_that_of_the_worlds() -> None:
    said, shown = "Open the cash flow chart", ["Cash Flow", "Chart", "flow chart"]
    assert copied(said, shown) == borrowed(said, shown) == ["Cash Flow", "flow chart"]


@pytest.mark.parametrize("name", sorted(suites()))
def test_every_suite_fits_the_schema_and_the_linter(name: str) -> None:
    found = suite(name)
    schema = yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(yaml.safe_load(found.path.read_text(encoding="utf-8")), schema)
    assert called_json("bench", name, "--lint") == {"suites": {name: []}}


@pytest.mark.parametrize(
    "row",
    [
        {"say": "x"},
        {"say": " ", "target": None},
        {"say": "x", "target": {"lacks": "a"}},
        {"say": "x", "target": None, "url": "y"},
        {"say": "x", "target": None, "shortest": -1},
        {"say": "x", "target": []},
        {"say": "x", "target": [None]},
        {"say": "x", "target": {"has": "a"}, "forbid": 3},
    ],
)
def test_what_the_reader_refuses_the_schema_refuses_too(tmp_path: Path, row: dict[str, object]) -> None:
    data = {"world": "w", "tasks": [row]}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, yaml.safe_load(SCHEMA.read_text(encoding="utf-8")))
    path = tmp_path / "t.yaml"
    path.write_text(yaml.safe_dump(data), encoding="utf-8")
    with pytest.raises(UsageError):
        read_tasks(path)


def test_the_suites_are_listed_by_name_and_counted() -> None:
    told = called_json("bench", "--list")
    assert list(told) == ["suites"]
    rows = told["suites"]
    assert {"pocket", "actual", "fava", "ihatemoney"} <= rows.keys()
    assert all(row.keys() == {"tasks", "absent", "world"} for row in rows.values())
    assert sum(r["tasks"] for r in rows.values()) >= 150
    assert sum(r["absent"] for r in rows.values()) >= 20
    assert "absent" in called("bench", "--list")


def test_a_faulty_set_is_told_with_exit_code_1(tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(
        "world: w\ntasks:\n- {id: a, say: go, target: {has: A}}\n- {id: b, say: Go!, target: null}\n",
        encoding="utf-8",
    )
    assert called_json("bench", str(path), "--lint", code=1)["suites"][str(path)][0]["rule"] == "double"
    assert "asks the same as 'a'" in called("bench", str(path), "--lint", code=1)
    called("bench", "no-such-suite", "--lint", code=2)
