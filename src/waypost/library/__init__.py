"""What is remembered of an app: destination records distilled from its map, and how they are found again."""

from waypost.library.distil import distil
from waypost.library.retrieve import Answer, Found, Retriever
from waypost.library.store import Library

__all__ = ["Answer", "Found", "Library", "Retriever", "distil"]
