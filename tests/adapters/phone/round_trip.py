"""A screen in, the same screen as it is seen over adb out, and what is not the same about it."""

from dataclasses import fields, replace

from waypost.adapters.phone.hierarchy import hierarchy
from waypost.adapters.trees import parse
from waypost.mapping.controls import controls
from waypost.mapping.layers import active_layer
from waypost.mapping.signature import signature
from waypost.model import Element, Screen, TypeText

__all__ = ["differences", "through_xml"]


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
