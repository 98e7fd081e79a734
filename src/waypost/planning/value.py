"""How promising an action is for a task: words and a few figures in, a calibrated chance out (EAM's Q model).

A small network in NumPy over likenesses of texts: the task against the page, the way so far, the action and
where it leads. It sees nothing else, no task's name and no record of who went where, so a task that
helped to draw the map is not told apart from any other.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from waypost.errors import ModelError

__all__ = ["FEATURES", "Sample", "ValueModel", "features", "trained"]

Array: TypeAlias = NDArray[np.float64]
FEATURES = 12
_HIDDEN = 16
_SIZE = 256
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Sample:
    """One action at one place in a search tree, and what came of it."""

    task: str
    inputs: tuple[float, ...]
    target: float
    """q = max(r, 0.95 times the mean of its children), 0 to 1 (EAM)."""


def features(task: str, page: str, way: Sequence[str], action: str, target: str, *figures: float) -> Array:
    """Return the inputs of the model: likenesses, then `figures`.

    Those are the chance, the hops so far, and whether it is a way back, hazardous, untried, unverified.

    >>> features("sound volume", "Settings", [], "Sound", "Sound", 0.9, 1, 0, 0, 0, 0).shape
    (12,)
    """
    texts = [page, " ".join(way), action, target]
    wanted = _grams(task)
    likenesses = [_alike(wanted, _grams(text)) for text in texts]
    words = set(_words(task))
    said = set(_words(f"{action} {target}"))
    shared = len(words & said) / max(1, len(words))
    got = len(words & set(_words(f"{page} {' '.join(way)}"))) / max(1, len(words))
    return np.array([*likenesses, shared, got, *figures], dtype=np.float64)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _grams(text: str) -> Array:
    """Return letter trigrams, hashed."""
    counts = np.zeros(_SIZE)
    for word in _words(text):
        padded = f" {word} "
        for i in range(max(1, len(padded) - 2)):
            counts[crc32(padded[i : i + 3].encode()) % _SIZE] += 1.0
    return counts


def _alike(a: Array, b: Array) -> float:
    size = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / size if size else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class ValueModel:
    """One hidden layer; `scale` and `shift` are the calibration, fitted on tasks that training left out."""

    mean: Array
    spread: Array
    hidden: Array
    hidden_bias: Array
    output: Array
    output_bias: float
    scale: float = 1.0
    shift: float = 0.0

    def logits(self, inputs: Array) -> Array:
        """Return a number for each row, before calibration."""
        layer = np.tanh((inputs - self.mean) / self.spread @ self.hidden + self.hidden_bias)
        found: Array = layer @ self.output + self.output_bias
        return found

    def values(self, inputs: Array) -> Array:
        """Return the chance, 0 to 1, that each row's action leads to the goal."""
        return _sigmoid(self.scale * self.logits(inputs) + self.shift)

    def save(self, path: Path) -> None:
        """Write the model; it belongs beside the map that it was trained on."""
        numbers = {f: getattr(self, f) for f in self.__dataclass_fields__}
        with path.open("wb") as file:
            np.savez(file, format=_FORMAT, **numbers)

    @classmethod
    def load(cls, path: Path) -> "ValueModel":
        """Read a model. Raises ModelError where there is none, or one of another kind."""
        try:
            with np.load(path, allow_pickle=False) as read:
                if int(read["format"]) != _FORMAT or read["mean"].shape != (FEATURES,):
                    raise ModelError(f"{str(path)!r} is a model of another version; train it anew")
                values: dict[str, Any] = {f: read[f] for f in cls.__dataclass_fields__}
        except (OSError, KeyError, ValueError) as e:
            raise ModelError(f"{str(path)!r} is no value model ({e}); train one") from e
        for name in ("output_bias", "scale", "shift"):
            values[name] = float(values[name])
        return cls(**values)


def trained(
    samples: Sequence[Sample], *, held_out: Sequence[Sample], seed: int = 0, rounds: int = 400
) -> ValueModel:
    """Train by weighted cross-entropy (1 + 4y, EAM), then calibrate on `held_out`.

    Raises ValueError where a task is in both: what is calibrated, or scored, on tasks it was trained
    on knows their answers.
    """
    both = {s.task for s in samples} & {s.task for s in held_out}
    if both or not samples:
        raise ValueError(
            f"tasks in training and held out: {sorted(both)[:3]}" if both else "nothing to learn"
        )
    rng = np.random.default_rng(seed)
    inputs, targets = _stacked(samples)
    mean, spread = inputs.mean(0), inputs.std(0) + 1e-3
    scaled = (inputs - mean) / spread
    weights = [
        rng.normal(0, 0.5, (FEATURES, _HIDDEN)),
        np.zeros(_HIDDEN),
        rng.normal(0, 0.5, _HIDDEN),
        np.zeros(1),
    ]
    _descend(weights, scaled, targets, 1.0 + 4.0 * targets, rounds)
    hidden, hidden_bias, output, output_bias = weights
    model = ValueModel(mean, spread, hidden, hidden_bias, output, float(output_bias[0]))
    return _calibrated(model, held_out) if held_out else model


def _stacked(samples: Sequence[Sample]) -> tuple[Array, Array]:
    return np.array([s.inputs for s in samples]), np.array([s.target for s in samples])


def _descend(weights: list[Array], inputs: Array, targets: Array, counts: Array, rounds: int) -> None:
    """Adam on all samples at once; changes `weights` in place."""
    first, second = [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights]
    for step in range(1, rounds + 1):
        layer = np.tanh(inputs @ weights[0] + weights[1])
        wrong = counts * (_sigmoid(layer @ weights[2] + weights[3]) - targets) / counts.sum()
        back = np.outer(wrong, weights[2]) * (1.0 - layer**2)
        slopes = [inputs.T @ back, back.sum(0), layer.T @ wrong, np.array([wrong.sum()])]
        for i, slope in enumerate(slopes):
            slope = slope + 1e-4 * weights[i]
            first[i] = 0.9 * first[i] + 0.1 * slope
            second[i] = 0.999 * second[i] + 0.001 * slope**2
            rate = 0.02 * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
            weights[i] -= rate * first[i] / (np.sqrt(second[i]) + 1e-8)


def _calibrated(model: ValueModel, samples: Sequence[Sample]) -> ValueModel:
    """Fit scale and shift by Newton's method on the unweighted cross-entropy (Platt)."""
    inputs, targets = _stacked(samples)
    logits = model.logits(inputs)
    rows = np.stack([logits, np.ones_like(logits)], axis=1)
    fitted = np.array([1.0, 0.0])
    for _ in range(25):
        found = _sigmoid(rows @ fitted)
        slope = rows.T @ (found - targets) + 1e-3 * (fitted - [1.0, 0.0])
        bend = (rows * (found * (1 - found))[:, None]).T @ rows + 1e-3 * np.eye(2)
        fitted = fitted - np.linalg.solve(bend, slope)
    return ValueModel(
        model.mean,
        model.spread,
        model.hidden,
        model.hidden_bias,
        model.output,
        model.output_bias,
        float(fitted[0]),
        float(fitted[1]),
    )


def _sigmoid(x: Array) -> Array:
    found: Array = 1.0 / (1.0 + np.exp(-np.clip(x, -40, 40)))
    return found
