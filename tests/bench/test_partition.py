"""The scores of a partition are held against what counting pairs one by one gives."""

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.bench.growth import costs
from waypost.bench.held_out import PairTable, left_out
from waypost.bench.partition import by_cause, mistakes, partition_scores
from waypost.model import Screen

untimed = settings(deadline=None)
labels = st.sampled_from(["a", "b", "c"])
groups = st.sampled_from([None, 0, 1, 2])
partitions = st.lists(st.tuples(labels, groups), min_size=1, max_size=12)


def _together(found: Sequence[int | None], i: int, j: int) -> bool:
    return found[i] is not None and found[i] == found[j]


@untimed
@given(partitions)
def test_the_shares_are_those_of_counting_every_pair(looks: list[tuple[str, int | None]]) -> None:
    truth, found = [t for t, _ in looks], [g for _, g in looks]
    pairs = list(itertools.combinations(range(len(looks)), 2))
    real = [(i, j) for i, j in pairs if truth[i] == truth[j]]
    claimed = [(i, j) for i, j in pairs if _together(found, i, j)]
    hits = set(real) & set(claimed)
    s = partition_scores(truth, found, resamples=20)
    assert s.pair_precision == pytest.approx(len(hits) / len(claimed) if claimed else 1.0)
    assert s.pair_recall == pytest.approx(len(hits) / len(real) if real else 1.0)
    both = s.pair_precision + s.pair_recall
    assert s.pair_f1 == pytest.approx(2 * s.pair_precision * s.pair_recall / both if both else 0.0)


@untimed
@given(partitions)
def test_b_cubed_is_the_mean_over_looks(looks: list[tuple[str, int | None]]) -> None:
    truth, found = [t for t, _ in looks], [g for _, g in looks]
    precision, recall = [], []
    for i in range(len(looks)):
        mates = [j for j in range(len(looks)) if i == j or _together(found, i, j)]
        page = [j for j in range(len(looks)) if truth[i] == truth[j]]
        hit = len(set(mates) & set(page))
        precision.append(hit / len(mates))
        recall.append(hit / len(page))
    p, r = np.mean(precision), np.mean(recall)
    assert partition_scores(truth, found, resamples=1).b3_f1 == pytest.approx(2 * p * r / (p + r))


@untimed
@given(partitions)
def test_split_and_merge_are_shares_of_pages(looks: list[tuple[str, int | None]]) -> None:
    truth, found = [t for t, _ in looks], [g for _, g in looks]
    pages = sorted(set(truth))
    split = sum(
        any(t == u == p and not _together(found, i, j) for (i, t), (j, u) in _pairs(truth)) for p in pages
    )
    merge = sum(
        any(t != u and p in (t, u) and _together(found, i, j) for (i, t), (j, u) in _pairs(truth))
        for p in pages
    )
    s = partition_scores(truth, found, resamples=1)
    assert (s.split, s.merge) == pytest.approx((split / len(pages), merge / len(pages)))


def _pairs(truth: list[str]) -> list[tuple[tuple[int, str], tuple[int, str]]]:
    return list(itertools.combinations(enumerate(truth), 2))


@untimed
@given(partitions)
def test_mistakes_are_all_wrong_pairs_and_no_other(looks: list[tuple[str, int | None]]) -> None:
    truth, found = [t for t, _ in looks], [g for _, g in looks]
    wrong = {"joined": 0, "parted": 0}
    for (i, t), (j, u) in _pairs(truth):
        if (t == u) != _together(found, i, j):
            wrong["parted" if t == u else "joined"] += 1
    told = mistakes(truth, found)
    assert {k: sum(m.pairs for m in told if m.kind == k) for k in wrong} == wrong
    for m in told:
        assert (truth[m.a], truth[m.b]) == m.pages
        assert (m.kind == "joined") == _together(found, m.a, m.b) == (m.pages[0] != m.pages[1])


@untimed
@given(partitions, st.data())
def test_a_cause_counts_the_pairs_that_it_bears_on(
    looks: list[tuple[str, int | None]], data: st.DataObject
) -> None:
    truth, found = [t for t, _ in looks], [g for _, g in looks]
    bears = data.draw(st.lists(st.booleans(), min_size=len(looks), max_size=len(looks)))
    causes = [("scroll",) if b else () for b in bears]
    touched = [(i, j) for (i, _), (j, _) in _pairs(truth) if bears[i] or bears[j]]
    same = [(i, j) for i, j in touched if truth[i] == truth[j]]
    scores = by_cause(truth, found, causes)
    assert set(scores) == ({"scroll"} if any(bears) else set())
    for s in scores.values():
        assert s.looks == sum(bears)
        assert s.pairs == len(same)
        assert s.recall == pytest.approx(
            sum(_together(found, i, j) for i, j in same) / len(same) if same else 1.0
        )
        assert s.wrong == sum(_together(found, i, j) for i, j in touched if (i, j) not in same)


def test_a_perfect_partition_has_a_perfect_interval() -> None:
    s = partition_scores(["a", "a", "b", "c"], [1, 1, 2, 3])
    assert s.as_json() == {
        "pair_precision": 1.0,
        "pair_recall": 1.0,
        "pair_f1": 1.0,
        "b3_f1": 1.0,
        "split": 0.0,
        "merge": 0.0,
        "ci95": [1.0, 1.0],
    }


def test_the_interval_is_of_one_seed_and_holds_the_share() -> None:
    truth = [f"page {n // 6}" for n in range(60)]
    found = [n // 6 + 100 * (n % 6 == 0 and n % 4 == 0) for n in range(60)]
    s = partition_scores(truth, found, seed=3)
    assert s.ci95 == partition_scores(truth, found, seed=3).ci95
    assert s.ci95[0] < s.pair_f1 < s.ci95[1] <= 1.0
    # Half of the pages, hence half the truth to go by: the interval is the wider one.
    half = partition_scores(truth[:30], found[:30], seed=3)
    assert half.ci95[1] - half.ci95[0] > s.ci95[1] - s.ci95[0]


def _table(app: str, same: float, other: float) -> PairTable:
    """Two pages of two looks each, as alike as said within a page and across."""
    alike = np.full((4, 4), other, np.float32)
    alike[:2, :2] = alike[2:, 2:] = same
    np.fill_diagonal(alike, 1.0)
    return PairTable(app, ("a", "a", "b", "b"), (0, 1, 2, 3), np.full((4, 4), np.nan, np.float32), alike)


def test_thresholds_come_from_the_other_apps_alone() -> None:
    tables = {"one": _table("p", 0.9, 0.7), "two": _table("q", 0.6, 0.3), "again": _table("p", 0.9, 0.7)}
    grid = [(0.0, layout) for layout in (0.5, 0.8)]
    chosen = left_out(tables, grid)
    # What does best on `two` joins everything of `one`, and the other way round.
    assert chosen == {"one": (0.0, 0.5), "two": (0.0, 0.8), "again": (0.0, 0.5)}
    assert tables["one"].f1((0.0, 0.8)) == 1.0
    assert tables["one"].f1((0.0, 0.5)) < 1.0
    assert left_out({"one": tables["one"]}, grid) == {"one": None}


def test_costs_are_measured_on_ever_more_looks() -> None:
    ticks = itertools.count()
    seen: list[int] = []

    def sort(screens: Sequence[Screen]) -> object:
        seen.append(len(screens))
        return [bytes(1000) for _ in screens]

    found = costs(sort, [Screen()] * 50, (10, 40, 100), lambda: float(next(ticks)))
    assert seen == [10, 10, 40, 40]
    assert [(c.looks, c.seconds) for c in found] == [(10, 0.1), (40, 1 / 40)]
    assert found[1].peak > 39_000 > found[0].peak
