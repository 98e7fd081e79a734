"""What opens a gate: guessed from the steps, and believed only after an experiment."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.exploration import Experiment, Finding, StepAt, guesses, learn_facts, likely
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
    """An app with a gate that opens once all of `openers` were done; it starts shut."""

    def __init__(self, openers: set[tuple[NodeId, str]], opened: list["_App"]) -> None:
        self._openers, self._done, self.closed = openers, set[tuple[NodeId, str]](), False
        opened.append(self)

    def go(self, page: NodeId) -> bool:
        return True

    def do(self, step: Transition) -> NodeId | None:
        if (step.source, step.key) == ASKED[:2]:
            return ACCOUNT if self._openers <= self._done else LOGIN
        self._done.add((step.source, step.key))
        return step.target

    def restart(self) -> None:
        return

    def close(self) -> None:
        self.closed = True


def learnt(
    *openers: tuple[NodeId, str], walk: list[StepAt] = WALK
) -> tuple[Mapper, list[Finding], list[_App]]:
    apps: list[_App] = []
    mapper = mapped(walk)
    return mapper, learn_facts(mapper, walk, _fresh(set(openers), apps)), apps


def _fresh(openers: set[tuple[NodeId, str]], apps: list[_App]) -> Callable[[], Experiment]:
    return lambda: _App(openers, apps)


def test_what_was_done_on_the_page_of_the_gate_is_guessed_first() -> None:
    guess = guesses(WALK)[0]
    assert (guess.page, guess.key, guess.closed, guess.opened) == (HOME, "account", LOGIN, ACCOUNT)
    assert guess.causes[0] == SIGNED
    assert guess.support == 3


def test_what_turns_to_and_fro_is_not_guessed_at() -> None:
    assert guesses([*WALK, ASKED]) == []
    assert guesses([]) == []


def test_a_control_that_leads_back_to_where_one_came_from_is_no_gate() -> None:
    walk = [(HELP, "close", HOME), (LOGIN, "hint", HELP), (HELP, "close", LOGIN)]
    apps: list[_App] = []
    assert likely(walk, mapped(walk).graph)

    class Sheet(_App):
        """What is closed shows what was there before it was opened; a relaunch shows home."""

        def __init__(self) -> None:
            super().__init__(set(), apps)
            self.before = HOME

        def go(self, page: NodeId) -> bool:
            self.before = page if page != HELP else self.before
            return True

        def do(self, step: Transition) -> NodeId | None:
            return self.before if step.key == "close" else step.target

        def restart(self) -> None:
            self.before = HOME

    assert [t.holds for t in learn_facts(mapped(walk), walk, Sheet)] == [False]


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
    assert [t.holds for t in tested] == [False]
    assert "with all that was done before" in tested[0].why
    assert mapper.graph.facts == {}
    assert all(a.closed for a in apps)


def test_the_true_cause_is_found_behind_a_likelier_one() -> None:
    _, tested, _ = learnt(HELPED[:2])
    assert [t.causes for t in tested] == [(HELPED,)]
    assert tested[0].hypothesis.causes[0] == SIGNED


def test_a_gate_that_was_open_from_the_start_is_none() -> None:
    _, tested, _ = learnt()
    assert [t.why for t in tested] == ["it is open from the start"]


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 40), st.data())
def test_all_that_is_needed_is_found_and_nothing_else(count: int, data: st.DataObject) -> None:
    steps = [(HOME, f"step {i}", HELP) for i in range(count)]
    needed = data.draw(st.sets(st.sampled_from(steps), min_size=1, max_size=4))
    walk = [ASKED, *steps, OPENED]
    mapper, (tested,), apps = learnt(*(s[:2] for s in needed), walk=walk)
    assert set(tested.causes) == needed
    assert tested.runs == len(apps)
    # Doubling and halving: no more than that for each step needed, and one to see whether they are enough.
    assert tested.runs <= 2 + len(needed) * (2 * count.bit_length() + 3)
    facts = mapper.graph.transitions[OPENED].preconditions
    assert len(facts) == len(needed)
    plan = ProductSearch().plan(mapper.graph, HOME, ACCOUNT)
    assert plan.found
    assert needed < {(s.source, s.key, s.target) for s in plan.steps}


@pytest.mark.parametrize("most", [0, 1])
def test_no_more_is_tested_than_was_allowed(most: int) -> None:
    apps: list[_App] = []
    assert len(learn_facts(mapped(WALK), WALK, _fresh({(HELP, "never")}, apps), most=most)) == most
