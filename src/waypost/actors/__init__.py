"""Decide the next action: an instruction, a look and guidance in, a `Decision` out."""

from waypost.actors.executing import GroupRunner
from waypost.actors.follower import Follower, FollowerConfig
from waypost.actors.lexical import Lexical, LexicalConfig
from waypost.actors.locator import Located, Locator

__all__ = ["Follower", "FollowerConfig", "GroupRunner", "Lexical", "LexicalConfig", "Located", "Locator"]
