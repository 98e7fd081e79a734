"""Run an actor towards a page and find out the truth: a task and a device in, an `Episode` out."""

from waypost.navigate.checking import arrival
from waypost.navigate.guard import LoopGuard
from waypost.navigate.loop import NavigateConfig, navigate, not_on_map

__all__ = ["LoopGuard", "NavigateConfig", "arrival", "navigate", "not_on_map"]
