"""Differences and verification on an app that is explored in a moment."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.versions.small import FIRST, SECOND, device, explored, german
from waypost.errors import UsageError
from waypost.mapping import MapStore
from waypost.mapping.mapper import Mapper
from waypost.model import AppGraph, ExploreStop, NodeId, Standing
from waypost.parts import correcting
from waypost.parts.face import Map
from waypost.parts.versions import VerifyRequest, compared, diff_json, keep, verified
from waypost.versions import VerifyConfig, VerifyStop, align, diff, to_verify, verify


@pytest.fixture
def old(tmp_path: Path) -> Iterator[Map]:
    with explored(tmp_path / "old", FIRST) as known:
        yield known


@pytest.fixture
def new(tmp_path: Path) -> Iterator[Map]:
    with explored(tmp_path / "new", SECOND) as known:
        yield known


def test_every_kind_of_change_is_told(old: Map, new: Map) -> None:
    found = diff(old.mapper, new.mapper)
    assert [p.name for p in found.added] == ["Themes"]
    assert [p.name for p in found.gone] == ["Details"]
    assert [(m.new.name, m.was[-2], m.now[-2]) for m in found.moved] == [
        ("Backup", "Options", "About (menu)")
    ]
    assert [(r.was, r.now) for r in found.renamed] == [("sounds", "noises")]
    changed = {c.old.name: (c.added, c.removed) for c in found.changed}
    assert changed == {
        "About (menu)": (("Backup",), ()),
        "Options": (("Themes",), ("Backup",)),
        "Milk": (("Print this note",), ("Show details",)),
    }
    assert [(b.source.name, b.label, b.target.name) for b in found.broken] == [
        ("Options", "Backup", "Backup")
    ]


def test_the_other_way_round_what_is_new_is_gone(old: Map, new: Map) -> None:
    there, back = diff(old.mapper, new.mapper), diff(new.mapper, old.mapper)
    assert [p.name for p in there.added] == [p.name for p in back.gone]
    assert [p.name for p in there.gone] == [p.name for p in back.added]
    assert {m.old.name for m in there.moved} == {m.new.name for m in back.moved}
    assert there.alignment.pairs == back.alignment.back


def test_a_map_that_is_not_complete_says_so_and_tells_no_loss_from_what_was_not_scrolled(
    old: Map, new: Map
) -> None:
    assert not diff(old.mapper, new.mapper).unsure
    new.graph.stop = ExploreStop.OUT_OF_ACTIONS
    new.graph.untried = {n.id: ("swipe:up:list",) for n in new.graph.pages()}
    found = diff(old.mapper, new.mapper)
    assert found.unsure == ("the new map is not complete (out_of_actions)",)
    assert not any(c.removed for c in found.changed)
    assert not found.broken


def test_a_map_in_another_language_is_aligned_by_how_pages_are_built_and_where_they_lie(
    tmp_path: Path,
) -> None:
    phones = device(), device(german())
    maps = [explored(tmp_path / name, phone=phone) for name, phone in zip(("en", "de"), phones, strict=True)]
    true = [
        {n.id: phone.label(n.looks[0].observation.seen_at) for n in known.graph.pages()}
        for known, phone in zip(maps, phones, strict=True)
    ]
    found = diff(maps[0].mapper, maps[1].mapper)
    assert found.alignment.languages
    assert len(found.alignment.pairs) == len(true[0]) == 9
    assert all(true[0][a] == true[1][b] for a, b in found.alignment.pairs.items())
    assert not found
    for known in maps:
        known.close()


def test_an_empty_map_aligns_with_nothing(old: Map) -> None:
    nothing = Mapper(AppGraph(app=old.graph.app))
    assert align(nothing, old.mapper).pairs == {}
    assert len(diff(old.mapper, nothing).gone) == len(old.pages())


def test_maps_of_two_apps_are_not_compared(old: Map, tmp_path: Path) -> None:
    MapStore.create(tmp_path / "other", "org.other").close()
    store = MapStore.open(tmp_path / "other")
    with Map(tmp_path / "other", store) as other, pytest.raises(UsageError, match=r"of org\.other"):
        compared(old, other)


def test_on_the_same_build_every_step_is_live(old: Map) -> None:
    steps = to_verify(old.mapper)
    phone = device()
    found = verify(phone, old.mapper, steps)
    assert len(steps) == 8
    assert found.count(Standing.LIVE) == len(steps)
    assert found.stop is VerifyStop.COMPLETE
    assert phone.hazards_done == []


def test_on_a_later_build_steps_are_live_stale_or_unknown(old: Map) -> None:
    phone = device(SECOND)
    old.meet(phone)
    assert "is of version 1, and the app is 2 now: 0 of" in old.trust()
    found = verify(phone, old.mapper, to_verify(old.mapper))
    names = {n.id: n.name for n in old.graph.pages()}
    told = {(names[c.step.source], names[c.step.target]): c for c in found.checked}
    assert told["Options", "Backup"].standing is Standing.STALE
    assert told["Milk", "Details"].standing is Standing.STALE
    assert told["Options", "Sounds"].standing is Standing.LIVE
    assert told["Small", "All notes"].standing is Standing.LIVE
    assert old.graph.version == "2"
    assert old.trust() == ""
    plan = old.planner.plan(old.graph, NodeId(str(old.graph.root)), told["Milk", "Details"].step.target)
    assert plan.cost > 20  # Only by a stale step: the last thing to try.


def test_a_budget_ends_a_verification_and_leaves_the_rest_unknown(old: Map) -> None:
    steps = to_verify(old.mapper)
    found = verify(device(), old.mapper, steps, VerifyConfig(actions=4))
    assert found.stop is VerifyStop.OUT_OF_ACTIONS
    assert found.actions <= 6
    assert 0 < found.count(Standing.LIVE) < len(steps)
    assert found.count(Standing.UNKNOWN) == len(steps) - found.count(Standing.LIVE)


def test_a_phone_that_is_lost_ends_a_verification(old: Map) -> None:
    class Lost:
        name, settles = "lost", True

        def __init__(self) -> None:
            self._phone, self._left = device(), 3

        def observe(self, *, pixels: bool = False) -> object:
            return self._phone.observe(pixels=pixels)

        def perform(self, action: object) -> None:
            from waypost.errors import DeviceError

            self._left -= 1
            if self._left < 0:
                raise DeviceError("gone")
            self._phone.perform(action)  # type: ignore[arg-type]

        def restart(self, app: str = "") -> None:
            self._phone.restart(app)

        def close(self) -> None:
            self._phone.close()

    found = verify(Lost(), old.mapper, to_verify(old.mapper))  # type: ignore[arg-type]
    assert found.stop is VerifyStop.DEVICE_LOST
    assert found.count(Standing.UNKNOWN) > 0


def test_against_a_newer_map_only_what_it_lacks_is_walked(old: Map, new: Map) -> None:
    whole = verify(device(SECOND), new.mapper, to_verify(new.mapper)).actions
    found = verified(old, lambda: device(SECOND), VerifyRequest(against=new))
    assert found.version == "2"
    assert found.carried >= 7
    assert found.verification.count(Standing.STALE) == 2
    assert 0 < found.verification.actions < whole


def test_against_a_map_that_has_all_of_it_no_device_is_opened(old: Map, tmp_path: Path) -> None:
    def never() -> object:
        raise AssertionError("a device was opened")

    with explored(tmp_path / "same", FIRST.replace('version: "1"', 'version: "1.1"')) as same:
        found = verified(old, never, VerifyRequest(against=same))  # type: ignore[arg-type]
    assert found.verification.checked == ()
    assert old.graph.version == "1.1"
    assert old.trust() == ""


def test_what_stayed_keeps_its_name_its_corrections_and_its_edited_record(old: Map, new: Map) -> None:
    correcting.rename(old, "Sounds", "What it sounds like")
    correcting.pin(old, "Options")
    records = {r.name: r for r in old.records()}
    path = old.folder / "records.jsonl"
    edited = records["Backup"].summary
    path.write_text(path.read_text("utf-8").replace(edited, "Keeps a copy of every note."), encoding="utf-8")
    old.remember()
    kept = keep(old, new, compared(old, new))
    assert (kept.corrections, kept.records) == (2, 1)
    assert {n.name for n in new.graph.pages()} >= {"What it sounds like", "Themes"}
    copied = next(r for r in new.records() if r.name == "Backup")
    assert (copied.summary, copied.provenance) == ("Keeps a copy of every note.", "user")
    assert copied.waypoints == ("Small", "About (menu)", "Backup")
    assert keep(old, new, compared(old, new)).corrections == 0  # Nothing is carried twice.


def test_a_difference_is_written_as_plain_values(old: Map, new: Map) -> None:
    import json

    told = json.loads(json.dumps(diff_json(old, new, compared(old, new))))
    assert told["differs"] is True
    assert told["old"]["version"] == "1"
    assert told["renamed"][0]["now"] == "noises"
    assert told["added"] == [{"id": told["added"][0]["id"], "name": "Themes"}]
