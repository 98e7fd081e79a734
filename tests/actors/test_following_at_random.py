"""Whatever the phone does: the follower ends, claims nothing false, arrives where nothing bars it."""

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.actors.phone import Phone, charted
from waypost.actors import Follower
from waypost.guidance import silent
from waypost.model import Episode, NodeId, StopReason, Task
from waypost.navigate import arrival, navigate
from waypost.planning import ShortestPath

_NAMES = ["Ant", "Bee", "Cat", "Dog", "Elk", "Fox"]
_buttons = st.lists(st.sampled_from(_NAMES), max_size=4).map(lambda to: {f"to {t}": t for t in to})
_pages = st.tuples(*[_buttons] * len(_NAMES)).map(lambda made: dict(zip(_NAMES, made, strict=True)))
_edges = st.tuples(st.sampled_from(_NAMES), st.sampled_from([f"to {n}" for n in _NAMES]))


def _go(phone: Phone, pages: dict[str, dict[str, str]], goal: str) -> Episode:
    chart, node = charted(pages), NodeId(goal)
    follower = Follower(chart, ShortestPath(), node)
    task = Task("t", "app", goal)
    return navigate(task, phone, follower, silent, verify=arrival(chart, node), limit=200)


@settings(max_examples=40, deadline=None)
@given(_pages, st.sampled_from(_NAMES))
def test_without_faults_it_arrives_by_the_shortest_way_or_says_that_there_is_none(
    pages: dict[str, dict[str, str]], goal: str
) -> None:
    net = nx.DiGraph([(a, b) for a, to in pages.items() for b in to.values()])
    net.add_nodes_from(_NAMES)
    episode = _go(Phone(pages), pages, goal)
    if nx.has_path(net, "Ant", goal):
        assert episode.stop is StopReason.ARRIVED
        assert episode.actions == nx.shortest_path_length(net, "Ant", goal)
    else:
        assert episode.stop is not StopReason.ARRIVED
        assert not episode.claimed


@settings(max_examples=60, deadline=None)
@given(
    _pages,
    st.sampled_from(_NAMES),
    st.sets(_edges, max_size=6),
    st.dictionaries(_edges, st.sampled_from([*_NAMES, "Strange"]), max_size=6),
    st.sets(st.integers(0, 12), max_size=4),
    st.sets(st.integers(1, 12), max_size=3),
)
def test_under_any_faults_it_ends_and_claims_nothing_false(
    pages: dict[str, dict[str, str]],
    goal: str,
    dead: set[tuple[str, str]],
    moved: dict[tuple[str, str], str],
    ads: set[int],
    blind: set[int],
) -> None:
    phone = Phone(pages | {"Strange": {}}, dead=dead, moved=moved, ads_before=ads, blind=blind)
    episode = _go(phone, pages, goal)
    assert episode.stop in (StopReason.ARRIVED, StopReason.GAVE_UP, StopReason.LOOP)
    assert episode.claimed == (episode.stop is StopReason.ARRIVED)
    assert (phone.at == goal) or not episode.claimed
