from tests.mapping.looks import APP, Clock, button, screen, text, toolbar
from waypost.exploration import Experiment, Reflected, doubtful, reflect
from waypost.mapping import Mapper
from waypost.model import AppGraph, Hypernode, NodeId, Screen, Tap, Transition

HOME, HELP, NEWS = (NodeId(n) for n in ("home", "help", "news"))
LOOKS: dict[NodeId, Screen] = {
    HOME: screen(toolbar("Home"), button("Help", 300)),
    HELP: screen(toolbar("Help"), text("Ask us", 500), activity=".A"),
    NEWS: screen(toolbar("News"), text("All is new", 500), activity=".B"),
}


class _Walk(Experiment):
    """A device on which every step leads where `truth` says, walked by the map."""

    def __init__(self, mapper: Mapper, truth: dict[str, NodeId], reachable: bool = True) -> None:
        self._mapper, self._truth, self._reachable = mapper, truth, reachable

    def go(self, page: NodeId) -> bool:
        return self._reachable

    def do(self, step: Transition) -> NodeId | None:
        target = self._truth[step.key]
        at = (step.source, step.key, target)
        known = self._mapper.graph.transitions.get(at)
        tries = max(t.tries for t in self._mapper.graph.outcomes(step.source, step.key)) + 1
        for t in self._mapper.graph.outcomes(step.source, step.key):
            counted = Transition(t.source, t.action, t.target, t.key, tries=tries, successes=t.successes)
            self._mapper.graph.transitions[t.source, t.key, t.target] = counted
        successes = 1 + (known.successes if known else 0)
        seen = Transition(step.source, step.action, target, step.key, tries=tries, successes=successes)
        self._mapper.graph.transitions[at] = seen
        return target

    def restart(self) -> None:
        return

    def close(self) -> None:
        return


def mapped(tries: int, successes: int, failures: int = 0) -> Mapper:
    graph = AppGraph(APP, root=HOME)
    for node in LOOKS:
        graph.nodes[node] = Hypernode(node, node)
    step = Transition(HOME, Tap((1, 1)), HELP, "help", tries=tries, successes=successes, failures=failures)
    graph.transitions[HOME, "help", HELP] = step
    return Mapper(graph)


def test_a_step_that_still_holds_is_confirmed() -> None:
    mapper = mapped(1, 1)
    (found,) = reflect(mapper, doubtful(mapper.graph), _Walk(mapper, {"help": HELP}))
    assert found.verdict is Reflected.CONFIRMED
    assert mapper.graph.transitions[HOME, "help", HELP].successes == 2


def test_a_wrong_step_is_struck_and_the_true_one_is_on_the_map() -> None:
    mapper = mapped(1, 1)
    (found,) = reflect(mapper, doubtful(mapper.graph), _Walk(mapper, {"help": NEWS}))
    assert found.verdict is Reflected.STRUCK
    assert found.observed == NEWS
    assert set(mapper.graph.transitions) == {(HOME, "help", NEWS)}


def test_a_step_that_held_often_is_not_struck_for_one_miss() -> None:
    mapper = mapped(20, 19)
    (found,) = reflect(mapper, doubtful(mapper.graph), _Walk(mapper, {"help": NEWS}))
    assert found.verdict is Reflected.REPAIRED
    assert mapper.graph.transitions[HOME, "help", HELP].failures == 1
    assert (HOME, "help", NEWS) in mapper.graph.transitions


def test_what_cannot_be_reached_is_said_to_be_untested() -> None:
    mapper = mapped(1, 1)
    (found,) = reflect(mapper, doubtful(mapper.graph), _Walk(mapper, {}, reachable=False))
    assert found.verdict is Reflected.UNTESTED
    assert len(mapper.graph.transitions) == 1


def test_what_is_sure_is_left_alone() -> None:
    assert doubtful(mapped(9, 9).graph) == []
    assert doubtful(mapped(1, 1).graph, once=False) == []
    assert len(doubtful(mapped(9, 9, failures=1).graph)) == 1


def test_pages_of_the_fixture_are_told_apart() -> None:
    mapper, clock = Mapper(AppGraph(APP)), Clock()
    assert len({mapper.enter(clock.look(s)) for s in LOOKS.values()}) == 3
