"""Fingers and keys: points in CSS pixels in, touches of the page out."""

import asyncio
import re
from typing import Any

from waypost.adapters.browser.session import Session, Stuck
from waypost.errors import DeviceError

__all__ = ["enter_text", "long_press", "press_enter", "swipe", "tap"]

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
        await session.ask(MENU, [x, y])
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
    frame, ready = None, await session.ask(FOCUS, list(at) if at is not None else None)
    for inner in session.page.frames[1:] if not ready else ():
        ready = await session.ask(FOCUS_INSIDE, frame=inner)
        if ready:
            frame = inner
            break
    if not ready:
        where = f"at {at[0]:.0f},{at[1]:.0f}" if at is not None else "in focus"
        raise DeviceError(f"There is no text field {where}; tap the field first")
    await session.ask(SELECT, frame=frame)
    if text and ready != "picker":
        await session.free(session.cdp.send("Input.insertText", {"text": text}))
    elif not text:
        await session.free(session.page.keyboard.press("Delete"))
    shown = await session.ask(READ, frame=frame)
    if not _took(text, shown):
        await session.ask(FORCE, text, frame=frame)
        shown = await session.ask(READ, frame=frame)
    if not _took(text, shown):
        said = "other text" if ready == "password" else repr(shown["value"][:80])
        raise DeviceError(f"The field did not take {_safe(text, ready)}: it shows {said}")


def _safe(text: str, kind: str) -> str:
    return "the password" if kind == "password" else repr(text[:80])


def _took(text: str, shown: Any) -> bool:
    """Tell whether a field holds the text; what a mask adds or leaves out does not count."""
    if not isinstance(shown, dict):
        return False
    value = str(shown["value"])
    if _plain(value) == _plain(text):
        return True
    core, seen = _core(text), _core(value)
    return bool(core) and seen.startswith(core) and len(seen) <= len(core) + 4


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("\u00a0", " ")).strip()


def _core(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


MENU = """(p) => {
  const el = document.elementFromPoint(p[0], p[1]);
  if (el) el.dispatchEvent(new MouseEvent('contextmenu', {bubbles: true, cancelable: true, composed: true,
    clientX: p[0], clientY: p[1], button: 2, view: window}));
}"""
FOCUS = """(p) => {
  const W = window.__waypost;
  let el = W.focused();
  const inside = (el) => {
    if (!p || !el) return true;
    const r = el.getBoundingClientRect();
    return p[0] >= r.left - 2 && p[0] <= r.right + 2 && p[1] >= r.top - 2 && p[1] <= r.bottom + 2;
  };
  if (p && (!W.editable(el) || !inside(el)) ) {
    let top = document.elementFromPoint(p[0], p[1]);
    while (top && top.shadowRoot && top.shadowRoot.elementFromPoint(p[0], p[1]) &&
      top.shadowRoot.elementFromPoint(p[0], p[1]) !== top) top = top.shadowRoot.elementFromPoint(p[0], p[1]);
    let field = top;
    while (field && !W.editable(field)) field = W.names.parent(field);
    if (!field && top && top.closest && top.closest('label')) field = top.closest('label').control;
    if (!field && top && top.querySelector) {
      const some = [...top.querySelectorAll('input,textarea,[contenteditable]')].filter((e) => W.editable(e));
      if (some.length === 1) field = some[0];
    }
    if (field && field !== el && W.editable(field)) { field.focus(); el = W.focused(); }
  }
  if (!W.editable(el)) return '';
  if (el.type === 'password') return 'password';
  return /^(date|time|datetime-local|month|week)$/.test(el.type || '') ? 'picker' : 'text';
}"""
FOCUS_INSIDE = """() => {
  const el = window.__waypost.focused();
  if (!document.hasFocus() || !window.__waypost.editable(el)) return '';
  return el.type === 'password' ? 'password' : 'text';
}"""
SELECT = """() => {
  const el = window.__waypost.focused();
  if (el.select) el.select();
  else {
    const range = el.ownerDocument.createRange();
    range.selectNodeContents(el);
    const s = el.ownerDocument.defaultView.getSelection();
    s.removeAllRanges();
    s.addRange(range);
  }
}"""
READ = """() => new Promise((done) => {
  const look = () => {
    const el = window.__waypost.focused();
    done({ value: el.value !== undefined && !el.isContentEditable ? el.value : el.innerText });
  };
  setTimeout(look, 30);
})"""
FORCE = """(text) => {
  const el = window.__waypost.focused();
  const view = el.ownerDocument.defaultView;
  if (el.isContentEditable) el.textContent = text;
  else {
    const kind = el.tagName === 'TEXTAREA' ? view.HTMLTextAreaElement : view.HTMLInputElement;
    Object.getOwnPropertyDescriptor(kind.prototype, 'value').set.call(el, text);
  }
  el.dispatchEvent(new view.InputEvent('input', { bubbles: true, composed: true, data: text, inputType: 'insertText' }));
  el.dispatchEvent(new view.Event('change', { bubbles: true }));
}"""

