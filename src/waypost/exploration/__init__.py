"""Walk an app until its map is good enough."""

from waypost.exploration.config import ExploreConfig, Progress
from waypost.exploration.drive import POLICIES, explore, preview
from waypost.exploration.recipe import StartRecipe

__all__ = ["POLICIES", "ExploreConfig", "Progress", "StartRecipe", "explore", "preview"]
