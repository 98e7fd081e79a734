"""Other benchmarks' tasks: what says where it ends is taken, the rest is told with its reason."""

import json
from pathlib import Path

import pytest
import yaml

from tests.cli.calling import called, called_json
from waypost.bench.converting import converted
from waypost.bench.tasks import read_tasks
from waypost.errors import UsageError
from waypost.model import Target

SPA = """task_identifier,task_app,task_description,golden_steps,key_component_final,adb_app
shop_0,shop,Find tea.,4,"['1','tea (green)']",com.shop
shop_1,shop,Count.,4,"['1']",com.shop
"""


def _file(folder: Path, text: str) -> Path:
    path = folder / "file"
    path.write_text(text, encoding="utf-8")
    return path


def test_spa_bench_ends_where_its_key_components_show(tmp_path: Path) -> None:
    found = converted("spabench", _file(tmp_path, SPA))
    (task,) = found.tasks
    assert (task.app, task.shortest) == ("com.shop", 4)
    assert task.target == Target(has=(r"tea\ \(green\)",))
    assert [d.id for d in found.dropped] == ["shop_1"]


def test_colorbench_ends_on_any_page_of_its_last_milestone(tmp_path: Path) -> None:
    rows = [
        {
            "task_id": 1,
            "query": "q",
            "optimal_steps": 9,
            "milestone": [{"page_node": ["a"]}, {"page_node": ["b", "c"]}],
        },
        {"task_id": 2, "query": "r", "milestone": []},
    ]
    found = converted("colorbench", _file(tmp_path, json.dumps(rows)))
    assert [t.page for t in found.tasks[0].targets] == ["b", "c"]
    assert found.dropped[0].why == "has no milestone"


def test_what_is_judged_by_the_state_of_an_app_is_left_out_with_the_reason(tmp_path: Path) -> None:
    rows = [{"task_name": "A", "task_template": "Save {name}"}]
    found = converted("androidworld", _file(tmp_path, json.dumps(rows)))
    assert not found.tasks
    assert "template" in found.dropped[0].why
    found = converted("droidtask", _file(tmp_path, "clock,a.apk,out,Set an alarm,,Stop it\n"))
    assert [d.say for d in found.dropped] == ["Set an alarm", "Stop it"]


def test_androtmem_ends_on_the_screenshot_of_its_final_step(tmp_path: Path) -> None:
    steps = [
        {"step_index": 1, "image_name": "1.png", "actionForm": {"action": "home"}},
        {"step_index": 2, "image_name": "2.png", "actionForm": {"action": "finish"}},
    ]
    line = json.dumps({"task_id": "x", "instruction_en": "do", "steps": steps})
    (task,) = converted("androtmem", _file(tmp_path, line + "\n")).tasks
    assert task.target == Target(page="2.png")


def test_what_was_converted_is_a_task_file(tmp_path: Path) -> None:
    out = tmp_path / "out.yaml"
    told = called_json("tasks", "convert", "spabench", str(_file(tmp_path, SPA)), "--out", str(out))
    assert (told["tasks"], told["dropped"]) == (1, 1)
    assert read_tasks(out).tasks[0].target == Target(has=(r"tea\ \(green\)",))
    assert yaml.safe_load(out.read_text(encoding="utf-8"))["world"] == "spabench"


def test_a_file_of_another_form_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no form"):
        converted("nothing", tmp_path)
    with pytest.raises(UsageError, match="not of the form"):
        converted("colorbench", _file(tmp_path, "{}x"))
    called("tasks", "convert", "androidworld", str(tmp_path / "none"), code=2)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("form", "file", "tasks", "dropped"),
    [
        ("androidworld", "androidworld/task_metadata.json", 0, 116),
        ("colorbench", "colorbench/tasks_fixed.json", 175, 0),
        ("droidtask", "autodroid_mit/tasks.csv", 0, 162),
    ],
)
def test_the_published_files_can_be_read(
    shared: Path, form: str, file: str, tasks: int, dropped: int
) -> None:
    found = converted(form, shared / file)
    assert (len(found.tasks), len(found.dropped)) == (tasks, dropped)
