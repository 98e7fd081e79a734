"""What a page offers, whatever its content: a map and a page in, its lasting entries out."""

from dataclasses import dataclass

from waypost.mapping.controls import controls
from waypost.mapping.naming import identifier, plain
from waypost.model import Action, AppGraph, Evidence, NodeId, Role, Tap, Transition, TypeText
from waypost.versions.edges import content_rows, is_item

__all__ = ["Offer", "Offers"]

_SET = frozenset({Role.SWITCH, Role.CHECKBOX, Role.RADIO, Role.TAB})
_MOST = 0.5
"""Share of its page's looks that something shows on from which it is held to be no content."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The entries of one page by name: those that last, and all that were ever seen."""

    lasting: frozenset[str]
    seen: frozenset[str]


class Offers:
    """What the pages of one map offer; each page is read once. For a map that does not change meanwhile."""

    def __init__(self, graph: AppGraph) -> None:
        self._graph = graph
        self._pages: dict[NodeId, _Page] = {}

    def offered(self, node: NodeId) -> Offer:
        """Gather what can be done on a page over all its looks, what was left alone included."""
        page = self._page(node)
        named = [(key, action, name) for key, action in page.actions if (name := _name(action))]
        lasting = {name for key, action, name in named if page.lasts(key, action)}
        return Offer(frozenset(lasting), frozenset(name for *_, name in named))

    def lasts(self, t: Transition) -> bool:
        """Whether a control belongs to its page, rather than to what a list or an item holds just now."""
        return self._page(t.source).lasts(t.key, t.action)

    def is_row(self, t: Transition) -> bool:
        """Whether a control is a row of content."""
        return self._page(t.source).content.get(t.key, False)

    def _page(self, node: NodeId) -> "_Page":
        if node not in self._pages:
            self._pages[node] = _Page(self._graph, node)
        return self._pages[node]


class _Page:
    def __init__(self, graph: AppGraph, node: NodeId) -> None:
        shown = [controls(k.observation.screen) for k in graph.nodes[node].looks]
        leaving = list(graph.leaving(node))
        self.actions: list[tuple[str, Action]] = [(c.key, c.action) for look in shown for c in look]
        self.actions += [(t.key, t.action) for t in leaving]
        self.actions += [(key, s.action) for (at, key), s in graph.skipped.items() if at == node]
        self._looks = [{_name(c.action) for c in look} for look in shown]
        self.content = content_rows(graph, node)
        self._lists = {_template(t.action) for t in leaving if self.content.get(t.key)}
        self._stays = {t.key for t in leaving if t.target == node and _template(t.action)}
        self._item = is_item(graph, node)

    def lasts(self, key: str, action: Action) -> bool:
        target: Evidence | None = getattr(action, "target", None)
        if target is not None and target.role in _SET:
            return True
        # A row that was not tried is like those of its list that were.
        if self.content.get(key, _template(action) in self._lists):
            return False
        if not self._item and key not in self._stays:
            return True
        shown = sum(1 for look in self._looks if _name(action) in look)
        return shown >= _MOST * len(self._looks)


def _template(action: Action) -> str:
    """Return the key of the list that an action belongs to; something that no list has outside of lists."""
    target: Evidence | None = getattr(action, "target", None)
    return target.template if target is not None else ""


def _name(action: Action) -> str:
    """Call an entry by what it says, else by its id; empty for what is no entry."""
    if not isinstance(action, (Tap, TypeText)) or action.target is None:
        return ""
    return plain(action.target.label) or identifier(action.target.resource_id)
