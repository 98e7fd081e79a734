"""What a user corrects: it holds at once, on a map made anew, and against what the matcher would do."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.mapping.looks import APP, Clock, listed, screen, tabs, tap, text, toolbar
from waypost.errors import MapError
from waypost.mapping.controls import controls
from waypost.mapping.corrections import (
    Correction,
    Corrections,
    Ignore,
    Merge,
    Pin,
    Rename,
    Split,
    cited,
    handles,
    static,
)
from waypost.mapping.explain import explain_pages
from waypost.mapping.layers import LayerKind
from waypost.mapping.mapper import Mapper
from waypost.mapping.pagesfile import FILE, dump, parse, read_corrections, write_corrections
from waypost.mapping.regions import Region, pruned
from waypost.mapping.signature import Signature, signature
from waypost.mapping.store import MapStore
from waypost.model import AppGraph, NodeId, Screen, Standing

MAIL = screen(toolbar("Mail"), listed(["Lunch", "Invoice", "Hello"]), tabs("Primary", "Primary", "Social"))
SOCIAL = screen(toolbar("Mail"), listed(["Party", "Photos", "Hi"]), tabs("Social", "Primary", "Social"))
HELP = screen(toolbar("Help", up=True), text("Ask us", 500), text("Call us", 700), activity=".Help")
_HELD = (
    ["Tax", "Rent", "Lease"],
    ["Tax", "Rent", "Bills"],
    ["Beach", "Forest", "Lake"],
    ["Beach", "Forest", "Hills"],
)
LISTS = [screen(toolbar("Files", up=True), listed(rows), activity=".Files") for rows in _HELD]


def walked(looks: Sequence[Screen], corrections: Corrections | None = None) -> Mapper:
    """Make a map by going from look to look."""
    mapper = Mapper(AppGraph(app=APP))
    mapper.teach(corrections or Corrections())
    clock = Clock()
    node = mapper.enter(clock.look(looks[0]))
    for i, look in enumerate(looks[1:]):
        node = mapper.extend(node, *tap(f"to {i}"), clock.look(look)).target
    return mapper


def seen(*looks: Screen) -> tuple[Signature, ...]:
    return cited([signature(s) for s in looks])


def located(mapper: Mapper, look: Screen) -> NodeId | None:
    found = mapper.locate(Clock().look(look))
    return found.node if found else None


MERGED = Corrections({"Mail": seen(MAIL), "Party": seen(SOCIAL)}, (Merge("Mail", "Party"),))
PARTED = Corrections({"Papers": seen(*LISTS[:2]), "Pictures": seen(LISTS[2])}, (Split("Papers", "Pictures"),))


def test_pages_that_were_merged_are_one_wherever_they_come_from() -> None:
    assert len(walked([MAIL, SOCIAL, HELP]).graph.nodes) == 2 + 1
    known = walked([MAIL, HELP, SOCIAL])
    known.teach(MERGED)
    anew = walked([SOCIAL, HELP, MAIL], MERGED)
    for mapper in (known, anew):
        assert len(mapper.graph.nodes) == 2
        assert located(mapper, MAIL) == located(mapper, SOCIAL)
        told = explain_pages(mapper, str(located(mapper, MAIL)), str(located(mapper, MAIL)))
        assert any("you merged 'Mail' and 'Party'" in r.detail for r in told.reasons)


def test_looks_that_were_split_off_are_a_page_and_the_nearest_cited_look_decides() -> None:
    assert len(walked([HELP, *LISTS]).graph.nodes) == 2
    known = walked([HELP, *LISTS])
    known.teach(PARTED)
    anew = walked([HELP, LISTS[2], LISTS[0], LISTS[3], LISTS[1]], PARTED)
    for mapper in (known, anew):
        assert len(mapper.graph.nodes) == 3
        papers, pictures = located(mapper, LISTS[0]), located(mapper, LISTS[2])
        assert papers != pictures
        assert located(mapper, LISTS[1]) == papers
        # Never cited, and like the other side in everything but what it lists.
        assert located(mapper, LISTS[3]) == pictures
        told = explain_pages(mapper, str(papers), str(pictures))
        assert not told.same
        assert "you split 'Pictures' off 'Papers'" in told.reasons[0].detail
        assert not mapper.teacher.allows(NodeId(str(papers)), NodeId(str(pictures)))


def test_a_split_moves_what_was_done_and_leaves_nothing_dangling() -> None:
    mapper = walked([HELP, LISTS[0], LISTS[2], HELP])
    (page,) = [n.id for n in mapper.graph.pages() if len(n.looks) == 2]
    stay, new = mapper.split(page, [1])
    assert [len(mapper.graph.nodes[n].looks) for n in (stay, new)] == [1, 1]
    ends = {n for t in mapper.graph.transitions.values() for n in (t.source, t.target)}
    assert ends <= set(mapper.graph.nodes)
    assert any(t.target == new for t in mapper.graph.transitions.values())
    with pytest.raises(ValueError, match="both sides"):
        mapper.split(stay, [0])


def test_a_renamed_page_keeps_its_name_on_a_map_made_anew() -> None:
    named = Corrections({"Help": seen(HELP)}, (Rename("Help", "Whom to ask", "Help"),))
    for mapper in (walked([MAIL, HELP], named), walked([MAIL, HELP])):
        mapper.teach(named)
        node = mapper.graph.nodes[NodeId(str(located(mapper, HELP)))]
        assert node.name == "Whom to ask"
        mapper.rename(node.id, "Choose a day")  # as exploration does once it knows more
        assert mapper.graph.nodes[node.id].name == "Whom to ask"


def test_a_pinned_page_is_never_joined_to_another_nor_founded_twice() -> None:
    pinned = Corrections({"Help": seen(HELP)}, (Pin("Help"),))
    mapper = walked([MAIL, HELP, SOCIAL], pinned)
    node = NodeId(str(located(mapper, HELP)))
    assert mapper.teacher.is_pinned(node)
    assert not mapper.teacher.allows(node, NodeId("n1"))
    assert mapper.teacher.allows(NodeId("n1"), NodeId("n3"))
    other = screen(toolbar("Help", up=True), text("Ask us", 500), text("Write us", 700), activity=".Help")
    mapper.extend(NodeId("n1"), *tap("again"), Clock().look(other))
    assert located(mapper, other) == node


def test_what_lies_in_an_ignored_region_is_no_evidence() -> None:
    def news(*parts: str) -> Screen:
        banner = [text(p, 300 + 120 * i, identifier="banner") for i, p in enumerate(parts)]
        return screen(toolbar("Today", up=True), *banner, text("Weather", 1500), activity=".Today")

    one, other = news("Snow tonight", "Roads closed"), news("Ferry late", "Fair on", "Concert")
    region = Region.parse("#banner")
    told = Corrections({}, (Ignore("Today", region),))
    told = Corrections({"Today": cited([signature(_without(one, region))])}, told.made)
    mapper = walked([MAIL, one, other], told)
    assert located(mapper, one) == located(mapper, other)
    assert len(mapper.graph.nodes[NodeId(str(located(mapper, one)))].looks) == 1


def _without(look: Screen, region: Region) -> Screen:
    return pruned(look, (region,))


def test_corrections_are_applied_when_a_map_is_opened(tmp_path: Path) -> None:
    store = MapStore.create(tmp_path, APP)
    mapper = Mapper(store.load(), store=store)
    clock = Clock()
    first = mapper.enter(clock.look(MAIL))
    second = mapper.extend(first, *tap("a"), clock.look(SOCIAL)).target
    mapper.commit()
    store.close()
    write_corrections(tmp_path, MERGED)
    for readonly in (True, False, True):
        store = MapStore.open(tmp_path, readonly=readonly)
        again = Mapper(store.load(), store=store)
        assert again.resolve(second) == first
        assert len(again.graph.nodes) == 1
        if not readonly:
            again.commit()
        store.close()


def test_a_split_is_stored_whole(tmp_path: Path) -> None:
    store = MapStore.create(tmp_path, APP)
    mapper = Mapper(store.load(), store=store)
    clock = Clock()
    node = mapper.enter(clock.look(HELP))
    for i, look in enumerate(LISTS):
        node = mapper.extend(node, *tap(f"to {i}"), clock.look(look)).target
        mapper.skip(node, *tap("Erase"), "hazard: delete")
        mapper.commit()
    mapper.teach(PARTED)
    mapper.commit()
    store.close()
    store = MapStore.open(tmp_path)
    assert store.load() == mapper.graph
    assert len(mapper.graph.nodes) == 3
    store.close()


def test_a_step_copied_by_a_split_is_to_be_verified() -> None:
    held = (["Tax", "Rent", "Bills"], ["Lake", "Hill", "Sea"])
    looks = [screen(toolbar("Files", up=True), listed(rows), activity=".Files") for rows in held]
    mapper = walked([HELP, *looks, HELP])
    (page,) = [n.id for n in mapper.graph.pages() if len(n.looks) == 2]
    up = next(c for c in controls(looks[0]) if "Navigate up" in c.key)
    mapper.extend(page, up.action, up.key, Clock().look(HELP))
    stay, new = mapper.split(page, [1])
    standing = {t.source: t.standing for t in mapper.graph.transitions.values() if t.key == up.key}
    assert standing == {stay: Standing.LIVE, new: Standing.UNKNOWN}


# The file

_DRAWN = st.characters(codec="utf-8", exclude_categories=("C", "Z"))
_ANY = st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"))
# One letter is drawn: filtering blank names out of so many would leave too few looks.
NAMES = st.tuples(st.text(_ANY, max_size=4), _DRAWN, st.text(_ANY, max_size=7)).map("".join)
LABELS = st.frozensets(NAMES, max_size=4)
LOOKS = st.builds(
    Signature,
    app=NAMES,
    route=NAMES,
    anchored=st.booleans(),
    view=st.frozensets(st.tuples(NAMES, NAMES), max_size=2),
    layer=st.sampled_from(LayerKind),
    title=st.text(_DRAWN | st.just(" "), max_size=8),
    titled=st.booleans(),
    selected=LABELS,
    frame=LABELS,
    labels=LABELS,
    offered=st.lists(NAMES, max_size=3).map(tuple),
    rows=LABELS,
    switches=st.integers(0, 9),
    up=st.booleans(),
)
REGIONS = st.one_of(
    st.builds(lambda i: Region(id=i), st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True)),
    st.just(Region(role="list")),
    st.just(Region(box=(0.0, 0.25, 1.0, 0.5))),
)


def _made(pages: list[str]) -> st.SearchStrategy[Correction]:
    page = st.sampled_from(pages)
    return st.one_of(
        st.builds(Merge, page, page),
        st.builds(Split, page, page),
        st.builds(Rename, page, NAMES, st.just("") | NAMES),
        st.builds(Pin, page),
        st.builds(Ignore, page, REGIONS),
    )


@st.composite
def corrections(draw: st.DrawFn) -> Corrections:
    looks = st.lists(LOOKS.map(static), min_size=1, max_size=2).map(tuple)
    pages = draw(st.dictionaries(NAMES, looks, min_size=1, max_size=4))
    made = draw(st.lists(_made(sorted(pages)), max_size=5).map(tuple))
    names = draw(st.dictionaries(st.from_regex(r"n[0-9]{1,3}", fullmatch=True), NAMES, max_size=2))
    return Corrections(pages, made, {k: v for k, v in names.items() if k not in pages})


@settings(max_examples=80, deadline=None)
@given(corrections())
def test_what_is_written_is_read_again_and_written_alike(made: Corrections) -> None:
    text = dump(made)
    again = parse(text)
    assert again == made
    assert dump(again) == text


@settings(max_examples=60, deadline=None)
@given(corrections(), corrections())
def test_joining_keeps_all_that_either_says_and_nothing_twice(one: Corrections, other: Corrections) -> None:
    both = one.joined(other)
    assert both.made[: len(one.made)] == one.made
    assert len(both.made) <= len(one.made) + len(other.made)
    assert all(h in both.pages for c in both.made for h in handles(c))
    assert one.joined(one).made == one.made or len(set(map(str, one.made))) < len(one.made)


def test_taking_back_the_last_drops_what_nothing_names(tmp_path: Path) -> None:
    two = MERGED.adding(Pin("Help"), {"Help": seen(HELP)})
    assert two.without_last() == MERGED
    write_corrections(tmp_path, MERGED.without_last())
    assert not (tmp_path / FILE).exists()


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("pages: [", 1, "not YAML"),
        ("- a", 1, "starts with"),
        ("corrections:\n- merge: [A, B]\npages: {}\n", 2, "'A' is not among `pages`"),
        ("corrections:\n- pin: A\n  colour: red\n", 2, "one of `merge:`"),
        ("corrections:\n- split: A\npages:\n  A: {looks: [{app: x}]}\n", 2, "wants `apart`"),
        ("corrections:\n- merge: [A]\npages:\n  A: {looks: [{app: x}]}\n", 2, "two pages"),
        (
            "corrections:\n- ignore: A\n  region: colour#x\npages:\n  A: {looks: [{app: x}]}\n",
            3,
            "is no role",
        ),
        ("pages:\n  A:\n    looks:\n    - app: x\n      labels: [1, 2]\n", 5, "list of texts"),
        ("pages:\n  A:\n    looks:\n    - layer: cellar\n", 4, "is no layer"),
        ("pages:\n  A:\n    looks:\n    - up: maybe\n", 4, "`up` is a bool"),
        ("pages:\n  A: 5\n", 2, "wants `looks:` or `name:`"),
        ("pages:\n  A: {name: ''}\n", 2, "a name is a text"),
        ("colours: red\n", 1, "neither"),
        ("corrections: merge\n", 1, "is a list"),
        ("pages: all\n", 1, "names pages"),
    ],
)
def test_a_mistake_in_the_file_is_told_with_its_line_and_nothing_is_lost(
    tmp_path: Path, text: str, line: int, words: str
) -> None:
    store = MapStore.create(tmp_path, APP)
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(MapError) as told:
        store.load()
    assert words in str(told.value)
    assert f"line {line}:" in str(told.value)
    assert "mend the line" in str(told.value)
    assert (tmp_path / FILE).read_text(encoding="utf-8") == text
    store.close()


def test_a_field_of_another_version_is_left_out() -> None:
    read = parse("pages:\n  A:\n    looks:\n    - {app: x, smell: roses}\n")
    assert read.pages["A"] == (Signature(app="x"),)


_CHILD = """
import sys
from pathlib import Path
from tests.mapping.test_corrections import MERGED, PARTED
from waypost.mapping.pagesfile import write_corrections
for n in range(1_000_000):
    write_corrections(Path(sys.argv[1]), (MERGED, PARTED)[n % 2])
    if n == 0:
        print("ready", flush=True)
"""


def test_a_process_that_is_killed_leaves_corrections_that_can_be_read(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    path = os.pathsep.join([str(root), str(root / "src"), *sys.path])
    for reads in (1, 7, 20):
        child = subprocess.Popen(
            [sys.executable, "-c", _CHILD, str(tmp_path)],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
        )
        try:
            assert child.stdout is not None
            assert child.stdout.readline() == b"ready\n"
            for _ in range(reads):
                assert read_corrections(tmp_path) in (MERGED, PARTED)
        finally:
            child.send_signal(signal.SIGKILL)
            child.wait()
            assert child.stdout is not None
            child.stdout.close()
        assert read_corrections(tmp_path) in (MERGED, PARTED)


def test_the_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    write_corrections(tmp_path, MERGED)
    before = (tmp_path / FILE).read_bytes()
    # As if the process had died between writing the new text and putting it in place.
    (tmp_path / f"{FILE}.part").write_text("corrections: [half of", encoding="utf-8")
    assert (tmp_path / FILE).read_bytes() == before
    assert read_corrections(tmp_path) == MERGED
    write_corrections(tmp_path, PARTED)
    assert read_corrections(tmp_path) == PARTED
    assert not (tmp_path / f"{FILE}.part").exists()
