"""Find the way from page to page: a map in, a `Plan` out."""

from waypost.planning.cost import Costs
from waypost.planning.shortest import ShortestPath, returning

__all__ = ["Costs", "ShortestPath", "returning"]
