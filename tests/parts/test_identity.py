"""Labelled sets: how they are collected, kept and scored."""

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from tests.mapping.looks import button, listed, screen, toolbar
from waypost.adapters.pocket.faults import Faults
from waypost.bench.labelled import CAUSES, LabelledLook, LabelledSet
from waypost.errors import UsageError
from waypost.model import ImageStatus, Screen, TreeQuality
from waypost.parts.identity import MATCHERS, growth, scored
from waypost.parts.identity_sets import builtin_sets, folder_sets, keep
from waypost.parts.tapping import tapped


def page(title: str, *rows: str, activity: str = ".Main") -> Screen:
    bar = toolbar(title, button("Search", 60, 900))
    return screen(bar, listed(rows, identifier=f"{title.lower()}_list"), activity=activity)


def _set(name: str, package: str) -> LabelledSet:
    looks = [
        ("1", page("Inbox", "Lunch", "Invoice"), "inbox", ()),
        ("2", page("Inbox", "You have won", "Act now"), "inbox", ("list",)),
        ("3", page("Settings", "Sound", "Display"), "settings", ()),
        ("4", screen(button("Allow"), app="com.android.permissioncontroller"), None, ()),
    ]
    rows = (LabelledLook(n, _of(s, package), p, b"", c) for n, s, p, c in looks)
    return LabelledSet(name, package, tuple(rows))


def _of(seen: Screen, package: str) -> Screen:
    return replace(seen, app=package) if seen.app == "org.example.app" else seen


def test_a_walk_knows_the_true_page_of_each_look() -> None:
    rows = list(tapped("clock", 40, 3))
    assert [r.action is None for r in rows[:2]] == [True, False]
    assert len({r.page for r in rows if r.page}) >= 8
    assert all((r.page is None) == r.label.startswith(("side:", "launcher")) for r in rows)
    pictured = (ImageStatus.SHOWN, ImageStatus.SECURE)
    assert all(r.seen.image_status in pictured for r in rows if r.settled)
    found = {c for r in rows for c in r.causes}
    assert found <= set(CAUSES)
    assert "theme" in found
    assert all(("+" in r.label) == ("overlay" in r.causes) for r in rows)
    assert all(r.seen.screen.keyboard == ("keyboard" in r.causes) for r in rows)


def test_a_walk_is_the_same_for_a_seed() -> None:
    one, again, other = (list(tapped("clock", 15, seed)) for seed in (5, 5, 6))
    assert [(r.label, r.key) for r in one] == [(r.label, r.key) for r in again]
    assert [(r.label, r.key) for r in one] != [(r.label, r.key) for r in other]


def test_a_look_whose_tree_is_missing_or_cut_says_so() -> None:
    rows = list(tapped("clock", 30, 3, faults=Faults(3, no_tree=0.2, truncated=0.2)))
    broken = [r for r in rows if r.seen.screen.quality is not TreeQuality.FULL]
    assert broken
    assert all("missing tree" in r.causes for r in broken)


def test_a_set_that_was_kept_is_the_set_that_is_read(tmp_path: Path) -> None:
    rows = enumerate(tapped("clock", 12, 3))
    looks = tuple(LabelledLook(f"{n}", r.seen.screen, r.page, r.seen.image, r.causes) for n, r in rows)
    labelled = LabelledSet("clock", "com.pocket.clock", looks)
    keep(labelled, tmp_path)
    ((name, load),) = folder_sets(tmp_path)
    again = load()
    assert (name, again.app) == ("clock", "com.pocket.clock")
    before = {k.name: (k.page, k.causes, k.image(), k.screen) for k in labelled.looks}
    assert {k.name: (k.page, k.causes, k.image(), k.screen) for k in again.looks} == before
    ((same, _),) = folder_sets(tmp_path / "clock")
    assert same == "clock"


def test_a_folder_without_labels_is_refused(tmp_path: Path) -> None:
    keep(_set("one", "a.b"), tmp_path)
    (tmp_path / "one" / "labels.json").unlink()
    ((_, load),) = folder_sets(tmp_path)
    with pytest.raises(UsageError, match=r"labels\.json"):
        load()
    with pytest.raises(UsageError, match="no folder"):
        list(folder_sets(tmp_path / "nowhere"))


def test_every_matcher_is_scored_on_every_set() -> None:
    said: list[str] = []
    found = scored([_set("one", "a.b"), _set("two", "c.d")], progress=said.append)
    assert [list(r.scores) for r in found] == [list(MATCHERS)] * 2
    for row in found:
        assert row.thresholds is not None
        assert row.scores["ours"].pair_f1 == 1.0
        assert row.scores["activity"].merge == 1.0
        assert row.scores["mcp-devices"].split == 0.5
        assert row.causes["mcp-devices"]["list"].recall == 0.0
        assert row.mistakes["ours"] == []
        parted = row.mistakes_json()["mcp-devices"][0]
        assert (parted["kind"], parted["a"], parted["b"]) == ("parted", "1", "2")
        assert parted["picture_a"] is None
    assert any("ours" in s for s in said)


def test_looks_that_ours_puts_nowhere_and_overlays_that_it_puts_on_a_page_are_failures() -> None:
    labelled = _set("one", "a.b")
    wrong = {"3": None, "4": "permission"}
    looks = tuple(replace(k, page=wrong.get(k.name, k.page)) for k in labelled.looks)
    (row,) = scored([replace(labelled, looks=looks)], ("ours",))
    told = [(m["kind"], m["a"], m["page_a"]) for m in row.mistakes_json()["ours"] if m["b"] is None]
    assert told == [("put on a page", "3", None), ("put nowhere", "4", "permission")]


def test_thresholds_of_the_papers_rule_are_ours_where_there_is_no_other_app() -> None:
    (row,) = scored([_set("one", "a.b")], ("paper", "paper-fixed"))
    assert row.thresholds is None
    assert row.scores["paper"] == row.scores["paper-fixed"]


@pytest.mark.shared
def test_single_dumps_have_the_pictures_that_lie_beside_them(
    shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WAYPOST_SHARED", str(shared.parent))
    sets = builtin_sets(1, 1)
    assert all(k.image().startswith(b"\xff\xd8") for k in sets["simple_calendar"]().looks)
    causes = {k.name: k.causes for k in sets["android_settings"]().looks}
    assert causes["DateAndTime_ja.xml"] == ("language",)


def test_a_matcher_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="'best' is no matcher"):
        scored([_set("one", "a.b")], ("best",))


def test_costs_are_told_of_every_matcher_on_all_looks() -> None:
    ticks = itertools.count()
    found = growth(_set("one", "a.b"), ("ours", "activity", "paper"), lambda: float(next(ticks)))
    assert {m: [c.looks for c in rows] for m, rows in found.items()} == {"ours": [3], "activity": [3]}


SIZES = {
    "calendar_android": (74, 45),
    "a2dp_vol": (16, 4),
    "qqmusic": (195, 40),
    "autodroid-contacts": (42, 33),
    "autodroid-filemanager": (35, 20),
    "simple_calendar": (14, 3),
    "android_settings": (9, 6),
}
"""Looks and pages of each recording with labels by hand; of AutoDroid's thirteen, two."""


@pytest.mark.shared
@pytest.mark.parametrize("name", sorted(SIZES))
def test_the_labels_of_a_recording_fit_it(name: str, shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYPOST_SHARED", str(shared.parent))
    labelled = builtin_sets(1, 1)[name]()
    assert (len(labelled.looks), len(set(labelled.truth))) == SIZES[name]
    # A page of the app is never a look of another app, but for dialogs that lie over it.
    others = {k.screen.app for k in labelled.pages} - {labelled.app}
    assert not others
