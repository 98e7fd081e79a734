"""Learn which page of its app a request means: `python training/tune.py tuned.npz [--start LEARNT.npz]`.

One step is one app: its requests against all its pages and against none of them (softmax), where requests
for what the app lacks mean none. Two and two are compared as the product compares them: by one vector a
text, and word piece by word piece (late interaction). The first layers stay as they are. Pages are told
a little differently each time, as no two explorations agree.
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
from encoder import Weights, general, hidden, inner, pack, still, unit  # noqa: E402
from invented import App, Page, apps, held_out  # noqa: E402

_PAGES, _ASKED, _LACKING = 28, 2, 8
_ROWS = _PAGES * _ASKED + _LACKING
_SIZE, _TOKENS = 384, 64
_SHARP, _NONE = 20.0, 0.4
"""What a cosine is multiplied with, and where "none" stands on that scale."""
_COUNT_OF_LACKING = 0.6
"""What a request for what the app lacks counts, against one for a page."""
_ALONE = 0.3
"""The share of the loss that looks at the vectors alone: the product also uses them so."""
_FASTER = {"none": 50.0, "late": 50.0, "tokens": 5.0, "shares": 20.0}
"""How much faster than the layers what is new may move."""


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
    """The weights, what compares word pieces, and what AdamW remembers of both."""

    def __init__(self, weights: Weights) -> None:
        rng = np.random.default_rng(0)
        turned, _ = np.linalg.qr(rng.normal(size=(_SIZE, _TOKENS)))
        new = {
            "tokens": turned.astype(np.float32),
            "shares": np.zeros((_SIZE, 1), np.float32),
            "late": np.float32(10.0),
            "none": np.float32(13.0),
        }
        self.weights: Weights = {}
        for name, value in (weights | {k: weights.get(k, v) for k, v in new.items()}).items():
            self.weights[name] = tf.constant(value) if still(name) else tf.Variable(value)
        self._moving = {k: v for k, v in self.weights.items() if not still(k)}
        self._first = {k: tf.Variable(tf.zeros_like(v)) for k, v in self._moving.items()}
        self._second = {k: tf.Variable(tf.zeros_like(v)) for k, v in self._moving.items()}

    @tf.function(reduce_retracing=False)
    def read(self, ids: Any, mask: Any) -> Any:
        """Return vectors, tokens and what each token counts."""
        x = hidden(self.weights, ids, mask)
        vectors = unit(tf.reduce_sum(x * mask[..., None], 1) / tf.reduce_sum(mask, 1, keepdims=True))
        flat, shape = tf.reshape(unit(x), (-1, _SIZE)), ids.shape
        tokens = tf.reshape(flat @ self.weights["tokens"], (*shape, _TOKENS))
        shares = tf.reshape(flat @ self.weights["shares"], shape) - 1e9 * (1 - inner(mask))
        return vectors, tokens, tf.nn.softmax(shares, -1)

    def _loss(self, asked: Any, pages: Any, real: Any, meant: Any, counts: Any) -> Any:
        vectors, tokens, shares = self.read(*asked)
        there, met, _ = self.read(*pages)
        flat = tf.matmul(tf.reshape(tokens, (-1, _TOKENS)), tf.reshape(met, (-1, _TOKENS)), transpose_b=True)
        matches = tf.reshape(flat, (*tokens.shape[:2], *met.shape[:2])) - 2 * (1 - inner(pages[1]))
        late = tf.einsum("qtp,qt->qp", tf.reduce_max(matches, -1), shares)
        alone = _SHARP * tf.matmul(vectors, there, transpose_b=True) - 1e9 * (1 - real)[None, :]
        both = alone + self.weights["late"] * late

        def said(scores: Any, none: Any) -> Any:
            scores = tf.concat([scores, tf.fill((_ROWS, 1), 1.0) * none], 1)
            return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=meant, logits=scores)

        lost = (1 - _ALONE) * said(both, self.weights["none"]) + _ALONE * said(alone, _SHARP * _NONE)
        return tf.reduce_sum(lost * counts) / tf.reduce_sum(counts)

    @tf.function(reduce_retracing=False)
    def learn(self, step: Any, rate: Any, n: Any) -> Any:
        """Take one step of AdamW, the slope cut to length one."""
        with tf.GradientTape() as tape:
            loss = self._loss(*step)
        slopes = [tf.convert_to_tensor(g) for g in tape.gradient(loss, list(self._moving.values()))]
        slopes, _ = tf.clip_by_global_norm(slopes, 1.0)
        for name, slope in zip(self._moving, slopes, strict=True):
            first, second, weight = self._first[name], self._second[name], self._moving[name]
            first.assign(0.9 * first + 0.1 * slope)
            second.assign(0.999 * second + 0.001 * slope**2)
            by = (first / (1 - 0.9**n)) / (tf.sqrt(second / (1 - 0.999**n)) + 1e-8)
            decay = 0.0 if name in _FASTER else 0.01
            weight.assign_sub(rate * _FASTER.get(name, 1.0) * (by + decay * weight))
        return loss

    def save(self, path: Path) -> None:
        np.savez(path, **{k: v.numpy() for k, v in self.weights.items() if not k.startswith("embeddings.")})


def measured(model: _Model, sets: Sequence[App]) -> str:
    """Say how often the page asked for comes first, and how well what is lacking is told from what is there.

    "Told" is the mean of both shares at the score that parts them best.
    """
    late = float(model.weights["late"].numpy())
    right, present, absent = [], [], []
    for app in sets:
        pages = _rows(model, [p.text() for p in app.pages])
        meant = [i for i, p in enumerate(app.pages) for _ in p.requests]
        asked = _rows(model, [r for p in app.pages for r in p.requests])
        for (vector, tokens, shares), page in zip(asked, meant, strict=True):
            scores = [_SHARP * v @ vector + late * shares @ (tokens @ t.T).max(1) for v, t, _ in pages]
            right.append(int(np.argmax(scores)) == page)
            present.append(max(scores))
        for vector, tokens, shares in _rows(model, app.absent):
            absent.append(
                max(_SHARP * v @ vector + late * shares @ (tokens @ t.T).max(1) for v, t, _ in pages)
            )
    there, lacking = np.array(present), np.array(absent)
    cuts = np.quantile(np.concatenate([there, lacking]), np.linspace(0, 1, 201))
    told_apart = max(((there >= c).mean() + (lacking < c).mean()) / 2 for c in cuts)
    return f"recall@1 {np.mean(right):.3f} (n {len(right)}), lacking told {told_apart:.3f} (n {len(lacking)})"


def _rows(model: _Model, texts: Sequence[str]) -> list[tuple[Any, Any, Any]]:
    found = []
    for start in range(0, len(texts), 32):
        part = texts[start : start + 32]
        ids, mask = pack(part, 32, 96)
        some = inner(tf.constant(mask)).numpy() > 0
        vectors, tokens, shares = (x.numpy() for x in model.read(ids, mask))
        found += [(vectors[i], tokens[i][some[i]], shares[i][some[i]]) for i in range(len(part))]
    return found


def _step(app: App, rng: random.Random) -> tuple[Any, ...]:
    """Return one app's requests, pages, which pages are some, what each request means, and what it counts."""
    pages = rng.sample(app.pages, min(_PAGES, len(app.pages)))
    asked = [(r, i) for i, p in enumerate(pages) for r in rng.sample(p.requests, _ASKED)]
    lacking = rng.sample(app.absent, min(_LACKING, len(app.absent)))
    empty = _ROWS - len(asked) - len(lacking)
    meant = np.array([i for _, i in asked] + [_PAGES] * len(lacking) + [0] * empty, np.int32)
    counts = [1.0] * len(asked) + [_COUNT_OF_LACKING] * len(lacking) + [0.0] * empty
    real = np.array([1.0] * len(pages) + [0.0] * (_PAGES - len(pages)), np.float32)
    requests = pack([r for r, _ in asked] + list(lacking), _ROWS, 18)
    told_pages = pack([told(p, rng) for p in pages], _PAGES, 64)
    return requests, told_pages, real, meant, np.array(counts, np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tuned", type=Path)
    parser.add_argument("--start", type=Path, help="weights of an earlier run; else the general ones")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--rate", type=float, default=6e-5)
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
            rate = options.rate * min(n / 20, max(0.02, (steps - n + 1) / steps))
            total += float(model.learn(_step(app, rng), tf.constant(rate, tf.float32), tf.constant(float(n))))
        print(
            f"epoch {epoch + 1}: loss {total / len(learned):.3f}, held out: {measured(model, held)}, "
            f"{time.monotonic() - began:.0f} s",
            flush=True,
        )
        model.save(options.tuned)


if __name__ == "__main__":
    main()
