"""The `openai` package, where it is first used: an address and a key in, a client of it out."""

from importlib.util import find_spec
from typing import Any

from waypost.errors import ModelError

__all__ = ["client", "sdk"]


def sdk() -> Any:
    """Import the SDK: it takes a second."""
    import openai

    return openai


def client(base_url: str, key: str, timeout: float) -> Any:
    """Return a client that asks once and waits `timeout` seconds. Raises ModelError with the cure."""
    if find_spec("openai") is None:
        raise ModelError('Models need the openai package: pip install "waypost[llm]"')
    return sdk().OpenAI(base_url=base_url, api_key=key or "none", timeout=timeout, max_retries=0)
