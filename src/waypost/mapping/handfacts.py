"""What the user says that steps need and make: `facts.yaml` of a map in, preconditions and effects out.

facts:
signed_in: {note: "the account is open"}
draft: {volatile: true}          # lost when the app is relaunched
pages:
Checkout: {needs: [signed_in]}   # every step that leads there
steps:
- {from: Login, do: "Sign in", makes: [signed_in]}
- {from: Home, do: "Account", to: Login, needs: [not signed_in]}
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from waypost.errors import MapError
from waypost.model import AppGraph, Fact, NodeId, Transition
from waypost.model.facts import literal

__all__ = ["HandFacts"]

_At: TypeAlias = tuple[NodeId, str, NodeId]
_Said: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
"""Needs and makes."""


@dataclass(frozen=True, slots=True)
class HandFacts:
    """What a file says, by step; it is kept apart from what the map itself knows."""

    facts: dict[str, Fact]
    steps: dict[_At, _Said]

    @classmethod
    def read(cls, path: Path, graph: AppGraph) -> "HandFacts":
        """Read the file; nothing where there is none. Raises MapError with the cure for what is no sense."""
        if not path.is_file():
            return cls({}, {})
        try:
            read = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
            return _File(graph).parts(read)
        except (yaml.YAMLError, ValueError, OSError) as e:
            raise MapError(f"Cannot use {str(path)!r}: {e}; mend it, or take it away") from e

    def applied(self, graph: AppGraph) -> None:
        """Add what the file says to a graph that was just loaded."""
        graph.facts |= self.facts
        for at, (needs, makes) in self.steps.items():
            step = graph.transitions[at]
            graph.transitions[at] = replace(
                step,
                preconditions=tuple(dict.fromkeys((*step.preconditions, *needs))),
                effects=tuple(dict.fromkeys((*step.effects, *makes))),
            )

    def without(self, step: Transition) -> Transition:
        """Return a step as the map itself knows it: what stands in the file is not stored twice."""
        needs, makes = self.steps.get((step.source, step.key, step.target), ((), ()))
        return replace(
            step,
            preconditions=tuple(p for p in step.preconditions if p not in needs),
            effects=tuple(e for e in step.effects if e not in makes),
        )


class _File:
    def __init__(self, graph: AppGraph) -> None:
        self._graph = graph

    def parts(self, read: Any) -> HandFacts:
        unknown = set(_dict(read, "the file")) - {"facts", "pages", "steps"}
        if unknown:
            raise ValueError(f"there is no {sorted(unknown)[0]!r}; write `facts`, `pages` or `steps`")
        facts = {
            str(name): _fact(str(name), _dict(said or {}, f"fact {name!r}"))
            for name, said in _dict(read.get("facts") or {}, "`facts`").items()
        }
        steps: dict[_At, _Said] = {}
        for at, said in [*self._pages(read), *self._steps(read)]:
            old = steps.get(at, ((), ()))
            steps[at] = ((*old[0], *said[0]), (*old[1], *said[1]))
        return HandFacts(facts, steps)

    def _pages(self, read: Any) -> Iterator[tuple[_At, _Said]]:
        for name, said in _dict(read.get("pages") or {}, "`pages`").items():
            page, what = self._page(name), _said(_dict(said, f"page {name!r}"), {"needs", "makes"})
            for t in self._graph.entering(page):
                if t.source != page:
                    yield (t.source, t.key, t.target), what

    def _steps(self, read: Any) -> Iterator[tuple[_At, _Said]]:
        rows = read.get("steps") or []
        if not isinstance(rows, list):
            raise ValueError("`steps` wants a list")
        for row in rows:
            row = _dict(row, "a step")
            what = _said(row, {"from", "do", "to", "needs", "makes"})
            if "from" not in row or "do" not in row:
                raise ValueError(f"the step {row!r} wants `from` and `do`")
            source = self._page(row["from"])
            target = self._page(row["to"]) if "to" in row else None
            found = [
                t
                for t in self._graph.leaving(source)
                if row["do"] in (t.key, _label(t)) and target in (None, t.target)
            ]
            if not found:
                onward = f" to {row['to']!r}" if target else ""
                known = sorted({_label(t) or t.key for t in self._graph.leaving(source)})[:12]
                raise ValueError(
                    f"on {row['from']!r} nothing called {row['do']!r} leads on{onward};"
                    f" there is: {', '.join(known)}"
                )
            for t in found:
                yield (t.source, t.key, t.target), what

    def _page(self, name: object) -> NodeId:
        if NodeId(str(name)) in self._graph.nodes:
            return NodeId(str(name))
        found = [n.id for n in self._graph.nodes.values() if n.name == str(name)]
        if len(found) != 1:
            raise ValueError(f"there is no page {name!r} on this map; `waypost pages` lists them")
        return found[0]


def _label(step: Transition) -> str:
    target = getattr(step.action, "target", None)
    return target.label if target is not None else ""


def _dict(value: Any, what: str) -> dict[Any, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{what} wants names with values, not {value!r}")
    return value


def _fact(name: str, said: dict[Any, Any]) -> Fact:
    unknown = set(said) - {"initial", "volatile", "note"}
    if unknown:
        raise ValueError(f"a fact has no {sorted(unknown)[0]!r}; it has `initial`, `volatile` and `note`")
    read = literal(name)
    if not read.positive:
        raise ValueError(f"a fact is declared without `not`: {name!r}")
    return Fact(read.fact, bool(said.get("initial")), bool(said.get("volatile")), str(said.get("note", "")))


def _said(row: dict[Any, Any], known: set[str]) -> _Said:
    unknown = set(row) - known
    if unknown:
        raise ValueError(f"there is no {sorted(unknown)[0]!r} here; write one of {', '.join(sorted(known))}")
    lists = []
    for word in ("needs", "makes"):
        value = row.get(word) or []
        texts = [value] if isinstance(value, str) else value
        if not isinstance(texts, list):
            raise ValueError(f"`{word}` wants a list of facts, not {value!r}")
        read = [literal(str(text)) for text in texts]
        lists.append(tuple(r.fact if r.positive else f"not {r.fact}" for r in read))
    return lists[0], lists[1]
