"""Learn which page of its app a request means: `python training/tune.py tuned.npz [--epochs 3]`.

One step is one app: its requests against all its pages (softmax over cosines). The vocabulary stays as
it is, the six layers move. Pages are told a little differently each time, as no two explorations agree.
"""

import argparse
import random
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "src")]
from encoder import Weights, encode, general, pack  # noqa: E402
from invented import HELD_OUT, App, Page, apps  # noqa: E402

_PAGES, _ASKED = 32, 2
_RATE, _SHARP = 1e-4, 20.0


def told(page: Page, rng: random.Random) -> str:
    """Say of a page what one exploration or another might have seen of it."""
    labels = [label for label in page.labels if rng.random() > 0.15]
    if rng.random() < 0.3:
        rng.shuffle(labels)
    meaning = page.meaning if rng.random() < 0.5 else ""
    way_in = page.way_in if rng.random() > 0.3 else ""
    return replace(page, labels=tuple(labels), meaning=meaning, way_in=way_in).text()


def recall(weights: Weights, sets: Sequence[App]) -> float:
    """Return the share of requests whose page comes first."""
    right = asked = 0
    for app in sets:
        pages = _rows(weights, [p.text() for p in app.pages])
        requests = _rows(weights, [r for p in app.pages for r in p.requests])
        meant = np.repeat(np.arange(len(app.pages)), [len(p.requests) for p in app.pages])
        right += int((np.argmax(requests @ pages.T, 1) == meant).sum())
        asked += len(meant)
    return right / asked


def _rows(weights: Weights, texts: Sequence[str]) -> Any:
    parts = [texts[i : i + 32] for i in range(0, len(texts), 32)]
    return np.concatenate([np.asarray(_encode(weights, *pack(p, 32, 96)))[: len(p)] for p in parts])


_encode = jax.jit(encode)


def _loss(layers: Weights, fixed: Weights, asked: Any, pages: Any, meant: Any, counts: Any) -> Any:
    weights = {**layers, **fixed}
    scores = encode(weights, *asked) @ encode(weights, *pages).T * _SHARP
    said = -jnp.take_along_axis(jax.nn.log_softmax(scores, -1), meant[:, None], 1)[:, 0]
    return (said * counts).sum() / counts.sum()


def _step(app: App, rng: random.Random) -> tuple[Any, Any, Any, Any]:
    """Return one app's requests, pages, which page each request means, and which rows count."""
    pages = rng.sample(app.pages, min(_PAGES, len(app.pages)))
    requests = [(r, i) for i, p in enumerate(pages) for r in rng.sample(p.requests, _ASKED)]
    rows = _PAGES * _ASKED
    meant = np.array([i for _, i in requests] + [0] * (rows - len(requests)))
    counts = np.array([1.0] * len(requests) + [0.0] * (rows - len(requests)), np.float32)
    told_of = pack([told(p, rng) for p in pages], _PAGES, 64)
    return pack([r for r, _ in requests], rows, 24), told_of, meant, counts


@jax.jit
def _moved(layers: Weights, first: Weights, second: Weights, slope: Weights, rate: Any, n: Any) -> Any:
    """Take one step of AdamW, the slope cut to length one."""
    length = jnp.sqrt(sum((g**2).sum() for g in slope.values()))
    new: tuple[Weights, Weights, Weights] = ({}, {}, {})
    for name, weight in layers.items():
        g = slope[name] * jnp.minimum(1.0, 1.0 / length)
        m, v = 0.9 * first[name] + 0.1 * g, 0.999 * second[name] + 0.001 * g**2
        by = (m / (1 - 0.9**n)) / (jnp.sqrt(v / (1 - 0.999**n)) + 1e-8) + 0.01 * weight
        new[0][name], new[1][name], new[2][name] = weight - rate * by, m, v
    return new


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tuned", type=Path)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    every = list(apps())
    learned, held = [a for a in every if a.slug not in HELD_OUT], [a for a in every if a.slug in HELD_OUT]
    weights = {k: jnp.asarray(v) for k, v in general().items()}
    fixed = {k: v for k, v in weights.items() if k.startswith("embeddings.")}
    layers = {k: v for k, v in weights.items() if k not in fixed}
    first = second = {k: jnp.zeros_like(v) for k, v in layers.items()}
    slope_of = jax.jit(jax.value_and_grad(_loss))
    rng, steps, n = random.Random(options.seed), options.epochs * len(learned), 0
    print(f"held-out recall@1 before: {recall(weights, held):.3f}", flush=True)
    for epoch in range(options.epochs):
        rng.shuffle(learned)
        total = 0.0
        for app in learned:
            n += 1
            rate = _RATE * min(n / 20, (steps - n + 1) / (steps - 20))
            loss, slope = slope_of(layers, fixed, *_step(app, rng))
            layers, first, second = _moved(layers, first, second, slope, rate, n)
            total += float(loss)
        found = recall({**layers, **fixed}, held)
        print(
            f"epoch {epoch + 1}: loss {total / len(learned):.3f}, held-out recall@1 {found:.3f}", flush=True
        )
        np.savez(options.tuned, **{k: np.asarray(v) for k, v in layers.items()})


if __name__ == "__main__":
    main()
