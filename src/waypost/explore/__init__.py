"""Walk an app until its map is good enough."""

from waypost.explore.config import ExploreConfig, Progress
from waypost.explore.drive import POLICIES, explore, preview
from waypost.explore.recipe import StartRecipe

__all__ = ["POLICIES", "ExploreConfig", "Progress", "StartRecipe", "explore", "preview"]
