"""A gate learned on a real exploration of a phone: guessed, tried out, planned with, walked through."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from waypost.actors import Follower
from waypost.adapters.pocket import PocketDevice
from waypost.adapters.pocket.load import parse
from waypost.errors import UsageError
from waypost.guidance import silent
from waypost.model import NodeId, StopReason, Task
from waypost.navigate import arrival, navigate
from waypost.parts.exploring import ExploreRequest, surveyed
from waypost.parts.face import Map
from waypost.parts.gating import facts_of, learned
from waypost.parts.planning import PlanRequest, planned

BANK = parse(
    """
app: bank
package: com.pocket.bank
name: Bank
icon: card
color: "#1A73E8"
activity: .MainActivity
start: home
state: {opened: false}
pages:
  home:
    title: Bank
    body:
      - {row: Savings, go: savings}
      - {row: Branches, go: branches}
      - {row: Imprint, go: imprint}
  branches:
    title: Branches
    nav: back
    body: [{text: There are three of them in town.}]
  imprint:
    title: Imprint
    nav: back
    body: [{text: This bank is an invention.}]
  terms:
    title: Terms of use
    nav: back
    body:
      - {text: Please agree to them first.}
    footer:
      - {button: Agree, style: filled, wide: true, do: [{set: {opened: true}}, {proceed: true}]}
  savings:
    title: Savings
    nav: back
    requires: {unless: opened, page: terms}
    body:
      - {row: Statements, go: statements}
  statements:
    title: Statements
    nav: back
    body: [{text: There is nothing to be seen yet.}]
""",
    "bank.yaml",
)


def bank() -> PocketDevice:
    return PocketDevice("bank", specs=[BANK])


@pytest.fixture
def known(tmp_path: Path) -> Iterator[Map]:
    request = ExploreRequest(actions=70, pictures=False)
    with surveyed(bank(), tmp_path / "bank", request.config()) as found:
        yield found


def page(known: Map, title: str) -> NodeId:
    (node,) = (n.id for n in known.graph.pages() if n.name == title)
    return node


def test_a_gate_is_learned_and_walked_through(known: Map) -> None:
    assert facts_of(known).guesses
    found = learned(known, fresh=bank)
    assert any(f.holds for f in found)
    told = facts_of(known)
    (fact,) = told.declared
    assert "Agree" in fact["name"]
    savings = page(known, "Savings")
    plan = planned(known, PlanRequest(visit=["Savings"])).plans[0]
    names = [known.graph.nodes[n].name for n in plan.expected]
    assert names[0] == "Terms of use"
    assert names[-1] == "Savings"
    assert len(planned(known, PlanRequest(visit=["Savings"], planner="shortest")).plans[0].steps) == 1
    given = planned(known, PlanRequest(visit=["Savings"], given=[fact["name"]])).plans[0]
    assert len(given.steps) == 1
    device = bank()
    follower = Follower(known.mapper, known.planner, savings)
    episode = navigate(Task("t", "", "go"), device, follower, silent, verify=arrival(known.mapper, savings))
    assert episode.stop is StopReason.ARRIVED
    assert device.where() == "bank/savings"


def test_a_device_that_keeps_its_state_is_no_ground_for_experiments(known: Map) -> None:
    with pytest.raises(UsageError, match="starts from nothing"):
        learned(known, "adb:127.0.0.1:5555")
    with pytest.raises(UsageError, match="name one with --device"):
        learned(known)


def test_several_pages_alternatives_and_files(known: Map, tmp_path: Path) -> None:
    both = planned(known, PlanRequest(visit=["Branches", "Imprint"]), pddl=tmp_path / "out")
    assert both.plans[0].found
    assert {page(known, "Branches"), page(known, "Imprint")} <= set(both.plans[0].expected)
    assert [f.name for f in both.files] == ["domain.pddl", "problem.pddl"]
    two = planned(known, PlanRequest(visit=["Branches"]), alternatives=2)
    assert two.plans[0].cost <= two.plans[-1].cost
    with pytest.raises(UsageError, match="Say where to"):
        planned(known, PlanRequest())
    with pytest.raises(UsageError, match="is no planner"):
        planned(known, PlanRequest(visit=["Branches"], planner="magic"))
    with pytest.raises(UsageError, match="ways to one page"):
        planned(known, PlanRequest(visit=["Branches", "Imprint"]), alternatives=2)
