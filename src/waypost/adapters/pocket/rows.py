"""Row-like widgets in, laid-out nodes out: texts, list rows, preferences, fields."""

from waypost.adapters.pocket.nodes import (
    CHECKABLE,
    CHECKED,
    CLICK,
    FOCUSED,
    LONG,
    PASSWORD,
    Node,
    Touch,
    dp,
    wrap,
)
from waypost.adapters.pocket.pieces import Builder, Kind
from waypost.adapters.pocket.spec import Widget
from waypost.model import Role

__all__ = ["ROWS"]

TV = "android.widget.TextView"
IV = "android.widget.ImageView"
IB = "android.widget.ImageButton"
LINEAR = "android.widget.LinearLayout"
FRAME = "android.widget.FrameLayout"

_PAD = dp(16)
_SIZES = {"small": dp(12), "": dp(15), "big": dp(24), "huge": dp(56)}


def text(b: Builder, w: Widget, width: int) -> Node:
    said = b.say(w.label)
    size = _SIZES[w.props.get("size", "")]
    lines = len(wrap(said, size, width - 2 * _PAD))
    height = int(lines * size * 1.35) + dp(16)
    node = b.label(
        said,
        (0, 0, width, height),
        b.rid(w.props.get("id", "")),
        size,
        w.props.get("color", "text"),
        align=w.props.get("align", "left"),
    )
    node.desc = b.say(w.texts.get("desc"))
    return b.touch(node, w)


def heading(b: Builder, w: Widget, width: int) -> Node:
    node = b.label(
        b.say(w.label),
        (0, 0, width, dp(44)),
        w.props.get("id", "android:id/title"),
        dp(14),
        "accent",
        bold=True,
    )
    node.rid = b.rid(node.rid)
    node.role = Role.HEADING
    return node


def row(b: Builder, w: Widget, width: int) -> Node:
    sub = b.say(w.texts.get("sub"))
    height = dp(72) if sub or w.props.get("avatar") else dp(56)
    paint = ("card",) if w.props.get("card") else ()
    node = Node(LINEAR, Role.ITEM, (0, 0, width, height), b.rid(w.props.get("id", "")), paint)
    node.desc = b.say(w.texts.get("desc"))
    b.touch(node, w)
    left = _leading(b, node, w, height)
    right = _trailing(b, node, w, width, height)
    _titles(b, node, w, sub, (left, right))
    return node


def _leading(b: Builder, node: Node, w: Widget, height: int) -> int:
    ids = w.props.get("ids", {})
    if w.props.get("avatar"):
        letter = (b.say(w.label).strip() or "?")[0]
        size = dp(40)
        box = (_PAD, (height - size) // 2, size, size)
        node.add(Node(IV, Role.IMAGE, box, b.rid(ids.get("icon", "avatar")), ("avatar", letter)))
        return _PAD + size + _PAD
    if w.props.get("icon"):
        size = dp(24)
        box = (_PAD, (height - size) // 2, size, size)
        node.add(b.glyph(w.props["icon"], box, b.rid(ids.get("icon", "icon"))))
        return _PAD + size + dp(24)
    return _PAD


def _trailing(b: Builder, node: Node, w: Widget, width: int, height: int) -> int:
    right = width - _PAD
    ids = w.props.get("ids", {})
    if w.more:
        box = (right - dp(36), (height - dp(40)) // 2, dp(40), dp(40))
        more = node.add(Node(IB, Role.BUTTON, box, b.rid("more"), ("icon", "more", "muted")))
        more.desc = b.say(w.texts.get("more_desc"))
        more.touch = Touch("run", w.more, (), w, b.session.row, "more", b.overlay)
        more.flags |= CLICK
        right -= dp(44)
    badge = b.say(w.texts.get("badge"))
    if badge and badge != "0":
        size = max(dp(22), int(len(badge) * dp(8)) + dp(12))
        box = (right - size, (height - dp(22)) // 2, size, dp(22))
        mark = node.add(Node(TV, Role.TEXT, box, b.rid("badge"), ("badge",)))
        mark.text = badge
        right -= size + dp(8)
    trailing = b.say(w.texts.get("trailing"))
    if trailing:
        size = min(dp(140), int(len(trailing) * dp(7.5)) + dp(8))
        box = (right - size, dp(12) if "sub" in w.texts else (height - dp(22)) // 2, size, dp(22))
        node.add(
            b.label(trailing, box, b.rid(ids.get("trailing", "trailing")), dp(12), "muted", align="right")
        )
        right -= size + dp(4)
    if w.props.get("arrow"):
        node.add(b.glyph("arrow", (right - dp(20), (height - dp(20)) // 2, dp(20), dp(20)), b.rid("arrow")))
        right -= dp(24)
    return right


def _titles(b: Builder, node: Node, w: Widget, sub: str, span: tuple[int, int]) -> None:
    ids = w.props.get("ids", {})
    left, right = span
    middle = node.h // 2
    top = middle - dp(24) if sub else middle - dp(12)
    title = b.label(
        b.say(w.label), (left, top, right - left, dp(24)), b.rid(ids.get("title", "title")), dp(16)
    )
    box = Node(LINEAR, Role.GROUP, (left, top, right - left, dp(48) if sub else dp(24)))
    title.x = title.y = 0
    box.add(title)
    if sub:
        below = (0, dp(25), right - left, dp(20))
        box.add(b.label(sub, below, b.rid(ids.get("sub", "summary")), dp(14), "muted"))
    node.add(box)


def switch(b: Builder, w: Widget, width: int) -> Node:
    node = _toggle(b, w, width, ("android.widget.Switch", Role.SWITCH, "switch", "switch_widget"))
    return b.touch(node, w, "toggle")


def check(b: Builder, w: Widget, width: int) -> Node:
    node = _toggle(b, w, width, ("android.widget.CheckBox", Role.CHECKBOX, "check", "checkbox"))
    return b.touch(node, w, "toggle")


def _toggle(b: Builder, w: Widget, width: int, like: tuple[str, Role, str, str]) -> Node:
    """A settings row whose widget sits at the right and is not touchable itself, as preferences have it."""
    cls, role, paint, rid = like
    sub = b.say(w.texts.get("sub"))
    height = dp(72) if sub else dp(56)
    on = bool(b.session.vars[w.props["bind"]])
    node = Node(LINEAR, Role.ITEM, (0, 0, width, height), b.rid(w.props.get("id", "")))
    left = _leading(b, node, w, height)
    size = dp(52) if paint == "switch" else dp(24)
    _titles(b, node, w, sub, (left, width - _PAD - size - dp(8)))
    box = (width - _PAD - size, (height - dp(32)) // 2, size, dp(32))
    mark = node.add(Node(cls, role, box, b.rid(rid), (paint, on)))
    mark.flags |= CHECKABLE | (CHECKED if on else 0)
    return node


def radio(b: Builder, w: Widget, width: int) -> Node:
    value = b.say(w.texts.get("value")) or b.say(w.label)
    on = str(b.session.vars[w.props["bind"]]) == value
    box = (0, 0, width, dp(52))
    node = Node("android.widget.RadioButton", Role.RADIO, box, b.rid(w.props.get("id", "")), ("radio", on))
    node.text = b.say(w.label)
    node.flags |= CHECKABLE | (CHECKED if on else 0)
    return b.touch(node, w, "choose", value=value)


def slider(b: Builder, w: Widget, width: int) -> Node:
    node = Node(LINEAR, Role.GROUP, (0, 0, width, dp(76)), b.rid(w.props.get("id", "")))
    node.add(b.label(b.say(w.label), (_PAD, dp(8), width - 2 * _PAD, dp(24)), b.rid("title"), dp(16)))
    box = (_PAD, dp(36), width - 2 * _PAD, dp(32))
    value = int(b.session.vars[w.props["bind"]])
    bar = node.add(Node("android.widget.SeekBar", Role.SLIDER, box, b.rid("seekbar"), ("slider", value)))
    bar.desc = b.say(w.texts.get("desc"))
    bar.text = str(value)
    b.touch(bar, w, "slide")
    return node


def picker(b: Builder, w: Widget, width: int) -> Node:
    node = Node("android.widget.Spinner", Role.PICKER, (0, 0, width, dp(64)), b.rid(w.props.get("id", "")))
    left = _leading(b, node, w, node.h)
    node.add(b.label(b.say(w.label), (left, dp(8), width // 2, dp(22)), "android:id/title", dp(14), "muted"))
    said = b.say(w.texts.get("value"))
    node.add(b.label(said, (left, dp(32), width - left - dp(60), dp(24)), "android:id/text1", dp(16)))
    node.add(b.glyph("arrow", (width - dp(40), dp(22), dp(20), dp(20)), ""))
    return b.touch(node, w)


def field(b: Builder, w: Widget, width: int) -> Node:
    height = dp(64) + dp(22) * (int(w.props.get("lines", 1)) - 1)
    node = Node(LINEAR, Role.GROUP, (0, 0, width, height + dp(8)))
    node.add(_edit(b, w, (_PAD, dp(4), width - 2 * _PAD, height), "field"))
    return node


def search(b: Builder, w: Widget, width: int) -> Node:
    node = Node(FRAME, Role.GROUP, (0, 0, width, dp(64)), b.rid("search_bar"))
    node.add(_edit(b, w, (_PAD, dp(6), width - 2 * _PAD, dp(52)), "search"))
    return node


def _edit(b: Builder, w: Widget, box: tuple[int, int, int, int], paint: str) -> Node:
    value = str(b.session.vars[w.props["bind"]])
    focused = b.session.field is w
    label = b.say(w.label)
    rid = b.rid(w.props.get("id", f"{w.props['bind']}_input" if paint == "field" else "search_src_text"))
    edit = Node("android.widget.EditText", Role.FIELD, box, rid, (paint, label, focused))
    edit.text = "•" * len(value) if w.props.get("password") else value
    hint = b.say(w.texts.get("hint")) if paint == "field" else label
    edit.hint = hint or label
    edit.desc = b.say(w.texts.get("desc")) or (label if value and paint == "field" else "")
    edit.flags |= (FOCUSED if focused else 0) | (PASSWORD if w.props.get("password") else 0) | LONG
    return b.touch(edit, w, "focus")


ROWS: dict[str, Kind] = {
    "text": text,
    "heading": heading,
    "row": row,
    "switch": switch,
    "check": check,
    "radio": radio,
    "slider": slider,
    "picker": picker,
    "field": field,
    "search": search,
}
