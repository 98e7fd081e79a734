"""The public names, listed: what is added, renamed or taken away is seen here and in docs/api.md."""

import importlib
import re
from pathlib import Path

import pytest

import waypost
from waypost import errors, model, protocols

DOCUMENT = (Path(__file__).parent.parent / "docs" / "api.md").read_text(encoding="utf-8")
FACE = ["Map", "__version__", "explore", "guide", "open"]
MAP = ["close", "find", "go", "graph", "pages", "picture", "record_of", "records", "route"]
NOUNS = [
    "Action",
    "ActionGroup",
    "Anchor",
    "AnchorId",
    "AnchorKind",
    "AnchorStatus",
    "AppGraph",
    "Bounds",
    "Capture",
    "Considered",
    "Decision",
    "Direction",
    "Element",
    "Episode",
    "Evidence",
    "ExploreStop",
    "Fact",
    "Finish",
    "Goal",
    "Hypernode",
    "ImageStatus",
    "Launch",
    "Leg",
    "Link",
    "Literal",
    "LongPress",
    "Look",
    "NodeId",
    "Observation",
    "PageChunk",
    "PageKind",
    "Parameter",
    "Plan",
    "PlanStatus",
    "Point",
    "Press",
    "Proof",
    "Provenance",
    "Record",
    "Relation",
    "Role",
    "Screen",
    "Skipped",
    "Source",
    "SpanningPlan",
    "Standing",
    "Step",
    "StopReason",
    "Subtask",
    "Swipe",
    "Tap",
    "Target",
    "Task",
    "Terms",
    "Transition",
    "TransitionKind",
    "TreeQuality",
    "TypeText",
    "Verdict",
    "Wait",
]


def _told(module: str) -> list[str]:
    """Return the names that the document gives to a module, as it sorts them."""
    (row,) = re.findall(rf"^\| `{re.escape(module)}` \| (.*) \|$", DOCUMENT, re.MULTILINE)
    return re.findall(r"`(\w+)`", row)


def test_the_face_is_what_it_was() -> None:
    assert list(waypost.__all__) == FACE == _told("waypost")
    assert all(getattr(waypost, name) is not None for name in FACE)
    with pytest.raises(AttributeError, match="has no attribute 'Explorer'"):
        _ = waypost.Explorer


def test_an_open_map_can_what_it_could() -> None:
    from waypost.parts.face import open_map

    assert waypost.open is open_map
    told = re.findall(r"`(\w+)(?:\(\w*\))?`", DOCUMENT.split("Of a `Map`: ")[1].split(". Public too")[0])
    assert sorted(told) == MAP
    # `graph` is set when a map is opened.
    assert all(hasattr(waypost.Map, name) for name in MAP if name != "graph")


def test_the_seams_and_the_errors_are_what_they_were() -> None:
    assert list(protocols.__all__) == _told("waypost.protocols")
    assert list(errors.__all__) == _told("waypost.errors")


def test_the_nouns_are_what_they_were() -> None:
    # Adding one is fine: add it here. Taking one away is not, without a release that warns of it.
    assert list(model.__all__) == NOUNS


@pytest.mark.parametrize("module", ["waypost", "waypost.protocols", "waypost.errors", "waypost.model"])
def test_every_public_name_can_be_imported(module: str) -> None:
    found = importlib.import_module(module)
    assert all(hasattr(found, name) for name in found.__all__)


def test_the_package_says_that_it_is_typed() -> None:
    assert (Path(waypost.__file__).parent / "py.typed").is_file()
