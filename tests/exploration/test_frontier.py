"""What the frontier tries first, and how it gets there."""

from tests.exploration.test_explore import Ticks
from tests.exploration.toy import APP, Toy, Truth
from waypost.exploration import ExploreConfig, explore
from waypost.exploration.ledger import Ledger
from waypost.exploration.promise import price
from waypost.exploration.reach import Reach, Way
from waypost.mapping.controls import Control, controls
from waypost.mapping.mapper import Mapper
from waypost.model import AppGraph, ExploreStop, NodeId, Observation, Press, Tap

LETTERS = [f"Letter {c}" for c in "abcdefghijkl"]
ENTRIES = "Sound Display Network Battery Storage Apps Privacy About".split()  # noqa: SIM905


def walked(pages: dict[str, dict[str, str]], lists: dict[str, list[str]]) -> Truth:
    truth = Truth(Toy(pages, lists))
    stop = explore(truth.toy, truth.mapper, ExploreConfig(), clock=Ticks())
    assert stop is ExploreStop.COMPLETE
    assert truth.false_edges() == []
    return truth


def tapped(truth: Truth, labels: list[str]) -> int:
    keys = {t.key for t in truth.mapper.graph.transitions.values()}
    return sum(1 for label in labels if any(f"|{label}|" in k for k in keys))


def test_rows_that_lead_to_one_page_are_sampled() -> None:
    truth = walked({"Home": dict.fromkeys(LETTERS, "Letter"), "Letter": {}}, {"Home": LETTERS})
    assert 3 <= tapped(truth, LETTERS) <= 7


def test_rows_that_lead_to_pages_of_their_own_are_all_walked() -> None:
    pages = {"Home": {e: e for e in ENTRIES}, **{e: {} for e in ENTRIES}}
    assert tapped(walked(pages, {"Home": ENTRIES}), ENTRIES) == len(ENTRIES)


def test_the_last_row_is_tried_early_because_it_is_the_likeliest_to_differ() -> None:
    pages = {"Home": {**dict.fromkeys(LETTERS, "Letter"), "Archive": "Archive"}, "Letter": {}, "Archive": {}}
    truth = walked(pages, {"Home": [*LETTERS, "Archive"]})
    assert "Archive" in truth.pages()


def test_what_turns_back_is_tried_after_what_leads_on() -> None:
    pages = {"Welcome": {"Skip": "Home", "Next": "Tour"}, "Tour": {"Done": "Home"}, "Home": {}}
    truth = walked(pages, {})
    assert next(key.split("|")[1] for _, _, key, _, _ in truth.steps) == "Next"


def test_a_control_that_leads_to_one_place_everywhere_is_not_tried_everywhere() -> None:
    names = [f"Page {c}" for c in "abcdefghij"]
    pages = {"Home": {n: n for n in names}, **{n: {"Start": "Home"} for n in names}}
    truth = walked(pages, {})
    starts = {t.source for t in truth.mapper.graph.transitions.values() if "|Start|" in t.key}
    assert 4 <= len(starts) < len(names)


def known() -> tuple[Mapper, Ledger, dict[str, NodeId], tuple[Control, ...]]:
    """Walk Home -> News -> Story by hand and back."""
    toy = Toy({"Home": {"News": "News"}, "News": {"Story": "Story"}, "Story": {}})
    mapper = Mapper(AppGraph(APP))
    nodes = {"Home": mapper.enter(toy.observe())}
    offered = controls(toy.screen())
    ledger = Ledger(mapper)
    ledger.note(nodes["Home"], offered, toy.screen())
    for page, label in (("Home", "News"), ("News", "Story")):
        (control,) = [c for c in controls(toy.screen()) if c.label == label]
        toy.perform(control.action)
        transition = mapper.extend(nodes[page], control.action, control.key, toy.observe())
        ledger.count(transition)
        nodes[label] = transition.target
    return mapper, ledger, nodes, offered


def ways(reach: Reach, here: NodeId, trail: list[NodeId], start: NodeId | None) -> dict[NodeId, Way]:
    found: dict[NodeId, Way] = {}

    def visit(node: NodeId, way: Way) -> float:
        found[node] = way
        return float("inf")

    reach.search(here, trail, start, visit)
    return found


def test_the_first_move_of_the_cheapest_way_is_told() -> None:
    _, ledger, nodes, _ = known()
    found = ways(Reach(ledger), nodes["Home"], [], None)
    assert found[nodes["Story"]].kind == "edge"
    assert found[nodes["Story"]].expected == nodes["News"]
    assert found[nodes["Story"]].cost == 2


def test_back_is_cheaper_than_a_launch_until_it_fails() -> None:
    _, ledger, nodes, _ = known()
    reach = Reach(ledger)
    trail = [nodes["Home"], nodes["News"]]
    assert ways(reach, nodes["Story"], trail, nodes["Home"])[nodes["Home"]].kind == "back"
    for _ in range(3):
        reach.learn_back(nodes["Story"], False)
    assert ways(reach, nodes["Story"], trail, nodes["Home"])[nodes["Home"]].kind == "launch"


def test_an_edge_that_failed_is_dearer() -> None:
    _, ledger, nodes, offered = known()
    reach = Reach(ledger)
    reach.penalty[nodes["Home"], offered[0].key] += 5
    assert ways(reach, nodes["Home"], [], None)[nodes["News"]].cost == 6


def test_what_is_tried_is_no_longer_open() -> None:
    mapper, ledger, nodes, offered = known()
    tap = next(c for c in offered if isinstance(c.action, Tap))
    assert not ledger.open(nodes["Home"], tap)
    assert tap.key not in mapper.graph.untried.get(nodes["Home"], ())
    assert price(ledger, nodes["Home"], "tap:unknown", None) > price(ledger, nodes["Story"], "x", tap) - 1


def test_a_page_without_any_control_is_complete_at_once() -> None:
    toy = Toy({"Home": {}})
    mapper = Mapper(AppGraph(APP))
    assert explore(toy, mapper, ExploreConfig(), clock=Ticks()) is ExploreStop.COMPLETE
    assert not any(isinstance(a, Press) for a in toy.done)
    assert isinstance(toy.observe(), Observation)
