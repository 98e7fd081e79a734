"""How each kind of view is painted: a node and its box in, pixels on the canvas out."""

from collections.abc import Callable
from typing import Any

from waypost.adapters.pocket.canvas import Canvas, mixed
from waypost.adapters.pocket.nodes import CLICK, DISABLED, HEIGHT, SELECTED, WIDTH, Node, dp, wrap
from waypost.adapters.pocket.theme import Theme, rgb

__all__ = ["PAINTS"]

Box = tuple[int, int, int, int]
Paint = Callable[[Canvas, Node, Box, Theme, tuple[Any, ...]], None]

_WHITE = (255, 255, 255)


def _nothing(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    pass


def _window(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    c.rect(box, t.window)
    if t.bar != t.window:
        c.rect((0, 0, WIDTH, dp(28)), t.bar)


def _toolbar(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    c.rect(box, t.bar)


def _tabs(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    c.rect(box, t.window)
    c.rect((box[0], box[3] - 3, box[2], box[3]), t.line)


def _tab(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    if how[0]:
        middle = (box[0] + box[2]) // 2
        c.rounded((middle - dp(32), box[3] - dp(3), middle + dp(32), box[3]), dp(2), t.accent)


def _bottombar(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    c.rect((0, box[1], WIDTH, HEIGHT), t.card)


def _navitem(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    if how[0]:
        middle = (box[0] + box[2]) // 2
        pill = (middle - dp(30), box[1] + dp(5), middle + dp(30), box[1] + dp(35))
        c.rounded(pill, dp(15), mixed(t.card, t.accent, 0.2))


def _text(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    size, color, align, bold = how
    ink = t.named(color)
    if size >= dp(16) * 3:
        lines: tuple[str, ...] = (node.text,)
    else:
        lines = wrap(node.text, size, box[2] - box[0]) if box[3] - box[1] > size * 2 else (node.text,)
    inset = dp(16) if box[0] == 0 and align == "left" else 0
    box = (box[0] + inset, box[1], box[2] - inset, box[3])
    if inset and len(lines) > 1:
        lines = wrap(node.text, size, box[2] - box[0])
    pitch = int(size * 1.35)
    top = (box[1] + box[3] - pitch * len(lines)) // 2
    for i, line in enumerate(lines):
        where = (box[0], top + i * pitch, box[2], top + (i + 1) * pitch)
        c.line(line, where, size, ink, align=align, bold=bold)


def _icon(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    c.glyph(how[0], box, t.named(how[1]))


def _iconbutton(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    middle = ((box[0] + box[2]) // 2, (box[1] + box[3]) // 2)
    half = dp(12)
    color = t.on_bar if box[1] < dp(90) else t.text
    c.glyph(how[0], (middle[0] - half, middle[1] - half, middle[0] + half, middle[1] + half), color)


def _avatar(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    letter = str(how[0])
    tints = ((211, 84, 84), (84, 140, 211), (90, 160, 100), (180, 120, 200), (214, 150, 60), (80, 160, 170))
    color = tints[ord(letter) % len(tints)] if letter else tints[0]
    radius = (box[2] - box[0]) // 2
    c.disc(((box[0] + box[2]) // 2, (box[1] + box[3]) // 2), radius, color)
    c.line(letter.upper(), box, int(radius * 0.95), _WHITE, align="center")


def _switch(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    middle = (box[1] + box[3]) // 2
    track = (box[0] + dp(2), middle - dp(14), box[2] - dp(2), middle + dp(14))
    if how[0]:
        c.rounded(track, dp(14), t.accent)
        c.disc((track[2] - dp(14), middle), dp(10), t.on_accent)
    else:
        c.framed(track, dp(14), t.muted, t.card, 5)
        c.disc((track[0] + dp(14), middle), dp(7), t.muted)


def _check(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    middle = (box[1] + box[3]) // 2
    square = (box[2] - dp(21), middle - dp(9), box[2] - dp(3), middle + dp(9))
    if how[0]:
        c.rounded(square, dp(3), t.accent)
        c.glyph("check", square, t.on_accent)
    else:
        c.framed(square, dp(3), t.muted, t.window, 5)


def _radio(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    center = (box[0] + dp(26), (box[1] + box[3]) // 2)
    color = t.accent if how[0] else t.muted
    c.disc(center, dp(10), color)
    c.disc(center, dp(8), t.surface if box[0] else t.window)
    if how[0]:
        c.disc(center, dp(5), color)
    c.line(node.text, (box[0] + dp(52), box[1], box[2] - dp(16), box[3]), dp(16), t.text)


def _slider(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    middle = (box[1] + box[3]) // 2
    at = box[0] + (box[2] - box[0]) * int(how[0]) // 100
    c.rounded((box[0], middle - dp(2), box[2], middle + dp(2)), dp(2), t.line)
    c.rounded((box[0], middle - dp(2), at, middle + dp(2)), dp(2), t.accent)
    c.disc((at, middle), dp(10), t.accent)


def _button(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    style, icon, grave = how
    fill = t.error if grave and style == "filled" else t.accent
    ink = t.on_accent
    if node.flags & DISABLED:
        fill, ink = t.line, t.muted
    radius = (box[3] - box[1]) // 2
    match style:
        case "filled":
            c.rounded(box, radius, fill)
        case "tonal":
            fill, ink = mixed(t.surface, t.accent, 0.16), t.text
            c.rounded(box, radius, fill)
        case "outlined":
            ink = t.muted if node.flags & DISABLED else t.accent
            c.framed(box, radius, t.muted, t.window)
        case _:
            ink = t.error if grave else t.accent
    wide = int(c.width(node.text, dp(14)))
    left = box[0]
    if icon:
        left = (box[0] + box[2] - wide - dp(26)) // 2
        middle = (box[1] + box[3]) // 2
        c.glyph(icon, (left, middle - dp(9), left + dp(18), middle + dp(9)), ink)
        c.line(node.text, (left + dp(26), box[1], box[2], box[3]), dp(14), ink, bold=True)
        return
    c.line(node.text, box, dp(14), ink, align="center", bold=True)


def _field(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    label, focused = how
    line = t.accent if focused else t.muted
    frame = (box[0], box[1] + dp(6), box[2], box[3])
    c.framed(frame, dp(6), line, t.window, 6 if focused else 3)
    inside = (
        box[0] + dp(14),
        frame[1],
        box[2] - dp(14),
        frame[3] if frame[3] - frame[1] < dp(80) else frame[1] + dp(56),
    )
    if node.text or focused:
        wide = int(c.width(label, dp(12)))
        c.rect((box[0] + dp(11), box[1] - dp(2), box[0] + dp(17) + wide, box[1] + dp(14)), t.window)
        c.line(label, (box[0] + dp(14), box[1] - dp(2), box[2], box[1] + dp(14)), dp(12), line)
    c.line(node.text or node.hint, inside, dp(16), t.text if node.text else t.muted)
    if focused:
        at = inside[0] + int(c.width(node.text, dp(16))) + 6
        middle = (inside[1] + inside[3]) // 2
        c.rect((at, middle - dp(10), at + 4, middle + dp(10)), t.accent)


def _search(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    c.rounded(box, (box[3] - box[1]) // 2, t.card if t.card != t.window else t.line)
    middle = (box[1] + box[3]) // 2
    c.glyph("search", (box[0] + dp(14), middle - dp(11), box[0] + dp(36), middle + dp(11)), t.muted)
    where = (box[0] + dp(48), box[1], box[2] - dp(16), box[3])
    c.line(node.text or node.hint, where, dp(15), t.text if node.text else t.muted)


def _card(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    inset = dp(8) if box[0] == 0 and box[2] == WIDTH else 0
    c.rounded((box[0] + inset, box[1] + inset // 2, box[2] - inset, box[3] - inset // 2), dp(12), t.card)


def _image(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    icon, color = how
    fill = mixed(t.card, rgb(color) if color else t.accent, 0.75 if color else 0.22)
    c.rounded(box, dp(12), fill)
    side = min(box[2] - box[0], box[3] - box[1])
    hill = mixed(fill, t.accent, 0.18)
    c.disc((box[0] + (box[2] - box[0]) * 3 // 4, box[1] + side // 3), max(1, side // 9), hill)
    if icon:
        half = int(min(side * 0.28, dp(48)))
        middle = ((box[0] + box[2]) // 2, (box[1] + box[3]) // 2)
        c.glyph(
            icon,
            (middle[0] - half, middle[1] - half, middle[0] + half, middle[1] + half),
            mixed(fill, t.text, 0.55),
        )


def _chip(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    if node.flags & SELECTED:
        c.rounded(box, dp(8), mixed(t.window, t.accent, 0.22))
    else:
        c.framed(box, dp(8), t.line, t.window)
    c.line(node.text, box, dp(14), t.text, align="center")


def _key(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    c.rounded(box, (box[3] - box[1]) // 2, t.card)
    if node.text == "⌫":
        middle = ((box[0] + box[2]) // 2, (box[1] + box[3]) // 2)
        c.glyph(
            "delete", (middle[0] - dp(12), middle[1] - dp(12), middle[0] + dp(12), middle[1] + dp(12)), t.text
        )
        return
    c.line(node.text, box, dp(24), t.text, align="center")


def _link(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    c.line(node.text, box, dp(16), t.accent)
    wide = min(int(c.width(node.text, dp(16))), box[2] - box[0])
    c.rect((box[0], box[3] - dp(9), box[0] + wide, box[3] - dp(8)), t.accent)


def _divider(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    middle = (box[1] + box[3]) // 2
    c.rect((box[0], middle - 1, box[2], middle + 2), t.line)


def _progress(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    radius = (box[2] - box[0]) // 2
    middle = ((box[0] + box[2]) // 2, (box[1] + box[3]) // 2)
    c.disc(middle, radius, t.accent)
    c.disc(middle, radius - dp(4), t.window)
    c.rect((middle[0], box[1], box[2], middle[1]), t.window)


def _badge(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    c.rounded(box, (box[3] - box[1]) // 2, t.error)
    c.line(node.text, box, dp(11), _WHITE, align="center", bold=True)


def _fab(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    c.rounded((box[0] + 2, box[1] + 8, box[2] + 2, box[3] + 8), dp(16), mixed(t.window, (0, 0, 0), 0.18))
    c.rounded(box, dp(16), t.accent)
    inner = (box[0] + dp(16), box[1] + dp(16), box[2] - dp(16), box[3] - dp(16))
    c.glyph(how[0], inner, t.on_accent)


def _snackbar(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    c.rounded(box, dp(6), (50, 50, 58))


def _footer(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    c.rect(box, t.window)
    c.rect((box[0], box[1], box[2], box[1] + 3), t.line)


def _scrim(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    c.shade(box, 0.5)


def _sheet(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    c.rounded(box, dp(24), t.surface, "t")
    middle = (box[0] + box[2]) // 2
    c.rounded((middle - dp(16), box[1] + dp(10), middle + dp(16), box[1] + dp(14)), dp(2), t.muted)


def _drawer(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    c.rect((box[0], box[1], box[2] - dp(16), box[3]), t.surface)
    c.rounded((box[0], box[1], box[2], box[3]), dp(16), t.surface)


def _navheader(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    c.rect((box[0] + dp(16), box[3] - 3, box[2] - dp(16), box[3]), t.line)


def _dialog(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    c.rounded(box, dp(24), t.surface)


def _menu(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    c.rounded(box, dp(8), t.surface)


def _wallpaper(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    top, low = (63, 94, 168), (196, 139, 167)
    for y in range(0, HEIGHT, 8):
        c.rect((0, y, WIDTH, y + 8), mixed(top, low, y / HEIGHT))


def _launcher(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    icon, color, badge = how
    size = dp(58)
    left, top = (box[0] + box[2] - size) // 2, box[1] + dp(8)
    _tile(c, icon, color, (left, top, left + size, top + size))
    c.line(
        node.text,
        (box[0] + 8, top + size + dp(6), box[2] - 8, top + size + dp(26)),
        dp(13),
        _WHITE,
        align="center",
    )
    if badge not in ("", "0"):
        c.disc((left + size - dp(6), top + dp(6)), dp(10), (210, 40, 40))
        spot = (left + size - dp(16), top - dp(4), left + size + dp(4), top + dp(16))
        c.line(badge, spot, dp(11), _WHITE, align="center")


def _tile(c: Canvas, icon: str, color: str, box: Box) -> None:
    size = box[2] - box[0]
    c.rounded(box, size * 3 // 10, rgb(color))
    inset = size * 23 // 100
    c.glyph(icon, (box[0] + inset, box[1] + inset, box[2] - inset, box[3] - inset), _WHITE)


def _logo(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    _tile(c, how[0], how[1], box)


def _advert(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    c.rect(box, mixed((255, 236, 196), t.window, 0.3))


def _cell(c: Canvas, node: Node, box: Box, t: Theme, how: tuple[Any, ...]) -> None:
    if node.flags & CLICK and node.flags & SELECTED:
        c.rounded(box, dp(12), t.card)


PAINTS: dict[str, Paint] = {
    "window": _window,
    "splash": _window,
    "toolbar": _toolbar,
    "tabs": _tabs,
    "tab": _tab,
    "bottombar": _bottombar,
    "navitem": _navitem,
    "text": _text,
    "icon": _icon,
    "iconbutton": _iconbutton,
    "avatar": _avatar,
    "switch": _switch,
    "check": _check,
    "radio": _radio,
    "slider": _slider,
    "button": _button,
    "field": _field,
    "search": _search,
    "card": _card,
    "image": _image,
    "chip": _chip,
    "key": _key,
    "link": _link,
    "divider": _divider,
    "progress": _progress,
    "badge": _badge,
    "fab": _fab,
    "snackbar": _snackbar,
    "footer": _footer,
    "scrim": _scrim,
    "sheet": _sheet,
    "drawer": _drawer,
    "navheader": _navheader,
    "dialog": _dialog,
    "menu": _menu,
    "wallpaper": _wallpaper,
    "launcher": _launcher,
    "logo": _logo,
    "advert": _advert,
    "cell": _cell,
    "web": _nothing,
}
