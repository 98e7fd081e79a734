"""AMS and TCR as AndroTMem counts them, and with missing screenshots left out."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.bench.androtmem import TaskTruth, read_task, score, step_passes
from waypost.errors import UsageError


def _row(index: int, action: dict[str, Any], *links: tuple[int, bool], status: str = "") -> dict[str, Any]:
    return {
        "step_index": index,
        "image_name": f"{index}.png",
        "actionForm": action,
        "extra_info": {
            "status": [{"content_en": status}] if status else [],
            "links": [{"source": s, "relation": "context_use", "is_critical": c} for s, c in links],
        },
    }


TAP = {"action": "tap", "bbox": [100, 100, 200, 200]}
HIT, MISS = {"action": "tap", "x": 150, "y": 150}, {"action": "tap", "x": 500, "y": 150}
END = {"action": "finish"}


def _task(*rows: dict[str, Any], images: Path | None = None) -> TaskTruth:
    return read_task({"task_id": "t", "steps": list(rows)}, images)


def _scored(task: TaskTruth, *actions: dict[str, Any]) -> dict[str, tuple[float, float, int, int]]:
    told = {(task.id, s.index): a for s, a in zip(task.steps, actions, strict=True)}
    return {k: (s.ams, s.tcr, s.steps, s.tasks) for k, s in score([task], told).items()}


@pytest.mark.parametrize(
    ("truth", "said", "passes"),
    [
        (TAP, {"action": "click", "x": 214, "y": 114}, True),
        (TAP, {"action": "click", "x": 215, "y": 114}, False),
        (TAP, {"action": "long_press", "x": 150, "y": 150}, False),
        ({"action": "tap"}, HIT, False),
        ({"action": "input_text", "value": " Ann"}, {"action": "text", "value": "ann "}, True),
        ({"action": "swipe", "direction": "up"}, {"action": "swipe", "direction": "UP"}, True),
        ({"action": "swipe", "direction": "up"}, {"action": "swipe", "direction": "down"}, False),
        ({"action": "open_app", "app_value": "Mail"}, {"action": "open_app", "app_value": "Maps"}, True),
        ({"action": "finish_task"}, {"action": "terminate"}, True),
        ({"action": "home"}, None, False),
        ({"action": "home"}, {}, False),
    ],
)
def test_a_step_passes_as_the_released_scorer_has_it(truth: Any, said: Any, passes: bool) -> None:
    assert step_passes(truth, said) is passes


def test_a_task_is_done_where_the_steps_that_its_end_rests_on_pass_and_no_others_are_asked_for() -> None:
    task = _task(_row(1, TAP), _row(2, TAP, (1, True)), _row(3, TAP), _row(4, END, (2, True), (3, False)))
    assert task.needed() == {1, 2, 4}
    assert _scored(task, HIT, HIT, MISS, END)["strict"] == (75.0, 100.0, 4, 1)
    assert _scored(task, MISS, HIT, HIT, END)["strict"] == (75.0, 0.0, 4, 1)


def test_a_link_to_a_step_that_is_not_there_fails_the_task_and_a_circle_ends() -> None:
    assert _scored(_task(_row(1, END, (9, True))), END)["strict"][1] == 0.0
    assert _task(_row(1, TAP, (2, True)), _row(2, END, (1, True))).needed() == {1, 2}


def test_the_end_is_the_last_step_that_says_it_finishes() -> None:
    assert _task(_row(1, TAP, status="[Finish] sent"), _row(2, TAP)).final.index == 1
    assert _task(_row(1, TAP), _row(2, TAP)).final.index == 2


def test_missing_screenshots_are_left_out_and_the_released_way_is_told_beside(tmp_path: Path) -> None:
    (tmp_path / "1.png").write_bytes(b"x")
    task = _task(_row(1, TAP), _row(2, END, (1, True)), images=tmp_path)
    found = _scored(task, HIT, {"action": "home"})
    assert found["strict"] == (100.0, 0.0, 1, 0)
    assert found["released"] == (100.0, 100.0, 2, 1)


def test_what_is_no_task_is_told_in_plain_words() -> None:
    with pytest.raises(UsageError, match="Not a task of AndroTMem"):
        read_task({"steps": [{}]})
    with pytest.raises(UsageError, match="no steps"):
        read_task({"task_id": "t", "steps": []})


@settings(parent=settings.get_profile("fuzz"))
@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 9)), min_size=1, max_size=10))
def test_passing_what_was_not_shown_never_lowers_the_figures_of_steps(
    steps: list[tuple[bool, bool, int]],
) -> None:
    task = _task(*(_row(n, TAP, (link, True)) for n, (_, _, link) in enumerate(steps)))
    shown = tuple(replace(s, image=there) for s, (_, there, _) in zip(task.steps, steps, strict=True))
    found = _scored(replace(task, steps=shown), *(HIT if hit else MISS for hit, _, _ in steps))
    assert found["released"][0] >= found["strict"][0]
    assert found["released"][2:] == (len(steps), 1)
    assert found["strict"][2] == sum(there for _, there, _ in steps)
    hits = sum(hit and there for hit, there, _ in steps)
    assert found["strict"][0] == round(100 * hits / max(1, found["strict"][2]), 2)
