"""What can be done on a page: a screen in, its controls with stable keys out."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from waypost.mapping.bars import peeks, pull
from waypost.mapping.grounding import drag, proof, tap_point
from waypost.mapping.memo import per_screen
from waypost.mapping.naming import Named, actionable, identifier, named, plain
from waypost.model import (
    Action,
    Bounds,
    Capture,
    Direction,
    Element,
    Evidence,
    Finish,
    Launch,
    LongPress,
    Point,
    Press,
    Role,
    Screen,
    Swipe,
    Tap,
    TypeText,
    Wait,
)

__all__ = ["Control", "ControlKind", "action_key", "controls", "sample_text"]

_LEAST = 6
"""Pixels: what is thinner is the edge of a row that has been scrolled away."""


class ControlKind(StrEnum):
    """The order in which TAG-Nav (App. B.2) tries actions."""

    IMAGE = "image"
    SCROLL = "scroll"
    CARD = "card"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Control:
    """One thing that can be done on a look at a page."""

    key: str
    """Names the action on its page whatever the look."""
    action: Action
    kind: ControlKind
    label: str
    template: str
    """Rows of one repeated list share it; empty outside of lists."""


@per_screen
def controls(screen: Screen) -> tuple[Control, ...]:
    """List what can be done in the active layer, as far as visible and enabled: taps first, fields last."""
    things = [t for t in named(screen) if t.element.enabled]
    taps: list[Control] = []
    presses: list[Control] = []
    moves: list[Control] = []
    texts: list[Control] = []
    wrapped = _wrappers(things)
    for thing in things:
        element = thing.element
        if _thin(element.bounds):
            continue
        if element.scrollable:
            moves.extend(_swipes(thing, screen))
        elif peeks(element, screen):
            start, end = pull(element.bounds, screen.size)
            moves.append(_control(Swipe(Direction.UP, start, end, proof(thing, screen)), thing))
        if id(element) in wrapped or not actionable(element):
            continue
        target = proof(thing, screen)
        if _taps(element):
            taps.append(_control(Tap(tap_point(element), target), thing))
        if element.long_clickable and element.role is not Role.FIELD:
            presses.append(_control(LongPress(tap_point(element), target), thing))
        text = sample_text(element, screen) if element.role is Role.FIELD else None
        if text is not None:
            texts.append(_control(TypeText(text, tap_point(element), target), thing))
    return tuple(_distinct([*taps, *moves, *presses, *texts]))


def action_key(action: Action) -> str:
    """Name an action so that equal keys are the same thing done again.

    >>> action_key(Press("back")), action_key(Launch("org.example"))
    ('press:back', 'launch:org.example')
    >>> save = Evidence(Role.BUTTON, "Save (3)", "app:id/save", ancestors=("toolbar",))
    >>> action_key(Tap((10, 20), save))
    'tap:button#save|Save|toolbar'
    """
    match action:
        case Press(key=key):
            return f"press:{key}"
        case Launch(app=app):
            return f"launch:{app}"
        case Wait():
            return "wait"
        case Capture():
            return "capture"
        case Finish(arrived=arrived):
            return f"finish:{arrived}"
        case Swipe(direction=direction, target=target):
            return f"swipe:{direction.value}:{_identity(target)}" if target else f"swipe:{direction.value}"
        case TypeText(target=target, at=at):
            return f"type:{_identity(target)}" if target else f"type:{_place(at)}"
        case LongPress(target=target, at=at):
            return f"press-long:{_identity(target)}" if target else f"press-long:{_place(at)}"
        case Tap(target=target, at=at):
            return f"tap:{_identity(target)}" if target else f"tap:{_place(at)}"


def _place(at: Point | None) -> str:
    if at is None:
        return "focused"
    x, y = at
    return f"@{x},{y}"


def _identity(target: Evidence) -> str:
    name = identifier(target.resource_id)
    label = plain(target.label)
    if not label and not name and target.href:
        label = target.href.split("?")[0].rstrip("/").rsplit("/", 1)[-1]
    again = f"@{target.index}" if target.index else ""
    return f"{target.role.value}{'#' + name if name else ''}|{label}|{'>'.join(target.ancestors)}{again}"


def _control(action: Tap | LongPress | Swipe | TypeText, thing: Named) -> Control:
    key = action_key(action)
    return Control(key, action, _kind(action, thing.element), thing.label or _fallback(thing), thing.template)


def _fallback(thing: Named) -> str:
    return identifier(thing.element.resource_id).replace("_", " ").replace("-", " ")


def _kind(action: Action, element: Element) -> ControlKind:
    if isinstance(action, Swipe):
        return ControlKind.SCROLL
    if isinstance(action, TypeText):
        return ControlKind.OTHER
    if element.role is Role.IMAGE or "image" in element.class_name.casefold() or element.class_name == "svg":
        return ControlKind.IMAGE
    if element.role in (Role.ITEM, Role.GROUP) and element.children:
        return ControlKind.CARD
    if element.role is Role.BUTTON and not element.text and any(e.role is Role.IMAGE for e in element.walk()):
        return ControlKind.IMAGE
    return ControlKind.OTHER


def _taps(element: Element) -> bool:
    return element.clickable or element.checkable or element.role is Role.FIELD or bool(element.href)


def _thin(box: Bounds) -> bool:
    return box.width < _LEAST or box.height < _LEAST


def _wrappers(things: list[Named]) -> set[int]:
    """Find acting elements that hold exactly one other acting element over the same place."""
    held: dict[int, list[Named]] = {}
    acting = [t for t in things if actionable(t.element)]
    wanted = {id(t.element) for t in acting}
    for thing in acting:
        for ancestor in thing.ancestors:
            if id(ancestor) in wanted:
                held.setdefault(id(ancestor), []).append(thing)
    return {
        id(t.element)
        for t in acting
        if len(inner := held.get(id(t.element), [])) == 1
        and inner[0].element.bounds.area >= 0.85 * t.element.bounds.area
        and (_taps(inner[0].element) or not _taps(t.element))
    }


def _distinct(found: list[Control]) -> Iterator[Control]:
    seen: set[str] = set()
    for control in found:
        if control.key not in seen:
            seen.add(control.key)
            yield control


_SIDEWAYS = re.compile(r"horizontal|viewpager|carousel|swiper|pager|slider|chipgroup|tabstrip", re.I)


def _swipes(thing: Named, screen: Screen) -> Iterator[Control]:
    """Offer one drag a useful direction: on for a list, both ways for what turns sideways."""
    box = thing.element.bounds
    if box.height < 40 or box.width < 40:
        return
    sideways = _is_sideways(thing.element)
    target = proof(thing, screen)
    for direction in (Direction.LEFT, Direction.RIGHT) if sideways else (Direction.UP,):
        start, end = drag(box, direction.value)
        yield _control(Swipe(direction, start, end, target), thing)


def _is_sideways(element: Element) -> bool:
    if _SIDEWAYS.search(element.class_name) or _SIDEWAYS.search(element.resource_id):
        return True
    if element.role is Role.TABLIST:
        return True
    boxes = [c.bounds for c in element.children if c.visible and c.bounds.area]
    while len(boxes) == 1 and len(element.children) == 1:
        element = element.children[0]
        boxes = [c.bounds for c in element.children if c.visible and c.bounds.area]
    if len(boxes) < 2:
        return False
    abreast = sum(1 for a, b in itertools.pairwise(boxes) if b.left >= a.right - 2)
    return abreast >= len(boxes) - 1 and element.bounds.width > element.bounds.height


_SECRET = re.compile(
    r"pass\s?(?:word|code|phrase)|passwd|\bpwd\b|\bpin\b|\bcvv\b|\bcvc\b|\biban\b|\bbic\b|\botp\b|one.?time"
    r"|credit.?card|card.?(?:number|no\b|holder)|security.?code|verification|expiry|\bssn\b|sort.?code"
    r"|account.?number|\btoken\b|secret|api.?key|kennwort|passwort|mot de passe|contrase|clave|senha|парол"
    r"|codice|tarjeta|carte|karte|cart[aã]o|密码|密碼|验证码|驗證碼|卡号|银行卡|口令|パスワード|暗証|認証コード"
    r"|カード番号|비밀번호|인증번호|카드|كلمة المرور|पासवर्ड",
    re.I,
)
_SAMPLES = tuple(
    (re.compile(pattern, re.I), text)
    for pattern, text in (
        (r"e-?mail|邮箱|郵箱|電子郵件|メール|이메일|почт|correo|courriel|बريد|ईमेल", "someone@example.org"),
        (r"\burl\b|web ?site|https?:|网址|site web|homepage|\blink\b", "https://example.org"),
        (r"\bdate\b|yyyy|datum|fecha|日期|日付|날짜|дата", "2030-01-15"),
        (r"\btime\b|hh:mm|uhrzeit|时间|時刻", "12:00"),
        (
            r"number|amount|qty|quantity|\bage\b|price|phone|\btel\b|minutes|count|zip|anzahl|betrag|menge|montant"
            r"|cantidad|importe|quantidade|valor|数量|金额|电话|手机|電話|年龄|수량|전화|сумм|колич|телефон",
            "12",
        ),
        (r"search|find|filter|suche|recherch|buscar|busca|cerca|поиск|搜索|搜尋|查找|検索|검색|بحث|खोज", ""),
        (r"name|title|nombre|nom\b|nome|titel|titre|título|имя|назван|名称|姓名|标题|名前|이름", "Sample"),
    )
)
"""What a field is for, by its words, and what to write into it; empty: a word of the page."""


def sample_text(field: Element, screen: Screen) -> str | None:
    """Choose harmless text for a field; None for what may be secret or a means of payment.

    >>> sample_text(Element(Role.FIELD, hint="Your e-mail"), Screen())
    'someone@example.org'
    >>> sample_text(Element(Role.FIELD, hint="Password"), Screen()) is None
    True
    """
    about = " ".join((field.hint, field.description, _words(field.resource_id), field.class_name))
    if field.password or _SECRET.search(about) or (_SECRET.search(field.text) and len(field.text) < 30):
        return None
    for pattern, text in _SAMPLES:
        if pattern.search(about):
            return text or _word_seen(screen)
    return "a"


def _words(resource_id: str) -> str:
    tail = resource_id.rsplit("/", 1)[-1]
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[_\-.]", " ", tail)


def _word_seen(screen: Screen) -> str:
    """Take a word that the page shows, so that a search finds something."""
    for element in screen.visible():
        if element.role in (Role.TEXT, Role.HEADING) and not element.clickable:
            for word in re.findall(r"[^\W\d_]{3,12}", element.text):
                return str(word)
    return "a"
