"""A map and perhaps a device in, what an agent's tools answer out: short by default, more on demand."""

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

from waypost.adapters.mcp import Note, Tree
from waypost.adapters.trees import parse
from waypost.errors import UsageError
from waypost.guidance import block, exits, hop
from waypost.library import Answer
from waypost.mapping import explain_pages, page_called, settled
from waypost.model import Hypernode, NodeId, Observation, PageKind, Task
from waypost.parts.devices import DeviceOptions
from waypost.parts.exploring import ExploreRequest, explored
from waypost.parts.face import Map, open_map
from waypost.protocols import Device
from waypost.surface.figures import figures
from waypost.surface.hops import known_hop, seen_hop
from waypost.surface.watched import Watched

__all__ = ["MapToolbox"]

_EXITS = 6
_LONG = 200
"""Letters of a summary where no detail is asked for."""


class MapToolbox:
    """Answers for one map; the device is opened when one is first needed, and stays open between calls."""

    def __init__(
        self,
        map: str,
        device: str | None = None,
        *,
        options: DeviceOptions | None = None,
        clock: Callable[[], float],
    ) -> None:
        """`clock` gives seconds since the epoch: when a look that an agent passes was seen."""
        self._name, self._wanted, self._options, self._clock = map, device, options, clock
        self._map: Map = open_map(map)
        self._device: Device | None = None

    def close(self) -> None:
        if self._device is not None:
            self._device.close()
        self._map.close()

    # Questions

    def where_am_i(self, tree: Tree, *, detail: bool) -> dict[str, Any]:
        look = settled(self._opened()) if tree is None else self._look(tree)
        found = self._map.mapper.locate(look)
        if found is None:
            near = self._map.mapper.nearest(look)
            return {
                "on_map": False,
                "nearest": self._named(near.node) if near else None,
                "advice": "press back until a known page shows",
            }
        node = self._map.graph.nodes[found.node]
        said: dict[str, Any] = {
            "on_map": node.kind is PageKind.PAGE,
            **self._named(node.id),
            "confidence": round(found.confidence, 3),
        }
        if node.kind is not PageKind.PAGE:
            said["in_front"] = node.overlay or "another app"
            return {**said, "advice": "dismiss what lies in front of the app"}
        said["ways_on"] = exits(self._map.graph, node.id, 100 if detail else _EXITS)
        if detail:
            said["reasons"] = [asdict(r) for r in found.reasons]
            said["record"] = self.page(node.id)
        return said

    def find_page(self, sentence: str, *, detail: bool) -> dict[str, Any]:
        answer = self._map.find(sentence)
        said = _answered(answer)
        if detail:
            said["candidates"] = [
                {"page": f.record.node, "name": f.record.name, "score": round(f.score, 2), "why": f.why}
                for f in answer.candidates
            ]
        return said

    def plan_route(self, to: str, start: str, tree: Tree, *, detail: bool) -> dict[str, Any]:
        answer = self._meant(to)
        if answer.record is None:
            return _answered(answer)
        goal, graph = self._map.mapper.resolve(answer.record.node), self._map.graph
        here = self._start(start, tree)
        if here is None:
            return {**_answered(answer), "status": "lost", "advice": "this screen is not on the map: go back"}
        plan = self._map.planner.plan(graph, here, goal)
        said = {**_answered(answer), "status": plan.status.value, "from": self._named(here)}
        said["steps"] = [hop(s, graph) for s in plan.steps]
        said["expect"] = [s.target for s in plan.steps]
        if detail:
            said["block"] = block(to, answer.record, plan, graph)
        return said

    def explain(self, page: str, other: str) -> dict[str, Any]:
        found = explain_pages(self._map.mapper, page, other or page)
        said: dict[str, Any] = {"verdict": f"{found.subject}: {found.verdict}", "same": found.same}
        said["confidence"] = round(found.score, 3)
        weighty = sorted(found.reasons, key=lambda r: -abs(r.weight))
        said["reasons"] = [f"{r.weight:+.1f} {r.name}: {r.detail}" for r in weighty[:8]]
        return said if other else {**self.page(page), **said}

    def map_stats(self) -> dict[str, Any]:
        return figures(self._map)

    # Deeds

    def go(self, to: str, note: Note, *, restart: bool, limit: int, detail: bool) -> dict[str, Any]:
        answer = self._meant(to)
        if answer.record is None:
            return {**_answered(answer), "status": "not_on_map", "verified": False}

        def tell(done: int, words: str) -> None:
            note(done, limit, words)

        device = self._opened()
        self._map.meet(device)
        driven = Watched(device, tell)
        out = self._map.follow(Task("go", "", to.strip()), answer, driven, limit=limit, stay=not restart)
        said: dict[str, Any] = {
            "status": out.status,
            "verified": out.verified,
            "page": out.page,
            "name": out.title,
            "meant": out.target,
            "confidence": round(out.confidence, 3),
            "actions": driven.actions,
            "stop_reason": out.stop_reason,
        }
        if out.status != "reached":
            said["why"] = out.answer
        if detail:
            said["steps"] = list(out.steps)
        return said

    def report_hop(
        self, before: Tree, did: str, target: str, after: Tree, *, expected: str
    ) -> dict[str, Any]:
        known, graph = self._map.mapper, self._map.graph
        # What cannot be read is refused before anything is written: the agent will say it again.
        landed = self._look(after)
        wanted = page_called(known, expected).id if expected else None
        named = isinstance(before, str) and not before.lstrip().startswith(("<", "{", "["))
        if named:
            first = None
            source = page_called(known, str(before)).id
            action, key = known_hop(did.strip(), target, source, graph)
        else:
            first = self._look(before)
            action, key = seen_hop(did.strip(), target, first.screen, graph.app)
            source = known.enter(first)
        count = len(graph.nodes)
        step = known.extend(source, action, key, landed, before=first)
        known.commit()
        said = {**self._named(step.target), "new_page": len(graph.nodes) > count}
        said["ways_on"] = exits(graph, step.target, _EXITS)
        if wanted is not None:
            said["as_expected"] = known.resolve(wanted) == step.target
        return said

    def explore(self, actions: int, note: Note) -> dict[str, Any]:
        device, folder = self._opened(), self._map.folder
        before = len(list(self._map.graph.pages()))
        # The explorer writes the map by a store of its own.
        self._map.close()
        try:
            done = explored(
                device,
                folder,
                ExploreRequest(actions=actions),
                progress=lambda p: note(p.actions, actions, f"{p.pages} pages; on {p.page}"),
            )
        finally:
            self._map = open_map(self._name)
        told = done.as_json()
        kept = ("pages", "transitions", "coverage", "frontier", "skipped", "stop_reason")
        return {"new_pages": done.pages - before, **{k: told[k] for k in kept}}

    # What can be read

    def pages(self) -> dict[str, Any]:
        rows = [{"page": n.id, "name": n.name, "depth": n.depth} for n in self._map.pages()]
        return {"app": self._map.graph.app, "root": self._map.graph.root, "pages": rows}

    def page(self, page: str) -> dict[str, Any]:
        node = page_called(self._map.mapper, page)
        record = self._map.record_of(node.id)
        if record is None:
            return {"page": node.id, "name": node.name, "in_front": node.overlay or "another app"}
        return {
            "page": node.id,
            "name": record.name,
            "summary": record.summary,
            "intents": record.intents,
            "waypoints": record.waypoints,
            "hints": record.hints,
            "hazards": record.hazards,
            "depth": record.depth,
            "provenance": asdict(record.provenance),
        }

    def screenshot(self, page: str) -> bytes:
        node = page_called(self._map.mapper, page)
        image = next((k.image_hash for k in node.looks if k.image_hash), "")
        shown = self._map.picture(image) if image else b""
        if not shown:
            raise UsageError(f"No picture was taken of {node.name!r}; explore with pictures")
        return shown

    # Inside

    def _opened(self) -> Device:
        if self._device is None:
            self._device = self._map.opened(self._wanted, self._options)
        return self._device

    def _look(self, tree: Tree) -> Observation:
        """Read a screen as an agent passes it. Raises TreeError, or UsageError where there is none."""
        if not tree:
            raise UsageError("The screen is missing: pass its XML, or JSON of nested nodes")
        parsed = parse(tree)
        screen = parsed.screen
        if not screen.app:
            screen = replace(screen, app=self._map.graph.app)
        return Observation(screen, seen_at=self._clock())

    def _meant(self, to: str) -> Answer:
        """Return the page of an id, else what a sentence is found to mean."""
        node = self._map.mapper.resolve(NodeId(to.strip()))
        record = self._map.record_of(node) if node in self._map.graph.nodes else None
        return Answer(record, 1.0, (), "named by its id") if record else self._map.find(to)

    def _start(self, start: str, tree: Tree) -> NodeId | None:
        if tree:
            found = self._map.mapper.locate(self._look(tree))
            return found.node if found else None
        return page_called(self._map.mapper, start).id if start else self._map.graph.root

    def _named(self, node: NodeId) -> dict[str, Any]:
        known: Hypernode = self._map.graph.nodes[node]
        return {"page": known.id, "name": known.name}


def _answered(answer: Answer) -> dict[str, Any]:
    record = answer.record
    if record is None:
        return {"found": False, "confidence": round(answer.confidence, 3), "reason": answer.reason}
    summary = record.summary if len(record.summary) <= _LONG else record.summary[: _LONG - 1] + "…"
    return {
        "found": True,
        "page": record.node,
        "name": record.name,
        "summary": summary,
        "confidence": round(answer.confidence, 3),
    }
