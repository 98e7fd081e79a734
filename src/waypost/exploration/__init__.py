"""Walk an app until its map is good enough."""

from waypost.exploration.config import ExploreConfig, Progress
from waypost.exploration.drive import POLICIES, explore, preview
from waypost.exploration.hypotheses import (
    Experiment,
    Finding,
    Hypothesis,
    StepAt,
    guesses,
    learn_facts,
    likely,
)
from waypost.exploration.recipe import StartRecipe

__all__ = [
    "POLICIES",
    "Experiment",
    "ExploreConfig",
    "Finding",
    "Hypothesis",
    "Progress",
    "StartRecipe",
    "StepAt",
    "explore",
    "guesses",
    "learn_facts",
    "likely",
    "preview",
]
