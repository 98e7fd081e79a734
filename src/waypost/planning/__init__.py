"""Find the way from page to page: a map in, a `Plan` out."""

from waypost.planning.cost import Ageing, Costs
from waypost.planning.pddl import Pddl, PddlConfig
from waypost.planning.product import ProductSearch
from waypost.planning.shortest import ShortestPath, returning
from waypost.planning.staged import Staged

__all__ = ["Ageing", "Costs", "Pddl", "PddlConfig", "ProductSearch", "ShortestPath", "Staged", "returning"]
