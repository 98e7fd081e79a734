"""Every world's task file can be read, keeps to its own words, and has a hand-made way to each target."""

import re
import stat
from functools import cache
from pathlib import Path

import pytest
import yaml
from worlds.routes import SWIPES
from worlds.verify import Routes, borrowed, read_routes

from waypost.bench.tasks import TaskSet, read_tasks
from waypost.model import Task

WORLDS = Path(__file__).resolve().parents[2] / "worlds"
# Worlds that are gone through by hand; apps on the phone on a JVM are seen to by test_framework.
NAMES = sorted(p.parent.name for p in WORLDS.glob("*/routes.yaml"))


@cache
def tasks_of(name: str) -> TaskSet:
    return read_tasks(WORLDS / name / "tasks.yaml")


def hard_of(name: str) -> list[Task]:
    """Return the tasks of the second file, which asks in riddles; none where there is no such file."""
    path = WORLDS / name / "tasks_hard.yaml"
    return list(read_tasks(path).tasks) if path.is_file() else []


@cache
def routes_of(name: str) -> Routes:
    return read_routes(WORLDS / name / "routes.yaml")


def present(name: str) -> list[Task]:
    return [t for t in tasks_of(name).tasks if t.target is not None]


def written(pattern: str) -> list[str]:
    """Return the label texts that a pattern stands for, as far as it spells them out."""
    plain = re.sub(r"\\([^\w])|\[([^\]])\]", r"\1\2", pattern)
    return [re.sub(r"[\^$\\]", "", part) for part in plain.split("|")]


def on_the_way(name: str, task: Task) -> list[str]:
    """Return the labels that the route and the target of a task name."""
    steps = [
        s if isinstance(s, str) else str(s.get("tap") or s.get("hold") or "")
        for s in routes_of(name).routes[task.id]
    ]
    assert task.target is not None
    return [label for pattern in (*steps, *task.target.has) for label in written(pattern)]


def test_there_are_two_worlds_at_least() -> None:
    assert {"actual", "fava"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_world_has_enough_tasks_and_enough_that_lead_nowhere(name: str) -> None:
    tasks = tasks_of(name).tasks
    absent = [t for t in tasks if t.target is None]
    assert len(tasks) - len(absent) >= 20
    assert len(absent) >= 6
    assert all("absent" in t.tags for t in absent)


@pytest.mark.parametrize("name", NAMES)
def test_a_world_says_which_device_shows_it(name: str) -> None:
    found = tasks_of(name)
    assert found.world == name
    assert found.device == "browser:{url}"
    assert found.storage_state in ("", "{cache}/state.json")
    assert all(t.id.startswith(f"{name}-") for t in found.tasks)


@pytest.mark.parametrize("name", NAMES)
def test_every_target_says_where_it_lies_and_what_it_shows(name: str) -> None:
    vague = [t.id for t in present(name) if t.target and not (t.target.url.startswith("/") and t.target.has)]
    assert vague == []


@pytest.mark.parametrize("name", NAMES)
def test_no_two_tasks_of_a_world_share_a_sentence_or_a_target(name: str) -> None:
    sentences = [t.instruction.casefold() for t in tasks_of(name).tasks]
    targets = [t.target for t in present(name)]
    assert len(set(sentences)) == len(sentences)
    assert len(set(targets)) == len(targets)


@pytest.mark.parametrize("name", NAMES)
def test_no_sentence_takes_its_words_from_the_labels(name: str) -> None:
    taken = {t.id: hits for t in present(name) if (hits := borrowed(t.instruction, on_the_way(name, t)))}
    assert taken == {}


@pytest.mark.parametrize("name", NAMES)
def test_every_target_has_a_way_that_is_no_longer_than_said(name: str) -> None:
    routes = routes_of(name).routes
    hard = [t for t in hard_of(name) if t.target is not None]
    assert set(routes) == {t.id for t in [*present(name), *hard]}
    # A swipe with `until` is as many actions as it takes.
    actions = {
        k: sum(SWIPES if isinstance(s, dict) and "until" in s else 1 for s in v) for k, v in routes.items()
    }
    assert {t.id: t.shortest for t in present(name) if not 1 <= t.shortest <= actions[t.id]} == {}


@pytest.mark.parametrize("name", NAMES)
def test_a_route_does_nothing_that_cannot_be_undone(name: str) -> None:
    steps = yaml.safe_dump([[*s] for s in routes_of(name).routes.values()]).casefold()
    assert not re.search(r"\b(delete|remove|reset|log ?out|send|save|create new file|force)\b", steps)


@pytest.mark.parametrize("name", NAMES)
def test_a_world_can_be_run_and_explains_itself(name: str) -> None:
    assert (WORLDS / name / "run").stat().st_mode & stat.S_IXUSR
    assert (WORLDS / name / "README.md").read_text(encoding="utf-8").startswith("# ")


def test_packages_are_locked_by_hash_and_name_no_index() -> None:
    for lock in WORLDS.glob("*/requirements.txt"):
        text = lock.read_text(encoding="utf-8")
        packages = re.findall(r"^[\w.-]+(?:\[[\w,]+\])?==", text, re.MULTILINE)
        assert packages
        assert text.count("--hash=sha256:") >= len(packages)
        assert "index-url" not in text
    for lock in WORLDS.glob("*/package-lock.json"):
        assert '"resolved"' not in lock.read_text(encoding="utf-8")
