"""A comparison is kept episode by episode: cut off it goes on, and what was run can be judged again."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import called, called_json
from waypost.bench.store import EpisodeStore, Key, Run
from waypost.errors import UsageError
from waypost.guidance.formats import FORMATS
from waypost.model import NodeId, Verdict
from waypost.parts.benchmaps import Stamp, checked, stamp, stamp_of
from waypost.parts.comparing import Comparison, compared, jobs, world_of
from waypost.parts.conditions import Condition
from waypost.parts.devices import DeviceOptions
from waypost.parts.face import open_map
from waypost.parts.reporting import reported
from waypost.parts.suites import suite


def _some(count: int) -> tuple[str, ...]:
    tasks = [t for t in suite("pocket").tasks.tasks if t.app == "clock"]
    present, absent = [t.id for t in tasks if t.target], [t.id for t in tasks if not t.target]
    return (*present[: count - 1], absent[0])


@pytest.fixture(scope="module")
def maps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return maps of two arms, made once."""
    folder = tmp_path_factory.mktemp("made")
    first = _request(folder / "store", folder / "maps", explore=60)
    compared(first)
    return folder / "maps"


@pytest.fixture(scope="module")
def kept(maps: Path, tmp_path_factory: pytest.TempPathFactory) -> EpisodeStore:
    """Return a whole store; whoever writes into it copies it first."""
    return compared(_request(tmp_path_factory.mktemp("whole") / "store", maps))


def _copy(kept: EpisodeStore, tmp_path: Path) -> EpisodeStore:
    shutil.copytree(kept.folder, tmp_path / "store")
    return EpisodeStore(tmp_path / "store").open()


def _request(store: Path, maps: Path, *, explore: int | None = None, workers: int = 1) -> Comparison:
    arms = (Condition("none", "lexical", limit=6), Condition("frontier"), Condition("manual+destination"))
    world = world_of(suite("pocket"), "", DeviceOptions())
    return Comparison((world,), arms, store, maps, _some(4), explore, workers=workers)


class _Stopped(Exception):
    """Stands for a kill between two episodes."""


def _stop_after(count: int) -> Any:
    seen: list[Run] = []

    def done(run: Run, total: int) -> None:
        seen.append(run)
        if len(seen) == count:
            raise _Stopped

    return done


def _timeless(store: EpisodeStore) -> Any:
    told = reported(store).as_json()
    for cell in told["cells"]:
        del cell["seconds_per_step"]
    return told


@pytest.mark.slow
def test_a_bench_that_was_killed_goes_on_and_says_the_same(
    maps: Path, kept: EpisodeStore, tmp_path: Path
) -> None:
    request = _request(tmp_path / "cut", maps)
    with pytest.raises(_Stopped):
        compared(request, done=_stop_after(5))
    episodes = tmp_path / "cut" / "episodes.jsonl"
    # What a kill in the middle of a line leaves.
    episodes.write_bytes(episodes.read_bytes()[:-40])
    ran: list[Key] = []
    again = compared(request, done=lambda run, total: ran.append(run.key))
    assert len(ran) == len(jobs(request)) - 4
    assert _timeless(again) == _timeless(kept)
    assert kept.keys() == {j.key for j in jobs(request)}


@pytest.mark.long
def test_workers_run_the_same_episodes(maps: Path, kept: EpisodeStore, tmp_path: Path) -> None:
    two = compared(_request(tmp_path / "two", maps, workers=2))
    assert _timeless(two) == _timeless(kept)


@pytest.mark.slow
def test_an_episode_leaves_the_map_as_it_was(maps: Path, tmp_path: Path) -> None:
    """Each must find what the first one found."""
    folder = maps / "pocket" / "frontier" / "clock"
    with open_map(folder, readonly=True) as known:
        before = dict(known.graph.transitions)
    compared(_request(tmp_path / "store", maps))
    with open_map(folder, readonly=True) as known:
        assert known.graph.transitions == before


@pytest.mark.slow
def test_stored_episodes_are_judged_again_with_no_device(kept: EpisodeStore, tmp_path: Path) -> None:
    store = _copy(kept, tmp_path)
    assert called_json("bench", "--store", str(store.folder), "--rescore", "truth")["judge"] == "truth"
    runs = list(store.runs())
    assert {v.judge for r in runs for v in r.verdicts} == {"truth"}
    for run in runs:
        store.judge(run.key, Verdict(False, "I saw nothing", "human:ann", 1))
    strict = called_json("bench", "--store", str(store.folder), "--judge", "human:ann")
    assert all(cell["success"] == 0.0 for cell in strict["cells"])
    found = called_json("tasks", "agree", str(store.folder), "truth", "human:ann")
    assert found["false_pass"] == sum(r.verdicts[0].passed for r in store.runs())
    assert found["false_fail"] == 0
    called("bench", "--store", str(store.folder), "--judge", "nobody", code=2)


@pytest.mark.slow
def test_a_report_is_one_file_with_a_player_of_episodes(kept: EpisodeStore, tmp_path: Path) -> None:
    report = reported(kept)
    report.write(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "http://" not in page
    assert "https://" not in page
    assert page.count("<svg") >= 3
    assert 'class="player"' in page
    assert "data:image/webp;base64," in page
    text = report.text()
    assert "| pocket | none " in text.replace("  ", " ")
    assert "exact McNemar" in text.casefold() or "Exact McNemar" in text
    with pytest.raises(UsageError, match=r"\.html, \.md or \.json"):
        report.write(tmp_path / "report.pdf")


@pytest.mark.slow
def test_what_the_memory_held_is_told_beside_what_was_reached(kept: EpisodeStore) -> None:
    cells = {(c["arm"], c["actor"]): c for c in reported(kept).as_json()["cells"]}
    given = cells["manual+destination", "follower"]["structure"]
    assert given["retrieved"] == given["covered"] == given["n"]
    assert cells["none", "lexical"]["structure"] is None
    (asked,) = [r for r in kept.runs() if r.key.arm == "frontier" and r.episode.task.target is None]
    assert asked.memory.covered is False
    assert asked.key.task == _some(4)[-1]


@pytest.mark.slow
def test_a_map_of_another_arm_app_or_suite_is_refused_and_so_is_one_that_knows_the_tasks(
    maps: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "clock"
    shutil.copytree(maps / "pocket" / "frontier" / "clock", folder)
    tasks = suite("pocket").tasks.tasks
    wanted = stamp_of(folder)
    checked(folder, wanted, tasks).close()
    for wrong in (Stamp("fava", "frontier", "clock"), Stamp("pocket", "random", "clock")):
        with pytest.raises(UsageError, match="was made for"):
            checked(folder, wrong, tasks)
    with pytest.raises(UsageError, match="was made for app"):
        checked(folder, Stamp("pocket", "frontier", "mail"), tasks)
    stamp(folder, Stamp("pocket", "frontier", "clock", version="2"))
    with pytest.raises(UsageError, match="was made for version"):
        checked(folder, Stamp("pocket", "frontier", "clock", version="1"), tasks)
    stamp(folder, wanted)
    sentence = next(t.instruction for t in tasks if t.app == "clock")
    with open_map(folder) as known:
        node = NodeId(sorted(known.graph.nodes)[0])
        known.mapper.call(node, sentence)
        known.mapper.commit()
        known.remember()
    with pytest.raises(UsageError, match="the very sentence of this task"):
        checked(folder, wanted, tasks)
    (folder / "bench.json").unlink()
    with pytest.raises(UsageError, match=r"has no bench\.json"):
        checked(folder, wanted, tasks)


def test_a_store_is_not_made_of_a_folder_that_holds_something_else(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(UsageError, match="holds something else"):
        EpisodeStore(tmp_path).open()


@pytest.mark.slow
def test_forms_of_memory_and_planners_run_as_arms(maps: Path, tmp_path: Path) -> None:
    arms = (
        *(Condition(f"frontier+{form}", "lexical", limit=4) for form in FORMATS),
        *(Condition(f"frontier+{mode}", "lexical", limit=4) for mode in ("open", "closed")),
        *(Condition(f"frontier+{planner}", limit=4) for planner in ("shortest", "tree", "product")),
    )
    world = world_of(suite("pocket"), "", DeviceOptions())
    store = compared(Comparison((world,), arms, tmp_path / "store", maps, _some(2)))
    runs = {(r.key.arm, r.key.task): r for r in store.runs()}
    assert len(runs) == 2 * len(arms)
    assert not any(r.fault for r in runs.values())
    for form in FORMATS:
        mine = [r for (arm, _), r in runs.items() if arm == f"frontier+{form}"]
        acted = [r for r in mine if not r.memory.refused]
        assert all(r.told_tokens > r.told_looks > 0 and r.told for r in acted)
        # Only a form that sets out for one page can say that the map has none.
        assert FORMATS[form].aims or acted == mine
    text = reported(store).text()
    assert all(f"frontier+{form}" in text for form in FORMATS)
    assert "What was told" in text
