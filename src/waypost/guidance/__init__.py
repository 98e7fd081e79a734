"""Word what an actor is told: a record, a plan and a map in, plain text out."""

from waypost.guidance.guides import Replanning, Rewritten, fixed, silent
from waypost.guidance.planning_guide import Candidate, Choose, PlanningGuide, selected
from waypost.guidance.telling import narrated
from waypost.guidance.text import block, exits, hop, route
from waypost.model.wording import cue, describe, quoted

__all__ = [
    "Candidate",
    "Choose",
    "PlanningGuide",
    "Replanning",
    "Rewritten",
    "block",
    "cue",
    "describe",
    "exits",
    "fixed",
    "hop",
    "narrated",
    "quoted",
    "route",
    "selected",
    "silent",
]
