"""What it costs to get from here to every known page: a ledger in, ways and their first moves out."""

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from waypost.exploration.ledger import Ledger
from waypost.exploration.moves import BACK
from waypost.mapping.layers import LayerKind
from waypost.mapping.stored import signed
from waypost.model import NodeId, PageKind

__all__ = ["Reach", "Way"]

_BACK_COST = 0.9
"""Back along the way one came is the cheapest way to move."""
_BACK_FAILS = 5.0
"""What a Back that leads elsewhere, or out of the app, costs on top."""
_LAUNCH_COST = 4.0
_DOUBTFUL = 0.25
"""An edge that led there more rarely than this is not relied on."""
_FORESEEN = 0.8
"""How far a drawer's entry is relied on that was tried over another page only."""
_FIRM = 0.75
"""What Back must have led to before it is relied on away from the present trail."""


@dataclass(frozen=True, slots=True)
class Way:
    """The first move of the cheapest way to a page."""

    cost: float
    kind: str
    """`here`, `back`, `launch` or `edge`."""
    key: str = ""
    expected: NodeId | None = None
    """The page that the first move should land on."""


class Reach:
    """Dijkstra over the edges seen so far; what failed lately costs more."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._backs: Counter[tuple[bool, bool]] = Counter()
        self._modal: dict[NodeId, bool] = {}
        self.penalty: dict[tuple[NodeId, str], float] = defaultdict(float)
        """By page and key; the keys `back` and `launch` stand for those moves."""

    def learn_back(self, node: NodeId, as_meant: bool) -> None:
        """Take down whether Back led where one came from, apart for pages and for what lies over them."""
        self._backs[self.is_modal(node), as_meant] += 1

    def _back_cost(self, node: NodeId) -> float:
        modal = self.is_modal(node)
        good, bad = self._backs[modal, True], self._backs[modal, False]
        return _BACK_COST + _BACK_FAILS * bad / (good + bad + 1) + self.penalty[node, BACK.key]

    def is_modal(self, node: NodeId) -> bool:
        """Whether a page is a dialog, a menu, a drawer or a sheet."""
        if node not in self._modal:
            looks = self._ledger.mapper.graph.nodes[node].looks
            self._modal[node] = bool(looks) and signed(looks[0]).layer is not LayerKind.PAGE
        return self._modal[node]

    def search(
        self,
        here: NodeId,
        trail: list[NodeId],
        start: NodeId | None,
        visit: Callable[[NodeId, Way], float],
    ) -> None:
        """Visit pages by rising cost; `visit` returns the cost from which on nothing is of interest."""
        nodes = self._ledger.mapper.graph.nodes
        waiting: list[tuple[float, int, NodeId, Way]] = [(0.0, 0, here, Way(0.0, "here", "", here))]
        count = 1
        cost = 0.0
        at, nearest = here, trail[-1] if trail else None
        for page in reversed(trail):
            cost += self._back_cost(self._ledger.mapper.resolve(at))
            waiting.append((cost, count, page, Way(cost, "back", BACK.key, nearest)))
            at, count = page, count + 1
        if start is not None:
            cost = _LAUNCH_COST + self.penalty[start, "launch"]
            waiting.append((cost, count, start, Way(cost, "launch", "", start)))
            count += 1
        heapq.heapify(waiting)
        done: set[NodeId] = set()
        limit = float("inf")
        while waiting:
            cost, _, node, way = heapq.heappop(waiting)
            node = self._ledger.mapper.resolve(node)
            if node in done or nodes[node].kind is not PageKind.PAGE:
                continue
            if cost >= limit:
                return
            done.add(node)
            limit = visit(node, Way(cost, way.kind, way.key, way.expected))
            for key, target, share in self._edges(node):
                if target not in done:
                    count += 1
                    onward = cost + 1.0 / share + self.penalty[node, key]
                    first = way if way.kind != "here" else Way(onward, "edge", key, target)
                    heapq.heappush(waiting, (onward, count, target, first))

    def _edges(self, node: NodeId) -> list[tuple[str, NodeId, float]]:
        edges = []
        for key in self._ledger.leaving.get(node, ()):
            outcomes = self._ledger.outcomes[node, key]
            total = sum(outcomes.values())
            floor = _FIRM if key == BACK.key else _DOUBTFUL
            for target, times in outcomes.items():
                share = times / total
                if target != node and share >= floor:
                    edges.append((key, target, share))
        edges.extend(
            (key, target, _FORESEEN) for key, target in self._ledger.foreseen(node) if target != node
        )
        return sorted(edges)
