"""How the map grows from looks and steps."""

import gc
from weakref import ref

import pytest

from tests.mapping.looks import (
    APP,
    Clock,
    button,
    dialog,
    empty_tree,
    listed,
    screen,
    tabs,
    tap,
    text,
    toolbar,
)
from waypost.mapping.mapper import Mapper, StepSeen
from waypost.model import AppGraph, Bounds, Element, Observation, PageKind, Press, Role, TransitionKind


@pytest.fixture
def clock() -> Clock:
    return Clock()


def mapper() -> Mapper:
    return Mapper(AppGraph(app=APP))


INBOX = screen(
    toolbar("Inbox"), listed(["Lunch on Friday", "Your invoice", "Hello there"]), tabs("Mail", "Mail", "Chat")
)
SETTINGS = screen(
    toolbar("Settings", up=True),
    listed(["General", "Sounds", "About"], identifier="prefs"),
    activity=".Prefs",
)


def test_the_first_page_ever_becomes_the_root(clock: Clock) -> None:
    m = mapper()
    node = m.enter(clock.look(INBOX))
    assert m.graph.root == node
    assert m.graph.nodes[node].depth == 0
    assert m.graph.nodes[node].name == "Inbox"


def test_a_known_page_is_located_and_an_unknown_one_is_not(clock: Clock) -> None:
    m = mapper()
    node = m.enter(clock.look(INBOX))
    found = m.locate(clock.look(INBOX))
    assert found is not None
    assert found.node == node
    assert found.reasons
    assert m.locate(clock.look(SETTINGS)) is None
    assert len(m.graph.nodes) == 1


def test_a_look_that_was_placed_is_not_kept_for_it(clock: Clock) -> None:
    m = mapper()
    node = m.enter(clock.look(INBOX))
    other = screen(toolbar("Inbox"), listed(["Lunch on Friday", "Good night"]), tabs("Mail", "Mail", "Chat"))
    read = m.read(other)
    found = m.locate(clock.look(other))
    assert found is not None
    assert found.node == node
    assert m.locate(clock.look(other)) == found
    gone = ref(read)
    del read, other
    gc.collect()
    assert gone() is None


def test_a_step_is_counted_with_tries_and_successes_for_every_outcome(clock: Clock) -> None:
    m = mapper()
    home = m.enter(clock.look(INBOX))
    action, key = tap("Settings")
    away = m.extend(home, action, key, clock.look(SETTINGS))
    stay = m.extend(home, action, key, clock.look(INBOX))
    again = m.extend(home, action, key, clock.look(SETTINGS))
    assert stay.target == home
    assert again.target == away.target
    assert {t.target: (t.tries, t.successes) for t in m.graph.outcomes(home, key)} == {
        away.target: (3, 2),
        home: (3, 1),
    }


def test_depth_is_the_fewest_known_steps_from_the_root(clock: Clock) -> None:
    m = mapper()
    home = m.enter(clock.look(INBOX))
    one = m.extend(home, *tap("Settings"), clock.look(SETTINGS)).target
    about = screen(toolbar("About", up=True), text("Version", 400), activity=".About")
    two = m.extend(one, *tap("About"), clock.look(about)).target
    assert [m.graph.nodes[n].depth for n in (home, one, two)] == [0, 1, 2]
    m.extend(home, *tap("About"), clock.look(about))
    assert m.graph.nodes[two].depth == 1


def test_a_permission_prompt_is_a_side_state_and_never_a_route_step(clock: Clock) -> None:
    m = mapper()
    home = m.enter(clock.look(INBOX))
    prompt = screen(
        dialog(text("Allow access?", 900), button("Deny", 1200)), app="com.android.permissioncontroller"
    )
    t = m.extend(home, *tap("Camera"), clock.look(prompt))
    assert t.kind is TransitionKind.OVERLAY
    assert m.graph.nodes[t.target].kind is PageKind.OVERLAY
    assert m.graph.nodes[t.target].overlay == "permission"
    back = m.extend(t.target, *tap("Deny"), clock.look(INBOX))
    assert (back.kind, back.target) == (TransitionKind.OVERLAY, home)


def test_another_app_is_external(clock: Clock) -> None:
    m = mapper()
    home = m.enter(clock.look(INBOX))
    t = m.extend(home, *tap("Share"), clock.look(screen(text("Web"), app="org.browser")))
    assert m.graph.nodes[t.target].kind is PageKind.EXTERNAL


def test_back_is_a_system_step(clock: Clock) -> None:
    m = mapper()
    home = m.enter(clock.look(INBOX))
    away = m.extend(home, *tap("Settings"), clock.look(SETTINGS)).target
    t = m.extend(away, Press("back"), "press:back", clock.look(INBOX))
    assert (t.kind, t.target) == (TransitionKind.SYSTEM, home)


def test_a_look_without_a_tree_is_taken_for_the_page_that_was_expected(clock: Clock) -> None:
    m = mapper()
    home = m.enter(clock.look(INBOX))
    away = m.extend(home, *tap("Settings"), clock.look(SETTINGS)).target
    assert m.extend(home, *tap("Settings"), clock.look(empty_tree(".Prefs"))).target == away
    assert len(m.graph.nodes) == 2


def test_a_look_without_a_tree_that_nothing_explains_is_a_page_of_its_own(clock: Clock) -> None:
    m = mapper()
    home = m.enter(clock.look(INBOX))
    t = m.extend(home, *tap("Play"), clock.look(empty_tree(".Game")))
    assert t.target != home
    assert m.extend(home, *tap("Play"), clock.look(empty_tree(".Game"))).target == t.target


def test_a_loading_look_founds_no_page_where_one_was_expected(clock: Clock) -> None:
    m = mapper()
    home = m.enter(clock.look(INBOX))
    away = m.extend(home, *tap("Settings"), clock.look(SETTINGS)).target
    spinner = Element(Role.PROGRESS, bounds=Bounds(440, 1100, 640, 1300))
    waiting = screen(spinner, text("Loading", 1400), activity=".Prefs")
    assert m.extend(home, *tap("Settings"), clock.look(waiting)).target == away
    assert len(m.graph.nodes[away].looks) == 1


def test_what_was_tried_leaves_the_frontier(clock: Clock) -> None:
    m = mapper()
    home = m.enter(clock.look(INBOX))
    action, key = tap("Settings")
    m.set_untried(home, [key, "tap:other"])
    m.extend(home, action, key, clock.look(SETTINGS))
    assert m.graph.untried[home] == ("tap:other",)
    m.set_untried(home, [key, "tap:other"])
    assert m.graph.untried[home] == ("tap:other",)


def test_a_miss_lowers_the_reliability(clock: Clock) -> None:
    m = mapper()
    home = m.enter(clock.look(INBOX))
    t = m.extend(home, *tap("Settings"), clock.look(SETTINGS))
    m.miss(t)
    (counted,) = m.graph.outcomes(home, t.key)
    assert counted.failures == 1
    assert counted.reliability < t.reliability


def test_the_listener_hears_of_every_step_with_the_times_of_both_looks(clock: Clock) -> None:
    heard: list[StepSeen] = []
    m = Mapper(AppGraph(app=APP), listener=heard.append)
    first: Observation = clock.look(INBOX)
    home = m.enter(first)
    after = clock.look(SETTINGS)
    t = m.extend(home, *tap("Settings"), after)
    assert heard == [StepSeen(1, home, t.key, t.target, first.seen_at, after.seen_at)]


def test_names_are_unique(clock: Clock) -> None:
    m = mapper()
    home = m.enter(clock.look(INBOX))
    other = screen(toolbar("Inbox", up=True), text("Rules for mail", 500), activity=".Rules")
    t = m.extend(home, *tap("Rules"), clock.look(other))
    assert m.graph.nodes[t.target].name == "Inbox 2"
