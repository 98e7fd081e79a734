import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from waypost.library.late import Late
from waypost.protocols import Reading, Vectors


def table(rows: int, seed: int) -> Vectors:
    return np.random.default_rng(seed).normal(size=(rows, 4)).astype(np.float32)


def asked(rows: int) -> Reading:
    shares = np.arange(1, rows + 1, dtype=np.float32)
    return Reading(np.ones(1, np.float32), table(rows, 99), shares / max(float(shares.sum()), 1.0))


@given(st.lists(st.integers(0, 5), max_size=8), st.integers(0, 4), st.data())
def test_a_score_is_the_weighted_mean_of_the_best_matches(
    lengths: list[int], rows: int, data: st.DataObject
) -> None:
    pages = [table(n, seed).astype(np.float16) for seed, n in enumerate(lengths)]
    chosen = data.draw(st.lists(st.sampled_from(range(len(pages))), unique=True)) if pages else []
    question = asked(rows)
    found = Late(pages).interaction(question, np.array(chosen, np.int64))
    for score, page in zip(found, chosen, strict=True):
        if not rows or not lengths[page]:
            assert np.isnan(score)
            continue
        best = [max(float(q @ p) for p in pages[page]) for q in question.tokens]
        assert np.isclose(score, float(np.dot(question.shares, best)), atol=1e-3)


def test_no_pages_have_no_scores() -> None:
    assert Late([]).interaction(asked(2), np.zeros(0, np.int64)).shape == (0,)
