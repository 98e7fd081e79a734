"""Episodes on file: what is written is read again, and a broken line costs that line alone."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.library.pages import row, screen, title
from waypost.errors import UsageError
from waypost.model import (
    Action,
    Decision,
    Direction,
    Episode,
    Evidence,
    Finish,
    Launch,
    LongPress,
    NodeId,
    Observation,
    Press,
    Role,
    Step,
    StopReason,
    Swipe,
    Tap,
    Target,
    Task,
    TypeText,
    Wait,
)
from waypost.navigate.episodes import Kept, Unread, append_episode, read_episodes

PNG = b"\x89PNG\r\n\x1a\n"
_TEXT = st.text(st.characters(blacklist_categories=["Cs"]), max_size=12)
_EVIDENCE = st.none() | st.builds(Evidence, st.sampled_from(Role), _TEXT, _TEXT)
_POINT = st.tuples(st.integers(0, 2000), st.integers(0, 2000))
_ACTIONS: st.SearchStrategy[Action] = st.one_of(
    st.builds(Tap, _POINT, _EVIDENCE),
    st.builds(LongPress, _POINT, _EVIDENCE),
    st.builds(TypeText, _TEXT, st.none() | _POINT, _EVIDENCE, st.booleans()),
    st.builds(Swipe, st.sampled_from(Direction), st.none() | _POINT, st.none() | _POINT, _EVIDENCE),
    st.builds(Press, st.sampled_from(["back", "home", "enter"])),
    st.builds(Launch, _TEXT, st.booleans()),
    st.builds(Wait, st.floats(0, 9)),
    st.builds(Finish, st.booleans(), _TEXT),
)
_LOOKS = st.builds(
    Observation,
    _TEXT.map(lambda t: screen(title(t), row(t, 400))),
    st.sampled_from([b"", PNG + b"1", PNG + b"2"]),
    seen_at=st.floats(0, 1e9),
)
_NODES = st.none() | _TEXT.map(NodeId)
_EPISODES = st.builds(
    Episode,
    st.builds(Task, _TEXT, _TEXT, _TEXT, st.none() | st.builds(Target, _TEXT)),
    st.lists(st.builds(Step, _LOOKS, st.builds(Decision, _ACTIONS, _TEXT, _NODES), _NODES), max_size=3).map(
        tuple
    ),
    st.none() | _LOOKS,
    st.sampled_from(StopReason),
    st.booleans(),
    st.booleans(),
    _NODES,
    st.integers(0, 9),
    _TEXT,
    _NODES,
)


@settings(deadline=None, max_examples=60)
@given(st.lists(_EPISODES, min_size=1, max_size=3))
def test_what_is_written_is_read_again_pictures_and_all(
    tmp_path_factory: pytest.TempPathFactory, episodes: list[Episode]
) -> None:
    path = tmp_path_factory.mktemp("e") / "runs.jsonl"
    for episode in episodes:
        append_episode(path, episode, device="pocket:mail")
    assert list(read_episodes(path)) == [Kept(n, e, "pocket:mail") for n, e in enumerate(episodes, 1)]


EPISODE = Episode(
    Task("t", "a", "go"), (Step(Observation(screen(), PNG), Decision(Wait())),), None, StopReason.GAVE_UP
)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{", "JSONDecodeError"),
        ("[]", "no episode"),
        ('{"format": 1}', "no episode"),
        ('{"format": 2, "episode": {}}', "format 2"),
        ('{"format": 1, "episode": {}}', "Episode"),
        ('{"format": 1, "pictures": {"0": "../../etc/passwd"}, "episode": EPISODE}', "names no picture"),
        ('{"format": 1, "episode": {"task": 3}}', "task|Task|Episode"),
    ],
)
def test_a_broken_line_is_told_and_the_others_are_read(tmp_path: Path, line: str, fault: str) -> None:
    path = tmp_path / "runs.jsonl"
    append_episode(path, EPISODE)
    good = json.loads(path.read_text())["episode"]
    with path.open("a") as file:
        file.write(line.replace("EPISODE", json.dumps(good)) + "\n\n")
    append_episode(path, EPISODE)
    first, broken, last = read_episodes(path)
    assert isinstance(first, Kept)
    assert isinstance(last, Kept)
    assert last.line == 4
    assert isinstance(broken, Unread)
    assert broken.line == 2
    assert any(f in broken.fault for f in fault.split("|"))


def test_a_run_is_read_without_a_picture_that_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    append_episode(path, EPISODE)
    (picture,) = (tmp_path / "runs.jsonl.pictures").iterdir()
    picture.unlink()
    (found,) = read_episodes(path)
    assert isinstance(found, Kept)
    assert found.episode.steps[0].observation.image == b""


def test_no_file_is_a_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Cannot read the episodes"):
        list(read_episodes(tmp_path / "none"))
