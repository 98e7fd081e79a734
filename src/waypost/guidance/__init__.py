"""Word what an actor is told: a record, a plan and a map in, plain text out."""

from waypost.guidance.guides import Replanning, fixed, silent
from waypost.guidance.telling import narrated
from waypost.guidance.text import block, exits, hop, route
from waypost.guidance.wording import cue, describe, quoted

__all__ = [
    "Replanning",
    "block",
    "cue",
    "describe",
    "exits",
    "fixed",
    "hop",
    "narrated",
    "quoted",
    "route",
    "silent",
]
