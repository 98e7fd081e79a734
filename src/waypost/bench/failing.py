"""Looks that were sorted wrongly in, a page that shows the two of each failure side by side out."""

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from waypost.bench.labelled import LabelledLook
from waypost.bench.report import shrunk
from waypost.model import Element, Screen

__all__ = ["Failure", "drawn", "failures_page"]

_LETTER = 0.55
"""Width of a letter by its height, about."""
_LEAST, _LARGEST = 14, 40
"""Heights of letters in a drawing, in pixels of the screen."""
_SHOWN = 360
"""Width of a screenshot, in pixels."""
_STYLE = """
:root { color-scheme: light dark; font: 15px/1.4 system-ui, sans-serif; }
body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
article { border-top: 1px solid #8886; padding: 1rem 0; }
h2 { margin-top: 2.5rem; } h3 { margin: 0 0 .6rem; font-size: 1rem; }
.two { display: grid; grid-template-columns: repeat(2, minmax(0, 22rem)); gap: 1.2rem; }
figure { margin: 0; } figcaption { margin-bottom: .3rem; overflow-wrap: anywhere; }
img, svg { width: 100%; height: auto; border: 1px solid #8888; background: #fff; }
rect { fill: #0000; stroke: #bbb; stroke-width: 2; } rect.tap { fill: #2a6df412; stroke: #2a6df4; }
text { fill: #111; font-family: system-ui, sans-serif; }
"""


@dataclass(frozen=True, slots=True)
class Failure:
    """Two looks that were joined or parted wrongly; one, where it was put nowhere or should have been."""

    matcher: str
    kind: str
    pairs: int
    """How many pairs of looks fare so."""
    looks: tuple[LabelledLook, ...]


def failures_page(sets: Sequence[tuple[str, Sequence[Failure]]]) -> str:
    """Write a page that one file holds; looks without a screenshot are drawn from their trees."""
    body = "".join(
        f"<h2>{escape(name)}</h2>" + ("".join(map(_article, rows)) or "<p>Nothing was sorted wrongly.</p>")
        for name, rows in sets
    )
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    title = "Looks that were sorted wrongly"
    return (
        f'<!doctype html><html lang="en"><head>{head}<title>{title}</title><style>{_STYLE}</style></head>'
        f"<body><h1>{title}</h1>{body}</body></html>\n"
    )


def _article(failure: Failure) -> str:
    pairs = f", {failure.pairs} pairs" if failure.pairs else ""
    shown = "".join(map(_figure, failure.looks))
    heading = escape(f"{failure.matcher}: {failure.kind}{pairs}")
    return f'<article><h3>{heading}</h3><div class="two">{shown}</div></article>'


def _figure(look: LabelledLook) -> str:
    caption = f"<b>{escape(look.page or 'no page of the app')}</b><br>{escape(look.name)}"
    image = look.image()
    if image:
        data = base64.b64encode(shrunk(image, _SHOWN)).decode("ascii")
        shown = f'<img loading="lazy" alt="Screenshot" src="data:image/webp;base64,{data}">'
    else:
        shown = drawn(look.screen)
    return f"<figure><figcaption>{caption}</figcaption>{shown}</figure>"


def drawn(screen: Screen) -> str:
    """Draw what a tree says and offers as SVG, boxes and texts where they are.

    >>> from waypost.model import Bounds
    >>> save = Element(text="Save", clickable=True, bounds=Bounds(0, 0, 200, 80))
    >>> drawn(Screen(Element(children=(save,)), size=(400, 800))).count("<rect")
    1
    """
    wide, high = screen.size
    parts = "".join(_parts(screen.root))
    return f'<svg role="img" aria-label="Drawn from its tree" viewBox="0 0 {wide} {high}">{parts}</svg>'


def _parts(element: Element) -> Iterator[str]:
    box = element.bounds
    if element.visible and box.area and (element.clickable or element.label):
        tap = ' class="tap"' if element.clickable else ""
        yield f'<rect{tap} x="{box.left}" y="{box.top}" width="{box.width}" height="{box.height}"/>'
        said = " ".join(element.label.split())
        size = max(_LEAST, min(_LARGEST, box.height // 2))
        fits = said[: max(1, int(box.width / (_LETTER * size)))]
        if fits:
            at = f'x="{box.left + 6}" y="{box.top + size + 4}"'
            yield f'<text {at} font-size="{size}">{escape(fits)}</text>'
    for child in element.children:
        yield from _parts(child)
