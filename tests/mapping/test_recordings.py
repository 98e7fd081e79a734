"""Real recordings: every look is read, judged and placed, and none of them breaks anything."""

import os
from pathlib import Path

import pytest

from waypost.adapters.recorded.load import load_recording
from waypost.mapping.cluster import cluster
from waypost.mapping.mapper import Mapper
from waypost.mapping.overlays import dismissal, side_state
from waypost.model import AppGraph, Observation, Screen

_BESIDE = Path(__file__).resolve().parents[2].parent / "shared"
SHARED = Path(os.environ.get("WAYPOST_SHARED", _BESIDE)) / "data"

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SHARED.is_dir(), reason=f"no recordings in {SHARED}"),
]

RECORDINGS = ("calendar_android", "a2dp_vol/a2dp_vol.json.gz", "autodroid_mit/contacts.json.gz")


@pytest.mark.parametrize("name", RECORDINGS)
def test_every_look_of_a_recording_is_placed_and_found_again(name: str) -> None:
    recording = load_recording(SHARED / name)
    mapper = Mapper(AppGraph(app=recording.app))
    for i, screen in enumerate(recording.screens.values()):
        dismissal(screen)
        seen = Observation(screen, seen_at=float(i))
        node = mapper.enter(seen)
        found = mapper.locate(seen)
        assert found is not None
        assert found.node == node
    names = [n.name for n in mapper.graph.nodes.values()]
    assert len(set(names)) == len(names)
    assert all(names)


def calendar() -> dict[str, Screen]:
    recording = load_recording(SHARED / "calendar_android")
    own = {
        n.rsplit("/", 1)[-1]: s for n, s in recording.screens.items() if side_state(s, recording.app) is None
    }
    return dict(zip(own, own.values(), strict=True))


def test_settings_sections_dialogs_and_the_drawer_of_a_real_app_stay_apart() -> None:
    looks = calendar()
    found = dict(zip(looks, cluster(list(looks.values()), "com.google.android.calendar"), strict=True))
    apart = [
        "settings_root",
        "settings_general",
        "settings_calendar",
        "settings_quick_responses",
        "recurring_delete_dialog",
        "recurring_edit_dialog",
        "drawer_calendar_unchecked",
        "quick_create_allday",
        "search",
        "day_view",
        "timezone_picker",
    ]
    assert len({found[n] for n in apart}) == len(apart)
    assert found["search"] == found["search_with_results"]
    assert found["event_detail_allday"] == found["event_detail_recurring"]
