"""Windows that are not a page of an app: launcher, splash, permission, advertisement, crash, another app."""

from collections.abc import Sequence

from waypost.adapters.pocket.fields import PERMISSIONS
from waypost.adapters.pocket.nodes import CLICK, HEIGHT, NAVBAR, STATUS, WIDTH, Node, Touch, Window, dp, wrap
from waypost.adapters.pocket.spec import Spec
from waypost.adapters.pocket.state import Session
from waypost.model import Role

__all__ = [
    "LAUNCHER",
    "PERMISSION",
    "SYSTEM",
    "advert",
    "crash",
    "external",
    "launcher",
    "permission",
    "splash",
]

LAUNCHER = "com.pocket.launcher"
PERMISSION = "com.android.permissioncontroller"
SYSTEM = "android"

TV = "android.widget.TextView"
IV = "android.widget.ImageView"
IB = "android.widget.ImageButton"
BUTTON = "android.widget.Button"
LINEAR = "android.widget.LinearLayout"
FRAME = "android.widget.FrameLayout"
GROUP = "android.view.ViewGroup"

Box = tuple[int, int, int, int]


def _said(text: str, box: Box, rid: str, size: int, color: str = "text", align: str = "left") -> Node:
    node = Node(TV, Role.TEXT, box, rid, ("text", size, color, align, size >= dp(18)))
    node.text = text
    return node


def _button(text: str, box: Box, rid: str, op: str, style: str = "text") -> Node:
    node = Node(BUTTON, Role.BUTTON, box, rid, ("button", style, "", False))
    node.text = text
    node.flags |= CLICK
    node.touch = Touch(op)
    return node


def _full(package: str, paint: str = "window") -> tuple[Node, Node]:
    root = Node(FRAME, Role.GROUP, (0, 0, WIDTH, HEIGHT), "", (paint,))
    return root, root.add(Node(FRAME, Role.GROUP, (0, 0, WIDTH, HEIGHT), "android:id/content"))


def launcher(apps: Sequence[tuple[Spec, str, str]]) -> Window:
    """The home screen: one icon an app, given with its name and badge."""
    root, content = _full(LAUNCHER, "wallpaper")
    space = content.add(
        Node(GROUP, Role.GROUP, (0, STATUS, WIDTH, HEIGHT - STATUS - NAVBAR), f"{LAUNCHER}:id/workspace")
    )
    each, high = WIDTH // 4, dp(104)
    for i, (spec, name, badge) in enumerate(apps):
        icon = Node(
            TV, Role.BUTTON, (i % 4 * each, dp(96) + i // 4 * high, each, high), f"{LAUNCHER}:id/icon"
        )
        icon.text, icon.desc = name, f"{name}, {badge} notifications" if badge not in ("", "0") else name
        icon.paint = ("launcher", spec.icon, spec.color, badge)
        icon.flags |= CLICK
        icon.touch = Touch("launch", value=spec.app)
        space.add(icon)
    return Window(root)


def splash(session: Session) -> Window:
    spec = session.spec
    root, content = _full(spec.package, "splash")
    size = dp(96)
    box = ((WIDTH - size) // 2, HEIGHT // 2 - size, size, size)
    logo = content.add(
        Node(IV, Role.IMAGE, box, f"{spec.package}:id/splash_logo", ("logo", spec.icon, spec.color))
    )
    logo.desc = spec.name.show(session)
    return Window(root)


def permission(session: Session) -> Window:
    """The system's own question, in a window of the permission controller."""
    name = session.spec.name.show(session)
    width, height = dp(328), dp(340)
    box = ((WIDTH - width) // 2, (HEIGHT - height) // 2, width, height)
    root = Node(FRAME, Role.DIALOG, box, "", ("dialog",))
    panel = Node(LINEAR, Role.GROUP, (0, 0, width, height), f"{PERMISSION}:id/grant_dialog")
    root.add(Node(FRAME, Role.GROUP, (0, 0, width, height), "android:id/content")).add(panel)
    icon = (width // 2 - dp(16), dp(20), dp(32), dp(32))
    panel.add(Node(IV, Role.IMAGE, icon, f"{PERMISSION}:id/permission_icon", ("icon", "lock", "accent")))
    text = f"Allow {name} to {PERMISSIONS[session.prompt]}?"
    lines = len(wrap(text, dp(18), width - dp(48)))
    message = (dp(24), dp(64), width - dp(48), lines * dp(26))
    panel.add(_said(text, message, f"{PERMISSION}:id/permission_message", dp(18), align="center"))
    top = dp(160)
    for label, rid, op in (
        ("While using the app", "permission_allow_foreground_only_button", "allow"),
        ("Only this time", "permission_allow_one_time_button", "allow"),
        ("Don't allow", "permission_deny_button", "deny"),
    ):
        panel.add(
            _button(label, (dp(20), top, width - dp(40), dp(50)), f"{PERMISSION}:id/{rid}", op, "tonal")
        )
        top += dp(56)
    return Window(root, True, box)


def crash(session: Session) -> Window:
    name = session.spec.name.show(session)
    width, height = dp(320), dp(190)
    box = ((WIDTH - width) // 2, (HEIGHT - height) // 2, width, height)
    root = Node(FRAME, Role.DIALOG, box, "", ("dialog",))
    panel = Node(LINEAR, Role.GROUP, (0, 0, width, height), "android:id/parentPanel")
    root.add(Node(FRAME, Role.GROUP, (0, 0, width, height), "android:id/content")).add(panel)
    title = (dp(24), dp(20), width - dp(48), dp(30))
    panel.add(_said(f"{name} keeps stopping", title, "android:id/alertTitle", dp(18)))
    panel.add(
        _button("Open app again", (dp(12), dp(64), dp(220), dp(50)), "android:id/aerr_restart", "reopen")
    )
    panel.add(_button("Close app", (dp(12), dp(120), dp(220), dp(50)), "android:id/aerr_close", "quit"))
    return Window(root, True, box)


def advert(session: Session) -> Window:
    """A full-screen advertisement, in an activity of the app's own package."""
    spec = session.spec
    root, content = _full(spec.package)
    ad = content.add(
        Node(FRAME, Role.GROUP, (0, 0, WIDTH, HEIGHT), f"{spec.package}:id/ad_container", ("advert",))
    )
    close = Node(
        IB, Role.BUTTON, (WIDTH - dp(60), STATUS + dp(12), dp(48), dp(48)), f"{spec.package}:id/ad_close"
    )
    close.desc, close.touch, close.paint = "Close ad", Touch("close_ad"), ("iconbutton", "close")
    close.flags |= CLICK
    picture = (dp(24), dp(200), WIDTH - dp(48), dp(220))
    ad.add(Node(IV, Role.IMAGE, picture, f"{spec.package}:id/ad_media", ("image", "star", "")))
    line = (dp(24), dp(440), WIDTH - dp(48), dp(36))
    ad.add(_said(spec.ad_title, line, f"{spec.package}:id/ad_headline", dp(24), align="center"))
    line = (dp(24), dp(484), WIDTH - dp(48), dp(28))
    ad.add(_said(spec.ad_text, line, f"{spec.package}:id/ad_body", dp(15), "muted", "center"))
    act = (dp(80), dp(548), WIDTH - dp(160), dp(48))
    ad.add(_button("Install", act, f"{spec.package}:id/ad_call_to_action", "follow_ad", "filled"))
    ad.add(
        _said(
            "Ad",
            (dp(16), STATUS + dp(16), dp(60), dp(24)),
            f"{spec.package}:id/ad_attribution",
            dp(13),
            "muted",
        )
    )
    ad.add(close)
    return Window(root)


def external(package: str, title: str, text: str) -> Window:
    """Another app: a toolbar with an address, and a document."""
    root, content = _full(package)
    bar = content.add(
        Node(GROUP, Role.TOOLBAR, (0, STATUS, WIDTH, dp(56)), f"{package}:id/toolbar", ("toolbar",))
    )
    address = Node(
        "android.widget.EditText",
        Role.FIELD,
        (dp(16), dp(8), WIDTH - dp(96), dp(40)),
        f"{package}:id/url_bar",
    )
    address.text, address.paint = f"{title.lower().replace(' ', '-')}.example", ("search", "", False)
    bar.add(address)
    page = content.add(
        Node(
            "android.webkit.WebView",
            Role.WEB,
            (0, STATUS + dp(56), WIDTH, HEIGHT - STATUS - dp(110)),
            "",
            ("web",),
        )
    )
    heading = page.add(_said(title, (dp(16), dp(24), WIDTH - dp(32), dp(40)), "", dp(26)))
    heading.role = Role.HEADING
    high = len(wrap(text, dp(16), WIDTH - dp(32))) * dp(22)
    page.add(_said(text, (dp(16), dp(72), WIDTH - dp(32), high), "", dp(16)))
    return Window(root)
