"""Decide the next action: an instruction, a look and guidance in, a `Decision` out."""

from waypost.actors.breaking import BreakerConfig, LoopBreaker
from waypost.actors.budget import StepBudget
from waypost.actors.dialects import DIALECTS, Dialect, dialect_of
from waypost.actors.dual import Dual
from waypost.actors.executing import GroupRunner
from waypost.actors.follower import Follower, FollowerConfig
from waypost.actors.handover import HandOver
from waypost.actors.lexical import Lexical, LexicalConfig
from waypost.actors.locator import Located, Locator
from waypost.actors.noisy import Noisy, NoisyConfig
from waypost.actors.reflecting import Reflecting
from waypost.actors.remembering import Remembering
from waypost.actors.searching import DocsSearch, Search, Searching, model_search
from waypost.actors.stopping import StopGate, StopGateConfig, criteria_of, verification_of
from waypost.actors.vision import Draw, Vision, VisionConfig

__all__ = [
    "DIALECTS",
    "BreakerConfig",
    "Dialect",
    "DocsSearch",
    "Draw",
    "Dual",
    "Follower",
    "FollowerConfig",
    "GroupRunner",
    "HandOver",
    "Lexical",
    "LexicalConfig",
    "Located",
    "Locator",
    "LoopBreaker",
    "Noisy",
    "NoisyConfig",
    "Reflecting",
    "Remembering",
    "Search",
    "Searching",
    "StepBudget",
    "StopGate",
    "StopGateConfig",
    "Vision",
    "VisionConfig",
    "criteria_of",
    "dialect_of",
    "model_search",
    "verification_of",
]
