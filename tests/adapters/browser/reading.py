"""What a person does with a screen: find a thing by its label, tap it."""

from waypost.adapters.browser import BrowserDevice
from waypost.model import Element, Screen, Tap


def thing(screen: Screen, label: str) -> Element:
    """Return the visible element with exactly this label; one that can be tapped first."""
    found = [e for e in screen.visible() if e.label == label]
    assert found, f"nothing is called {label!r}: {sorted({e.label for e in screen.visible()})}"
    return min(found, key=lambda e: not e.clickable)


def labels(screen: Screen) -> set[str]:
    return {e.label for e in screen.visible() if e.label}


def tap(device: BrowserDevice, label: str) -> Screen:
    """Tap what has this label; return the screen after it."""
    device.perform(Tap(thing(device.observe().screen, label).bounds.center))
    return device.observe().screen
