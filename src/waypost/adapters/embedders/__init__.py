"""Texts and pictures to vectors, offline: models inside installed packages, and what needs no model."""

from waypost.adapters.embedders.counting import word_pieces
from waypost.adapters.embedders.edges import EdgeGridEmbedder
from waypost.adapters.embedders.hashing import HashEmbedder
from waypost.adapters.embedders.minilm import MiniLmEmbedder
from waypost.adapters.embedders.multilingual import MultilingualEmbedder
from waypost.adapters.embedders.routed import RoutedEmbedder

__all__ = [
    "EdgeGridEmbedder",
    "HashEmbedder",
    "MiniLmEmbedder",
    "MultilingualEmbedder",
    "RoutedEmbedder",
    "word_pieces",
]
