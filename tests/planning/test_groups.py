"""Pieces of ways that recur: found, named, filled in, and dropped when one of their steps dies."""

from dataclasses import replace
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conformance.planner import chart, edge
from waypost.model import AppGraph, Evidence, NodeId, Parameter, Press, Role, TypeText
from waypost.planning import bound, chains, live, mined

STEPS = [
    ("home", "settings"),
    ("settings", "sound"),
    ("sound", "tone"),
    ("settings", "about"),
    ("home", "help"),
]
GRAPH = chart(*(edge(a, b) for a, b in STEPS))


def at(source: str, target: str) -> tuple[NodeId, str, NodeId]:
    return NodeId(source), f"tap:{target}", NodeId(target)


SOUND = [at("home", "settings"), at("settings", "sound"), at("sound", "tone")]
ABOUT = [at("home", "settings"), at("settings", "about")]


def test_what_is_walked_together_more_than_once_is_a_group() -> None:
    groups = mined([SOUND, SOUND, ABOUT], GRAPH)
    assert [[s[1] for s in g.steps] for g in groups] == [
        ["tap:settings", "tap:sound"],
        ["tap:settings", "tap:sound", "tap:tone"],
    ]
    assert [g.count for g in groups] == [2, 2]
    assert groups[1].name == "home > tone"
    assert mined([SOUND, ABOUT], GRAPH, least=3) == ()


def test_where_the_last_step_led_to_does_not_part_two_groups() -> None:
    rare = edge("settings", "about", key="tap:sound", tries=9, successes=1)
    graph = chart(*(edge(a, b) for a, b in STEPS), rare)
    other = [SOUND[0], (rare.source, rare.key, rare.target)]
    (group,) = mined([SOUND[:2], SOUND[:2], other], graph)
    assert group.count == 3
    assert group.steps[-1][2] == "sound"


def test_a_piece_that_goes_in_a_circle_is_none() -> None:
    graph = chart(edge("a", "b"), edge("b", "a"))
    circle = [at("a", "b"), at("b", "a")]
    assert all(len(g.steps) == 1 for g in mined([circle * 3], graph))


def test_a_group_needs_what_its_steps_do_not_make_themselves() -> None:
    graph = chart(
        edge("a", "b", preconditions=("signed_in",), effects=("open",)),
        edge("b", "c", preconditions=("open", "not locked"), effects=("not open",)),
    )
    way = [at("a", "b"), at("b", "c")]
    (group,) = mined([way, way], graph)
    assert group.needs == ("signed_in", "not locked")
    assert group.makes == ("not open",)


def typed() -> AppGraph:
    field = TypeText("12", (1, 1), Evidence(Role.FIELD, "Amount"))
    return chart(edge("a", "b"), replace(edge("b", "b", key="type:Amount"), action=field), edge("b", "c"))


def test_texts_are_parameters_with_a_kind() -> None:
    graph = typed()
    way = [at("a", "b"), (NodeId("b"), "type:Amount", NodeId("b")), at("b", "c")]
    group = max(mined(chains([*way, *way], graph), graph), key=lambda g: len(g.steps))
    assert group.parameters == (Parameter(1, "Amount", "number"),)
    steps = bound(group, graph, {"Amount": "7.5"})
    assert steps is not None
    assert isinstance(steps[1].action, TypeText)
    assert steps[1].action.text == "7.5"
    assert bound(group, graph, {"Amount": "a lot"}) is None
    assert bound(group, graph, {}) is None


def test_a_group_is_stale_when_one_of_its_edges_dies() -> None:
    graph = chart(*(edge(a, b) for a, b in STEPS))
    groups = mined([SOUND, SOUND], graph)
    assert live(groups, graph) == list(groups)
    tone = (NodeId("sound"), "tap:tone", NodeId("tone"))
    graph.transitions[tone] = replace(graph.transitions[tone], failures=40)
    assert [len(g.steps) for g in live(groups, graph)] == [2]
    del graph.transitions[NodeId("home"), "tap:settings", NodeId("settings")]
    assert live(groups, graph) == []


def test_a_log_is_cut_where_it_jumps_goes_back_or_does_harm() -> None:
    back = replace(edge("sound", "settings"), action=Press("back"), key="press:back")
    pay = edge("about", "help", hazard="pay")
    graph = chart(*(edge(a, b) for a, b in STEPS), back, pay)
    log = [
        *SOUND[:2],
        (back.source, back.key, back.target),
        ABOUT[1],
        at("about", "help"),
        at("home", "help"),
    ]
    assert chains(log, graph) == [SOUND[:2], [ABOUT[1]], [at("home", "help")]]
    assert chains([], graph) == []


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(st.integers(0, 3), max_size=8), max_size=8), st.integers(2, 4))
def test_every_group_is_really_there_as_often_as_it_says(walks: list[list[int]], least: int) -> None:
    graph = chart(*(edge(f"p{i}", f"p{j}") for i in range(9) for j in range(9) if i != j))
    rows = []
    for walk in walks:
        pages = [f"p{(i + n) % 9}" for i, n in enumerate(walk)]
        rows.append([at(a, b) for a, b in pairwise(pages) if a != b])
    for group in mined(rows, graph, least=least):
        size = len(group.steps)
        seen = sum(
            tuple((s, k) for s, k, _ in row[i : i + size]) == group.key
            for row in rows
            for i in range(len(row) - size + 1)
        )
        assert seen >= group.count >= least
        assert size >= 2
