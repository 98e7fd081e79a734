"""Every guide that ships holds what `conformance.guide` asks of one."""

from pathlib import Path

import pytest

from tests.actors.phone import Chart
from tests.conformance.guide import GuideSuite, MakeGuide
from waypost.adapters.embedders import HashEmbedder
from waypost.guidance import Candidate, PlanningGuide, Replanning, Rewritten, block, fixed
from waypost.guidance.formats import FORMATS, Knowledge
from waypost.model import Action, NodeId, Observation, Record, Transition
from waypost.planning import ShortestPath
from waypost.protocols import Guide

SAY = "change the sound"


class _Growing(Chart):
    def extend(
        self, source: NodeId, action: Action, key: str, after: Observation, *, before: Observation | None
    ) -> Transition:
        raise AssertionError("nobody acts here")


def _replanning(chart: Chart, records: tuple[Record, ...]) -> Replanning:
    return Replanning(SAY, chart, ShortestPath(), records[-1])


def _open(chart: Chart, records: tuple[Record, ...]) -> str:
    assert chart.graph.root is not None
    plan = ShortestPath().plan(chart.graph, chart.graph.root, records[-1].node)
    return block(SAY, records[-1], plan, chart.graph)


def _planning(chart: Chart, records: tuple[Record, ...]) -> Guide:
    return PlanningGuide(SAY, _Growing(chart.graph), ShortestPath(), [Candidate(records[-1], 1.0)])


def _format(name: str) -> MakeGuide:
    def make(chart: Chart, records: tuple[Record, ...]) -> Guide:
        embed = HashEmbedder().embed
        manual = "Most of it is under settings.\nBack returns to the start."
        known = Knowledge(chart, ShortestPath(), records, embed, embed, records[-1], manual)
        return FORMATS[name].make(known, SAY)

    return make


MAKERS: dict[str, MakeGuide] = {
    "open": lambda chart, records: fixed(_open(chart, records)),
    "closed": _replanning,
    "edit": lambda chart, records: Rewritten(_open(chart, records), _replanning(chart, records), chart),
    "planning": _planning,
    **{name: _format(name) for name in FORMATS},
}


class TestGuides(GuideSuite):
    @pytest.fixture(params=list(MAKERS))
    def make(self, request: pytest.FixtureRequest) -> MakeGuide:
        return MAKERS[request.param]


def test_the_documents_name_every_form_of_memory() -> None:
    text = (Path(__file__).parents[1] / "docs" / "formats.md").read_text(encoding="utf-8")
    assert all(f"| `MAP+{name}` |" in text for name in FORMATS)
