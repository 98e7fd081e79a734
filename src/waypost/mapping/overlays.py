"""What lies over an app without being a page of it: a screen in, the side state and the way out of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from waypost.mapping.layers import LayerKind, active_layer
from waypost.mapping.memo import per_screen
from waypost.mapping.vocabulary import topic, ways_out
from waypost.mapping.words import name_key, plain
from waypost.model import Action, Element, Evidence, PageKind, Press, Role, Screen, Tap

__all__ = ["SideState", "dismissal", "side_state"]


@dataclass(frozen=True, slots=True)
class SideState:
    kind: PageKind
    overlay: str
    """`permission`, `crash`, `ad`, `update`, `rating`, `cookies`, `system`; empty for another app."""


_PERMISSION_OWNER = re.compile(r"permissioncontroller|packageinstaller|permission", re.I)
_SYSTEM_OWNER = re.compile(r"^(android|com\.android\.systemui|system)$")
_AD_ACTIVITY = re.compile(r"(^|[./])(Ad|Ads|Interstitial\w*)Activity$")
_AD_ID = re.compile(r"(^|_)(ad|ads|advert|interstitial|promo)(_|$)")
_CLOSE_ID = re.compile(r"(^|_)(close|dismiss|skip|cancel|not_now|deny)(_|$|button)")
_ACTS = (Role.BUTTON, Role.LINK, Role.IMAGE, Role.MENUITEM)


def _inside(package: str, app: str) -> bool:
    """Whether a package belongs to the app: itself, or below a name that stands for a family of apps."""
    return package == app or package.startswith(f"{app}.")


@per_screen
def side_state(screen: Screen, app: str) -> SideState | None:
    """Tell a side state from a page of `app`; None where it is the app's own page.

    >>> side_state(Screen(app="com.android.permissioncontroller"), "org.mail").overlay
    'permission'
    >>> side_state(Screen(app="org.mail"), "org.mail")
    """
    owner = screen.overlay or ("" if _inside(screen.app, app) else screen.app)
    text = _words_of(screen)
    if owner and _PERMISSION_OWNER.search(owner):
        return SideState(PageKind.OVERLAY, "permission")
    if topic("crash").search(text) and (owner or _asks(screen)):
        return SideState(PageKind.OVERLAY, "crash")
    if screen.overlay:
        return SideState(PageKind.OVERLAY, _subject(screen, text) or _owned(screen.overlay))
    if owner and _SYSTEM_OWNER.match(owner):
        return SideState(PageKind.OVERLAY, "system")
    if app and screen.app and not _inside(screen.app, app):
        return SideState(PageKind.EXTERNAL, "")
    if _asks(screen):
        subject = _subject(screen, text)
        return SideState(PageKind.OVERLAY, subject) if subject else None
    return SideState(PageKind.OVERLAY, "ad") if _is_ad(screen) else None


def _is_ad(screen: Screen) -> bool:
    """Whether a whole page is an ad: it says so, says little else, and can be closed."""
    seen = list(_seen(active_layer(screen).root))
    if sum(1 for e in seen if e.label) > 10:
        return False
    said = any(topic("ad").fullmatch(plain(e.label)) for e in seen) or _AD_ACTIVITY.search(screen.activity)
    marked = any(_AD_ID.search(name_key(e.resource_id)) for e in seen)
    closes = any(_leaves(e, label) for e, label in _buttons(active_layer(screen).root))
    return bool(said) and (marked or closes)


def _leaves(element: Element, label: str) -> bool:
    return any(p.fullmatch(label) for p in ways_out()) or bool(
        _CLOSE_ID.search(name_key(element.resource_id).casefold())
    )


def _owned(owner: str) -> str:
    return owner if re.fullmatch(r"[a-z]{2,12}", owner) and owner != "android" else "system"


def _subject(screen: Screen, text: str) -> str:
    """Return what an interruption is about; empty for the app's own dialogs."""
    root = active_layer(screen).root
    if any(
        topic("ad").fullmatch(plain(e.label)) or _AD_ID.search(name_key(e.resource_id)) for e in _seen(root)
    ):
        return "ad"
    small = sum(1 for e in _seen(root) if e.label) <= 14
    found = (name for name in ("update", "rating", "cookies") if small and topic(name).search(text))
    return next(found, "")


def _asks(screen: Screen) -> bool:
    return active_layer(screen).kind in (LayerKind.DIALOG, LayerKind.SHEET)


def _seen(root: Element) -> Iterator[Element]:
    return (e for e in root.walk() if e.visible and e.bounds.area)


def _words_of(screen: Screen) -> str:
    return "\n".join(e.label for e in _seen(active_layer(screen).root) if e.label)


def dismissal(screen: Screen) -> Action | None:
    """Return the safest way out of what lies in front: a refusal or a close, else Back; None on a bare page.

    >>> from waypost.model import Bounds
    >>> later = Element(Role.BUTTON, text="Not now", bounds=Bounds(0, 0, 100, 100), clickable=True)
    >>> allow = Element(Role.BUTTON, text="Allow", bounds=Bounds(100, 0, 200, 100), clickable=True)
    >>> dialog = Element(Role.DIALOG, bounds=Bounds(0, 0, 200, 100), children=(allow, later))
    >>> dismissal(Screen(Element(bounds=Bounds(0, 0, 1080, 2400), children=(dialog,)))).target.label
    'Not now'
    """
    layer = active_layer(screen)
    buttons = list(_buttons(layer.root))
    for pattern in ways_out():
        for element, label in buttons:
            if pattern.fullmatch(label):
                return _tap(element, screen)
    for element, label in buttons:
        if _CLOSE_ID.search(name_key(element.resource_id).casefold()) and len(label) < 24:
            return _tap(element, screen)
    return Press("back") if layer.modal or screen.overlay else None


def _buttons(root: Element) -> Iterator[tuple[Element, str]]:
    for e in _seen(root):
        if (e.clickable or e.role in _ACTS) and e.enabled:
            raw = e.label or next((c.label for c in e.walk() if c.label), "")
            yield e, plain(raw) or raw.strip()


def _tap(element: Element, screen: Screen) -> Tap:
    label = element.label or next((c.label for c in element.walk() if c.label), "")
    evidence = Evidence(
        role=element.role,
        label=label,
        resource_id=element.resource_id,
        class_name=element.class_name,
        bounds=element.bounds,
        size=screen.size,
    )
    return Tap(element.bounds.center, evidence)
