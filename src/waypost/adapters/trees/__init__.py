"""Dumps in, screens out: uiautomator, Appium, DroidBot, accessibility JSON, WebDriverAgent, by one door."""

from waypost.adapters.trees.dumped import Dump, clean, tree_text
from waypost.adapters.trees.node import Dialect
from waypost.adapters.trees.parse import Parsed, parse
from waypost.adapters.trees.place import box_of, placed

__all__ = ["Dialect", "Dump", "Parsed", "box_of", "clean", "parse", "placed", "tree_text"]
