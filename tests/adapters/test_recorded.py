import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.conformance.device import DeviceSuite
from waypost.adapters.recorded import Move, RecordedDevice, Recording, load_recording, recording_of
from waypost.errors import DeviceError, UnknownOutcome, UsageError
from waypost.model import (
    AppGraph,
    Bounds,
    Element,
    Evidence,
    Hypernode,
    ImageStatus,
    Launch,
    Look,
    NodeId,
    Observation,
    Press,
    Role,
    Screen,
    Tap,
    Transition,
    TreeQuality,
)
from waypost.protocols import Device

WHOLE = Bounds(0, 0, 100, 200)
SMALL, LARGE = Bounds(10, 10, 20, 20), Bounds(0, 0, 50, 50)


def _screen(name: str) -> Screen:
    child = Element(Role.BUTTON, text=name, bounds=SMALL, clickable=True)
    return Screen(Element(bounds=WHOLE, children=(child,)), "app", size=(100, 200))


def _tap(bounds: Bounds) -> Tap:
    return Tap(bounds.center, Evidence(bounds=bounds))


def _recording() -> Recording:
    moves = (
        Move("home", _tap(SMALL), "inner"),
        Move("home", _tap(LARGE), "outer"),
        Move("inner", Press("back"), "home", 2),
        Move("inner", Press("back"), "outer", 1),
    )
    return Recording("app", "home", {n: _screen(n) for n in ("home", "inner", "outer")}, moves)


class TestConformance(DeviceSuite):
    @pytest.fixture
    def device(self) -> Device:
        recording = _recording()
        back = Move("home", Press("back"), "outer")
        return RecordedDevice(Recording("app", "home", recording.screens, (*recording.moves, back)))


def test_a_tap_lands_on_the_smallest_thing_under_the_finger() -> None:
    device = RecordedDevice(_recording())
    device.perform(Tap((15, 15)))
    assert device.at == "inner"
    device.restart()
    device.perform(Tap((40, 40)))
    assert device.at == "outer"


@pytest.mark.parametrize("action", [Tap((99, 199)), Press("home"), Launch("elsewhere")])
def test_what_was_never_tried_is_unknown_and_changes_nothing(action: Any) -> None:
    device = RecordedDevice(_recording())
    with pytest.raises(UnknownOutcome):
        device.perform(action)
    assert device.at == "home"


def test_outcomes_come_in_turn_as_often_as_they_were_recorded() -> None:
    device = RecordedDevice(_recording())
    landed = []
    for _ in range(6):
        device.restart()
        device.perform(Tap((15, 15)))
        device.perform(Press("back"))
        landed.append(device.at)
    assert landed == ["home", "home", "outer"] * 2


def test_a_map_can_be_played() -> None:
    look = Look(Observation(_screen("a")))
    nodes = {NodeId(n): Hypernode(NodeId(n), looks=(look,)) for n in ("a", "b")}
    move = Transition(NodeId("a"), _tap(SMALL), NodeId("b"), "k")
    graph = AppGraph(
        "app", root=NodeId("a"), nodes=nodes, transitions={(NodeId("a"), "k", NodeId("b")): move}
    )
    device = RecordedDevice(recording_of(graph))
    device.perform(Tap(SMALL.center))
    assert device.at == "b"


def test_an_empty_map_is_refused() -> None:
    with pytest.raises(DeviceError, match="no look to start from"):
        RecordedDevice(recording_of(AppGraph("app")))


def test_a_broken_picture_is_a_failed_screenshot(tmp_path: Path) -> None:
    good, bad = tmp_path / "a.png", tmp_path / "b.png"
    out = io.BytesIO()
    Image.new("RGB", (4, 4)).save(out, "PNG")
    good.write_bytes(out.getvalue())
    bad.write_bytes(out.getvalue()[:20])
    for path, status in (
        (good, ImageStatus.SHOWN),
        (bad, ImageStatus.FAILED),
        (tmp_path, ImageStatus.FAILED),
    ):
        recording = Recording("app", "x", {"x": _screen("x")}, pictures={"x": path})
        assert RecordedDevice(recording).observe(pixels=True).image_status is status


def _droidbot(**changes: Any) -> dict[str, Any]:
    view = {"class": "android.widget.Button", "bounds": [[-5, 0], [50, 30]], "text": "Go", "clickable": True}
    state = {
        "activity": "p/p.Main",
        "views": [{"class": "F", "bounds": [[0, 0], [100, 200]], "children": [1]}, view],
    }
    move = {"s": "a", "a": {"type": "touch", "view": 1}, "t": "b", "n": 1}
    return {
        "app": "p",
        "screen": [100, 200],
        "states": {"a": state, "b": state},
        "transitions": [move],
        **changes,
    }


def _saved(folder: Path, data: Any) -> Path:
    path = folder / "run.json.gz"
    path.write_bytes(gzip.compress(json.dumps(data).encode()))
    return path


def test_views_become_a_tree_with_clipped_bounds(tmp_path: Path) -> None:
    recording = load_recording(_saved(tmp_path, _droidbot()))
    (button,) = recording.screens["a"].root.children
    assert (button.role, button.text, button.bounds) == (Role.BUTTON, "Go", Bounds(0, 0, 50, 30))
    assert recording.moves[0].target == "b"


def test_a_view_that_is_its_own_ancestor_does_not_hang(tmp_path: Path) -> None:
    views = [
        {"class": "F", "bounds": [[0, 0], [9, 9]], "children": [1]},
        {"class": "G", "children": [0, 1, 7]},
    ]
    data = _droidbot(states={"a": {"activity": "p/M", "views": views}}, transitions=[])
    assert load_recording(_saved(tmp_path, data)).screens["a"].quality is TreeQuality.PARTIAL


def test_intents_and_kills_are_no_moves(tmp_path: Path) -> None:
    rows = [
        {"s": "a", "a": {"type": kind, "intent": "am start"}, "t": "b"} for kind in ("intent", "kill_app")
    ]
    recording = load_recording(_saved(tmp_path, _droidbot(transitions=rows)))
    assert not recording.moves
    assert len(recording.notes) == 2


@pytest.mark.parametrize(
    "data",
    [
        [],
        {},
        {"states": {}},
        {"states": {"a": {"x": 1}}},
        _droidbot(screen="big"),
        {"states": {"a": {"views": 3}}},
    ],
)
def test_a_file_that_is_no_recording_is_refused_by_name(tmp_path: Path, data: Any) -> None:
    with pytest.raises(UsageError, match=r"run\.json\.gz"):
        load_recording(_saved(tmp_path, data))


def test_a_torn_file_is_refused(tmp_path: Path) -> None:
    path = _saved(tmp_path, _droidbot())
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(UsageError, match="Cannot read"):
        load_recording(path)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "looks", "moves"),
    [
        ("calendar_android", 74, 35),
        ("a2dp_vol", 16, 37),
        ("qqmusic/qqmusic.json.gz", 176, 272),
        ("autodroid_mit/calendar.json.gz", 37, 66),
        ("autodroid_mit/messenger.json.gz", 34, 65),
    ],
)
def test_real_recordings_load_and_every_move_can_be_played(
    shared: Path, name: str, looks: int, moves: int
) -> None:
    recording = load_recording(shared / name)
    assert (len(recording.screens), len(recording.moves)) == (looks, moves)
    device = RecordedDevice(recording)
    for move in recording.moves:
        device._at = move.source
        targets = {m.target for m in recording.leaving(move.source)}
        device.perform(move.action)
        assert device.at in targets


@pytest.mark.shared
def test_every_real_look_has_bounds_on_its_screen(shared: Path) -> None:
    for path in [
        shared / "calendar_android",
        shared / "a2dp_vol",
        *sorted((shared / "autodroid_mit").glob("*.gz")),
    ]:
        for screen in load_recording(path).screens.values():
            assert list(screen.visible())
            for element in screen.walk():
                box = element.bounds
                assert 0 <= box.left <= box.right <= screen.size[0]
                assert 0 <= box.top <= box.bottom <= screen.size[1]
