"""A package read, merged and tried: a made-up app for the rules, a real package for the reading."""

import shutil
import sys
from pathlib import Path

import pytest
from benchmarks.planning_static import Served

from waypost.adapters.apk import StaticApp, read_apk, static_graph
from waypost.adapters.apk.app import Activity, Control, Leads
from waypost.errors import MapError, UsageError
from waypost.exploration import ExploreConfig, explore
from waypost.mapping import Mapper, MapStore, full_activity, reconciled
from waypost.model import AppGraph, NodeId, PlanStatus
from waypost.parts.static import Static, aliases_of, claims_tried, static_map
from waypost.planning import ProductSearch

MAIN, TIMER, ABOUT, HIDDEN = (f"org.tick.{n}" for n in ("Main", "Timer", "About", "deep.Hidden"))
APP = StaticApp(
    "org.tick",
    "1.2",
    "org.tick.Start",
    (
        Activity(MAIN, "Tick"),
        Activity("org.tick.Start", "Tick", MAIN),
        Activity(TIMER, "Tools/Timer", listed=("org.tick.TOOL",)),
        Activity(HIDDEN, "Tools/Deep/Hidden", listed=("org.tick.TOOL",)),
        Activity(ABOUT, "About us"),
    ),
    {
        "main": (Control(1, "about", "Who we are", "Button"), Control(2, "start", "Begin here", "Button")),
        "timer": (Control(3, "info", "More about it", "Button"), Control(4, "clock", "Seconds", "TextView")),
        "about": (Control(5, "words", "We are three people", "TextView"),),
        "hidden": (Control(6, "secret", "A hidden corner", "TextView"),),
    },
    {MAIN: ("main",), TIMER: ("timer",), ABOUT: ("about",), HIDDEN: ("hidden",)},
    {"options": ("Settings", "Help")},
    {TIMER: ("options",)},
    (Leads(MAIN, ABOUT, 1, "onClick"), Leads(TIMER, ABOUT, 3, "onClick")),
    {MAIN: frozenset({"org.tick.TOOL"})},
)


def served(broken: frozenset[tuple[NodeId, str]] = frozenset()) -> Served:
    return Served(static_graph(APP), broken)


def explored(device: Served, actions: int) -> Mapper:
    mapper, ticks = Mapper(AppGraph("org.tick")), iter(range(10**6))
    config = ExploreConfig(actions=actions, pictures=False)
    explore(device, mapper, config, clock=lambda: float(next(ticks)))
    return mapper


def test_what_a_package_claims_is_a_map_that_says_so() -> None:
    graph = static_graph(APP)
    assert graph.root == MAIN
    assert all(t.unverified == "static" and t.tries == 0 for t in graph.transitions.values())
    folder = NodeId(f"{MAIN}#Tools")
    assert graph.nodes[folder].name == "Tools"
    assert [graph.nodes[NodeId(n)].depth for n in (MAIN, folder, TIMER, HIDDEN)] == [0, 1, 2, 3]
    plan = ProductSearch().plan(graph, NodeId(MAIN), NodeId(HIDDEN))
    assert plan.status is PlanStatus.OPTIMAL
    assert len(plan.steps) == 3
    menu = NodeId(f"{TIMER}#options")
    assert {e.text for e in graph.nodes[menu].looks[0].observation.screen.visible()} >= {"Settings", "Help"}


def test_activities_are_one_however_they_are_written() -> None:
    aliases = aliases_of(APP)
    written = (".Main", "org.tick.Main", "org.tick/.Main", "org.tick/org.tick.Main", "Main", ".Start")
    assert {full_activity(w, "org.tick", aliases) for w in written} == {MAIN}
    assert full_activity("com.ads.Ad", "org.tick") == "com.ads.Ad"


def test_exploration_verifies_claims_and_trying_them_reaches_what_it_missed() -> None:
    device = served()
    mapper = explored(device, 6)
    claimed = static_graph(APP)
    before = reconciled(mapper.graph, claimed, aliases_of(APP))
    assert before.counts.get("verified", 0) >= 1
    assert before.missed
    after = claims_tried(mapper, claimed, device, aliases_of(APP))
    assert after.missed == ()
    assert after.counts["verified"] > before.counts["verified"]
    assert "struck" not in after.counts
    assert after.unknown == ()
    verified = {(c.step.source, c.step.key, c.step.target) for c in after.claims if c.verdict == "verified"}
    assert not verified & after.graph.transitions.keys()


def test_a_claim_whose_control_leads_elsewhere_is_struck() -> None:
    claimed = static_graph(APP)
    (lie,) = (t for t in claimed.transitions.values() if t.source == TIMER and t.target == ABOUT)
    device = served(frozenset({(lie.source, lie.key)}))
    mapper = explored(device, 60)
    found = claims_tried(mapper, claimed, device, aliases_of(APP))
    assert [c.verdict for c in found.claims if c.step.key == lie.key] == ["struck"]
    assert not [t for t in found.graph.transitions.values() if t.key == lie.key]


def test_an_unexplored_map_leaves_every_claim_open() -> None:
    found = reconciled(AppGraph("org.tick"), static_graph(APP))
    assert found.counts == {"open": len(static_graph(APP).transitions)}
    assert found.graph.root == MAIN
    assert found.seen == ()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is missing")
def test_a_real_package_is_read_as_counted_before(tmp_path: Path) -> None:
    folder = str(Path(__file__).resolve().parents[2] / "worlds" / "apidemos")
    sys.path.insert(0, folder)
    try:
        from fetch import fetched  # type: ignore[import-not-found]
    finally:
        sys.path.remove(folder)
    apk = fetched()
    app = read_apk(apk)
    told = Static(app, static_graph(app)).as_json()
    assert told["activities"] == 331
    assert told["strings"] == 975
    assert told["leads"] == 36
    assert abs(told["listed"] - 315) <= 1
    # 220 call setContentView themselves, nine of them classes inside of others; six inherit it.
    assert told["with_layout"] == 226
    # Of 247 methods of that name in the whole file: 14 are AndroidX's, 34 answer dialogs, one takes nothing.
    assert app.counts["click_handlers"] == 198
    assert told["unverified"] == told["transitions"] > 300
    made = static_map(apk, out=tmp_path / "map")
    store = MapStore.open(tmp_path / "map", readonly=True)
    assert store.load() == made.graph
    store.close()
    with pytest.raises(MapError, match="already"):
        static_map(apk, out=tmp_path / "map")
    other = MapStore.create(tmp_path / "other", "org.other")
    other.close()
    with pytest.raises(UsageError, match=r"is a map of org\.other"):
        static_map(apk, explored=tmp_path / "other")


def test_a_file_that_is_no_package_is_refused_with_the_cure(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There is no file"):
        read_apk(tmp_path / "none.apk")
    (tmp_path / "text.apk").write_text("not a package")
    with pytest.raises(UsageError, match="give an APK file"):
        read_apk(tmp_path / "text.apk")
