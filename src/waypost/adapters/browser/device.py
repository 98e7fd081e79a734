"""A web app in Chromium as a phone: actions in, observations out."""

import contextlib
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeVar

from waypost.adapters.address import address
from waypost.adapters.browser import gestures
from waypost.adapters.browser.chromium import SCALE, VIEWPORT, BrowserConfig, check, start_url
from waypost.adapters.browser.fence import Fence
from waypost.adapters.browser.held import Held
from waypost.adapters.browser.look import look
from waypost.adapters.browser.session import Session, Stuck
from waypost.adapters.browser.thread import LoopThread
from waypost.adapters.gestures import on_screen, swipe_points
from waypost.errors import DeviceError
from waypost.model import (
    Action,
    Capture,
    Element,
    Finish,
    Launch,
    LongPress,
    Observation,
    Point,
    Press,
    Role,
    Screen,
    Swipe,
    Tap,
    TypeText,
    Wait,
)

__all__ = ["BrowserDevice"]

T = TypeVar("T")
SIZE = (VIEWPORT[0] * SCALE, VIEWPORT[1] * SCALE)
PATIENCE = 60.0
"""Seconds after which a browser that does not answer counts as lost."""


class BrowserDevice:
    """Chromium with a phone's profile, showing one web app; started on first use."""

    def __init__(
        self,
        url: str = "",
        *,
        config: BrowserConfig | None = None,
        shot_scale: Literal["css", "device"] = "css",
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.config = config or BrowserConfig()
        check(self.config)
        self.url = start_url(url) if url or not self.config.cdp else ""
        self._fence = Fence(self.url, self.config.allow_hosts)
        self._shot_scale: Literal["css", "device"] = shot_scale
        self._clock = clock
        self._thread = LoopThread()
        self._session: Session | None = None
        self._seen_at = 0.0
        self._home = False
        self._last = Screen(root=Element(role=Role.WEB), app=self.url, size=SIZE)
        self._closed = False

    @property
    def name(self) -> str:
        """The device as the command line writes it."""
        return f"browser:{self.url or self.config.cdp}"

    @property
    def settles(self) -> bool:
        """Whether the page had come to rest when the last action returned, so that one look will do."""
        return self._session is not None and not self._session.last_wait

    @property
    def fenced(self) -> tuple[str, ...]:
        """Addresses outside of the app's own host that were stopped, in order of first sight."""
        return tuple(self._fence.stopped)

    @property
    def notes(self) -> tuple[str, ...]:
        """What else was kept from happening: new tabs, downloads, file choosers."""
        return tuple(self._session.notes) if self._session else ()

    # ---- the seam ------------------------------------------------------------------------------
    def observe(self, *, pixels: bool = False) -> Observation:
        """Look; with a screenshot only where `pixels` asks for one. Raises DeviceError."""
        session = self._ready()
        seen = self._call(look(session, self._home, pixels=pixels, scale=self._shot_scale, last=self._last))
        if not session.held and not self._home:
            self._last = seen.screen
        self._seen_at = max(self._clock(), self._seen_at + 1e-6)
        return replace(seen, seen_at=self._seen_at)

    def perform(self, action: Action) -> None:
        """Do it, and return once the page has settled. Raises DeviceError; ValueError for Finish."""
        if isinstance(action, Finish):
            raise ValueError("Finish is the actor's claim; a device never sees it")
        session = self._ready()
        match action:
            case Launch(app):
                self.restart(app)
            case Wait(seconds):
                self._call(session.rest(seconds))
            case Capture():
                pass
            case Press("home"):
                self._home = True
            case _ if self._home:
                pass  # The app is not in front: nothing there to touch.
            case _:
                self._call(self._act(session, action))

    def restart(self, app: str = "") -> None:
        """Load the start address afresh in the same context; its data stay."""
        if self._session is not None and not self._session.alive:
            self._drop()
        session = self._ready(navigate=False)
        if not app or app.rstrip("/") in (address(self.url)[0], self.url.rstrip("/")):
            url = self.url
        elif not app.startswith(("http://", "https://")):
            raise DeviceError(f"There is no app {app!r} in this browser; it shows {self.url}")
        else:
            url = start_url(app)
        if not self._fence.allows(url):
            raise DeviceError(f"{app!r} lies outside of the fence; allow its host to go there")
        self._home = False
        session.held = session.held if session.held and session.held.overlay else None
        self._call(session.open(url))

    def save_state(self, path: Path) -> None:
        """Write cookies, local storage and IndexedDB, for `BrowserConfig.storage_state`."""
        self._call(self._ready().save(path))

    def close(self) -> None:
        """Let go of the browser; an attached one stays as it stands. Calling it twice does no harm."""
        self._closed = True
        self._drop()
        self._thread.stop()

    def __enter__(self) -> "BrowserDevice":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- inside --------------------------------------------------------------------------------
    def _ready(self, *, navigate: bool = True) -> Session:
        if self._closed:
            raise DeviceError("The browser device was closed; make a new BrowserDevice")
        if self._session is None:
            if not self._thread.running:
                self._thread.start()
            session = Session(self.config, self._fence)
            try:
                self._call(session.start())
                if not self.url:
                    self.url = self._fence.origin
                if navigate and not session.attached:
                    self._call(session.open(self.url))
            except DeviceError:
                self._call(session.stop())
                raise
            self._session = session
        if not self._session.alive:
            raise DeviceError("The browser has ended; restart the device")
        return self._session

    def _call(self, work: Coroutine[Any, Any, T]) -> T:
        return self._thread.call(_translated(work), PATIENCE)

    def _drop(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            with contextlib.suppress(DeviceError):  # It is gone already.
                self._call(session.stop())

    async def _act(self, session: Session, action: Action) -> None:
        if session.held is not None:
            if await self._answered(session, action, session.held):
                await session.settle()
            return
        try:
            await self._gesture(session, action)
        except Stuck:
            return  # The dialog that came up is what is seen next.
        await session.settle()

    async def _gesture(self, session: Session, action: Action) -> None:
        match action:
            case Tap(at):
                if not (self._on_choices(at) and await session.unfold(*self._css(session, at))):
                    await gestures.tap(session, *self._css(session, at))
            case LongPress(at):
                await gestures.long_press(session, *self._css(session, at))
            case TypeText(text, at):
                await gestures.enter_text(session, text, self._css(session, at) if at else None)
                if action.submit:
                    await gestures.press_enter(session)
            case Swipe():
                start, end = swipe_points(action, self._last.size, kept=0)
                await gestures.swipe(session, self._css(session, start), self._css(session, end))
            case Press("back"):
                await session.back()
            case Press("enter"):
                await gestures.press_enter(session)

    async def _answered(self, session: Session, action: Action, held: Held) -> bool:
        """Answer the browser's own dialog; True where that sets the page free."""
        size = self._last.size
        match action:
            case Tap(at) | LongPress(at) if not held.overlay:
                await session.choose(held.hit(at, size))
                return True
            case Press("back" | "enter") if not held.overlay:
                await session.choose(None)
                return True
            case Tap(at):
                choice = held.hit(at, size)
                if choice is None:
                    return False
                await session.answer(held.choices[choice] == "OK", held.field or "")
                return True
            case Press("back"):
                await session.answer(False)
                return True
            case Press("enter"):
                await session.answer(True, held.field or "")
                return True
            case TypeText(text) if held.field is not None:
                session.held = replace(held, field=text)
            case Swipe():
                start, end = swipe_points(action, size, kept=0)
                session.held = held.scrolled((start[1] - end[1]) // 144, size)
        return False

    def _on_choices(self, at: Point) -> bool:
        """Whether the last look shows a native list of choices there; the browser would draw it unseen."""
        return any(e.class_name == "select" and e.bounds.contains(*at) for e in self._last.visible())

    def _css(self, session: Session, at: Point) -> tuple[float, float]:
        x, y = on_screen(at, self._last.size)
        return x / session.scale, y / session.scale


async def _translated(work: Coroutine[Any, Any, T]) -> T:
    """Turn the browser driver's errors into ours."""
    from playwright.async_api import Error

    try:
        return await work
    except Stuck as e:
        raise DeviceError("A dialog of the page is open; answer it first") from e
    except Error as e:
        line = str(e).splitlines()[0] if str(e) else type(e).__name__
        raise DeviceError(f"The browser failed: {line}; restart the device, or start it anew") from e
