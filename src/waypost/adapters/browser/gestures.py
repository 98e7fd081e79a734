"""Fingers and keys: points in CSS pixels in, touches of the page out."""

import asyncio
import re

from waypost.adapters.browser.session import Session
from waypost.errors import DeviceError

__all__ = ["enter_text", "long_press", "press_enter", "swipe", "tap"]

READ = "() => window.__waypost.readField()"
HOLD = 0.7
"""Seconds that a long press lasts; Android's own limit is 0.5."""


async def tap(session: Session, x: float, y: float) -> None:
    """Touch and let go."""
    await _touch(session, "touchStart", x, y)
    await _touch(session, "touchEnd")


async def long_press(session: Session, x: float, y: float) -> None:
    """Touch, hold, let go; the page gets its `contextmenu` event, as on a phone."""
    await session.ask("() => { window.__waypost.menuAt = -1 }")
    await _touch(session, "touchStart", x, y)
    await asyncio.sleep(HOLD)
    asked = await session.ask("() => window.__waypost.menuAt >= 0")
    if not asked:
        await session.ask("(p) => window.__waypost.askMenu(p)", [x, y])
    await _touch(session, "touchEnd")


async def swipe(session: Session, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag from one point to another, and hold still before letting go: no fling."""
    steps = 10
    await _touch(session, "touchStart", *start)
    for n in range(1, steps + 1):
        part = n / steps
        await _touch(
            session, "touchMove", start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part
        )
        await asyncio.sleep(0.012)
    await asyncio.sleep(0.06)
    await _touch(session, "touchMove", end[0], end[1] + 0.5)
    await _touch(session, "touchEnd")


async def press_enter(session: Session) -> None:
    """Press the enter key of the keyboard."""
    key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "nativeVirtualKeyCode": 13}
    await session.free(session.cdp.send("Input.dispatchKeyEvent", {"type": "keyDown", "text": "\r", **key}))
    await session.free(session.cdp.send("Input.dispatchKeyEvent", {"type": "keyUp", **key}))


async def _touch(session: Session, kind: str, x: float | None = None, y: float = 0.0) -> None:
    points = [] if x is None else [{"x": x, "y": y, "radiusX": 4, "radiusY": 4, "force": 0.5}]
    await session.free(session.cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points}))


async def enter_text(session: Session, text: str, at: tuple[float, float] | None) -> None:
    """Replace the text of a field, and read it back; DeviceError where it did not take."""
    if at is not None:
        await tap(session, *at)
        await session.settle()
    frame, ready = None, await session.ask("(p) => window.__waypost.fieldAt(p)", list(at) if at else None)
    for inner in session.page.frames[1:] if not ready else ():
        ready = await session.ask("() => window.__waypost.fieldInside()", frame=inner)
        if ready:
            frame = inner
            break
    if not ready:
        where = f"at {at[0]:.0f},{at[1]:.0f}" if at is not None else "in focus"
        raise DeviceError(f"There is no text field {where}; tap the field first")
    await session.ask("() => window.__waypost.selectAll()", frame=frame)
    if text and ready != "picker":
        await session.free(session.cdp.send("Input.insertText", {"text": text}))
    elif not text:
        await session.free(session.page.keyboard.press("Delete"))
    shown = await session.ask(READ, frame=frame)
    if not took(text, shown):
        await session.ask("(t) => window.__waypost.forceField(t)", text, frame=frame)
        shown = await session.ask(READ, frame=frame)
    if not took(text, shown):
        said = "other text" if ready == "password" else repr(shown[:80])
        raise DeviceError(f"The field did not take {_safe(text, ready)}: it shows {said}")


def _safe(text: str, kind: str) -> str:
    return "the password" if kind == "password" else repr(text[:80])


def took(text: str, shown: str) -> bool:
    """Tell whether a field holds the text; what a mask adds does not count.

    >>> took("1200", "1,200.00"), took("hello", "hell"), took("👋", "👋"), took("", "left over")
    (True, False, True, False)
    """
    if _plain(shown) == _plain(text):
        return True
    core, seen = _core(text), _core(shown)
    return bool(core) and seen.startswith(core) and len(seen) <= len(core) + 4


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("\u00a0", " ")).strip()


def _core(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
