"""What opens a gate: guessed from the steps, and believed only after an experiment."""

from collections.abc import Callable

import pytest

from waypost.exploration import Experiment, Finding, guesses, learn_facts
from waypost.mapping import Mapper
from waypost.model import AppGraph, Hypernode, NodeId, PlanStatus, Tap, Transition
from waypost.planning import ProductSearch

HOME, LOGIN, ACCOUNT, HELP = (NodeId(n) for n in ("home", "login", "account", "help"))
ASKED, SIGNED, OPENED = (HOME, "account", LOGIN), (LOGIN, "sign in", HOME), (HOME, "account", ACCOUNT)
HELPED, BACK = (HOME, "help", HELP), (HELP, "up", HOME)
WALK = [ASKED, HELPED, BACK, SIGNED, HELPED, BACK, OPENED, OPENED]


def mapped(walk: list[tuple[NodeId, str, NodeId]]) -> Mapper:
    graph = AppGraph("app", root=HOME)
    for source, key, target in walk:
        for node in (source, target):
            graph.nodes[node] = Hypernode(node, node.title())
        graph.transitions[source, key, target] = Transition(source, Tap((1, 1)), target, key)
    return Mapper(graph)


class _App(Experiment):
    """An app with a gate that opens once `opener` was done; it starts shut."""

    def __init__(self, opener: tuple[NodeId, str], opened: list["_App"]) -> None:
        self._opener, self._open, self._at, self.closed = opener, False, HOME, False
        opened.append(self)

    def go(self, page: NodeId) -> bool:
        self._at = page
        return True

    def do(self, step: Transition) -> NodeId | None:
        if (step.source, step.key) == ASKED[:2]:
            return ACCOUNT if self._open else LOGIN
        self._open = self._open or (step.source, step.key) == self._opener
        return step.target

    def close(self) -> None:
        self.closed = True


def learnt(opener: tuple[NodeId, str]) -> tuple[Mapper, list[Finding], list[_App]]:
    apps: list[_App] = []
    mapper, fresh = mapped(WALK), _fresh(opener, apps)
    return mapper, learn_facts(mapper, WALK, fresh), apps


def _fresh(opener: tuple[NodeId, str], apps: list[_App]) -> Callable[[], Experiment]:
    return lambda: _App(opener, apps)


def test_what_was_done_on_the_page_of_the_gate_is_guessed_first() -> None:
    guess = guesses(WALK)[0]
    assert (guess.page, guess.key, guess.closed, guess.opened) == (HOME, "account", LOGIN, ACCOUNT)
    assert guess.cause == SIGNED
    assert guess.support == 3


def test_what_turns_to_and_fro_is_not_guessed_at() -> None:
    assert guesses([*WALK, ASKED]) == []
    assert guesses([]) == []


def test_a_guess_that_holds_is_written_on_the_map_and_planned_with() -> None:
    mapper, tested, apps = learnt(SIGNED[:2])
    assert [t.holds for t in tested] == [True]
    assert all(a.closed for a in apps)
    (fact,) = mapper.graph.facts
    assert mapper.graph.transitions[SIGNED].effects == (fact,)
    assert mapper.graph.transitions[OPENED].preconditions == (fact,)
    assert mapper.graph.transitions[ASKED].preconditions == (f"not {fact}",)
    plan = ProductSearch().plan(mapper.graph, HOME, ACCOUNT)
    assert plan.status is PlanStatus.OPTIMAL
    assert plan.expected == (LOGIN, HOME, ACCOUNT)


def test_a_coincidence_does_not_pass_the_experiment() -> None:
    mapper, tested, apps = learnt((HELP, "never"))
    assert [t.holds for t in tested] == [False] * len(tested)
    assert tested
    assert mapper.graph.facts == {}
    assert all(a.closed for a in apps)
    assert "with the cause" in tested[0].why


def test_the_true_cause_is_found_behind_a_likelier_one() -> None:
    _, tested, _ = learnt(HELPED[:2])
    assert [t.hypothesis.cause for t in tested] == [SIGNED, BACK, HELPED]
    assert [t.holds for t in tested] == [False, False, True]


@pytest.mark.parametrize("most", [0, 1])
def test_no_more_is_tested_than_was_allowed(most: int) -> None:
    apps: list[_App] = []
    assert len(learn_facts(mapped(WALK), WALK, _fresh((HELP, "never"), apps), most=most)) == most
