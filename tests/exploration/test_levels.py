"""Pages whose rows lead to more rows of theirs: parted by what the app does, whole where rows are data."""

import dataclasses
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.exploration.test_explore import Ticks
from tests.exploration.toy import APP, Toy
from tests.mapping.looks import Clock, listed, screen, tap, text, toolbar
from waypost.actors import Follower
from waypost.exploration import ExploreConfig, explore
from waypost.guidance import silent
from waypost.library import distil
from waypost.mapping import Mapper, MapStore
from waypost.model import AppGraph, Element, NodeId, Observation, Press, Screen, StopReason, Task
from waypost.navigate import arrival, navigate
from waypost.planning import ShortestPath
from waypost.versions.align import align

BACK = (Press("back"), "press:back")
TREE = {
    "All": ["Music", "Pictures", "Letters"],
    "Music": ["Jazz", "Rock", "Opera"],
    "Jazz": ["Blue", "Giant", "Mood"],
    "Pictures": ["Sea", "Hills", "Town", "Fog", "Snow", "Rain", "Noon", "Dusk", "Dawn"],
    "Letters": ["Ann", "Bob", "Cid"],
}


class Folders(Toy):
    """Folders in folders: one activity, one title, other rows. What is no folder is a file."""

    def __init__(self, tree: dict[str, list[str]]) -> None:
        pages = {folder: {n: n for n in names} for folder, names in tree.items()}
        files = {n: {"Share": ""} for names in tree.values() for n in names if n not in tree}
        super().__init__({**pages, **files}, tree)

    def screen(self) -> Screen:
        shown = super().screen()
        folder = not self.over and self.at in self.lists
        return dataclasses.replace(shown, activity=".Files") if folder else shown

    def _page(self) -> list[Element]:
        at, parts = self.at, super()._page()
        if at in self.lists:
            named = dataclasses.replace(parts[0].children[0], text="Files")
            parts[0] = dataclasses.replace(parts[0], children=(named,))
        return parts


def explored(phone: Toy, store: MapStore | None = None, actions: int = 400) -> Mapper:
    mapper = Mapper(store.load() if store else AppGraph(app=APP), store=store)
    explore(phone, mapper, ExploreConfig("frontier", actions=actions), clock=Ticks())
    return mapper


def truth(mapper: Mapper, phone: Toy) -> dict[NodeId, str]:
    """Return what each page of a map truly is; a page that stands for two fails."""
    found = {}
    for page in mapper.graph.pages():
        (found[page.id],) = {phone.times[k.observation.seen_at] for k in page.looks}
    return found


def falsely(mapper: Mapper, phone: Toy) -> list[tuple[str, str, str]]:
    """Return the steps by a row that do not lead where the phone's own table says."""
    pages = truth(mapper, phone)
    steps = [
        (pages[t.source], target.label, pages[t.target])
        for t in mapper.graph.transitions.values()
        if t.source in pages and t.target in pages and (target := getattr(t.action, "target", None))
        if target.template and not hasattr(t.action, "direction")
    ]
    assert steps
    return [s for s in steps if phone.pages[s[0]].get(s[1]) != s[2]]


def test_each_folder_of_a_tree_is_a_page_and_each_row_a_step() -> None:
    phone = Folders(TREE)
    mapper = explored(phone)
    pages = truth(mapper, phone)
    assert sorted(pages.values()) == sorted(phone.pages)
    assert falsely(mapper, phone) == []
    assert {pages[n.id] for n in mapper.graph.pages() if n.level} == set(TREE)
    names = {pages[n.id]: n.name for n in mapper.graph.pages()}
    assert [names[n] for n in ("Music", "Jazz", "Pictures")] == ["Music", "Jazz", "Pictures"]


def test_a_plan_goes_through_folders_and_each_landing_is_seen() -> None:
    phone = Folders(TREE)
    mapper = explored(phone)
    (goal,) = (n for n, true in truth(mapper, phone).items() if true == "Mood")
    phone.restart()
    follower = Follower(mapper, ShortestPath(), goal)
    locate = lambda o: found.node if (found := mapper.locate(o)) else None  # noqa: E731
    episode = navigate(
        Task("t", APP, "open Mood"),
        phone,
        follower,
        silent,
        verify=arrival(mapper, goal),
        locate=locate,
        limit=20,
    )
    assert (episode.stop, episode.verified, episode.actions) == (StopReason.ARRIVED, True, 3)
    assert phone.at == "Mood"


def test_levels_are_still_levels_once_the_map_was_closed(tmp_path: Path) -> None:
    phone = Folders(TREE)
    with_store = MapStore.create(tmp_path / "map", APP)
    mapper = explored(phone, with_store, actions=60)
    levels = {n.id for n in mapper.graph.pages() if n.level}
    with_store.close()
    again = Mapper(MapStore.open(tmp_path / "map", readonly=True).load())
    assert {n.id for n in again.graph.pages() if n.level} == levels != set()
    for page in mapper.graph.pages():
        for look in page.looks:
            found = again.locate(look.observation)
            assert found is not None
            assert found.node == page.id


def test_each_folder_has_a_record_that_says_what_is_in_it() -> None:
    records = {r.name: r for r in distil(explored(Folders(TREE)).graph, ShortestPath())}
    assert {"Jazz", "Rock", "Opera"} <= set(
        records["Music"].summary.replace(",", "").replace(".", "").split()
    )
    assert records["Jazz"].waypoints == ("Files", "Music", "Jazz")


def test_folders_of_two_maps_are_paired_by_what_they_hold() -> None:
    one, two = Folders(TREE), Folders({**TREE, "Letters": ["Ann", "Bob", "Cid", "Dan"]})
    old, new = explored(one), explored(two)
    pages = truth(old, one), truth(new, two)
    pairs = {pages[0][a]: pages[1][b] for a, b in align(old, new).pairs.items()}
    assert {folder: pairs.get(folder) for folder in TREE} == {folder: folder for folder in TREE}


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 100), min_size=2, max_size=6), st.integers(3, 8))
def test_any_tree_of_folders_is_mapped_as_it_is(places: list[int], rows: int) -> None:
    tree: dict[str, list[str]] = {"All": [f"Row {_word(i)}" for i in range(rows)]}
    count = rows
    for place in places:
        free = [n for names in tree.values() for n in names if n not in tree]
        tree[free[place % len(free)]] = [f"Row {_word(count + i)}" for i in range(rows)]
        count += rows
    phone = Folders(tree)
    mapper = explored(phone, actions=1500)
    pages = truth(mapper, phone)
    assert len(set(pages.values())) == len(pages)
    assert falsely(mapper, phone) == []


def _word(number: int) -> str:
    """Return a word of its own for a number: digits are content."""
    return "".join("abcdefghij"[int(d)] * 2 for d in str(number))


# Where rows are merely data.


def walked(looks: list[tuple[tuple[object, str], Screen]]) -> Mapper:
    clock, mapper = Clock(), Mapper(AppGraph(app="org.example.app"))
    at = mapper.enter(clock.look(looks[0][1]))
    for (action, key), shown in looks[1:]:
        at = mapper.extend(at, action, key, clock.look(shown)).target  # type: ignore[arg-type]
    return mapper


def lists(title: str, *names: str, said: str = "", activity: str = ".Main") -> Screen:
    extra = (text(said, 250),) if said else ()
    return screen(toolbar(title), *extra, listed(names), activity=activity)


ROW = tap("Ann", template="list|item")
UP = lists("Inbox", "Ann", "Bob", "Cid")


def test_two_taps_with_a_return_between_them_part_a_page() -> None:
    low = lists("Inbox", "Dan", "Eve", "Fay")
    mapper = walked([(ROW, UP), (ROW, low), (BACK, UP), (ROW, low)])
    one, two = mapper.graph.pages()
    assert (one.level, two.level) == (True, True)
    steps = {(t.source, t.key, t.target): (t.successes, t.tries) for t in mapper.graph.transitions.values()}
    assert steps == {(one.id, ROW[1], two.id): (2, 2), (two.id, BACK[1], one.id): (1, 1)}


def test_rows_that_come_anew_each_time_are_data() -> None:
    looks = [lists("Inbox", *(f"{_word(9 * i + j)} letter" for j in range(3))) for i in range(1, 4)]
    mapper = walked([(ROW, UP), (ROW, looks[0]), (BACK, UP), (ROW, looks[1]), (BACK, UP), (ROW, looks[2])])
    (page,) = mapper.graph.pages()
    assert not page.level


def test_rows_from_which_back_does_not_return_are_data() -> None:
    low = lists("Inbox", "Dan", "Eve", "Fay")
    mapper = walked([(ROW, UP), (ROW, low), (tap("Refresh"), UP), (ROW, low)])
    assert not any(n.level for n in mapper.graph.pages())


def test_items_with_more_to_them_than_rows_stay_one_page() -> None:
    tall = lists("Shop", "Ann", "Bob", "Cid", said="A tall lamp of brass")
    low = lists("Shop", "Dan", "Eve", "Fay", said="A chair of oak")
    mapper = walked([(ROW, tall), (ROW, low), (BACK, tall), (ROW, low)])
    assert not any(n.level for n in mapper.graph.pages())


def test_a_look_at_a_known_list_with_one_more_row_is_no_new_level() -> None:
    low = lists("Inbox", "Dan", "Eve", "Fay")
    mapper = walked([(ROW, UP), (ROW, low), (BACK, UP), (ROW, low)])
    seen = Observation(lists("Inbox", "Dan", "Eve", "Fay", "Gus"), seen_at=9_000.0)
    found = mapper.locate(seen)
    assert found is not None
    assert mapper.graph.nodes[found.node].looks[0].observation.screen == low


def test_a_list_that_no_level_has_is_on_no_page() -> None:
    low = lists("Inbox", "Dan", "Eve", "Fay")
    mapper = walked([(ROW, UP), (ROW, low), (BACK, UP), (ROW, low)])
    assert mapper.locate(Observation(lists("Inbox", "Kim", "Lou", "Max"), seen_at=9_000.0)) is None
