"""The builder that every widget kind is laid out with: labels, glyphs, touches, columns."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from waypost.adapters.pocket.expr import Text
from waypost.adapters.pocket.nodes import CLICK, DISABLED, LONG, SELECTED, WIDTH, Node, Touch
from waypost.adapters.pocket.spec import Page, Widget
from waypost.adapters.pocket.state import Session
from waypost.model import Role

__all__ = ["GRAVE", "Builder", "Kind"]

TV = "android.widget.TextView"
IV = "android.widget.ImageView"

Kind: TypeAlias = "Callable[[Builder, Widget, int], Node]"
"""Lays out one kind of widget at (0, 0), given the width."""


GRAVE = frozenset(("delete", "erase", "logout", "remove", "reset"))
"""Hazards whose buttons designers paint red; others look like any button."""


class Builder:
    """Lays the widgets of one page or overlay out; on an overlay, touches close it."""

    def __init__(self, session: Session, kinds: Mapping[str, Kind], page: Page) -> None:
        self.session = session
        self.owner = page.id
        self.kinds = kinds
        self.package = session.spec.package
        self.overlay = page.kind != "page"

    def rid(self, name: str) -> str:
        if not name or ":" in name:
            return name
        return f"{self.package}:id/{name}"

    def shown(self, widgets: Sequence[Widget]) -> list[Widget]:
        """The widgets whose `when` holds now."""
        return [w for w in widgets if w.when is None or w.when.run(self.session)]

    def say(self, text: Text | None) -> str:
        return text.show(self.session) if text else ""

    def build(self, w: Widget, width: int = WIDTH) -> Node:
        """Lay one widget out at (0, 0) with the given width."""
        return self.kinds[w.kind](self, w, width)

    def column(self, widgets: Sequence[Widget], width: int, into: Node, top: int = 0) -> int:
        """Lay widgets out below each other in `into`; returns where they end."""
        for w in self.shown(widgets):
            node = self.build(w, width)
            node.y = top
            into.add(node)
            top += node.h
        return top

    # Pieces.

    def touch(self, node: Node, w: Widget, op: str = "run", *, value: str = "") -> Node:
        """Make a node do what the widget says."""
        if op == "run" and not (w.tap or w.long or w.hazard) and not (w.kind == "entry" and self.overlay):
            return self._state(node, w)
        closes = self.overlay and op == "run" and not w.props.get("keep")
        node.touch = Touch(op, w.tap, w.long, w, self.session.row, value, closes)
        if op != "run" or w.tap or w.hazard or (w.kind == "entry" and self.overlay):
            node.flags |= CLICK
        if w.long:
            node.flags |= LONG
        return self._state(node, w)

    def _state(self, node: Node, w: Widget) -> Node:
        if "enabled" in w.exprs and not w.exprs["enabled"].run(self.session):
            node.flags = (node.flags | DISABLED) & ~(CLICK | LONG)
            node.touch = None
        if "selected" in w.exprs and w.exprs["selected"].run(self.session):
            node.flags |= SELECTED
        return node

    def label(
        self,
        text: str,
        box: tuple[int, int, int, int],
        rid: str,
        size: int,
        color: str = "text",
        **style: Any,
    ) -> Node:
        node = Node(
            TV,
            Role.TEXT,
            box,
            rid,
            ("text", size, color, style.get("align", "left"), style.get("bold", False)),
        )
        node.text = text
        return node

    def glyph(self, name: str, box: tuple[int, int, int, int], rid: str, color: str = "muted") -> Node:
        return Node(IV, Role.IMAGE, box, rid, ("icon", name, color))
