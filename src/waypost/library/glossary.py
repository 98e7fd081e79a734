"""What a label means in other words: a page's labels in, explanations from `glossary.txt` out.

People ask for "the things I picked to buy" where a screen says "Basket". Models of a few megabytes do
not bridge that; a line of general vocabulary does. The glossary knows kinds of pages, never an app.
"""

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numpy as np

from waypost.library.words import STOP, fold, tokens
from waypost.protocols import Vectors

__all__ = ["VECTORS", "digest", "explained", "kinds", "ready"]

VECTORS = Path(__file__).with_name("glossary.npz")
"""The glossary as the default embedder sees it; made by `scripts/glossary_vectors.py`."""

_MOST = 4
"""Explanations that one page gets; more would drown what was seen there."""
_PARTS = 3
"""Explanations that one label gets by its parts, where it is not known as a whole."""
_SHOWN = 4
"""Other labels that are quoted from a line."""
_PLAIN = frozenset(
    tokens("settings options preferences list page view new add edit details info select choose")
)
"""Words that explain nothing as a mere part of a label."""


def explained(labels: Iterable[str]) -> tuple[str, ...]:
    """Say what labels mean; known labels in full before parts of unknown ones.

    >>> explained(["Added to your basket"])
    ('basket, cart, shopping cart, shopping bag: things I picked to buy but have not paid yet',)
    >>> explained(["Qwertz"])
    ()
    """
    whole: list[str] = []
    parts: list[str] = []
    for label in labels:
        key = tuple(tokens(fold(label)))
        if found := _lines().get(key):
            whole += found
        elif key:
            parts += _in_parts(key, fold(label))
    return tuple(dict.fromkeys([*whole, *parts]))[:_MOST]


def _in_parts(key: tuple[str, ...], label: str) -> list[str]:
    """Explain the longest known parts of a label, the last ones first: there stands what it is about."""
    found: list[str] = []
    taken: set[int] = set()
    for length in range(min(len(key) - 1, 4), 0, -1):
        for start in range(len(key) - length, -1, -1):
            part = key[start : start + length]
            places = set(range(start, start + length))
            if length == 1 and (part[0] in _PLAIN or part[0] in STOP or len(part[0]) == 1):
                continue
            if part in _lines() and not places & taken:
                taken |= places
                found += _lines()[part][:2]
    if not label.isascii() and not found:
        # Scripts without spaces: a known label anywhere inside.
        inside = [known for known in _unspaced() if known in label]
        found = [line for known in inside for line in _lines()[tuple(tokens(known))][:1]]
    return found[:_PARTS]


@cache
def kinds() -> tuple[str, ...]:
    """Return every explanation that there is: the kinds of pages that apps have.

    >>> explained(["Basket"])[0] in kinds()
    True
    """
    return tuple(dict.fromkeys(_said(labels, meaning) for labels, meaning in _entries()))


def digest() -> str:
    """Return what tells one state of the glossary from another."""
    return hashlib.sha256("\n".join(kinds()).encode()).hexdigest()


def ready(model: str) -> Vectors | None:
    """Return unit rows for `kinds`, where they were made in advance for this model and this glossary."""
    try:
        with np.load(VECTORS) as stored:
            if str(stored["model"]) != model or str(stored["digest"]) != digest():
                return None
            rows: Vectors = stored["rows"].astype(np.float32)
    except (OSError, ValueError, KeyError):
        return None
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def _said(labels: tuple[str, ...], meaning: str) -> str:
    return f"{', '.join(labels[:_SHOWN])}: {meaning}"


@cache
def _entries() -> tuple[tuple[tuple[str, ...], str], ...]:
    entries = []
    text = Path(__file__).with_name("glossary.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            labels, _, meaning = line.partition(": ")
            entries.append((tuple(label.strip() for label in labels.split(",")), meaning))
    return tuple(entries)


@cache
def _lines() -> dict[tuple[str, ...], tuple[str, ...]]:
    lines: dict[tuple[str, ...], tuple[str, ...]] = {}
    for labels, meaning in _entries():
        said = _said(labels, meaning)
        for label in labels:
            key = tuple(tokens(fold(label)))
            lines[key] = (*lines.get(key, ()), said)
    return lines


@cache
def _unspaced() -> tuple[str, ...]:
    """Return the labels of two letters and more in scripts without spaces, longest first."""
    labels = {fold(x) for names, _ in _entries() for x in names if not x.isascii() and len(x) > 1}
    return tuple(sorted(labels, key=lambda x: (-len(x), x)))
