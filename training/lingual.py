"""Learn what turns the multilingual model's vectors towards what requests mean: `multilingual.npz` out.

    python training/lingual.py [--epochs 6] [--seed 0]

The model itself stays as it is; one matrix is learned that is added to its vectors, from the invented apps in
English and, three times as often, from those in Chinese that may be learned from. One step is one app: its
requests against all its pages and against none of them (softmax). A space that many languages share lets what
is learned in one serve the others; what is asked across them (`across/`) is measured only, since learning
from it too brought nothing. Runs in the project's own environment, in some minutes of one core.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path[:0] = [str(Path(__file__).parent)]
from invented import App, across, apps, held_out  # noqa: E402

from waypost.adapters.embedders import MultilingualEmbedder  # noqa: E402

_OUT = Path(__file__).parents[1] / "src/waypost/adapters/embedders/multilingual.npz"
_SHARP, _NONE = 20.0, 0.45
"""What a cosine is multiplied with, and the cosine at which "none" stands."""
_COUNT_OF_LACKING = 0.6
"""What a request for what the app lacks counts, against one for a page."""
_CHINESE = 3
"""How often a Chinese app is seen in an epoch: they are few."""
_DROPPED, _RATE, _DECAY, _WARM = 0.1, 1e-3, 0.3, 100
_KEPT = 0.85
"""The share of the matrix that is kept: turned less, vectors know more of what was not learned from."""


@dataclass(frozen=True, slots=True)
class Read:
    """An app as vectors, a row each."""

    slug: str
    pages: Any
    asked: Any
    """Requests for pages, then those for what the app lacks."""
    meant: Any
    """By request, the page; the number of pages for none."""


def read(app: App, model: MultilingualEmbedder) -> Read:
    """Embed an app with the model as it is."""
    asked = [(i, r) for i, page in enumerate(app.pages) for r in page.requests]
    asked += [(len(app.pages), r) for r in app.absent]
    pages = model.embed([page.text() for page in app.pages])
    return Read(app.slug, pages, model.embed([r for _, r in asked]), np.array([i for i, _ in asked]))


def turned(rows: Any, matrix: Any) -> tuple[Any, Any]:
    """Return unit rows, and how long they were."""
    rows = rows + rows @ matrix
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / lengths, lengths


def slope(app: Read, matrix: Any, mask: Any) -> Any:
    """Return the slope of the loss of one app by the matrix; `mask` drops some of the vectors' numbers."""
    there, asked = app.pages * mask, app.asked * mask
    (up, long), (uq, wide) = turned(there, matrix), turned(asked, matrix)
    scores = np.hstack([_SHARP * uq @ up.T, np.full((len(asked), 1), _SHARP * _NONE)])
    share = np.exp(scores - scores.max(1, keepdims=True))
    share /= share.sum(1, keepdims=True)
    share[np.arange(len(asked)), app.meant] -= 1
    count = np.where(app.meant < len(there), 1.0, _COUNT_OF_LACKING)
    by = _SHARP * (share * (count / count.sum())[:, None])[:, :-1]
    dq, dp = by @ up, by.T @ uq
    # Only what stands across a unit row moves it.
    dq = (dq - uq * (uq * dq).sum(1, keepdims=True)) / wide
    dp = (dp - up * (up * dp).sum(1, keepdims=True)) / long
    return (asked.T @ dq + there.T @ dp).astype(np.float32)


def learned(sets: Sequence[Read], epochs: int, seed: int) -> Any:
    """Return the matrix, by AdamW."""
    rng = np.random.default_rng(seed)
    matrix = np.zeros((sets[0].pages.shape[1],) * 2, np.float32)
    first, second, step = np.zeros_like(matrix), np.zeros_like(matrix), 0
    for epoch in range(epochs):
        for place in rng.permutation(len(sets)):
            mask = (rng.random(len(matrix)) > _DROPPED) / (1 - _DROPPED)
            g = slope(sets[place], matrix, mask)
            step += 1
            first, second = 0.9 * first + 0.1 * g, 0.999 * second + 0.001 * g * g
            by = (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
            rate = _RATE * min(1.0, step / _WARM) * (1 - epoch / epochs)
            matrix -= rate * (by + _DECAY * matrix)
    return matrix


def figures(sets: Sequence[Read], matrix: Any) -> str:
    """Say how often the page that is meant comes first, and how well one cosine tells what is lacking."""
    right, present, lacking = [], [], []
    for app in sets:
        scores = turned(app.asked, matrix)[0] @ turned(app.pages, matrix)[0].T
        there = app.meant < len(app.pages)
        right += list(scores[there].argmax(1) == app.meant[there])
        present += list(scores[there].max(1))
        lacking += list(scores[~there].max(1))
    told = (np.array(present)[:, None] > np.array(lacking)[None]).mean()
    return f"first {np.mean(right):.3f} of {len(right)}, lacking told {told:.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    model = MultilingualEmbedder(tuned=False)
    known: list[Read] = []
    measured: dict[str, list[Read]] = {}
    for name, sets, times in (("English", apps(), 1), ("Chinese", apps(chinese=True), _CHINESE)):
        for app in sets:
            if held_out(app):
                measured.setdefault(name, []).append(read(app, model))
            else:
                known += [read(app, model)] * times
        print(f"{name}: read", file=sys.stderr, flush=True)
    measured["across"] = [read(app, model) for app in across()]
    matrix = _KEPT * learned(known, options.epochs, options.seed)
    for name, sets in measured.items():
        print(f"{name}: {figures(sets, np.zeros_like(matrix))} -> {figures(sets, matrix)}")
    np.savez_compressed(_OUT, turn=matrix.astype(np.float16))
    print(f"{_OUT.name}: {_OUT.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
