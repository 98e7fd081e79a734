"""Tasks made from a map (SEE): sub-goals that can be done in, sentences, targets and figures of variety out.

Three levels are written, as in SEE: the task, its sub-goals, its steps. Offline they are templates over what
the records say, varied by a seeded choice; a model may word the first anew.
"""

import math
import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from waypost.bench.judge import LookJudge
from waypost.model import AppGraph, NodeId, Observation, Record, Screen, Target, Task
from waypost.model.wording import describe, one_line
from waypost.planning.subgoals import Subgoals

__all__ = ["Made", "Variety", "distinct_target", "variety", "worded"]

_OPENINGS = ("", "Please: ", "I need this done: ", "Here is what I want: ", "Do the following: ")
_FIRST = ("go to {}", "open {}", "start with {}", "look at {}", "begin at {}")
_THEN = (
    "then visit {}",
    "after that open {}",
    "next look at {}",
    "from there move on to {}",
    "then go over to {}",
)
_LAST = ("and end on {}", "and finish at {}", "and stay on {}", "and stop at {}", "and last of all show {}")
_FOR = ("the page for “{}”", "where one can use “{}”", "the place with “{}”", "the page that offers “{}”")
_NAMED = ("“{}”", "the page “{}”", "the part called “{}”")


@dataclass(frozen=True, slots=True)
class Made:
    """A task with how it is done."""

    task: Task
    subgoals: tuple[str, ...]
    """One sentence a page."""
    steps: tuple[str, ...]
    """One sentence an action."""
    pages: tuple[NodeId, ...]


def worded(
    number: int, goals: Subgoals, graph: AppGraph, records: Mapping[NodeId, Record], rng: random.Random
) -> Made | None:
    """Write the three levels; None where no target tells the last page from all others."""
    target = distinct_target(graph, goals.pages[-1])
    if target is None:
        return None
    shared = Counter(w.casefold() for r in records.values() for w in dict.fromkeys(r.intents))
    shared.update(_name(graph, n).casefold() for n in graph.nodes)
    told = [_meant(graph, node, records.get(node), shared, rng) for node in goals.pages]
    parts = [rng.choice(_FIRST).format(told[0])]
    parts += [rng.choice(_THEN).format(t) for t in told[1:-1]]
    parts += [rng.choice(_LAST).format(told[-1])] if len(told) > 1 else []
    said = rng.choice(_OPENINGS) + ", ".join(parts) + "."
    task = Task(
        id=f"made-{number:03}",
        app=graph.app,
        instruction=said[0].upper() + said[1:],
        target=target,
        shortest=len(goals.steps),
        tags=("synthesised", f"{len(goals.pages)} sub-goals"),
    )
    names = tuple(f"Go to {_name(graph, node)}" for node in goals.pages)
    return Made(task, names, tuple(describe(s.action) for s in goals.steps), goals.pages)


def _meant(
    graph: AppGraph, node: NodeId, record: Record | None, shared: Counter[str], rng: random.Random
) -> str:
    """Name a page by what it is called, or by something that can be done on it and on no other."""
    offered = record.intents if record else ()
    wishes = [
        one_line(w, 60)
        for w in offered
        if 3 <= len(w) <= 60 and shared[w.casefold()] == 1 and not re.search(r"\d", w)
    ]
    # A name that is only numbered apart from others says nothing to anybody.
    plain = not re.search(r"\s\d+$", graph.nodes[node].name)
    if wishes and (not plain or rng.random() < 0.5):
        return rng.choice(_FOR).format(rng.choice(wishes[:6]))
    return rng.choice(_NAMED).format(_name(graph, node))


def _name(graph: AppGraph, node: NodeId) -> str:
    return one_line(graph.nodes[node].name or str(node), 60)


def distinct_target(graph: AppGraph, node: NodeId) -> Target | None:
    """Find an address and labels that a page's look shows and no look of another page does; None for none."""
    looks = graph.nodes[node].looks
    if not looks:
        return None
    screen = looks[0].observation.screen
    address = re.sub(r"[?#].*$", "", screen.activity)
    url = f"{re.escape(address)}([?#]|$)" if address else ""
    others = [look.observation.screen for n in graph.nodes.values() if n.id != node for look in n.looks]
    mine = [look.observation.screen for look in looks]
    stable = [t for t in _labels(screen) if all(t in _labels(s) for s in mine)]
    seen = Counter(t for s in others for t in set(_labels(s)))
    rare = sorted(dict.fromkeys(stable), key=lambda t: (seen[t], len(t)))[:8]
    for size in (1, 2, 3):
        for chosen in combinations(rare, size):
            target = Target(url=url, has=tuple(f"^{re.escape(t)}$" for t in chosen))
            if not any(_passes(target, s) for s in others) and all(_passes(target, s) for s in mine):
                return target
    return None


def _labels(screen: Screen) -> list[str]:
    found = (label for e in screen.visible() for label in (e.text, e.description) if label)
    # Figures and dates are what the page holds today, not what it is.
    return [t for t in found if 2 <= len(t) <= 40 and not re.search(r"\d", t) and "\n" not in t]


def _passes(target: Target, screen: Screen) -> bool:
    return LookJudge().judge(Task("", "", "", target), Observation(screen)).passed


@dataclass(frozen=True, slots=True)
class Variety:
    """How different tasks are from one another."""

    tasks: int
    duplicates: int
    """Tasks that share their sentence or their sub-goals with an earlier one."""
    pages: int
    """Pages that are a sub-goal of some task."""
    of_pages: int
    """Pages that the map has beside its start."""
    evenness: float
    """Entropy of the sub-goals over those pages, 0 to 1: 1 where each is asked for as often."""
    subgoals: Mapping[int, int]
    """Tasks by their number of sub-goals."""
    steps: float
    """Mean steps of a task."""
    words: int
    """Different words of all sentences."""
    bigrams: float
    """Share of pairs of neighbouring words that are different ones (distinct-2)."""
    alike: float
    """Mean share of steps that two tasks have in common (Jaccard), over all pairs."""

    def as_json(self) -> dict[str, object]:
        names = ("tasks", "duplicates", "pages", "of_pages", "steps", "words")
        shares = {n: round(getattr(self, n), 4) for n in ("evenness", "bigrams", "alike")}
        return (
            {n: getattr(self, n) for n in names} | shares | {"subgoals": dict(sorted(self.subgoals.items()))}
        )


def variety(made: Sequence[Made], graph: AppGraph) -> Variety:
    """Count how different tasks are."""
    asked = Counter(page for m in made for page in m.pages)
    whole = sum(asked.values())
    entropy = -sum(n / whole * math.log(n / whole) for n in asked.values()) if whole else 0.0
    sentences = [re.findall(r"\w+", m.task.instruction.casefold()) for m in made]
    pairs = [pair for words in sentences for pair in pairwise(words)]
    sets = [frozenset(m.steps) for m in made]
    shared = [len(a & b) / len(a | b) for a, b in combinations(sets, 2) if a | b]
    unlike = {(tuple(w), m.pages) for w, m in zip(sentences, made, strict=True)}
    doubles = len(made) - min(len({w for w, _ in unlike}), len({p for _, p in unlike}))
    return Variety(
        tasks=len(made),
        duplicates=doubles,
        pages=len(asked),
        of_pages=sum(1 for n in graph.pages() if n.id != graph.root),
        evenness=entropy / math.log(len(asked)) if len(asked) > 1 else 1.0,
        subgoals=Counter(len(m.pages) for m in made),
        steps=round(sum(len(m.steps) for m in made) / len(made), 2) if made else 0.0,
        words=len({w for words in sentences for w in words}),
        bigrams=len(set(pairs)) / len(pairs) if pairs else 0.0,
        alike=sum(shared) / len(shared) if shared else 0.0,
    )
