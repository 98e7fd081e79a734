"""The scrolling part of a page: widgets and a position in, a container of what is near the window out."""

from collections.abc import Iterator, Mapping, Sequence

from waypost.adapters.pocket.blocks import BLOCKS
from waypost.adapters.pocket.expr import Row
from waypost.adapters.pocket.nodes import Node, dp
from waypost.adapters.pocket.pieces import Builder, Kind
from waypost.adapters.pocket.rows import ROWS
from waypost.adapters.pocket.spec import Widget
from waypost.model import Role

__all__ = ["KINDS", "body", "nested", "rows_of"]

RECYCLER = "androidx.recyclerview.widget.RecyclerView"
SCROLL = "android.widget.ScrollView"
LINEAR = "android.widget.LinearLayout"

_NESTED_ROWS = 20


def rows_of(b: Builder, w: Widget) -> list[Row]:
    """Rows that a list shows now, in order."""
    session = b.session
    rows: Sequence[Row] = session.tables[w.props["table"]]
    if "where" in w.exprs:
        kept = []
        for row in rows:
            session.row = row
            if w.exprs["where"].run(session):
                kept.append(row)
        session.row = None
        rows = kept
    if "search" in w.props:
        wanted = str(session.vars[w.props["search"]]).lower()
        rows = [r for r in rows if any(wanted in str(v).lower() for k, v in r.values.items() if k != "n")]
    if "rotate" in w.exprs and rows:
        by = int(w.exprs["rotate"].run(session)) % len(rows)
        rows = [*rows[by:], *rows[:by]]
    return list(rows[: int(w.props.get("limit", 10_000))])


def nested(b: Builder, w: Widget, width: int) -> Node:
    """A list inside of a group, card or sheet part: all of its rows, as a plain column."""
    holder = Node(LINEAR, Role.LIST, (0, 0, width, 0), b.rid(w.props.get("id", "list")))
    rows = rows_of(b, w)[:_NESTED_ROWS]
    for row in rows:
        node = _row(b, w, row, width)
        node.y = holder.h
        holder.add(node)
        holder.h += node.h
    if not rows:
        holder.h = b.column(w.empty, width, holder)
    return holder


def _row(b: Builder, w: Widget, row: Row, width: int) -> Node:
    assert w.template is not None
    b.session.row = row
    node = b.build(w.template, width)
    b.session.row = None
    return node


def body(
    b: Builder,
    widgets: Sequence[Widget],
    box: tuple[int, int, int, int],
    scroll: dict[str, int],
    pad: int = 0,
) -> Node:
    """Lay out a page's body. With a list, it is a recycler: only what is near the window is in it."""
    shown = b.shown(widgets)
    if any(w.kind == "list" for w in shown):
        return _recycler(b, shown, box, scroll, pad)
    key = f"v:{b.owner}"
    holder = Node(SCROLL, Role.GROUP, box, b.rid("scroll"))
    column = holder.add(Node(LINEAR, Role.GROUP, (0, 0, box[2], 0), b.rid("content")))
    column.h = b.column(shown, box[2], column) + pad
    holder.extent = column.h
    if column.h > box[3]:
        holder.scroll = key
        scroll[key] = max(0, min(scroll.get(key, 0), column.h - box[3]))
    return holder


def _recycler(
    b: Builder, shown: list[Widget], box: tuple[int, int, int, int], scroll: dict[str, int], pad: int
) -> Node:
    key = f"v:{b.owner}"
    lists = next(w for w in shown if w.kind == "list")
    holder = Node(RECYCLER, Role.LIST, box, b.rid(lists.props.get("id", "list")))
    width, height = box[2], box[3]
    plan = list(_plan(b, shown, width))
    total = sum(h for _, h, _, _ in plan) + pad
    offset = max(0, min(scroll.get(key, 0), total - height))
    if total > height:
        holder.scroll = key
        scroll[key] = offset
    holder.extent = total
    # A recycler keeps a little more than what can be seen.
    first, last = offset - dp(24), offset + height + dp(24)
    top = 0
    for w, each, row, made in plan:
        if top + each > first and top < last:
            node = made or (b.build(w, width) if row is None else _row(b, w, row, width))
            node.y = top
            holder.add(node)
        top += each
    return holder


def _plan(
    b: Builder, shown: list[Widget], width: int
) -> Iterator[tuple[Widget, int, Row | None, Node | None]]:
    """Each item with its height; rows of one list are equally high: they are placed without being built."""
    for w in shown:
        if w.kind != "list":
            node = b.build(w, width)
            yield w, node.h, None, node
            continue
        rows = rows_of(b, w)
        if rows:
            first = _row(b, w, rows[0], width)
            for i, row in enumerate(rows):
                yield w, first.h, row, first if i == 0 else None
            continue
        for e in b.shown(w.empty):
            node = b.build(e, width)
            yield e, node.h, None, node


KINDS: Mapping[str, Kind] = {**ROWS, **BLOCKS, "list": nested}
"""How every kind of widget is laid out."""
