"""Learn which page of its app a request means: `python training/tune.py tuned.npz [--start LEARNT.npz]`.

One step is one app: its requests against all its pages and against none of them (softmax over cosines; "none"
stands at a cosine of `_NONE`), where requests for what the app lacks mean none. The vocabulary stays as
it is, the six layers move. Pages are told a little differently each time, as no two explorations agree.
"""

import argparse
import os
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow as tf

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "src")]
from encoder import Weights, encode, general, pack  # noqa: E402
from invented import App, Page, apps, held_out  # noqa: E402

_PAGES, _ASKED, _LACKING = 32, 2, 8
_ROWS = _PAGES * _ASKED + _LACKING
_RATE, _SHARP, _NONE = 1e-4, 20.0, 0.4
_COUNT_OF_LACKING = 0.6
"""What a request for what the app lacks counts, against one for a page."""


def told(page: Page, rng: random.Random) -> str:
    """Say of a page what one exploration or another might have seen of it."""
    labels = [label for label in page.labels if rng.random() > 0.15]
    if rng.random() < 0.3:
        rng.shuffle(labels)
    meaning = page.meaning if rng.random() < 0.5 else ""
    way_in = page.way_in if rng.random() > 0.3 else ""
    text = replace(page, labels=tuple(labels), meaning=meaning, way_in=way_in).text()
    if rng.random() < 0.35 and len(labels) > 2:
        # Some are texts to read, or the first of a list.
        cut = rng.randint(1, len(labels) - 1)
        rest = (
            f". shows {'; '.join(labels[cut:])}"
            if rng.random() < 0.5
            else f". a list of entries such as {labels[cut]}"
        )
        text = f"{text[: text.rindex('. with ')]}. with {', '.join(labels[:cut])}{rest}"
    return text


class _Model:
    """The weights, and what AdamW remembers of them."""

    def __init__(self, weights: Weights) -> None:
        fixed = {k: tf.constant(v) for k, v in weights.items() if k.startswith("embeddings.")}
        self.layers = {k: tf.Variable(v) for k, v in weights.items() if k not in fixed}
        self.weights: Weights = {**fixed, **self.layers}
        self._first = {k: tf.Variable(tf.zeros_like(v)) for k, v in self.layers.items()}
        self._second = {k: tf.Variable(tf.zeros_like(v)) for k, v in self.layers.items()}

    @tf.function(reduce_retracing=False)
    def vectors(self, ids: Any, mask: Any) -> Any:
        return encode(self.weights, ids, mask)

    def _loss(self, asked: Any, pages: Any, real: Any, meant: Any, counts: Any) -> Any:
        cosines = tf.matmul(encode(self.weights, *asked), encode(self.weights, *pages), transpose_b=True)
        scores = cosines * _SHARP - 1e9 * (1 - real)[None, :]
        scores = tf.concat([scores, tf.fill((_ROWS, 1), _SHARP * _NONE)], 1)
        said = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=meant, logits=scores)
        return tf.reduce_sum(said * counts) / tf.reduce_sum(counts)

    @tf.function(reduce_retracing=False)
    def learn(self, step: Any, rate: Any, n: Any) -> Any:
        """Take one step of AdamW, the slope cut to length one."""
        with tf.GradientTape() as tape:
            loss = self._loss(*step)
        slopes = [tf.convert_to_tensor(g) for g in tape.gradient(loss, list(self.layers.values()))]
        slopes, _ = tf.clip_by_global_norm(slopes, 1.0)
        for name, slope in zip(self.layers, slopes, strict=True):
            first, second, weight = self._first[name], self._second[name], self.layers[name]
            first.assign(0.9 * first + 0.1 * slope)
            second.assign(0.999 * second + 0.001 * slope**2)
            by = (first / (1 - 0.9**n)) / (tf.sqrt(second / (1 - 0.999**n)) + 1e-8)
            weight.assign_sub(rate * (by + 0.01 * weight))
        return loss


def measured(model: _Model, sets: Sequence[App]) -> str:
    """Say how often the page asked for comes first, and how well what is lacking is told from what is there.

    "Told" is the mean of both shares at the cosine that parts them best.
    """
    right, present, absent = [], [], []
    for app in sets:
        pages = _rows(model, [p.text() for p in app.pages])
        cosines = _rows(model, [r for p in app.pages for r in p.requests]) @ pages.T
        meant = np.repeat(np.arange(len(app.pages)), [len(p.requests) for p in app.pages])
        right += list(np.argmax(cosines, 1) == meant)
        present += list(cosines.max(1))
        absent += list((_rows(model, app.absent) @ pages.T).max(1)) if app.absent else []
    there, lacking = np.array(present), np.array(absent)
    told_apart = max(((there >= c).mean() + (lacking < c).mean()) / 2 for c in np.linspace(0, 1, 101))
    return f"recall@1 {np.mean(right):.3f} (n {len(right)}), lacking told {told_apart:.3f} (n {len(lacking)})"


def _rows(model: _Model, texts: Sequence[str]) -> Any:
    parts = [texts[i : i + 32] for i in range(0, len(texts), 32)]
    return np.concatenate([model.vectors(*pack(p, 32, 96)).numpy()[: len(p)] for p in parts])


def _step(app: App, rng: random.Random) -> tuple[Any, ...]:
    """Return one app's requests, pages, which pages are some, what each request means, and what it counts."""
    pages = rng.sample(app.pages, min(_PAGES, len(app.pages)))
    asked = [(r, i) for i, p in enumerate(pages) for r in rng.sample(p.requests, _ASKED)]
    lacking = rng.sample(app.absent, min(_LACKING, len(app.absent)))
    empty = _ROWS - len(asked) - len(lacking)
    meant = np.array([i for _, i in asked] + [_PAGES] * len(lacking) + [0] * empty, np.int32)
    counts = [1.0] * len(asked) + [_COUNT_OF_LACKING] * len(lacking) + [0.0] * empty
    real = np.array([1.0] * len(pages) + [0.0] * (_PAGES - len(pages)), np.float32)
    requests = pack([r for r, _ in asked] + list(lacking), _ROWS, 28)
    return (
        requests,
        pack([told(p, rng) for p in pages], _PAGES, 80),
        real,
        meant,
        np.array(counts, np.float32),
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tuned", type=Path)
    parser.add_argument("--start", type=Path, help="weights of an earlier run; else the general ones")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    every = list(apps())
    learned, held = [a for a in every if not held_out(a)], [a for a in every if held_out(a)]
    model = _Model(general() | (dict(np.load(options.start)) if options.start else {}))
    rng, steps, n = random.Random(options.seed), options.epochs * len(learned), 0
    began = time.monotonic()
    print(f"{len(learned)} apps; held out, before: {measured(model, held)}", flush=True)
    for epoch in range(options.epochs):
        rng.shuffle(learned)
        total = 0.0
        for app in learned:
            n += 1
            rate = _RATE * min(n / 20, max(0.02, (steps - n + 1) / steps))
            total += float(model.learn(_step(app, rng), tf.constant(rate), tf.constant(float(n))))
        print(
            f"epoch {epoch + 1}: loss {total / len(learned):.3f}, held out: {measured(model, held)}, "
            f"{time.monotonic() - began:.0f} s",
            flush=True,
        )
        np.savez(options.tuned, **{k: v.numpy() for k, v in model.layers.items()})


if __name__ == "__main__":
    main()
