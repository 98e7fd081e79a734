"""From episodes of another actor to a map on which `go` works."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.mapping.test_absorb import judged, lived
from waypost.adapters.pocket import PocketDevice
from waypost.cli.app import app
from waypost.errors import UsageError
from waypost.library.chunks import explored_chunks, lived_chunks, merged, read_chunks, write_chunks
from waypost.model import Episode, PageChunk, StopReason, Task
from waypost.navigate.episodes import append_episode
from waypost.parts.face import open_map
from waypost.parts.learning import learned

runner = CliRunner()


@pytest.mark.slow
def test_a_map_learnt_from_twenty_episodes_of_another_actor_is_one_to_go_by(tmp_path: Path) -> None:
    episodes = lived("chat", 20)
    assert len(episodes) == 20
    assert not any(e.verified for e in episodes)
    found = learned(episodes, tmp_path / "chat", device="pocket:chat")
    assert (found.episodes, found.passed_over) == (20, ())
    reached: dict[str, str] = {}
    with open_map(tmp_path / "chat") as known:
        records = known.records()
        for record in records:
            device = PocketDevice("chat", shrink=3)
            outcome = known.go(record.name, device)
            if outcome.status == "reached" and outcome.episode and outcome.episode.final:
                assert outcome.target == record.name
                reached[record.name] = device.label(outcome.episode.final.seen_at)
    assert len(records) >= 12
    # Every page on the map can be gone to by its name, and each is another page in truth.
    assert len(reached) == len(records)
    assert len(set(reached.values())) == len(reached)


@pytest.mark.long
@pytest.mark.slow
def test_what_another_actor_could_not_do_is_done_by_what_it_saw(tmp_path: Path) -> None:
    episodes = lived("settings", 20)
    learned(episodes, tmp_path / "m", device="pocket:settings")
    by_map = 0
    with open_map(tmp_path / "m") as known:
        for episode in episodes:
            device = PocketDevice("settings", shrink=3)
            outcome = known.go(episode.task.instruction, device)
            target, run = episode.task.target, outcome.episode
            if outcome.status == "reached" and run and run.final and target:
                by_map += device.label(run.final.seen_at) == target.page
    alone = sum(passed for _, passed in judged("settings", 20))
    assert by_map > alone


def test_the_commands_go_from_a_bench_to_a_map(tmp_path: Path) -> None:
    file, folder = tmp_path / "runs.jsonl", tmp_path / "chat"
    for episode in lived("chat", 3):
        append_episode(file, episode, device="pocket:chat")
    with file.open("a") as out:
        out.write("not an episode\n")
    other = replace(lived("mail", 2)[0], task=Task("m", "", "mail"))
    append_episode(file, other, device="pocket:mail")
    append_episode(file, Episode(Task("t", "", "x"), (), None, StopReason.NOT_ON_MAP))
    told = runner.invoke(app, ["learn", str(file), "--map", str(folder), "--json"])
    assert told.exit_code == 0, told.output
    found = json.loads(told.stdout)
    assert (found["app"], found["episodes"]) == ("com.pocket.chat", 3)
    assert [r["line"] for r in found["passed_over"]] == [4, 5, 6]
    assert "com.pocket.mail" in found["passed_over"][1]["why"]
    name = json.loads((folder / "records.jsonl").read_text().splitlines()[1])["name"]
    gone = runner.invoke(app, ["go", str(folder), name, "--json"])
    assert gone.exit_code == 0, gone.output
    assert json.loads(gone.stdout)["verified"]
    again = json.loads(runner.invoke(app, ["learn", str(file), "--map", str(folder), "--json"]).stdout)
    assert (again["new_pages"], again["new_transitions"]) == (0, 0)


@pytest.mark.parametrize("text", ["", "nothing\n"])
def test_a_file_without_episodes_is_a_users_mistake(tmp_path: Path, text: str) -> None:
    (tmp_path / "runs.jsonl").write_text(text)
    told = runner.invoke(app, ["learn", str(tmp_path / "runs.jsonl"), "--map", str(tmp_path / "m")])
    assert told.exit_code == 2
    assert "no episode to learn from" in told.stderr
    assert not (tmp_path / "m").exists()


def test_a_device_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="toaster"):
        learned(lived("chat", 1), tmp_path / "m", device="toaster")


# Page chunks


def test_a_chunk_says_what_a_page_is_and_how_it_was_come_to(tmp_path: Path) -> None:
    learned(lived("chat", 4), tmp_path / "m", device="pocket:chat")
    chunks = read_chunks(tmp_path / "m")
    first = min(chunks, key=lambda c: len(c.path))
    assert first.path == ()
    assert all(c.label and c.description and c.app == "com.pocket.chat" and c.node for c in chunks)
    deeper = [c for c in chunks if c.path]
    assert deeper
    assert all(c.task for c in deeper)
    with open_map(tmp_path / "m", readonly=True) as known:
        pages = {n.id for n in known.graph.pages()}
        assert {c.node for c in chunks} <= pages
        explored = explored_chunks(known.graph, known.planner)
        assert {c.node for c in explored} == {r.node for r in known.records()}
        assert all(len(c.path) <= 4 for c in explored)


def test_a_loop_is_no_part_of_the_way() -> None:
    (episode,) = lived("chat", 1)
    steps = (*episode.steps[:2], *episode.steps[:2], *episode.steps[2:4])
    looped = replace(episode, steps=steps, final=None)
    straight = replace(episode, steps=episode.steps[:4], final=None)

    def paths(e: Episode) -> list[tuple[str, ...]]:
        return [c.path for c, _ in lived_chunks(e, lambda look: None)]

    assert paths(looped) == paths(straight)


CHUNK = PageChunk("Sound", "Sound (page)", ("Volume (slider)",), ("tap Settings", "tap Sound"), "a")


def test_a_known_page_gets_a_shorter_way_only_from_an_episode_that_ended_well() -> None:
    shorter = replace(CHUNK, path=("tap Sound",))
    longer = replace(CHUNK, path=("a", "b", "c"))
    assert merged([CHUNK], [shorter], ended=StopReason.ARRIVED) == (shorter,)
    assert merged([CHUNK], [shorter], ended=StopReason.OUT_OF_STEPS) == (CHUNK,)
    assert merged([CHUNK], [longer], ended=StopReason.ARRIVED) == (CHUNK,)
    assert merged([], [shorter], ended=StopReason.OUT_OF_STEPS) == (shorter,)


def test_chunks_are_read_as_they_were_written(tmp_path: Path) -> None:
    write_chunks(tmp_path, [CHUNK, replace(CHUNK, label="设置")])
    assert read_chunks(tmp_path) == (CHUNK, replace(CHUNK, label="设置"))
    assert read_chunks(tmp_path / "none") == ()
