"""Tasks are made from a map, and each has been done before it is handed out."""

from pathlib import Path

import pytest

from tests.cli.calling import called, called_json
from waypost.adapters.llm import Scripted
from waypost.adapters.pocket import PocketDevice
from waypost.bench import LookJudge, read_tasks
from waypost.bench.synthesis import distinct_target
from waypost.model import Observation, Task
from waypost.navigate.episodes import Kept, read_episodes
from waypost.parts.exploring import ExploreRequest, explored
from waypost.parts.face import open_map
from waypost.parts.synthesising import MakeRequest, Reworded, made_tasks


@pytest.fixture(scope="module")
def chart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "chat"
    explored("pocket:chat", folder, ExploreRequest(actions=45, pictures=False))
    return folder


def test_a_target_passes_on_its_page_and_on_no_other(chart: Path) -> None:
    with open_map(chart, readonly=True) as known:
        judge, told = LookJudge(), 0
        for node in known.pages():
            target = distinct_target(known.graph, node.id)
            if target is None:
                continue
            told += 1
            task = Task("t", "", "", target)
            for other in known.graph.nodes.values():
                for look in other.looks:
                    seen = Observation(look.observation.screen)
                    assert judge.judge(task, seen).passed is (other.id == node.id)
        assert told >= len(known.pages()) // 2


@pytest.mark.slow
def test_every_task_that_is_made_was_done_once_and_none_twice(chart: Path, tmp_path: Path) -> None:
    out, trips = tmp_path / "made.yaml", tmp_path / "trips.jsonl"
    asked = ("tasks", "make", str(chart), "--out", str(out), "--count", "2", "--trajectories", str(trips))
    told = called_json(*asked)
    assert told["tasks"] == told["verified"] == 2
    assert told["variety"]["duplicates"] == 0
    tasks = read_tasks(out).tasks
    assert len({t.instruction for t in tasks}) == 2
    kept = list(read_episodes(trips))
    assert len(kept) == 2
    for row, task in zip(kept, tasks, strict=True):
        assert isinstance(row, Kept)
        assert row.episode.final is not None
        assert row.episode.verified
        assert LookJudge().judge(task, row.episode.final).passed
        assert all(s.observation.image for s in row.episode.steps)


@pytest.mark.slow
def test_the_same_seed_makes_the_same_tasks_and_a_model_may_word_them(chart: Path) -> None:
    def sentences(llm: Scripted | None = None) -> list[str]:
        with open_map(chart, readonly=True) as known:
            request = MakeRequest(1, seed=5, most=3)
            found = made_tasks(known, lambda: PocketDevice("chat", shrink=3), request, llm=llm)
            return [m.task.instruction for m in found.made]

    plain = sentences()
    assert plain == sentences()
    llm = Scripted(lambda prompt, returns: Reworded(f"please {len(prompt)}"))
    assert all(s.startswith("please ") for s in sentences(llm))
    assert plain[0] in llm.asked[0][0]


@pytest.mark.slow
def test_whoever_stops_it_keeps_what_has_been_made(chart: Path) -> None:
    def stop(count: int) -> None:
        raise KeyboardInterrupt

    with open_map(chart, readonly=True) as known:
        found = made_tasks(known, lambda: PocketDevice("chat", shrink=3), MakeRequest(9, most=2), done=stop)
    assert len(found.made) == 1


def test_an_impossible_wish_is_wrong_use(chart: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "o.yaml")
    called("tasks", "make", str(chart), "--out", out, "--fewest", "4", "--most", "2", code=2)
