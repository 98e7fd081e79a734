"""Memory in the formats of other systems, each made anew from our map: knowledge in, a `Guide` out.

What is compared is the form of the memory, as in TAG-Nav's tables 7 and 23: actors, validators, judges and
prompts of those systems are left out, and each format says what else is.
"""

from collections.abc import Callable
from dataclasses import dataclass

from waypost.guidance.formats.app_agent import AppAgentDocuments
from waypost.guidance.formats.auto_droid import AutoDroidMarkup
from waypost.guidance.formats.graph_pilot import GraphPilotSequence
from waypost.guidance.formats.gui_explorer import GuiExplorerKnowledge
from waypost.guidance.formats.handbook import handbook
from waypost.guidance.formats.kg_rag import kg_rag
from waypost.guidance.formats.knowledge import Knowledge
from waypost.guidance.formats.pg_agent import PgAgentGuidelines
from waypost.protocols import Guide

__all__ = ["FORMATS", "Format", "Knowledge"]


@dataclass(frozen=True, slots=True)
class Format:
    """One form of memory."""

    title: str
    make: Callable[[Knowledge, str], Guide]
    """Makes the guide of one episode from what is known and the task's sentence."""
    left_out: str
    """What of the original system is not made anew."""
    offline: str
    """What an actor that matches words, with no model, cannot read of it."""
    aims: bool = False
    """It wants one destination; the others find on their own what may help."""


FORMATS: dict[str, Format] = {
    "kg_rag": Format(
        "KG-RAG: intents with their trajectories",
        kg_rag,
        "intents that a model writes, its search for trajectories, its navigation prompt",
        "which trajectory fits, and which of its steps is next: every quoted name counts alike",
    ),
    "pg_agent": Format(
        "PG-Agent: guidelines of the page graph around the current screen",
        PgAgentGuidelines,
        "four agents that plan, observe, divide and decide; human demonstrations; retrieval by screenshot",
        "which guideline serves the task: every quoted name counts alike",
    ),
    "gui_explorer": Format(
        "GUI-explorer: what the elements on the screen were seen to do, the likeliest to help first",
        GuiExplorerKnowledge,
        "crops of elements, knowledge that a model words, its pairwise ranking by a model",
        "the order of the list, and what an element leads to: every quoted name counts alike",
    ),
    "app_agent": Format(
        "AppAgent: a document for each element on the screen",
        AppAgentDocuments,
        "documents that a model writes from before and after, numbered marks on the screenshot, grid mode",
        "what a document says of its element: every quoted name counts alike",
    ),
    "auto_droid": Format(
        "AutoDroid: the screen as markup, with the simulated tasks that its elements serve",
        AutoDroidMarkup,
        "simulated tasks that a model words, element numbers to answer with, merging of alike elements",
        "the markup itself: labels with a task and labels without one count alike",
    ),
    "graph_pilot": Format(
        "GraphPilot: the whole sequence of actions at once, validated at every look",
        GraphPilotSequence,
        "the model that writes the sequence (a planner does), acting on it without a look in between",
        "the order of the sequence: every quoted name counts alike, beside the destination",
        aims=True,
    ),
    "handbook": Format(
        "A manual written by hand: general advice on the app, no destination and no way",
        handbook,
        "nothing: it is a text, the same for every task",
        "advice in sentences: only what it puts in quotes is read",
    ),
}
