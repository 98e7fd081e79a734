"""Overlays in, windows out: dialogs and menus of their own, sheets and drawers within the page's window."""

from waypost.adapters.pocket.nodes import (
    COVERED,
    HEIGHT,
    KEYBOARD,
    NAVBAR,
    STATUS,
    WIDTH,
    Node,
    Window,
    dp,
    wrap,
)
from waypost.adapters.pocket.pieces import GRAVE, Builder
from waypost.adapters.pocket.scrolling import KINDS, body
from waypost.adapters.pocket.spec import Page
from waypost.adapters.pocket.state import Entry, Session
from waypost.model import Role

__all__ = ["dialog", "drawer", "menu", "over", "sheet"]

IV = "android.widget.ImageView"
BUTTON = "android.widget.Button"
LINEAR = "android.widget.LinearLayout"
FRAME = "android.widget.FrameLayout"


def over(window: Window, layer: Window) -> Window:
    """Put a sheet or drawer into the page's own window: what it covers stays in the tree, unseen."""
    frame = window.root.children[0].children[0]
    for node in frame.children:
        node.flags |= COVERED
    frame.add(Node("android.view.View", Role.GROUP, (0, 0, WIDTH, HEIGHT), "", ("scrim",)))
    frame.add(layer.root)
    return Window(window.root, False, layer.panel)


def sheet(session: Session, entry: Entry) -> Window:
    page = entry.page
    b = Builder(session, KINDS, entry.page)
    inner = Node(LINEAR, Role.GROUP, (0, 0, WIDTH, 0))
    top = dp(24)
    if page.title:
        inner.add(
            b.label(
                b.say(page.title),
                (dp(16), top, WIDTH - dp(32), dp(28)),
                b.rid("sheet_title"),
                dp(18),
                bold=True,
            )
        )
        top += dp(40)
    rows = body(b, (*page.body, *page.buttons), (0, top, WIDTH, 10_000), {})
    room = min(rows.extent, int(HEIGHT * 0.7))
    rows = body(b, (*page.body, *page.buttons), (0, top, WIDTH, room), entry.scroll)
    inner.add(rows)
    height = top + room + NAVBAR + dp(8)
    low = _raised(session, HEIGHT)
    box = (0, low - height, WIDTH, height)
    inner.h = height
    sheet = Node(FRAME, Role.DIALOG, box, b.rid("design_bottom_sheet"), ("sheet",))
    sheet.add(inner)
    return Window(sheet, False, box)


def _raised(session: Session, bottom: int) -> int:
    """A layer with a field in it stands above the keyboard."""
    return HEIGHT - KEYBOARD if session.keyboard else bottom


def drawer(session: Session, entry: Entry) -> Window:
    page = entry.page
    b = Builder(session, KINDS, entry.page)
    width = dp(300)
    box = (0, 0, width, HEIGHT)
    nav = Node(FRAME, Role.NAVIGATION, box, b.rid("nav_view"), ("drawer",))
    top = STATUS
    if page.title:
        head = nav.add(
            Node(LINEAR, Role.GROUP, (0, top, width, dp(104)), b.rid("nav_header"), ("navheader",))
        )
        head.add(
            Node(
                IV,
                Role.IMAGE,
                (dp(16), dp(8), dp(40), dp(40)),
                b.rid("account_image"),
                ("avatar", b.say(page.title)[:1]),
            )
        )
        head.add(
            b.label(
                b.say(page.title),
                (dp(16), dp(54), width - dp(32), dp(24)),
                b.rid("nav_title"),
                dp(16),
                bold=True,
            )
        )
        if page.subtitle:
            line = (dp(16), dp(78), width - dp(32), dp(20))
            head.add(b.label(b.say(page.subtitle), line, b.rid("nav_subtitle"), dp(13), "muted"))
        top += dp(104)
    nav.add(body(b, (*page.body, *page.buttons), (0, top, width, HEIGHT - NAVBAR - top), entry.scroll))
    return Window(nav, False, box)


def menu(session: Session, entry: Entry) -> Window:
    b = Builder(session, KINDS, entry.page)
    width = dp(220)
    shown = b.shown(entry.page.body)
    left, top = WIDTH - width - dp(8), STATUS + dp(8)
    height = dp(48) * len(shown) + dp(16)
    root = Node(FRAME, Role.MENU, (left, top, width, height), "", ("menu",))
    items = root.add(Node("android.widget.ListView", Role.LIST, (0, dp(8), width, height - dp(16))))
    for i, w in enumerate(shown):
        item = Node(
            LINEAR, Role.MENUITEM, (0, i * dp(48), width, dp(48)), b.rid(w.props.get("id", "content"))
        )
        indent = dp(16)
        if w.props.get("icon"):
            item.add(b.glyph(w.props["icon"], (dp(16), dp(12), dp(24), dp(24)), b.rid("icon")))
            indent = dp(56)
        text = (indent, dp(12), width - indent - dp(8), dp(24))
        item.add(b.label(b.say(w.label), text, b.rid("title"), dp(16)))
        items.add(b.touch(item, w))
    return Window(root, False, (left, top, width, height))


def dialog(session: Session, entry: Entry) -> Window:
    page = entry.page
    b = Builder(session, KINDS, entry.page)
    width = dp(320)
    panel = Node(LINEAR, Role.GROUP, (0, 0, width, 0), b.rid("parentPanel"))
    top = dp(20)
    if page.title:
        said = b.say(page.title)
        height = len(wrap(said, dp(20), width - dp(48))) * dp(28)
        title = (dp(24), top, width - dp(48), height)
        panel.add(b.label(said, title, b.rid("alertTitle"), dp(20), bold=True))
        top += height + dp(8)
    if page.text:
        said = b.say(page.text)
        height = int(len(wrap(said, dp(15), width - dp(48))) * dp(15) * 1.4) + dp(4)
        panel.add(b.label(said, (dp(24), top, width - dp(48), height), "android:id/message", dp(15), "muted"))
        top += height
    if page.body:
        tall = body(b, page.body, (0, top, width, 10_000), {}).extent
        room = min(tall, dp(400))
        panel.add(body(b, page.body, (0, top, width, room), entry.scroll))
        top += room
    top = _dialog_buttons(b, page, panel, top + dp(8))
    panel.h = top
    low = _raised(session, HEIGHT)
    box = ((WIDTH - width) // 2, max(STATUS, (low - top) // 2), width, top)
    root = Node(FRAME, Role.DIALOG, box, "", ("dialog",))
    root.add(Node(FRAME, Role.GROUP, (0, 0, width, top), "android:id/content")).add(panel)
    return Window(root, True, box)


def _dialog_buttons(b: Builder, page: Page, panel: Node, top: int) -> int:
    shown = b.shown(page.buttons)
    if not shown:
        return top + dp(8)
    bar = panel.add(
        Node("android.widget.ScrollView", Role.GROUP, (0, top, panel.w, dp(56)), b.rid("buttonPanel"))
    )
    right = panel.w - dp(12)
    for i, w in enumerate(reversed(shown)):
        said = b.say(w.label)
        wide = sum(dp(14) if ord(c) > 0x2E7F else dp(8) for c in said) + dp(28)
        number = 1 if i == 0 else 2 if i == len(shown) - 1 else 3
        rid = b.rid(w.props.get("id", f"android:id/button{number}"))
        node = Node(
            BUTTON,
            Role.BUTTON,
            (right - wide, dp(6), wide, dp(44)),
            rid,
            ("button", "text", "", w.hazard in GRAVE),
        )
        node.text = said
        bar.children.insert(0, b.touch(node, w))
        right -= wide + dp(4)
    return top + dp(60)
