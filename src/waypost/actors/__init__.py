"""Decide the next action: an instruction, a look and guidance in, a `Decision` out."""

from waypost.actors.dialects import DIALECTS, Dialect, dialect_of
from waypost.actors.follower import Follower, FollowerConfig
from waypost.actors.lexical import Lexical, LexicalConfig
from waypost.actors.locator import Located, Locator
from waypost.actors.vision import Draw, Vision, VisionConfig

__all__ = [
    "DIALECTS",
    "Dialect",
    "Draw",
    "Follower",
    "FollowerConfig",
    "Lexical",
    "LexicalConfig",
    "Located",
    "Locator",
    "Vision",
    "VisionConfig",
    "dialect_of",
]
