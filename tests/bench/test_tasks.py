from pathlib import Path

import pytest

from waypost.bench import read_tasks
from waypost.errors import UsageError
from waypost.model import Target


def _write(folder: Path, text: str) -> Path:
    path = folder / "tasks.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_task_file_keeps_every_part_of_a_target(tmp_path: Path) -> None:
    path = _write(
        tmp_path,
        "world: w\ndevice: 'browser:{url}'\ntasks:\n"
        "- {id: a, say: ' go there ', shortest: 3, tags: [deep],\n"
        "   target: {url: '/x', has: [A, B], lacks: C}}\n"
        "- {id: b, say: nowhere, target: null}\n"
        "- {id: c, say: 去那里, target: mail/inbox, dev: true}\n",
    )
    tasks = read_tasks(path)
    assert (tasks.world, tasks.device) == ("w", "browser:{url}")
    a, b, c = tasks.tasks
    assert a.instruction == "go there"
    assert a.target == Target(url="/x", has=("A", "B"), lacks=("C",))
    assert (a.shortest, a.tags) == (3, ("deep",))
    assert b.target is None
    assert c.target == Target(page="mail/inbox")
    assert c.tags == ("dev",)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("tasks: 3", "no list 'tasks'"),
        ("- [", "not YAML"),
        ("tasks:\n- 7", "task 1: wants a mapping"),
        ("tasks:\n- {say: x}", "'target' is missing"),
        ("tasks:\n- {say: ' ', target: null}", "'say' wants the sentence"),
        ("tasks:\n- {say: x, target: null, url: y}", "unknown key 'url'"),
        ("tasks:\n- {say: x, target: {}}", "'target' wants"),
        ("tasks:\n- {say: x, target: {has: '('}}", "not a regular expression"),
        ("tasks:\n- {say: x, target: {lacks: a}}", "would pass anywhere"),
        ("tasks:\n- {say: x, target: null, shortest: -1}", "'shortest' wants"),
        ("tasks:\n- {id: a, say: x, target: null}\n- {id: a, say: y, target: null}", "more than once"),
    ],
)
def test_a_broken_task_file_names_its_fault(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(UsageError, match=fault.replace("(", r"\(").replace("{", r"\{")):
        read_tasks(_write(tmp_path, text))


def test_a_missing_task_file_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Cannot read the task file"):
        read_tasks(tmp_path / "none.yaml")
