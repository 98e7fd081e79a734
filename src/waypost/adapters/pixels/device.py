"""Screens without a usable tree are read off their pictures: a device in, one with elements out."""

import hashlib
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import replace

from waypost.adapters.pixels.arranging import arranged
from waypost.adapters.pixels.panels import panel
from waypost.adapters.through import Through
from waypost.model import (
    Bounds,
    Element,
    ImageStatus,
    Observation,
    Role,
    Screen,
    TreeQuality,
)
from waypost.protocols import Device, ElementFinder

__all__ = ["Pictured", "opaque"]

_LARGE = 0.25
"""Share of the screen from which a part that says nothing of what is drawn in it is worth reading."""
_KEPT = 512
"""Pictures whose elements are remembered: reading one takes seconds of computing."""
_STATUS = 0.03
"""Share of a phone's height that its status bar takes: a clock there is no part of the app."""
_DRAWS = ("canvas", "surfaceview", "textureview", "flutterview", "unityplayer", "glview", "embed", "object")


class Pictured(Through):
    """Wraps a device: where a look's tree is missing or opaque, what `finder` sees there stands in its place.

    Such elements bear the finder's id as class name. A picture that cannot be had, or shows nothing that
    can be found, leaves the look as it came.
    """

    def __init__(self, device: Device, finder: ElementFinder, *, name: str = "") -> None:
        super().__init__(device)
        self._finder = finder
        self._name = name or device.name
        self._known: OrderedDict[tuple[str, Bounds], tuple[Element, ...]] = OrderedDict()
        self._before: tuple[Element, ...] = ()
        self._blind = False

    @property
    def name(self) -> str:
        return self._name

    def observe(self, *, pixels: bool = False) -> Observation:
        # Where the last look had to be read off its picture, this one will have to be.
        seen = self._device.observe(pixels=pixels or self._blind)
        regions = opaque(seen.screen)
        self._blind = bool(regions)
        if regions and seen.image_status is ImageStatus.NOT_ASKED:
            seen = self._device.observe(pixels=True)
            regions = opaque(seen.screen)
        if regions and seen.image:
            seen = replace(seen, screen=self._read(seen, regions))
        if pixels:
            return seen
        return replace(seen, image=b"", image_status=ImageStatus.NOT_ASKED)

    def _read(self, seen: Observation, regions: tuple[Bounds, ...]) -> Screen:
        screen = seen.screen
        try:
            found = [self._in(seen, region) for region in regions]
        except ValueError:
            return screen  # A picture that came broken: this look has none.
        if not any(found):
            return screen
        if screen.quality is TreeQuality.NONE:
            whole = Bounds(0, 0, *screen.size)
            root = Element(Role.GROUP, self._finder.id, bounds=whole, children=found[0])
        else:
            root = _grafted(screen.root, dict(zip(regions, found, strict=True)))
        return replace(screen, root=root, quality=TreeQuality.FULL)

    def _in(self, seen: Observation, region: Bounds) -> tuple[Element, ...]:
        """Return what is drawn in a region; one answer for one picture."""
        key = hashlib.sha256(seen.image).hexdigest(), region
        known = self._known.get(key)
        if known is None:
            screen = seen.screen
            inside = _below_status(region, screen)
            found = self._finder.find(seen.image, screen.size)
            flat = tuple(e for e in found if inside.contains(*e.bounds.center))
            flat = self._before = _steady(flat, self._before)
            known = self._known[key] = _layered(flat, inside, panel(seen.image, screen.size))
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return known


def _layered(found: tuple[Element, ...], region: Bounds, over: Bounds | None) -> tuple[Element, ...]:
    """Arrange a page, or the dialog over it: what is dimmed below a dialog cannot be touched."""
    held = tuple(e for e in found if over and over.contains(*e.bounds.center))
    if over is None or not any(e.label for e in held):
        return arranged(found, region)
    return (Element(Role.DIALOG, held[0].class_name, bounds=over, children=arranged(held, over)),)


def _below_status(region: Bounds, screen: Screen) -> Bounds:
    """Leave out a phone's status bar; the browser's pages have none."""
    upright = screen.size[1] > 1.3 * screen.size[0]
    if "://" in screen.app or not upright or screen.quality is not TreeQuality.NONE:
        return region
    return replace(region, top=max(region.top, int(_STATUS * screen.size[1])))


def _steady(found: tuple[Element, ...], before: tuple[Element, ...]) -> tuple[Element, ...]:
    """Give what was there in the last picture its box of then: boxes sway by a pixel as pictures change."""
    known: dict[tuple[str, str], list[Bounds]] = {}
    for e in before:
        known.setdefault((e.role.value, e.label), []).append(e.bounds)
    return tuple(
        replace(
            e,
            bounds=next((b for b in known.get((e.role.value, e.label), ()) if _same(b, e.bounds)), e.bounds),
        )
        for e in found
    )


def _same(a: Bounds, b: Bounds) -> bool:
    shared = a.clip(b).area
    return 5 * shared > 4 * (a.area + b.area - shared)


def opaque(screen: Screen) -> tuple[Bounds, ...]:
    """Return the large parts of a screen that hold no elements; the whole of it where there is no tree.

    >>> game = Element(Role.IMAGE, "canvas", bounds=Bounds(0, 0, 1000, 900))
    >>> opaque(Screen(Element(bounds=Bounds(0, 0, 1000, 1000), children=(game,)), size=(1000, 1000)))
    (Bounds(left=0, top=0, right=1000, bottom=900),)
    """
    whole = Bounds(0, 0, *screen.size)
    if screen.quality is TreeQuality.NONE:
        return (whole,)
    labelled = [e.bounds for e in screen.visible() if e.label and not _draws(e)]
    least = _LARGE * whole.area
    found = dict.fromkeys(
        e.bounds
        for e in _leaves(screen)
        if e.bounds.area >= least and _draws(e) and not any(e.bounds.contains(*b.center) for b in labelled)
    )
    return tuple(found)


def _leaves(screen: Screen) -> Iterator[Element]:
    return (e for e in screen.visible() if not any(c.visible and c.bounds.area for c in e.children))


def _draws(element: Element) -> bool:
    """Whether an app draws in it by itself: a surface, a canvas, a page of the web that tells nothing."""
    name = element.class_name.casefold()
    return element.role is Role.WEB or any(name.endswith(d) or f"{d}." in name for d in _DRAWS)


def _grafted(element: Element, found: dict[Bounds, tuple[Element, ...]]) -> Element:
    """Put what was found into the parts that were opaque; their own label, a game's name, stays theirs."""
    inner = found.get(element.bounds)
    if inner is not None and _draws(element):
        return replace(element, role=Role.GROUP, children=inner)
    if not element.children:
        return element
    return replace(element, children=tuple(_grafted(c, found) for c in element.children))
