"""A touch on something in, what it does to the session out."""

from collections.abc import Sequence

from waypost.adapters.pocket.expr import Text
from waypost.adapters.pocket.keyboard import typed
from waypost.adapters.pocket.nodes import Touch
from waypost.adapters.pocket.spec import Effect, External
from waypost.adapters.pocket.state import Session
from waypost.adapters.pocket.tree import Target

__all__ = ["act", "hold"]

_STORE = External("com.android.vending", Text("Install"), Text("An app that somebody wants you to have."))


def act(session: Session, target: Target, x: int) -> None:
    """Do what a tap on `target` means; `x` is where, for sliders."""
    touch = target.touch
    if session.front():
        _answer(session, touch.op)
        return
    match touch.op:
        case "back":
            session.keyboard = False
            session.up()
        case "focus":
            if touch.widget:
                session.focus(touch.widget)
        case "toggle" | "choose" | "slide" | "key":
            _bound(session, target, x)
        case _:
            _run(session, touch, touch.effects)


def hold(session: Session, target: Target) -> None:
    """Do what a long press on `target` means: nothing where the widget has no such meaning."""
    touch = target.touch
    if touch.long and not session.front():
        _run(session, touch, touch.long)


def _run(session: Session, touch: Touch, effects: Sequence[Effect]) -> None:
    row = touch.row or (session.top.item if session.stack else None)
    if touch.closes and session.top.page.kind != "page":
        session.close_overlay()
        session.run(effects, row, closed=1)
    else:
        session.run(effects, row)


def _bound(session: Session, target: Target, x: int) -> None:
    touch = target.touch
    assert touch.widget is not None
    name = touch.widget.props["bind"]
    match touch.op:
        case "toggle":
            session.vars[name] = not session.vars[name]
        case "choose":
            session.vars[name] = touch.value
        case "slide":
            left, _, right, _ = target.box
            session.vars[name] = max(0, min(100, (x - left) * 100 // max(1, right - left)))
        case _:
            session.vars[name] = typed(str(session.vars[name]), touch.value)
    session.run(touch.effects, touch.row)


def _answer(session: Session, op: str) -> None:
    """Answer what lies in front of the page."""
    match op:
        case "allow" | "deny":
            session.answer(op == "allow")
        case "close_ad":
            session.ad = False
        case "follow_ad":
            session.ad = False
            session.external = (_STORE.package, _STORE.title.source, _STORE.text.source)
        case "reopen":
            session.start()
        case "quit":
            session.crashed, session.left, session.stack = False, True, []
        case _:
            pass
