"""Any OpenAI-compatible endpoint as a `Chat`: DashScope, OpenAI, vLLM, Ollama, llama.cpp and their like."""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from waypost.adapters.llm.faults import Asked, fault, told
from waypost.adapters.llm.sdk import client, sdk
from waypost.adapters.llm.wire import Completion, Request, Turn
from waypost.errors import BusyError, ModelError

__all__ = ["Endpoint", "OpenAiChat"]

_FORMS = ("json_schema", "json_object", "")
"""Ways to ask for JSON, the strictest first; what a server refuses is not asked of it again."""
_KINDS = ((b"\x89PNG", "png"), (b"\xff\xd8", "jpeg"), (b"RIFF", "webp"), (b"GIF8", "gif"))


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is served, and how it is to answer."""

    model: str
    base_url: str = "https://api.openai.com/v1"
    key: str = field(default="", repr=False)
    """Empty for servers that want none."""
    timeout: float = 120.0
    """Seconds for one reply."""
    max_tokens: int = 2_048
    """Most tokens of one reply."""
    images: bool = True
    """False for a model that takes no pictures: they are left out, the words stay."""


class OpenAiChat:
    """Speaks to one model; what a server does not know (schemas, a limit's name) is found out and left."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._lock = Lock()
        self._client: Any = None
        self._form = 0
        self._limit = "max_tokens"
        self._temperature = True
        self._asked = Asked(endpoint.model, endpoint.base_url, endpoint.timeout)

    @property
    def model(self) -> str:
        return self._endpoint.model

    def complete(self, request: Request) -> Completion:
        connected = self._connected()
        for _ in range(5):
            form, sent = self._form, self._arguments(request)
            try:
                reply = connected.chat.completions.create(**sent)
            except sdk().BadRequestError as e:
                if not self._gives_way(str(e), form, sent):
                    raise ModelError(f"{self.model} refused the question: {told(e)}") from e
                continue
            except sdk().OpenAIError as e:
                raise fault(e, self._asked) from e
            return self._completion(reply)
        raise ModelError(f"{self.model} at {self._endpoint.base_url} refuses every way of asking")

    def _connected(self) -> Any:
        with self._lock:
            if self._client is None:
                at = self._endpoint
                self._client = client(at.base_url, at.key, at.timeout)
            return self._client

    def _arguments(self, request: Request) -> dict[str, Any]:
        messages = [self._message(t) for t in request.turns]
        told: dict[str, Any] = {"model": self.model, "messages": messages}
        told[self._limit] = self._endpoint.max_tokens
        if self._temperature:
            told["temperature"] = 0
        if request.schema and _FORMS[self._form]:
            told["response_format"] = {"type": _FORMS[self._form]}
            if _FORMS[self._form] == "json_schema":
                schema = {"name": request.name, "strict": True, "schema": json.loads(request.schema)}
                told["response_format"]["json_schema"] = schema
        return told

    def _message(self, turn: Turn) -> dict[str, Any]:
        if not (turn.images and self._endpoint.images):
            return {"role": turn.role, "content": turn.text}
        parts: list[dict[str, Any]] = [{"type": "text", "text": turn.text}]
        for image in turn.images:
            kind = next((k for start, k in _KINDS if image.startswith(start)), "png")
            url = f"data:image/{kind};base64,{base64.b64encode(image).decode('ascii')}"
            parts.append({"type": "image_url", "image_url": {"url": url}})
        return {"role": turn.role, "content": parts}

    def _gives_way(self, fault: str, form: int, sent: Mapping[str, Any]) -> bool:
        """Leave out what the server says it does not know; False where nothing of ours is to blame.

        Another thread may have found it out meanwhile: what counts is what was sent.
        """
        fault = fault.casefold()
        with self._lock:
            if "max_tokens" in sent and "max_completion_tokens" in fault:
                self._limit = "max_completion_tokens"
            elif "temperature" in sent and "temperature" in fault:
                self._temperature = False
            elif _FORMS[form] and ("response_format" in fault or "json" in fault or "schema" in fault):
                self._form = max(self._form, form + 1)
            else:
                return False
        return True

    def _completion(self, reply: Any) -> Completion:
        choices = getattr(reply, "choices", None)
        if not choices or choices[0].message is None:
            raise BusyError(f"{self._endpoint.base_url} sent a reply without a choice")
        usage = reply.usage
        return Completion(
            text=choices[0].message.content or "",
            sent=usage.prompt_tokens if usage else None,
            received=usage.completion_tokens if usage else None,
            cut=choices[0].finish_reason == "length",
        )
