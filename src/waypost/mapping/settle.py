"""Wait until a screen holds still: a device in, a look that two glances agree on out."""

import re
from dataclasses import dataclass

from waypost.mapping.layers import foreground
from waypost.mapping.memo import per_screen
from waypost.model import Bounds, Element, Observation, Role, Screen, TreeQuality, Wait
from waypost.protocols import Device

__all__ = ["LAUNCH", "Blanks", "loading", "outline", "settled"]

LAUNCH = 60
"""Looks that an app gets which has just been started: it may take its time to load."""

_PAUSE = 0.25
"""Seconds between two glances."""
_SKELETON = re.compile(
    r"skeleton|shimmer|placeholder-?glow|\bspinner\b|loading|progress_?(bar|circular|wheel)", re.I
)
_LOADING = re.compile(
    r"^\W*(loading|please wait|just a moment|one moment|starting|connecting|fetching|preparing|syncing"
    r"|加载中|正在加载|载入中|请稍候|请稍等|读取中|載入中|請稍候|読み込み中|ロード中|お待ちください"
    r"|로딩 ?중|로드 ?중|불러오는 중|잠시만 기다려|wird geladen|lädt|laden|bitte warten|einen moment"
    r"|chargement|veuillez patienter|patientez|cargando|espere|carregando|aguarde|a carregar|caricamento"
    r"|attendere"
    r"|загрузка|подождите|пожалуйста, подождите|جار[يٍ]? التحميل|يرجى الانتظار|लोड हो रहा|कृपया प्रतीक्षा"
    r"|yükleniyor|ładowanie|laddar|memuat|đang tải|กำลังโหลด|กรุณารอ)",
    re.I,
)
_BLANK, _BRIEF = 6, 1
"""Glances after the second that a page which offers nothing gets: at first, and at least."""
_SAYS_SO = 2
_FEW = 4
"""A page that shows fewer things than this beside a spinner is still loading."""


@dataclass
class Blanks:
    """How long the pages of an app that offer nothing are waited for: the less, the more often in vain."""

    vain: int = 0
    """Pages that never came to offer anything."""
    longest: int = 0
    """Glances after which one still did."""

    def patience(self, most: int) -> int:
        """Say how many glances after the second such a page gets, where it would get so many at first.

        >>> [Blanks(vain).patience(6) for vain in (0, 3, 9)], Blanks(9, longest=4).patience(6)
        ([6, 3, 1], 5)
        """
        return min(most, max(_BRIEF, self.longest + 1, most - self.vain))

    def learn(self, glances: int, *, came: bool) -> None:
        """Take down how long one was waited for, and whether it came to offer anything."""
        if came:
            self.longest = max(self.longest, glances)
        else:
            self.vain += 1


def settled(
    device: Device, *, pixels: bool = False, patience: int = 12, blanks: Blanks | None = None
) -> Observation:
    """Look until two looks agree in structure and nothing is loading, at most `patience` times.

    Text is left out of the comparison, so that clocks and counters never stall it. What offers nothing may
    be a splash, and is waited for longer; `blanks` learns how long that is worth it in an app.
    """
    seen = device.observe()
    blank, turn = not _offers(seen.screen), 0
    most = min(patience // 2, _BLANK)
    waits = most if blanks is None else blanks.patience(most)
    for turn in range(patience - 1):
        if turn == 0 and _trusted(device) and _still(seen.screen) and _offers(seen.screen):
            break
        device.perform(Wait(_PAUSE if _offers(seen.screen) else 2 * _PAUSE))
        fresh = device.observe()
        agreed = outline(fresh.screen) == outline(seen.screen)
        seen = fresh
        if agreed and _still(fresh.screen) and (_offers(fresh.screen) or turn >= waits):
            break
    if blank and blanks is not None:
        blanks.learn(turn, came=_offers(seen.screen))
    return device.observe(pixels=True) if pixels else seen


def _still(screen: Screen) -> bool:
    return screen.quality is not TreeQuality.NONE and not loading(screen)


@per_screen
def _offers(screen: Screen) -> bool:
    """Whether anything can be done: a page that offers nothing may be a splash that goes by itself."""
    # A layer that is on its way out leaves nothing in front.
    return any(
        (e.clickable or e.scrollable or e.checkable) and e.visible and e.bounds.area
        for e in foreground(screen).walk()
    )


def _trusted(device: Device) -> bool:
    """Whether the device says of itself that `perform` returns only once its screen has settled."""
    return bool(getattr(device, "settles", False))


@per_screen
def outline(screen: Screen) -> int:
    """Reduce a screen to its structure: what is where, whatever it says."""
    parts = tuple((e.role, e.resource_id, e.bounds) for e in screen.visible())
    return hash((screen.app, screen.activity, screen.overlay, screen.keyboard, parts))


@per_screen
def loading(screen: Screen) -> bool:
    """Whether the page itself is still to come. A progress bar within a full page is no sign of it.

    >>> spinner = Element(Role.PROGRESS, bounds=Bounds(500, 1100, 580, 1180))
    >>> loading(Screen(Element(bounds=Bounds(0, 0, 1080, 2400), children=(spinner,))))
    True
    """
    if screen.quality is TreeQuality.NONE:
        return False
    whole = screen.size[0] * screen.size[1]
    shown = [e for e in screen.visible() if not e.children or e.clickable or e.label]
    if not shown or (len(shown) == 1 and not shown[0].label and not shown[0].clickable):
        return True
    bones = [e for e in shown if _is_bone(e)]
    waits = [e for e in shown if _LOADING.match(e.label) and len(e.label) < 60]
    if len(waits) > _SAYS_SO:
        waits = []  # A list of things whose names begin so.
    if not bones and not waits:
        return False
    content = [e for e in _content(shown, screen) if e not in waits]
    if len(bones) >= 3 and len(bones) >= len(content):
        return True  # A skeleton: grey bars where the rows will be.
    large = any(e.bounds.area > 0.25 * whole for e in bones)
    return len(content) < _FEW or (large and len(content) < 2 * _FEW)


def _is_bone(element: Element) -> bool:
    if element.role is Role.PROGRESS:
        return True
    return bool(_SKELETON.search(element.class_name)) and not element.clickable and not element.text


def _content(shown: list[Element], screen: Screen) -> list[Element]:
    """Pick what a page is made of: no bars, no headings at its edges."""
    top, bottom = screen.size[1] * 0.14, screen.size[1] * 0.88
    return [e for e in shown if e.label and not _is_bone(e) and _middle(e.bounds, top, bottom)]


def _middle(box: Bounds, top: float, bottom: float) -> bool:
    return top <= box.center[1] <= bottom
