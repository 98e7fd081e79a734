"""Block-like widgets in, laid-out nodes out: buttons, cards, grids, keypads, images, web parts."""

from waypost.adapters.pocket.nodes import Node, dp, wrap
from waypost.adapters.pocket.pieces import GRAVE, Builder, Kind
from waypost.adapters.pocket.spec import Widget
from waypost.model import Role

__all__ = ["BLOCKS"]

TV = "android.widget.TextView"
IV = "android.widget.ImageView"
IB = "android.widget.ImageButton"
BUTTON = "android.widget.Button"
LINEAR = "android.widget.LinearLayout"
FRAME = "android.widget.FrameLayout"
GROUP = "android.view.ViewGroup"
HORIZONTAL = "android.widget.HorizontalScrollView"
RECYCLER = "androidx.recyclerview.widget.RecyclerView"
WEB = "android.webkit.WebView"

_PAD = dp(16)


def button(b: Builder, w: Widget, width: int) -> Node:
    """A button in a line of its own."""
    said = b.say(w.label)
    wanted = (
        int(len(wrap(said, dp(14), 10_000)[0]) * dp(8.5)) + dp(48) + (dp(24) if w.props.get("icon") else 0)
    )
    inner = width - 2 * _PAD if w.props.get("wide") else min(wanted, width - 2 * _PAD)
    holder = Node(LINEAR, Role.GROUP, (0, 0, width, dp(56)))
    holder.add(_pressable(b, w, (_PAD, dp(6), inner, dp(44)), w.props.get("style", "filled")))
    return holder


def _pressable(b: Builder, w: Widget, box: tuple[int, int, int, int], style: str) -> Node:
    rid = b.rid(w.props.get("id", ""))
    node = Node(BUTTON, Role.BUTTON, box, rid, ("button", style, w.props.get("icon", ""), w.hazard in GRAVE))
    node.text = b.say(w.label)
    node.desc = b.say(w.texts.get("desc"))
    return b.touch(node, w)


def buttons(b: Builder, w: Widget, width: int) -> Node:
    holder = Node(LINEAR, Role.GROUP, (0, 0, width, dp(60)), b.rid(w.props.get("id", "button_bar")))
    parts = b.shown(w.parts)
    each = (width - 2 * _PAD - dp(8) * (len(parts) - 1)) // max(1, len(parts))
    for i, part in enumerate(parts):
        style = part.props.get("style", "filled" if i == len(parts) - 1 else "outlined")
        holder.add(_pressable(b, part, (_PAD + i * (each + dp(8)), dp(8), each, dp(44)), style))
    return holder


def icon(b: Builder, w: Widget, width: int) -> Node:
    """An icon-only button, as toolbars have them."""
    box = (0, 0, dp(48), dp(48))
    node = Node(IB, Role.BUTTON, box, b.rid(w.props.get("id", "")), ("iconbutton", w.props.get("icon", "")))
    node.desc = b.say(w.texts.get("desc"))
    b.touch(node, w)
    badge = b.say(w.texts.get("badge"))
    if badge and badge != "0":
        holder = Node(FRAME, Role.GROUP, box)
        mark = Node(TV, Role.TEXT, (dp(26), dp(4), dp(18), dp(16)), b.rid("badge"), ("badge",))
        mark.text = badge
        holder.add(node)
        holder.add(mark)
        return holder
    return node


def icons(b: Builder, w: Widget, width: int) -> Node:
    parts = b.shown(w.parts)
    holder = Node(LINEAR, Role.GROUP, (0, 0, width, dp(72)), b.rid(w.props.get("id", "")))
    each = width // max(1, len(parts))
    for i, part in enumerate(parts):
        said = b.say(part.label)
        if said:
            holder.add(_cell(b, part, (i * each, 0, each, dp(72)), dp(28)))
            continue
        box = (i * each + (each - dp(48)) // 2, dp(12), dp(48), dp(48))
        rid = b.rid(part.props.get("id", ""))
        node = Node(IB, Role.BUTTON, box, rid, ("iconbutton", part.props.get("icon", "")))
        node.desc = b.say(part.texts.get("desc"))
        holder.add(b.touch(node, part))
    return holder


def _cell(b: Builder, w: Widget, box: tuple[int, int, int, int], size: int) -> Node:
    """An icon above its label, touched as one."""
    width, height = box[2:]
    cell = Node(LINEAR, Role.BUTTON, box, b.rid(w.props.get("id", "")), ("cell",))
    cell.desc = b.say(w.texts.get("desc"))
    b.touch(cell, w)
    top = (height - size - dp(24)) // 2
    if w.props.get("icon"):
        box = ((width - size) // 2, top, size, size)
        cell.add(b.glyph(w.props["icon"], box, b.rid("icon"), "accent"))
    caption = (dp(4), top + size + dp(4), width - dp(8), dp(20))
    cell.add(b.label(b.say(w.label), caption, b.rid("label"), dp(12), align="center"))
    badge = b.say(w.texts.get("badge"))
    if badge and badge != "0":
        box = (width // 2 + dp(8), top - dp(6), max(dp(18), len(badge) * dp(9) + dp(8)), dp(18))
        cell.add(Node(TV, Role.TEXT, box, b.rid("badge"), ("badge",))).text = badge
    return cell


def image(b: Builder, w: Widget, width: int) -> Node:
    height = dp(float(w.props.get("height", 160)))
    holder = Node(FRAME, Role.GROUP, (0, 0, width, height + dp(16)))
    box = (_PAD, dp(8), width - 2 * _PAD, height)
    paint = ("image", w.props.get("icon", ""), w.props.get("color", ""))
    node = holder.add(Node(IV, Role.IMAGE, box, b.rid(w.props.get("id", "image")), paint))
    node.desc = b.say(w.texts.get("desc"))
    b.touch(node, w)
    return holder


def card(b: Builder, w: Widget, width: int) -> Node:
    outer = Node(FRAME, Role.GROUP, (0, 0, width, 0))
    inner = width - 2 * _PAD
    box = outer.add(
        Node(FRAME, Role.GROUP, (_PAD, dp(6), inner, 0), b.rid(w.props.get("id", "card")), ("card",))
    )
    box.desc = b.say(w.texts.get("desc"))
    b.touch(box, w)
    top = 0
    if "image" in w.props:
        picture = (0, 0, inner, dp(120))
        box.add(Node(IV, Role.IMAGE, picture, b.rid("card_image"), ("image", w.props["image"] or "", "")))
        top = dp(120)
    texts = (
        ("", w.label, dp(16), "text"),
        ("sub", w.texts.get("sub"), dp(13), "muted"),
        ("text", w.texts.get("text"), dp(14), "text"),
    )
    top += dp(10)
    for key, label, size, color in texts:
        said = b.say(label)
        if said:
            height = int(len(wrap(said, size, inner - 2 * _PAD)) * size * 1.35) + dp(4)
            rid = b.rid(f"card_{key or 'title'}")
            box.add(b.label(said, (_PAD, top, inner - 2 * _PAD, height), rid, size, color, bold=not key))
            top += height
    left = dp(8)
    for part in b.shown(w.parts):
        wide = len(b.say(part.label)) * dp(8.5) + dp(32)
        box.add(_pressable(b, part, (left, top + dp(4), wide, dp(40)), "text"))
        left += wide + dp(4)
    box.h = top + (dp(48) if w.parts else dp(10))
    outer.h = box.h + dp(12)
    return outer


def chips(b: Builder, w: Widget, width: int) -> Node:
    strip = Node(HORIZONTAL, Role.GROUP, (0, 0, width, dp(52)), b.rid(w.props.get("id", "chips")))
    left = _PAD
    for part in b.shown(w.parts):
        said = b.say(part.label)
        wide = int(wrap_width(said, dp(14))) + dp(32)
        box = (left, dp(10), wide, dp(32))
        chip = Node(BUTTON, Role.BUTTON, box, b.rid(part.props.get("id", "chip")), ("chip",))
        chip.text = said
        strip.add(b.touch(chip, part))
        left += wide + dp(8)
    strip.extent = left + dp(8)
    strip.scroll = f"h:{w.path}" if strip.extent > width else ""
    return strip


def wrap_width(text: str, size: int) -> float:
    """Estimated advance of a line.

    >>> wrap_width("中", 30)
    30.0
    """
    return float(sum(size if ord(c) > 0x2E7F else 0.53 * size for c in text))


def carousel(b: Builder, w: Widget, width: int) -> Node:
    strip = Node(RECYCLER, Role.LIST, (0, 0, width, dp(10)), b.rid(w.props.get("id", "carousel")))
    left, each = dp(8), dp(200)
    template = w.template
    rows = b.session.tables[w.props["table"]][: int(w.props.get("limit", 12))]
    for row in rows if template else ():
        b.session.row = row
        if ("where" in w.exprs and not w.exprs["where"].run(b.session)) or template is None:
            continue
        node = b.build(template, each)
        node.x = left
        strip.add(node)
        strip.h = max(strip.h, node.h)
        left += each
    b.session.row = None
    strip.extent = left + dp(8)
    strip.scroll = f"h:{w.path}" if strip.extent > width else ""
    return strip


def grid(b: Builder, w: Widget, width: int) -> Node:
    columns = int(w.props.get("columns", 3))
    parts = b.shown(w.parts)
    each, height = (width - 2 * dp(8)) // columns, dp(96)
    lines = -(-len(parts) // columns)
    holder = Node(GROUP, Role.GROUP, (0, 0, width, lines * height), b.rid(w.props.get("id", "grid")))
    for i, part in enumerate(parts):
        box = (dp(8) + i % columns * each, i // columns * height, each, height)
        holder.add(_cell(b, part, box, dp(40)))
    return holder


def keypad(b: Builder, w: Widget, width: int) -> Node:
    parts = w.parts
    each, height = width // 3, dp(64)
    holder = Node(GROUP, Role.GROUP, (0, 0, width, -(-len(parts) // 3) * height), b.rid("keypad"))
    for i, part in enumerate(parts):
        box = (i % 3 * each + dp(6), i // 3 * height + dp(4), each - dp(12), height - dp(8))
        key = Node(BUTTON, Role.BUTTON, box, b.rid(f"key_{i + 1}"), ("key",))
        key.text = b.say(part.label)
        holder.add(b.touch(key, w, "key", value=key.text))
    return holder


def group(b: Builder, w: Widget, width: int) -> Node:
    holder = Node(LINEAR, Role.GROUP, (0, 0, width, 0), b.rid(w.props.get("id", "group")))
    holder.h = b.column(w.parts, width, holder)
    return b.touch(holder, w)


def web(b: Builder, w: Widget, width: int) -> Node:
    """A page in a page: no resource ids, the text in views of no particular class."""
    view = Node(WEB, Role.WEB, (0, 0, width, 0), b.rid("webview"), ("web",))
    top = dp(12)
    said = b.say(w.label)
    height = int(len(wrap(said, dp(16), width - 2 * _PAD)) * dp(16) * 1.35) + dp(8)
    body = view.add(Node("android.widget.TextView", Role.TEXT, (_PAD, top, width - 2 * _PAD, height)))
    body.text, body.paint = said, ("text", dp(16), "text", "left", False)
    top += height + dp(8)
    for part in b.shown(w.parts):
        link = Node("android.view.View", Role.LINK, (_PAD, top, width - 2 * _PAD, dp(40)), "", ("link",))
        link.text = b.say(part.label)
        view.add(b.touch(link, part))
        top += dp(44)
    view.h = top + dp(12)
    return view


def divider(b: Builder, w: Widget, width: int) -> Node:
    return Node("android.view.View", Role.GROUP, (0, 0, width, dp(9)), "", ("divider",))


def space(b: Builder, w: Widget, width: int) -> Node:
    return Node("android.widget.Space", Role.GROUP, (0, 0, width, dp(float(w.props.get("height") or 16))))


def progress(b: Builder, w: Widget, width: int) -> Node:
    holder = Node(LINEAR, Role.GROUP, (0, 0, width, dp(64)), b.rid("loading"))
    box = (width // 2 - dp(16), dp(6), dp(32), dp(32))
    holder.add(Node("android.widget.ProgressBar", Role.PROGRESS, box, b.rid("progress"), ("progress",)))
    said = b.say(w.label)
    if said:
        line = (0, dp(40), width, dp(20))
        holder.add(b.label(said, line, b.rid("loading_text"), dp(12), "muted", align="center"))
    return holder


BLOCKS: dict[str, Kind] = {
    "button": button,
    "buttons": buttons,
    "icon": icon,
    "icons": icons,
    "image": image,
    "card": card,
    "chips": chips,
    "carousel": carousel,
    "grid": grid,
    "keypad": keypad,
    "group": group,
    "web": web,
    "divider": divider,
    "space": space,
    "progress": progress,
}
