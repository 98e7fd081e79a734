"""A screen in, the same screen as it is seen over adb out, and what is not the same about it."""

from collections.abc import Iterator
from dataclasses import fields, replace

from waypost.adapters.phone.hierarchy import hierarchy
from waypost.adapters.pocket import PocketDevice, apps, load
from waypost.adapters.pocket.spec import Go
from waypost.adapters.trees import parse
from waypost.mapping.controls import controls
from waypost.mapping.layers import active_layer
from waypost.mapping.signature import signature
from waypost.model import Element, Screen, TypeText

__all__ = ["differences", "pocket_screens", "through_xml"]


def through_xml(screen: Screen) -> Screen:
    """Write a screen as `uiautomator dump` does, and read it; what `dumpsys` tells is taken as told."""
    read = parse(hierarchy(screen, "org.served"), size=screen.size).screen
    return replace(
        read,
        app=screen.app,
        activity=screen.activity,
        title=screen.title,
        keyboard=screen.keyboard,
        overlay=screen.overlay,
        rotation=screen.rotation,
    )


def differences(before: Screen, after: Screen) -> list[str]:
    """Name what mapping sees in one screen and not in the other: evidence, layer, controls."""
    a, b = signature(before), signature(after)
    found = [f.name for f in fields(a) if f.name != "digest" and getattr(a, f.name) != getattr(b, f.name)]
    if _layer(before) != _layer(after):
        found.append("active layer")
    found += ["controls"] * (_controls(before) != _controls(after))
    return found + ["elements"] * (seen(before) != seen(after))


def seen(screen: Screen) -> list[Element]:
    """Return what can be seen, each by itself."""
    return [replace(e, children=()) for e in screen.visible()]


def _layer(screen: Screen) -> tuple[str, Element]:
    layer = active_layer(screen)
    return layer.kind.value, replace(layer.root, children=())


def _controls(screen: Screen) -> list[tuple[object, ...]]:
    # The text to type may be a word of the page: it is compared, as all else is.
    return [
        (c.key, c.kind, c.label, c.template, c.action.text if isinstance(c.action, TypeText) else "")
        for c in controls(screen)
    ]


def pocket_screens(*names: str) -> Iterator[tuple[str, Screen]]:
    """Yield every page of pocket apps (all, where none is named) as just opened, by its true name."""
    for app in names or apps():
        spec = load(app)
        for page in spec.pages.values():
            phone = PocketDevice(app)
            session = phone.session()
            under = page.id.partition("+")[0]
            session.vars.update({k: True for k in ("signed_in", "welcomed") if k in session.vars})
            for name in (under, page.id):
                if name and name != session.top.page.id:
                    session.run((Go(name, table=spec.pages[name].item),))
            session.splash, session.prompt, session.ad = 0, "", False
            screen = phone.observe().screen
            assert phone.where() == spec.full(page.id)
            yield spec.full(page.id), screen
