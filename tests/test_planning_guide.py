"""Agent+P's guide on the map of a stand-in phone: what it says, and what it learns meanwhile."""

from collections.abc import Sequence

from tests.mapping.looks import APP, Clock, button, screen, text, toolbar
from waypost.guidance import Candidate, PlanningGuide, selected
from waypost.mapping import Mapper, controls
from waypost.model import Action, AppGraph, Decision, Finish, NodeId, Observation, Record, Screen, Tap
from waypost.planning import ProductSearch

HOME = screen(toolbar("Mail"), button("Open settings", 300), button("Open about", 600), button("Delete", 900))
SETTINGS = screen(toolbar("Settings", up=True), button("Open sounds", 300), activity=".A")
SOUNDS = screen(toolbar("Sounds", up=True), text("Volume", 500), activity=".B")
ABOUT = screen(toolbar("About", up=True), text("Version", 500), button("Hear more", 800), activity=".C")


def press(shown: Screen, label: str) -> tuple[Tap, str]:
    (control,) = (c for c in controls(shown) if c.label == label)
    assert isinstance(control.action, Tap)
    return control.action, control.key


def walked(clock: Clock) -> Mapper:
    mapper = Mapper(AppGraph(APP))
    home = mapper.enter(clock.look(HOME))
    mapper.extend(home, *press(HOME, "Open about"), clock.look(ABOUT))
    mapper.enter(clock.look(HOME))
    settings = mapper.extend(home, *press(HOME, "Open settings"), clock.look(SETTINGS)).target
    mapper.extend(settings, *press(SETTINGS, "Open sounds"), clock.look(SOUNDS))
    return mapper


def guided(mapper: Mapper, clock: Clock) -> PlanningGuide:
    goal = mapper.locate(clock.look(SOUNDS))
    other = mapper.locate(clock.look(ABOUT))
    assert goal
    assert other
    pages = [
        Candidate(record(goal.node, "Sounds"), 0.8, "its name"),
        Candidate(record(other.node, "About"), 0.1),
    ]
    return PlanningGuide("make it louder", mapper, ProductSearch(), pages)


def record(node: NodeId, name: str) -> Record:
    return Record(node, 0, name, "", (), ())


class _Actor:
    def __init__(self, action: Action) -> None:
        self.action, self.told = action, ""

    def act(self, instruction: str, observation: Observation, guidance: str) -> Decision:
        self.told = guidance
        return Decision(self.action, "because")


def test_it_says_where_one_is_what_is_meant_and_the_whole_way() -> None:
    clock = Clock()
    said = guided(walked(clock), clock)(clock.look(HOME))
    assert 'Goal: "Sounds" (80% sure; its name).' in said
    assert 'It might also be: "About" (10%).' in said
    assert 'You are on: "Mail".' in said
    assert "Way (best, 2 steps" in said
    assert 'Do now: on "Mail", tap button "Open settings"; leads to "Settings".' in said
    assert 'button "Open about" (to "About")' in said
    assert "Delete" not in said


def test_the_destination_is_told_to_stop_at() -> None:
    clock = Clock()
    said = guided(walked(clock), clock)(clock.look(SOUNDS))
    assert "Do now: stop as soon as the destination is shown" in said


def test_a_step_that_the_actor_takes_is_added_where_it_was_taken() -> None:
    clock = Clock()
    mapper = walked(clock)
    guide = guided(mapper, clock)
    action, key = press(ABOUT, "Hear more")
    guide(clock.look(ABOUT))
    guide.watching(_Actor(action)).act("", clock.look(ABOUT), "")
    assert "This is the goal" in guide(clock.look(SOUNDS))
    about, sounds = (mapper.locate(clock.look(s)) for s in (ABOUT, SOUNDS))
    assert about
    assert sounds
    added = mapper.graph.transitions[about.node, key, sounds.node]
    assert added.successes == 1
    assert "Way (best, 2 steps" in guide(clock.look(HOME))
    # Not from the look before that: two steps apart is no step.
    assert not [t for t in mapper.graph.entering(sounds.node) if t.source == mapper.graph.root]


def test_a_step_that_fails_is_penalised_until_another_way_is_told() -> None:
    clock = Clock()
    mapper = walked(clock)
    guide = guided(mapper, clock)
    more, _ = press(ABOUT, "Hear more")
    about = mapper.locate(clock.look(ABOUT))
    assert about
    mapper.extend(about.node, *press(ABOUT, "Hear more"), clock.look(SOUNDS))
    action, key = press(HOME, "Open settings")
    told = []
    for _ in range(5):
        said = guide(clock.look(HOME))
        told.append('Do now: on "Mail", tap button "Open settings"' in said)
        guide.did(action if told[-1] else more)
    assert told[0]
    assert not told[-1]
    assert 'tap button "Open about"' in said
    root = mapper.graph.root
    assert root is not None
    failed = [t for t in mapper.graph.leaving(root) if t.key == key]
    assert max(t.failures for t in failed) >= 1


def test_the_end_of_an_episode_is_no_step() -> None:
    clock = Clock()
    mapper = walked(clock)
    guide, before = guided(mapper, clock), mapper.graph.steps
    guide(clock.look(HOME))
    guide.did(Finish())
    guide(clock.look(SETTINGS))
    assert mapper.graph.steps == before


def test_a_page_that_is_not_on_the_map_is_admitted() -> None:
    clock = Clock()
    lost = screen(toolbar("Elsewhere"), text("Unknown words", 400), activity=".Z")
    assert "not on the map" in guided(walked(clock), clock)(clock.look(lost))


def test_the_choice_is_made_among_the_best_few() -> None:
    many = [Candidate(record(NodeId(str(i)), f"p{i}"), i / 10) for i in range(10)]
    asked: list[Sequence[Candidate]] = []

    def second(instruction: str, candidates: Sequence[Candidate]) -> int | None:
        asked.append(candidates)
        return 1

    assert selected("x", many) == many[9]
    assert selected("x", many, second, most=3) == many[8]
    assert [len(a) for a in asked] == [3]
    assert selected("x", many, lambda i, c: None) is None
    assert selected("x", many, lambda i, c: 77) is None
    assert selected("x", []) is None
