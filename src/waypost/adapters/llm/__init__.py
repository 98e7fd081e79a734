"""Language models: any OpenAI-compatible endpoint, what it can be wrapped in, and stand-ins for it."""

from waypost.adapters.llm.asking import Asking
from waypost.adapters.llm.cache import Cached, EpisodeCache
from waypost.adapters.llm.cassette import Recording, Replayed
from waypost.adapters.llm.embeddings import EmbeddingEndpoint, OpenAiEmbedder
from waypost.adapters.llm.metering import Call, Ledger, Metered, Prices, estimated_tokens
from waypost.adapters.llm.openai_chat import Endpoint, OpenAiChat
from waypost.adapters.llm.scripted import Scripted, ScriptedChat
from waypost.adapters.llm.spread import SpreadChat
from waypost.adapters.llm.wire import Chat, Completion, Request, Turn
from waypost.adapters.llm.wrappers import Backoff, Limited, Redacting, Retrying

__all__ = [
    "Asking",
    "Backoff",
    "Cached",
    "Call",
    "Chat",
    "Completion",
    "EmbeddingEndpoint",
    "Endpoint",
    "EpisodeCache",
    "Ledger",
    "Limited",
    "Metered",
    "OpenAiChat",
    "OpenAiEmbedder",
    "Prices",
    "Recording",
    "Redacting",
    "Replayed",
    "Request",
    "Retrying",
    "Scripted",
    "ScriptedChat",
    "SpreadChat",
    "Turn",
    "estimated_tokens",
]
