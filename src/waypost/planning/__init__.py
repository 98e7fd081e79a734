"""Find the way from page to page: a map in, a `Plan` out."""

from waypost.planning.cost import Ageing, Costs, hazard
from waypost.planning.groups import bound, chains, live, mined
from waypost.planning.pddl import Pddl, PddlConfig
from waypost.planning.product import ProductSearch
from waypost.planning.shortest import ShortestPath, returning
from waypost.planning.staged import Staged
from waypost.planning.subgoals import SubgoalConfig, Subgoals, sampled
from waypost.planning.subtasks import AskedSubtasks, RuleSubtasks
from waypost.planning.tree import Ranked, TreeConfig, TreeSearch
from waypost.planning.value import Sample, ValueModel, trained

__all__ = [
    "Ageing",
    "AskedSubtasks",
    "Costs",
    "Pddl",
    "PddlConfig",
    "ProductSearch",
    "Ranked",
    "RuleSubtasks",
    "Sample",
    "ShortestPath",
    "Staged",
    "SubgoalConfig",
    "Subgoals",
    "TreeConfig",
    "TreeSearch",
    "ValueModel",
    "bound",
    "chains",
    "hazard",
    "live",
    "mined",
    "returning",
    "sampled",
    "trained",
]
