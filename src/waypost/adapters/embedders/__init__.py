"""Text to vectors, offline: models that ship inside installed packages, and a stand-in for tests."""

from waypost.adapters.embedders.hashing import HashEmbedder
from waypost.adapters.embedders.minilm import MiniLmEmbedder
from waypost.adapters.embedders.multilingual import MultilingualEmbedder
from waypost.adapters.embedders.routed import RoutedEmbedder

__all__ = ["HashEmbedder", "MiniLmEmbedder", "MultilingualEmbedder", "RoutedEmbedder"]
