"""Invented apps as examples: YAML in; what the memory would say of a page, and who asks for it, out."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from waypost.library.glossary import explained

__all__ = ["App", "Page", "across", "apps", "held_out"]

_HELD_OUT = (
    "aerolark",
    "budget",
    "gallery",
    "harborbank",
    "nosh-pigeon-delivery",
    "notes",
    "railhop",
    "system-settings",
    "i-cumulo-weather",
    "i-safehaven-backup",
    "j-docarchive",
    "j-photoserver",
    "k-cinderpath-tracker",
    "k-nestrow-stays",
    "k-wayfarrow-maps",
    "l-headphones",
    "l-translator",
    "l-classifieds",
    "l-jobs",
    "l-museum",
    "l-parcel",
    "l-plantid",
    "l-property",
    "l-tickets",
    "m-foxed-reader",
    "m-vigor-devicecare",
    "n-askwell-surveys",
    "n-vaultmoor-backup",
    "o-clipwright-video",
    "o-parlora-language",
    "o-sparrowheart-dating",
    "zh-bank-xinhe",
    "zh-book-xiaozhang",
    "zh-cal-rili",
    "zh-dache-shunfeng",
    "zh-health-yuedong",
    "zh-im-dingdong",
    "zh-im-feige",
    "zh-mail-xinshi",
    "zh-map-xunlu",
    "zh-music-yunyin",
    "zh-shop-baihui",
    "zh-sys-settings",
    "zh-video-shanshi",
    "zh-waimai-chile",
)
"""Measured on, never learned from: eight of the first fifty, every twelfth of the second harvest and what was
written while the model learned, seven of the third drawn by lot; of
the Chinese ones, the whole first harvest."""
_FOLDER, _ACROSS = Path(__file__).parent / "apps", Path(__file__).parent / "across"
_DEEPEST = 9


@dataclass(frozen=True, slots=True)
class Page:
    name: str
    kind: str
    way_in: str
    """Label that opens it; empty for the start page."""
    way: str
    """Names from the start page to this one."""
    meaning: str
    """What the glossary says of its labels."""
    labels: tuple[str, ...]
    requests: tuple[str, ...]

    def text(self) -> str:
        """Say of the page what `library.store.place_and_summary` says of a page that was seen."""
        also = (
            f". also called {self.way_in}"
            if self.way_in and self.way_in.casefold() != self.name.casefold()
            else ""
        )
        meaning = f"{self.meaning}. " if self.meaning else ""
        return f"{self.way}. {meaning}{self.name} ({self.kind}){also}. with {', '.join(self.labels)}"


@dataclass(frozen=True, slots=True)
class App:
    slug: str
    pages: tuple[Page, ...]
    absent: tuple[str, ...]
    """Requests for what the app has no page for."""


def apps(*, chinese: bool = False) -> Iterator[App]:
    """Yield the invented apps of one language, by name."""
    for path in sorted(_FOLDER.glob("*.yaml")):
        if path.name.startswith("zh-") == chinese:
            yield _app(path)


def across() -> Iterator[App]:
    """Yield apps that are also asked for in the other language, with those requests instead of their own."""
    for path in sorted(_ACROSS.glob("*.yaml")):
        raw = yaml.safe_load(path.read_text(encoding="utf-8"))
        app = _app(_FOLDER / path.name)
        said = {str(name): tuple(map(str, requests)) for name, requests in raw["say"].items()}
        pages = tuple(replace(page, requests=said.get(page.name, ())) for page in app.pages)
        yield App(app.slug, pages, tuple(map(str, raw["absent"])))


def held_out(app: App) -> bool:
    """Whether an app is only measured on."""
    return app.slug in _HELD_OUT


def _app(path: Path) -> App:
    raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    known: dict[str, Any] = {}
    for row in raw["pages"]:
        # A page without a title is known by what opens it.
        known.setdefault(_text(row, "page"), row)
        known.setdefault(_text(row, "by"), row)
    pages = tuple(_page(row, known, str(raw["app"])) for row in raw["pages"])
    return App(path.stem, pages, tuple(map(str, raw.get("absent", ()))))


def _page(row: Any, known: dict[str, Any], app: str) -> Page:
    name, way_in = _name(row, app), _text(row, "by")
    labels = tuple(label for label in map(str, row["has"]) if label.casefold() != name.casefold())
    called = [name, way_in] if way_in and way_in != name else [name]
    way = " > ".join(_way(row, known, app))
    return Page(
        name, row["kind"], way_in, way, "; ".join(explained(called)), labels, tuple(map(str, row["say"]))
    )


def _way(row: Any, known: dict[str, Any], app: str) -> list[str]:
    names: list[str] = []
    while row is not None and len(names) < _DEEPEST:
        names.append(_name(row, app))
        row = known.get(_text(row, "from")) if _text(row, "from") else None
    return names[::-1]


def _name(row: Any, app: str) -> str:
    return _text(row, "page") or _text(row, "by") or app


def _text(row: Any, key: str) -> str:
    return str(row.get(key) or "").strip()
