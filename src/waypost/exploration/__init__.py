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
from waypost.exploration.reflecting import Reflected, Reflection, doubtful, reflect

__all__ = [
    "POLICIES",
    "Experiment",
    "ExploreConfig",
    "Finding",
    "Hypothesis",
    "Progress",
    "Reflected",
    "Reflection",
    "StartRecipe",
    "StepAt",
    "doubtful",
    "explore",
    "guesses",
    "learn_facts",
    "likely",
    "preview",
    "reflect",
]
