"""Pocket's later builds: what is different in them is found, exactly; corrections and steps outlive them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from waypost.adapters.discreet import Discreet
from waypost.adapters.pocket import PocketDevice, load, truth
from waypost.exploration import ExploreConfig
from waypost.model import NodeId, Standing
from waypost.parts import correcting
from waypost.parts.exploring import surveyed
from waypost.parts.face import Map
from waypost.versions import Diff, diff, to_verify, verify

KNOWN: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "builds.yaml").read_text(encoding="utf-8"))
APPS = sorted(KNOWN)


@dataclass
class Explored:
    """A map, and the true page of each of its nodes."""

    map: Map
    pages: dict[NodeId, str]

    def node(self, page: str) -> str:
        return next(str(n) for n, true in self.pages.items() if true == page)


def _explored(app: str, folder: Path) -> Explored:
    phone = PocketDevice(app)
    known = surveyed(phone, folder, ExploreConfig())
    seen = {
        n.id: Counter(phone.label(k.observation.seen_at) for k in n.looks).most_common(1)[0][0]
        for n in known.graph.pages()
    }
    return Explored(known, seen)


@pytest.fixture(scope="module", params=APPS)
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Give an app's name, and the maps of its two builds."""
    app, home = request.param, tmp_path_factory.mktemp("builds")
    old, new = _explored(app, home / "old"), _explored(f"{app}@2", home / "new")
    yield app, old, new
    old.map.close()
    new.map.close()


@pytest.mark.parametrize("app", APPS)
def test_the_list_of_what_changed_is_what_the_files_say(app: str) -> None:
    known, old, new = KNOWN[app], load(app), load(f"{app}@2")
    assert [old.version, new.version] == known["version"]
    before, after = set(truth.ways(old)), set(truth.ways(new))
    assert after - before == set(known["added"])
    assert before - after == set(known["gone"])
    titled = {
        old.full(p): [old.pages[p].title.source, new.pages[p].title.source]  # type: ignore[union-attr]
        for p in old.pages.keys() & new.pages.keys()
        if old.pages[p].title
        and new.pages[p].title
        and old.pages[p].title.source != new.pages[p].title.source  # type: ignore[union-attr]
    }
    assert titled == known["renamed"]
    for page, (was, now) in known["moved"].items():
        for build, parent in ((old, was), (new, now)):
            leads = {e.source for e in truth.transitions(build) if e.target == page and "+" not in e.source}
            assert leads == {parent}


@pytest.mark.slow
def test_a_diff_finds_exactly_what_changed(both: tuple[str, Explored, Explored]) -> None:
    app, old, new = both
    known, found = KNOWN[app], diff(old.map.mapper, new.map.mapper)
    assert found
    assert not found.unsure
    assert {new.pages[p.id] for p in found.added} == set(known["added"])
    assert {old.pages[p.id] for p in found.gone} == set(known["gone"])
    assert {old.pages[m.old.id] for m in found.moved} == set(known["moved"])
    assert all(old.pages[m.old.id] == new.pages[m.new.id] for m in found.moved)
    titles = {old.pages[r.old.id]: [r.was, r.now] for r in found.renamed}
    assert titles == {p: [t.casefold() for t in both] for p, both in known["renamed"].items()}
    assert _changes(found, old) == {
        p: (set(c.get("added", [])), set(c.get("removed", []))) for p, c in known["changed"].items()
    }
    broken = sorted([old.pages[b.source.id], b.label, old.pages[b.target.id]] for b in found.broken)
    assert broken == sorted(known["broken"])
    assert all(old.pages[a] == new.pages[b] for a, b in found.alignment.pairs.items())


def _changes(found: Diff, old: Explored) -> dict[str, tuple[set[str], set[str]]]:
    return {old.pages[c.old.id]: (set(c.added), set(c.removed)) for c in found.changed}


@pytest.mark.slow
def test_a_map_differs_in_nothing_from_itself(both: tuple[str, Explored, Explored]) -> None:
    _, old, new = both
    for one in (old, new):
        assert not diff(one.map.mapper, one.map.mapper)


@pytest.mark.slow
def test_verifying_finds_what_no_longer_works_and_nothing_else(
    both: tuple[str, Explored, Explored], tmp_path: Path
) -> None:
    app, old, _ = both
    known, same = KNOWN[app], Discreet.over(PocketDevice(app))
    mapper = old.map.mapper
    steps = to_verify(mapper)
    found = verify(same, mapper, steps)
    # What was done on one message may not be on the message that is opened now.
    assert found.count(Standing.STALE) == 0
    assert len(steps) - 1 <= found.count(Standing.LIVE) <= len(steps)
    assert len(steps) > 50
    later = Discreet.over(PocketDevice(f"{app}@2"))
    old.map.meet(later)
    assert all(t.standing is Standing.UNKNOWN for t in mapper.graph.transitions.values())
    found = verify(later, mapper, to_verify(mapper))
    stale = {
        (old.pages[c.step.source], old.pages[c.step.target]) for c in found.checked if c.standing == "stale"
    }
    gone = {
        (e.source, e.target)
        for e in truth.transitions(app)
        if e.target in known["gone"] and e.source not in known["gone"]
    }
    assert stale == {(s, t) for s, _, t in known["broken"]} | gone
    lost = {old.pages[c.step.source] for c in found.checked if c.standing == "unknown"}
    moved = {*known["gone"], *known["moved"]}
    lost.discard("mail/message")  # Another message is opened than the one whose sender was tapped.
    assert lost <= moved | {p for p in old.pages.values() if _below(app, p, moved)}
    assert same.hazards_done == later.hazards_done == []
    assert mapper.graph.version == known["version"][1]


def _below(app: str, page: str, over: set[str]) -> bool:
    """Whether every way to a page of the first build leads over one of `over`."""
    return bool(over & set(truth.ways(app)[page].pages))


@pytest.mark.slow
@pytest.mark.parametrize("build", ["mail", "mail@2"])
def test_corrections_outlive_a_map_made_anew_and_a_later_build(build: str, tmp_path: Path) -> None:
    first = _explored("mail", tmp_path / "first")
    node, known = first.node, first.map
    correcting.merge(known, node("mail/starred"), node("mail/snoozed"))
    correcting.rename(known, node("mail/labels"), "My labels")
    correcting.rename(known, node("mail/vacation"), "Away note")
    correcting.pin(known, node("mail/compose"))
    text = (tmp_path / "first" / "pages.yaml").read_text(encoding="utf-8")
    known.close()
    (tmp_path / "again").mkdir()
    (tmp_path / "again" / "pages.yaml").write_text(text, encoding="utf-8")
    again = _explored(build, tmp_path / "again")
    names = {again.pages[n.id]: n.name for n in again.map.graph.pages()}
    assert names["mail/labels"] == "My labels"
    assert names["mail/vacation"] == "Away note"
    joined = {p for p in again.pages.values() if p in ("mail/starred", "mail/snoozed")}
    assert len(joined) == 1
    assert sum(p == "mail/compose" for p in again.pages.values()) == 1
    assert again.map.mapper.teacher.is_pinned(NodeId(again.node("mail/compose")))
    assert {r.name for r in again.map.records()} >= {"My labels", "Away note"}
    assert (tmp_path / "again" / "pages.yaml").read_text(encoding="utf-8") == text
    again.map.close()
