"""A session in, the windows it shows out, bottom one first: pages, and the layers over them."""

from collections.abc import Sequence

from waypost.adapters.pocket.layers import dialog, drawer, menu, over, sheet
from waypost.adapters.pocket.nodes import (
    CLICK,
    HEIGHT,
    NAVBAR,
    SELECTED,
    STATUS,
    WIDTH,
    Node,
    Touch,
    Window,
    dp,
)
from waypost.adapters.pocket.pieces import Builder
from waypost.adapters.pocket.scrolling import KINDS, body
from waypost.adapters.pocket.spec import Go, Page, Widget
from waypost.adapters.pocket.state import Entry, Session
from waypost.model import Role

__all__ = ["pages"]

TV = "android.widget.TextView"
IV = "android.widget.ImageView"
IB = "android.widget.ImageButton"
BUTTON = "android.widget.Button"
LINEAR = "android.widget.LinearLayout"
FRAME = "android.widget.FrameLayout"
GROUP = "android.view.ViewGroup"


_BAR, _TABS, _BOTTOM = dp(56), dp(48), dp(64)
_NAVIGATE = {"back": "Navigate up", "close": "Close", "drawer": "Open navigation drawer"}
_NAV_ICON = {"back": "back", "close": "close", "drawer": "menu"}


def pages(session: Session) -> list[Window]:
    """The windows of the app itself."""
    base = session.base
    above = session.stack[session.stack.index(base) + 1 :]
    content = _content(session, base)
    windows = [Window(_decor(content))]
    for entry in above:
        match entry.page.kind:
            case "dialog":
                windows.append(dialog(session, entry))
            case "menu":
                windows.append(menu(session, entry))
            case "sheet":
                windows[0] = over(windows[0], sheet(session, entry))
            case _:
                windows[0] = over(windows[0], drawer(session, entry))
    if session.toast_looks and len(windows) == 1:
        content.add(_snackbar(session, base.page))
    return windows


def _decor(content: Node) -> Node:
    decor = Node(FRAME, Role.GROUP, (0, 0, WIDTH, HEIGHT), "", ("window",))
    linear = decor.add(Node(LINEAR, Role.GROUP, (0, 0, WIDTH, HEIGHT)))
    frame = linear.add(Node(FRAME, Role.GROUP, (0, 0, WIDTH, HEIGHT), "android:id/content"))
    frame.add(content)
    return decor


def _content(session: Session, entry: Entry) -> Node:
    page = entry.page
    b = Builder(session, KINDS, page)
    bottom = HEIGHT - NAVBAR
    root = Node(GROUP, Role.GROUP, (0, 0, WIDTH, HEIGHT), b.rid("coordinator"))
    if page.nav == "drawer":
        root.cls, root.rid = "androidx.drawerlayout.widget.DrawerLayout", b.rid("drawer_layout")
    top = _appbar(b, page, root)
    bar = _bottom(b, page) if page.bottom else None
    bottom -= bar.h if bar else 0
    foot = _footer(b, page) if page.footer else None
    bottom -= foot.h if foot else 0
    box = (0, top, WIDTH, bottom - top)
    if session.loading:
        root.add(_loading(b, box))
    else:
        root.add(body(b, page.body, box, entry.scroll, dp(88) if page.fab else dp(8)))
    if foot:
        foot.y = bottom
        root.add(foot)
    if page.fab and (page.fab.when is None or page.fab.when.run(session)):
        root.add(_fab(b, page.fab, bottom))
    if bar:
        bar.y = HEIGHT - NAVBAR - bar.h
        root.add(bar)
    return root


def _loading(b: Builder, box: tuple[int, int, int, int]) -> Node:
    holder = Node(FRAME, Role.GROUP, box, b.rid("loading_container"))
    circle = (WIDTH // 2 - dp(24), box[3] // 2 - dp(48), dp(48), dp(48))
    holder.add(Node("android.widget.ProgressBar", Role.PROGRESS, circle, b.rid("progress"), ("progress",)))
    return holder


def _appbar(b: Builder, page: Page, root: Node) -> int:
    top = STATUS
    if page.title is not None:
        bar = root.add(Node(GROUP, Role.TOOLBAR, (0, top, WIDTH, _BAR), b.rid("toolbar"), ("toolbar",)))
        _toolbar(b, page, bar)
        top += _BAR
    if page.tabs:
        strip = Node(
            "android.widget.HorizontalScrollView", Role.TABLIST, (0, top, WIDTH, _TABS), b.rid("tabs")
        )
        strip.paint = ("tabs",)
        line = strip.add(Node(LINEAR, Role.GROUP, (0, 0, WIDTH, _TABS)))
        shown = b.shown(page.tabs)
        each = WIDTH // len(shown)
        for i, w in enumerate(shown):
            line.add(_tab(b, page, w, (i * each, 0, each, _TABS)))
        root.add(strip)
        top += _TABS
    return top


def _toolbar(b: Builder, page: Page, bar: Node) -> None:
    left = dp(16)
    if page.nav != "none":
        nav = bar.add(
            Node(IB, Role.BUTTON, (dp(4), dp(4), dp(48), dp(48)), "", ("iconbutton", _NAV_ICON[page.nav]))
        )
        nav.desc = _NAVIGATE[page.nav]
        nav.flags |= CLICK
        nav.touch = Touch("run" if page.nav_tap else "back", page.nav_tap, value="nav")
        left = dp(64)
    actions = [w for w in page.actions if w.when is None or w.when.run(b.session)]
    right = WIDTH - dp(4) - dp(48) * len(actions)
    title = (left, dp(6) if page.subtitle else dp(14), right - left, dp(28))
    said = b.say(page.title)
    if said:
        bar.add(b.label(said, title, b.rid("toolbar_title"), dp(20), "on_bar", bold=True))
    if page.subtitle:
        below = (left, dp(32), right - left, dp(20))
        bar.add(b.label(b.say(page.subtitle), below, b.rid("toolbar_subtitle"), dp(13), "muted"))
    if actions:
        strip = (right, dp(4), dp(48) * len(actions), dp(48))
        menu = bar.add(Node("androidx.appcompat.widget.LinearLayoutCompat", Role.GROUP, strip))
        for i, w in enumerate(actions):
            node = menu.add(b.build(w, dp(48)))
            node.x = i * dp(48)


def _tab(b: Builder, page: Page, w: Widget, box: tuple[int, int, int, int]) -> Node:
    lit = _lit(page, page.tabs, w)
    tab = Node(LINEAR, Role.TAB, box, b.rid(w.props.get("id", "")), ("tab", lit))
    said = b.say(w.label)
    tab.desc = b.say(w.texts.get("desc"))
    text = (0, dp(12), box[2], dp(24))
    color = "accent" if lit else "muted"
    tab.add(b.label(said, text, "", dp(14), color, align="center", bold=True))
    return _chosen(b, tab, w, lit)


def _lit(page: Page, bar: Sequence[Widget], w: Widget) -> bool:
    """Whether a bar's entry is the current one: the page's own, else the one that the page says to light."""
    mine = [e for e in bar if page.id in _goes(e)]
    return w in mine if mine else page.lit in _goes(w)


def _goes(w: Widget) -> list[str]:
    return [e.to for e in w.tap if isinstance(e, Go)]


def _chosen(b: Builder, node: Node, w: Widget, lit: bool) -> Node:
    if lit:
        node.flags |= SELECTED
    return b.touch(node, w)


def _bottom(b: Builder, page: Page) -> Node:
    bar = Node(FRAME, Role.NAVIGATION, (0, 0, WIDTH, _BOTTOM), b.rid("bottom_navigation"), ("bottombar",))
    group = bar.add(Node(GROUP, Role.GROUP, (0, 0, WIDTH, _BOTTOM)))
    shown = b.shown(page.bottom)
    each = WIDTH // len(shown)
    for i, w in enumerate(shown):
        lit = _lit(page, page.bottom, w)
        rid = b.rid(w.props.get("id", ""))
        item = Node(FRAME, Role.TAB, (i * each, 0, each, _BOTTOM), rid, ("navitem", lit))
        said = b.say(w.label)
        item.desc = said
        color = "accent" if lit else "muted"
        icon = ((each - dp(24)) // 2, dp(8), dp(24), dp(24))
        item.add(
            b.glyph(str(w.props.get("icon", "info")), icon, b.rid("navigation_bar_item_icon_view"), color)
        )
        label = (0, dp(38), each, dp(18))
        rid = b.rid("navigation_bar_item_small_label_view")
        item.add(b.label(said, label, rid, dp(12), color, align="center", bold=lit))
        badge = b.say(w.texts.get("badge"))
        if badge and badge != "0":
            spot = (each // 2 + dp(6), dp(2), max(dp(18), len(badge) * dp(9) + dp(8)), dp(18))
            item.add(Node(TV, Role.TEXT, spot, b.rid("badge"), ("badge",))).text = badge
        group.add(_chosen(b, item, w, lit))
    return bar


def _footer(b: Builder, page: Page) -> Node:
    foot = Node(LINEAR, Role.GROUP, (0, 0, WIDTH, 0), b.rid("footer"), ("footer",))
    foot.h = b.column(page.footer, WIDTH, foot)
    return foot


def _fab(b: Builder, w: Widget, bottom: int) -> Node:
    box = (WIDTH - dp(72), bottom - dp(72), dp(56), dp(56))
    rid = b.rid(w.props.get("id", "fab"))
    fab = Node(IB, Role.BUTTON, box, rid, ("fab", w.props.get("icon", "add")))
    fab.desc = b.say(w.texts.get("desc"))
    return b.touch(fab, w)


def _snackbar(session: Session, page: Page) -> Node:
    b = Builder(session, KINDS, page)
    low = HEIGHT - NAVBAR - dp(60) - (_BOTTOM if page.bottom else 0)
    bar = Node(FRAME, Role.GROUP, (dp(8), low, WIDTH - dp(16), dp(48)), "", ("snackbar",))
    text = (dp(16), dp(12), WIDTH - dp(48), dp(24))
    bar.add(b.label(session.toast, text, b.rid("snackbar_text"), dp(14), "on_snackbar"))
    return bar
