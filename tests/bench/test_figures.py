import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.bench import (
    LabelJudge,
    LookJudge,
    StepLog,
    Trial,
    Truth,
    coverage,
    figures,
    joined,
    mcnemar,
    run,
    wilson,
)
from waypost.bench.stats import bootstrap
from waypost.model import (
    AppGraph,
    Bounds,
    Decision,
    Element,
    Episode,
    Hypernode,
    NodeId,
    Observation,
    PageKind,
    Press,
    Screen,
    Step,
    StopReason,
    Target,
    Task,
)

THERE = Task("there", "app", "go", Target(page="app/a"), shortest=2)
ABSENT = Task("absent", "app", "go", None)


def _look(*labels: str, path: str = "/", hidden: str = "") -> Observation:
    box = Bounds(0, 0, 10, 10)
    seen = tuple(Element(text=label, bounds=box) for label in labels)
    unseen = (Element(text=hidden, bounds=box, visible=False),) if hidden else ()
    return Observation(Screen(Element(children=(*seen, *unseen), bounds=box), activity=path))


def _episode(task: Task, actions: int, *, claimed: bool) -> Episode:
    steps = tuple(Step(_look(), Decision(Press("back"))) for _ in range(actions))
    stop = StopReason.ARRIVED if claimed else StopReason.NOT_ON_MAP
    return Episode(task, steps, _look("x"), stop, claimed=claimed)


def _trial(task: Task, *, claimed: bool, passed: bool, actions: int = 2, named: bool = False) -> Trial:
    episode = _episode(task, actions, claimed=claimed)
    return Trial("arm", task, episode, passed, shortest=task.shortest, as_named=named or passed)


def test_standing_on_the_target_without_saying_so_is_no_success() -> None:
    assert not _trial(THERE, claimed=False, passed=True).success


def test_a_claim_that_the_judge_refuses_is_a_false_arrival() -> None:
    assert _trial(THERE, claimed=True, passed=False).false_arrival
    assert _trial(ABSENT, claimed=True, passed=False).false_arrival
    assert not _trial(ABSENT, claimed=False, passed=False).false_arrival


def test_a_true_claim_of_another_page_is_a_wrong_page_and_no_success() -> None:
    trial = _trial(THERE, claimed=True, passed=False, named=True)
    assert trial.wrong_page
    assert not trial.false_arrival
    assert not trial.success
    assert not _trial(ABSENT, claimed=True, passed=False, named=True).abstained


def test_path_length_weighs_a_success_and_never_rewards_a_failure() -> None:
    assert _trial(THERE, claimed=True, passed=True, actions=4).spl == 0.5
    assert _trial(THERE, claimed=True, passed=False).spl == 0.0
    assert _trial(ABSENT, claimed=False, passed=False).spl is None


def test_figures_keep_present_and_absent_tasks_apart() -> None:
    rows = [
        _trial(THERE, claimed=True, passed=True),
        _trial(THERE, claimed=True, passed=False),
        _trial(ABSENT, claimed=False, passed=False),
    ]
    arm = figures(rows)["arm"]
    assert (arm.n, arm.success, arm.absent_n, arm.abstained, arm.false_arrivals) == (2, 0.5, 1, 1.0, 1)
    assert arm.spl == 0.5
    assert arm.wrong_page == 0
    assert arm.ci95 == wilson(1, 2)


def test_a_look_passes_only_with_every_part_of_the_target() -> None:
    judge, task = LookJudge(), Task("t", "app", "go", Target(url="/set", has=("^Theme$",), lacks=("Delete",)))
    assert judge.judge(task, _look("Theme", path="/settings")).passed
    assert not judge.judge(task, _look("Theme", path="/")).passed
    assert not judge.judge(task, _look("Themes", path="/settings")).passed
    assert not judge.judge(task, _look("Theme", "delete it", path="/settings")).passed
    assert not judge.judge(ABSENT, _look("Theme")).passed


def test_what_cannot_be_seen_neither_passes_nor_fails_a_look() -> None:
    judge = LookJudge()
    assert not judge.judge(Task("t", "app", "go", Target(has=("Theme",))), _look(hidden="Theme")).passed
    assert judge.judge(
        Task("t", "app", "go", Target(has=("A",), lacks=("B",))), _look("A", hidden="B")
    ).passed


def test_a_look_judge_refuses_a_target_that_it_cannot_see() -> None:
    with pytest.raises(ValueError, match="LabelJudge"):
        LookJudge().judge(THERE, _look("x"))


def test_run_judges_every_task_under_every_arm() -> None:
    judge = LabelJudge(lambda look: "app/a")
    arms = {
        "yes": lambda t: _episode(t, 2, claimed=True),
        "no": lambda t: _episode(t, 0, claimed=False),
    }
    trials = list(run([THERE, ABSENT], arms, judge))
    assert [(t.arm, t.task.id, t.success) for t in trials] == [
        ("yes", "there", True),
        ("no", "there", False),
        ("yes", "absent", False),
        ("no", "absent", False),
    ]
    assert [t.false_arrival for t in trials] == [False, False, True, False]


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_symmetric_and_a_probability(up: int, down: int) -> None:
    assert mcnemar(up, down) == mcnemar(down, up)
    assert 0 < mcnemar(up, down) <= 1


@given(st.integers(1, 200), st.data())
def test_wilson_holds_the_share(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    low, high = wilson(k, n)
    assert 0 <= low <= k / n <= high <= 1


def test_bootstrap_gives_the_same_interval_for_the_same_seed() -> None:
    values = [0.0, 0.5, 1.0, 1.0]
    assert bootstrap(values) == bootstrap(values)
    assert bootstrap(values)[0] < sum(values) / 4 < bootstrap(values)[1]
    assert bootstrap([]) == (0.0, 1.0)


def _graph(**kinds: PageKind) -> AppGraph:
    nodes = {NodeId(n): Hypernode(NodeId(n), kind=k) for n, k in kinds.items()}
    return AppGraph("app", nodes=nodes, steps=3)


TRUTH = Truth(frozenset({"app/a", "app/b", "app/c"}), frozenset({"app/a", "app/b"}))


def _coverage(graph: AppGraph, *steps: tuple[str, str, str, str]) -> "dict[str, object]":
    log = StepLog(lambda at: "")
    log.steps = [(NodeId(s), "k", NodeId(t), before, after) for s, t, before, after in steps]
    found = coverage(graph, log, TRUTH, lambda n: n)
    return {**found.as_json(), "missing": found.missing}


def test_a_clean_map_scores_one_page_a_page() -> None:
    graph = _graph(x=PageKind.PAGE, y=PageKind.PAGE)
    found = _coverage(graph, ("x", "y", "app/a", "app/b"), ("y", "x", "app/b", "app/a"))
    assert (found["coverage"], found["false_edges"], found["pages_per_true_page"]) == (1.0, 0, 1.0)


def test_a_split_and_a_merge_do_not_cancel_out() -> None:
    graph = _graph(x=PageKind.PAGE, y=PageKind.PAGE, z=PageKind.PAGE)
    found = _coverage(
        graph,
        ("x", "y", "app/a", "app/a"),
        ("y", "z", "app/a", "app/b"),
        ("y", "z", "app/a", "app/b"),
        ("y", "z", "app/a", "app/c"),
    )
    assert (found["splits"], found["merges"], found["false_edges"]) == (1, 1, 1)
    assert found["pages_per_true_page"] == 2.0


def test_a_page_filed_away_as_an_overlay_is_a_false_edge() -> None:
    graph = _graph(x=PageKind.PAGE, ad=PageKind.OVERLAY)
    assert _coverage(graph, ("x", "ad", "app/a", "side:ad"))["false_edges"] == 0
    found = _coverage(graph, ("x", "ad", "app/a", "app/b"))
    assert (found["false_edges"], found["missing"]) == (1, ("app/b",))


def test_apps_add_up() -> None:
    log = StepLog({1.0: "app/a", 2.0: "app/b"}.__getitem__)
    log.add(NodeId("x"), "k", NodeId("y"), 1.0, 2.0)
    one = coverage(_graph(x=PageKind.PAGE, y=PageKind.PAGE), log, TRUTH, lambda n: n)
    assert joined([one, one]).pages_found == 4
    assert joined([one, one]).coverage == 1.0
