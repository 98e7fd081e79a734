"""Walk an app until its map is good enough."""

from waypost.exploration.config import ExploreConfig, Progress
from waypost.exploration.drive import POLICIES, explore, preview
from waypost.exploration.hypotheses import Experiment, Finding, guesses, learn_facts
from waypost.exploration.recipe import StartRecipe

__all__ = [
    "POLICIES",
    "Experiment",
    "ExploreConfig",
    "Finding",
    "Progress",
    "StartRecipe",
    "explore",
    "guesses",
    "learn_facts",
    "preview",
]
