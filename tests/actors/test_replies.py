"""Replies of models, whole and broken: read as they should be, and never a claim where they cannot be."""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.actors.replies import (
    Do,
    Drag,
    Mark,
    Move,
    Said,
    Spot,
    Touch,
    Unreadable,
    Write,
    agentcpm,
    listed,
    qwen,
    uitars,
)
from waypost.model import Finish, Launch, Press, Wait

READERS: dict[str, Callable[[str], Said | Unreadable]] = {
    "uitars": uitars,
    "qwen": qwen,
    "agentcpm": agentcpm,
    "listed": listed,
}
CORPUS = yaml.safe_load(Path(__file__).with_name("replies.yaml").read_text("utf-8"))
CLAIMS = {
    "uitars": "Thought: x\nAction: finished(content='it is open')",
    "qwen": '<tool_call>{"name": "mobile_use", "arguments": {"action": "terminate", "status": "success"}}',
    "agentcpm": '{"thought": "x", "STATUS": "finish"}',
    "listed": 'Reason: x\nAction: {"action_type": "status", "goal_status": "complete"}',
}
PIECES = st.sampled_from(
    [
        "Action:",
        "Thought:",
        "click(",
        "finished(",
        "start_box=",
        "'",
        '"',
        "(500,300)",
        ")",
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        '"action"',
        '"click"',
        '"terminate"',
        '"status"',
        '"success"',
        '"STATUS"',
        '"finish"',
        '"POINT"',
        "<tool_call>",
        "</tool_call>",
        "```json",
        "<|begin_of_box|>",
        "</answer>",
        "<think>",
        "</think>",
        "3",
        "-1",
        "1e999",
        "\n",
        "\\",
        "“",
        "：",
        "｛",
        "null",
        '"coordinate"',
        '"index"',
        "content=",
        "direction='down'",
    ]
)


def _at(at: Spot | Mark | None) -> str:
    match at:
        case Mark(number=n):
            return f" #{n}"
        case Spot(x=x, y=y):
            return f" {x:g} {y:g}"
    return ""


def _worded(move: Move) -> str:
    match move:
        case Touch(at=at, hold=hold):
            return ("hold" if hold else "tap") + _at(at)
        case Write(text=text):
            return f"write {text}"
        case Drag(direction=None, start=start, end=end):
            return f"drag{_at(start)}{_at(end)}"
        case Drag(direction=direction):
            return f"drag {direction}"
        case Do(action=Press(key=key)):
            return f"press {key}"
        case Do(action=Launch(app=app)):
            return f"launch {app}"
        case Do(action=Finish(arrived=arrived)):
            return "done" if arrived else "failed"
        case Do(action=Wait()):
            return "wait"
    return repr(move)


@pytest.mark.parametrize("case", CORPUS, ids=lambda c: f"{c['read']}: {c['text'][:40]!r}")
def test_each_reply_is_read_as_it_should_be(case: dict[str, str]) -> None:
    read = READERS[case["read"]](case["text"])
    found = "unreadable" if isinstance(read, Unreadable) else _worded(read.move)
    assert found == case["wants"], read


def test_the_corpus_is_large_and_holds_every_dialect() -> None:
    assert len(CORPUS) >= 80
    assert {c["read"] for c in CORPUS} == set(READERS)
    assert sum(c["wants"] == "unreadable" for c in CORPUS) >= 40


@pytest.mark.parametrize("name", READERS)
@given(
    text=st.text(max_size=200) | st.lists(PIECES, max_size=25).map("".join) | st.lists(PIECES).map(" ".join)
)
@settings(parent=settings.get_profile("fuzz"))
def test_no_text_at_all_breaks_a_reader(name: str, text: str) -> None:
    read = READERS[name](text)
    assert isinstance(read, (Said, Unreadable))
    if isinstance(read, Unreadable):
        assert read.fault


@pytest.mark.parametrize("name", READERS)
@given(data=st.data())
@settings(parent=settings.get_profile("fuzz"))
def test_a_claim_that_is_cut_off_is_never_a_claim(name: str, data: st.DataObject) -> None:
    whole = CLAIMS[name]
    end = len(whole) - 1 if name != "qwen" else len(whole) - 2
    cut = whole[: data.draw(st.integers(0, end))]
    read = READERS[name](cut)
    assert not (isinstance(read, Said) and isinstance(read.move, Do) and isinstance(read.move.action, Finish))


@pytest.mark.parametrize("name", READERS)
@given(text=st.text(st.characters(exclude_characters="{}[]()｛｝［］【】（）<>"), max_size=300))
@settings(parent=settings.get_profile("fuzz"))
def test_prose_is_never_a_claim(name: str, text: str) -> None:
    read = READERS[name](text + " The task is finished, complete and done. success")
    assert not (isinstance(read, Said) and isinstance(read.move, Do) and isinstance(read.move.action, Finish))
