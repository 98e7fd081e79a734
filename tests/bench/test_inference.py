"""Statistics against published cells, and against what scipy, statsmodels and scikit-learn give."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.bench.inference import agreement, correlation, holm, kappa, paired, power, tasks_needed
from waypost.bench.stats import bootstrap, mcnemar, wilson

A = [5, 4, 4, 5, 3, 4, 5, 2, 1, 2, 2, 5, 5, 1, 3, 5, 1, 4, 1, 3, 5, 2, 2, 2, 4, 2, 5, 3, 3, 3]
A += [3, 3, 3, 5, 5, 4, 4, 4, 2, 5, 3, 2, 5, 1, 5, 4, 1, 1, 3, 1, 1, 3, 5, 3, 5, 5, 5, 4, 3, 3]
B = [4, 4, 4, 4, 4, 3, 4, 1, 2, 3, 3, 4, 5, 1, 3, 4, 1, 5, 1, 2, 5, 1, 3, 3, 3, 2, 5, 4, 4, 3]
B += [2, 4, 3, 4, 4, 4, 5, 4, 2, 5, 4, 2, 5, 1, 4, 3, 1, 1, 3, 1, 1, 2, 5, 4, 5, 5, 5, 5, 3, 3]


def _arms(n: int, both: int, up: int, down: int) -> tuple[list[bool], list[bool]]:
    none = n - both - up - down
    first = [True] * both + [False] * up + [True] * down + [False] * none
    return first, [True] * both + [True] * up + [False] * down + [False] * none


def test_the_published_cells_of_tag_nav_come_out_of_their_counts() -> None:
    # 28/84 against 33/84 at p = 0.23 can only be 8 gained and 3 lost.
    six = paired(*_arms(84, 25, 8, 3))
    assert (six.first, six.second, round(six.p, 2)) == (28, 33, 0.23)
    others = [(up, up - 5) for up in range(5, 34) if round(mcnemar(up, up - 5), 2) == 0.23]
    assert others == [(8, 3)]
    five = paired(*_arms(68, 24, 11, 4))
    assert (five.first, five.second, five.up, five.down) == (28, 35, 11, 4)
    assert round(100 * five.difference, 1) == 10.3
    assert round(five.p, 2) == 0.12


@pytest.mark.parametrize(
    ("up", "down", "p"),
    [
        (11, 6, 0.332305908203125),
        (11, 4, 0.11846923828124999),
        (8, 3, 0.2265625),
        (0, 5, 0.0625),
        (1, 0, 1.0),
        (30, 12, 0.007915897334896727),
        (7, 7, 1.0),
    ],
)
def test_mcnemar_is_that_of_statsmodels(up: int, down: int, p: float) -> None:
    assert mcnemar(up, down) == pytest.approx(p, abs=1e-12)


def test_kappa_is_that_of_statsmodels_and_of_scikit_learn() -> None:
    assert kappa(A, B) == pytest.approx(0.37238493723849364, abs=1e-12)
    assert kappa(A, B, weights="linear") == pytest.approx(0.6774193548387097, abs=1e-12)
    assert kappa(A, B, weights="quadratic") == pytest.approx(0.8681318681318682, abs=1e-12)


def test_holm_and_wilson_and_spearman_are_those_of_the_libraries() -> None:
    told = holm([0.001, 0.01, 0.02, 0.04, 0.2, 0.9, 0.03])
    assert told == pytest.approx([0.007, 0.06, 0.1, 0.12, 0.4, 0.9, 0.12])
    assert wilson(28, 84) == pytest.approx((0.24177214000720681, 0.4394717694643464), abs=1e-6)
    assert wilson(35, 68) == pytest.approx((0.3983475330632514, 0.6294915452743935), abs=1e-6)
    assert wilson(0, 10)[1] == pytest.approx(0.27753279986288926, abs=1e-6)
    found = correlation([1, 2, 2, 3, 5, 4, 4, 6, 1, 7], [1, 1, 0, 1, 0, 0, 1, 0, 1, 0])
    assert found == pytest.approx(-0.6675919504799911, abs=1e-12)


@pytest.mark.parametrize(
    ("n", "up", "down", "seen"),
    [
        (40, 0.2, 0.05, 0.3637055421266889),
        (84, 11 / 84, 6 / 84, 0.16306971462319506),
        (68, 11 / 68, 4 / 68, 0.35242430812050796),
    ],
)
def test_power_is_what_enumeration_with_scipy_gives(n: int, up: float, down: float, seen: float) -> None:
    assert power(n, up, down) == pytest.approx(seen, abs=1e-9)


def test_the_tasks_that_are_needed_are_enough_and_one_less_is_not() -> None:
    needed = tasks_needed(0.3, 0.05)
    assert needed is not None
    assert power(needed, 0.3, 0.05) >= 0.8
    assert power(needed - 1, 0.3, 0.05) < 0.8
    assert tasks_needed(0.051, 0.05) is None


@pytest.mark.parametrize(("up", "down", "n"), [(0.25, 0.05, 80), (0.1, 0.1, 60)])
def test_the_paired_interval_covers_the_true_difference_about_as_often_as_it_says(
    up: float, down: float, n: int
) -> None:
    draws = np.random.default_rng(3).multinomial(n, [up, down, 1 - up - down], size=400)
    inside = 0
    for row, (gained, lost, _) in enumerate(draws):
        low, high = paired(*_arms(n, 0, int(gained), int(lost)), resamples=600, seed=row).ci95
        inside += low <= up - down <= high
    # 400 draws of a true 95 % lie within 2.2 points of it 95 times in 100; the bootstrap runs a little short.
    assert 0.91 <= inside / 400 <= 0.98


def test_the_interval_from_counts_is_that_of_resampled_tasks() -> None:
    first, second = _arms(84, 20, 15, 6)
    deltas = [float(b) - float(a) for a, b in zip(first, second, strict=True)]
    assert paired(first, second).ci95 == pytest.approx(bootstrap(deltas), abs=0.02)


def test_a_judge_is_told_by_what_it_lets_through_and_what_it_stops() -> None:
    found = agreement([True, True, False, False], [True, False, False, True], ([5, 4, 2, 1], [5, 2, 1, 4]))
    assert (found.false_pass, found.false_fail, found.agree, found.kappa) == (1, 1, 0.5, 0.0)
    assert found.linear is not None
    assert agreement([True], [True], ([0], [5])).linear is None


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60))
def test_a_difference_lies_in_its_interval_and_turns_round_with_its_arms(
    rows: list[tuple[bool, bool]],
) -> None:
    a, b = [x for x, _ in rows], [y for _, y in rows]
    there, back = paired(a, b, resamples=200), paired(b, a, resamples=200)
    assert there.ci95[0] <= there.difference <= there.ci95[1]
    assert there.difference == -back.difference
    assert there.p == back.p
