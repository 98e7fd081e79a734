"""Each recipe does what its description says, its known failures included."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from apted import APTED, Config
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conformance.image_embedder import ImageEmbedderSuite, picture
from tests.conformance.screen_matcher import LOOKS, ScreenMatcherSuite
from tests.mapping.looks import APP, button, listed, screen, tabs, text, toolbar
from waypost.adapters.embedders import EdgeGridEmbedder, HashEmbedder
from waypost.mapping import EvidenceMatcher
from waypost.matchers import (
    ActivityMatcher,
    ClassTextMatcher,
    CollapsedScrollMatcher,
    IdSetMatcher,
    Pages,
    StateStringMatcher,
    StructureStringMatcher,
    TagNavMatcher,
    TextEmbeddingMatcher,
    WeightedSetMatcher,
    both_reach,
    grouped,
    match_or_add,
)
from waypost.matchers.tagnav import orders, tree_distance
from waypost.model import Bounds, Element, Role, Screen
from waypost.protocols import Comparison, ImageEmbedder, ScreenMatcher

MAKE: dict[str, Callable[[], ScreenMatcher]] = {
    "ours": EvidenceMatcher,
    "activity": ActivityMatcher,
    "state": StateStringMatcher,
    "structure": StructureStringMatcher,
    "minimap": WeightedSetMatcher,
    "auto-mobile": CollapsedScrollMatcher,
    "app-automating": IdSetMatcher,
    "mcp-devices": ClassTextMatcher,
    "mobilegpt": lambda: TextEmbeddingMatcher(HashEmbedder()),
    "paper": lambda: TagNavMatcher(HashEmbedder(), EdgeGridEmbedder()),
}


@pytest.mark.parametrize("name", MAKE)
class TestMatchers(ScreenMatcherSuite):
    @pytest.fixture
    def matcher(self, name: str) -> ScreenMatcher:
        return MAKE[name]()


class TestEdgeGrid(ImageEmbedderSuite):
    @pytest.fixture
    def embedder(self) -> ImageEmbedder:
        return EdgeGridEmbedder()

    def test_a_dark_theme_looks_like_the_light_one(self, embedder: ImageEmbedder) -> None:
        boxes = [(20, 100, 520, 200), (20, 300, 520, 400)]
        light, dark = embedder.embed([picture(*boxes), picture(*boxes, dark=True)])
        assert light @ dark > 0.999


def inbox(*mails: str, title: str = "Inbox", extra: tuple[Element, ...] = ()) -> Screen:
    return screen(toolbar(title, button("Search", 60, 900, identifier="search")), listed(mails), *extra)


def test_an_activity_is_one_page_whatever_it_shows() -> None:
    matcher = ActivityMatcher()
    assert matcher.compare(inbox("a"), inbox("b", title="Spam")).same
    assert not matcher.compare(inbox("a"), replace(inbox("a"), activity=".Settings")).same
    web = replace(inbox("a"), app="http://x.y", activity="/notes?id=1")
    assert matcher.compare(web, replace(web, activity="/notes?id=2#end")).same
    assert not matcher.compare(web, replace(web, activity="/notes/2")).same


def test_the_state_string_splits_on_a_short_text_and_the_structure_string_does_not() -> None:
    one, other = inbox("Lunch on Friday"), inbox("Your invoice")
    assert not StateStringMatcher().compare(one, other).same
    assert StructureStringMatcher().compare(one, other).same
    long = inbox("a" * 51), inbox("b" * 51)
    assert StateStringMatcher().compare(*long).same
    assert (
        not StructureStringMatcher().compare(one, inbox("a", extra=(text("new", identifier="badge"),))).same
    )


def test_the_structure_string_is_a_set_so_that_more_rows_are_no_other_page() -> None:
    assert StructureStringMatcher().compare(inbox("a"), inbox("a", "b", "c")).same


def test_minimap_knows_a_page_with_other_content_and_parts_one_with_other_controls() -> None:
    matcher = WeightedSetMatcher()
    assert matcher.compare(inbox("a", "b", "c"), inbox("a", "b", "d")).same
    other = screen(toolbar("Compose"), button("Send", identifier="send"), text("To", 400, identifier="to"))
    assert not matcher.compare(inbox("a", "b"), other).same


def test_minimap_leaves_out_what_is_private_or_a_time() -> None:
    matcher = WeightedSetMatcher()
    one, other = inbox("a", "me@x.org", "9:41"), inbox("a", "you@x.org", "+49 170 1234567")
    # All three leave the one text that may be compared.
    assert matcher.compare(one, other).score == pytest.approx(1.0)
    assert matcher.compare(one, inbox("a", "b", "c")).score < 0.99


def test_the_collapsed_tree_ignores_rows_and_numbers_but_keeps_what_is_selected() -> None:
    matcher = CollapsedScrollMatcher()
    assert matcher.compare(inbox("a", "b"), inbox("c")).same
    badge = inbox("a", extra=(text("12 new", identifier="badge"),))
    assert matcher.compare(badge, inbox("a", extra=(text("7 new", identifier="badge"),))).same
    assert not matcher.compare(inbox("a"), inbox("a", title="Spam")).same
    strip = replace(tabs("Mail", "Mail", "Chat"), scrollable=True)
    other = replace(tabs("Chat", "Mail", "Chat"), scrollable=True)
    assert not matcher.compare(screen(strip), screen(other)).same


def test_the_collapsed_tree_takes_a_button_called_delete_for_a_key() -> None:
    assert CollapsedScrollMatcher().compare(inbox("a"), inbox("a", extra=(button("Delete"),))).same


def test_the_set_of_ids_joins_pages_of_one_layout_and_parts_one_with_a_badge() -> None:
    matcher = IdSetMatcher()
    assert matcher.compare(inbox("a"), inbox("b", title="Spam")).same
    assert not matcher.compare(inbox("a"), inbox("a", extra=(text("3", identifier="badge"),))).same
    moved = replace(inbox("a"), activity=".Other")
    assert not matcher.compare(inbox("a"), moved).same
    assert IdSetMatcher(activity=False).compare(inbox("a"), moved).same


def test_the_set_of_ids_falls_back_on_the_shape_where_there_are_none() -> None:
    bare = Screen(Element(bounds=Bounds(0, 0, 9, 9), children=(Element(Role.TEXT),)), app=APP)
    assert IdSetMatcher().compare(bare, bare).same
    assert not IdSetMatcher().compare(bare, replace(bare, root=Element(children=(Element(Role.IMAGE),)))).same


def test_the_class_text_list_splits_on_every_row() -> None:
    matcher = ClassTextMatcher()
    assert not matcher.compare(inbox("a", "b"), inbox("a", "c")).same
    assert not matcher.compare(inbox("a", "a"), inbox("a")).same
    assert matcher.compare(inbox("a" * 30 + "x"), inbox("a" * 30 + "y")).same


def test_near_texts_are_one_page_to_a_text_model() -> None:
    mails = [f"mail number {n} of a long list" for n in range(40)]
    matcher = TextEmbeddingMatcher(HashEmbedder())
    assert matcher.compare(inbox(*mails), inbox(*mails[:-1], "another mail")).same
    assert not matcher.compare(inbox(*mails), screen(button("Pay"), text("Your basket is empty"))).same


def test_the_papers_rule_wants_picture_and_layout_both() -> None:
    one, other = inbox("Lunch", "Dinner"), inbox("Lunch", "Supper")
    shown = {id(one): picture((20, 100, 520, 200)), id(other): picture((20, 100, 520, 200), dark=True)}
    far = shown | {id(other): picture((200, 700, 300, 1100))}

    def matcher(pictures: dict[int, bytes]) -> TagNavMatcher:
        return TagNavMatcher(HashEmbedder(), EdgeGridEmbedder(), lambda s: pictures.get(id(s), b""))

    assert matcher(shown).compare(one, other).same
    assert not matcher(far).compare(one, other).same
    alone = matcher({}).compare(one, other)
    assert alone.same
    assert "no picture" in alone.reasons[-1].detail
    assert not matcher(shown).compare(one, LOOKS[3]).same


def test_a_table_of_what_reaches_the_thresholds_treats_a_missing_picture_as_reaching_it() -> None:
    visual = np.array([[1.0, np.nan], [np.nan, 0.2]], np.float32)
    layout = np.array([[1.0, 0.9], [0.9, 1.0]], np.float32)
    assert both_reach(visual, layout, (0.5, 0.8)).tolist() == [[True, True], [True, False]]
    assert both_reach(visual, layout, (0.5, 0.95)).tolist() == [[True, False], [False, False]]


class _Trees(Config):  # type: ignore[misc]
    def rename(self, a: Element, b: Element) -> int:
        return int(orders(replace(a, children=()))[0] != orders(replace(b, children=()))[0])

    def children(self, node: Element) -> tuple[Element, ...]:
        return node.children


def _trees(leaf: st.SearchStrategy[Element]) -> st.SearchStrategy[Element]:
    return st.recursive(
        leaf,
        lambda inner: st.builds(
            lambda e, kids: replace(e, children=tuple(kids)), leaf, st.lists(inner, max_size=4)
        ),
        max_leaves=12,
    )


trees = _trees(st.sampled_from([Element(class_name=c, bounds=Bounds(0, 0, 9, 9)) for c in "abc"]))


@settings(deadline=None)
@given(trees, trees)
def test_the_distance_of_trees_never_exceeds_the_edit_distance(a: Element, b: Element) -> None:
    exact = APTED(a, b, _Trees()).compute_edit_distance()
    most = max(sum(1 for _ in t.walk()) for t in (a, b))
    assert tree_distance(orders(a), orders(b)) * most <= exact + 1e-9
    assert (tree_distance(orders(a), orders(b)) == 0) == (exact == 0)


class _Table:
    """A matcher of looks that stand for the rows of a table."""

    def __init__(self, same: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> None:
        self._same = same

    def compare(self, a: Screen, b: Screen) -> Comparison:
        return Comparison(float(self._same[int(a.title), int(b.title)]))


@settings(deadline=None)
@given(st.integers(1, 9).flatmap(lambda n: st.lists(st.booleans(), min_size=n * n, max_size=n * n)))
def test_looks_are_sorted_in_one_way_from_a_table_and_one_by_one(cells: list[bool]) -> None:
    count = round(len(cells) ** 0.5)
    table = np.array(cells, np.bool_).reshape(count, count)
    same = table | table.T | np.eye(count, dtype=np.bool_)
    looks = [Screen(title=str(n)) for n in range(count)]
    assert grouped(_Table(same), looks) == match_or_add(same)


def _keys() -> Iterator[Screen]:
    for n in (0, 1, 0, 2, 1):
        yield replace(inbox(str(n)), activity=f".{n}")


def test_keys_group_looks_without_comparing_them() -> None:
    assert grouped(ActivityMatcher(), _keys()) == [0, 1, 0, 2, 1]
    pages = Pages(ActivityMatcher())
    assert [pages.add(s) for s in _keys()] == [0, 1, 0, 2, 1]
