"""One look at the page: a session in, an Observation out."""

import asyncio
from dataclasses import replace
from typing import Literal

from waypost.adapters.browser.chromium import SCALE, VIEWPORT
from waypost.adapters.browser.session import Session, Stuck
from waypost.adapters.browser.tree import Foreign, Page, graft, parse, screen
from waypost.errors import DeviceError
from waypost.model import Bounds, Element, ImageStatus, Observation, Role, Screen, TreeQuality

__all__ = ["look"]

SIZE = (VIEWPORT[0] * SCALE, VIEWPORT[1] * SCALE)
WALK = "(o) => window.__waypost.walk(o)"


async def look(
    session: Session, home: bool, *, pixels: bool, scale: Literal["css", "device"], last: Screen
) -> Observation:
    """Read the tree, and take a picture where asked; a held dialog lies over the last screen seen."""
    if home:
        return Observation(
            Screen(root=Element(role=Role.GROUP, bounds=Bounds(0, 0, *SIZE)), app="home", size=SIZE)
        )
    try:
        seen = await _tree(session) if session.held is None else last
    except Stuck:
        seen = last
    if session.held is not None:
        seen = session.held.over(seen)
    if not pixels:
        return Observation(seen)
    if session.held is not None:
        # A dialog of the browser stops the page from being drawn.
        below = b"" if session.held.overlay else await _shot(session, "css")
        return Observation(seen, session.held.picture(seen.size, below), ImageStatus.SHOWN)
    image = await _shot(session, scale)
    return Observation(seen, image, ImageStatus.SHOWN if image else ImageStatus.FAILED)


async def _tree(session: Session) -> Screen:
    from playwright.async_api import Error

    for attempt in range(4):
        try:
            page = parse(await session.ask(WALK))
            session.scale = page.scale
            if page.foreign:
                page = await _with_foreign(session, page)
            return screen(page)
        except Error as e:
            # The page moved on under the walk: look at the new one.
            if attempt == 3 or session.page.is_closed():
                return Screen(
                    root=Element(role=Role.WEB), app=session.page.url, size=SIZE, quality=TreeQuality.NONE
                )
            if "closed" in str(e) or "crashed" in str(e):
                raise DeviceError(f"The page is lost ({str(e).splitlines()[0]}); restart the device") from e
            await asyncio.sleep(0.2)
    raise AssertionError("unreachable")


async def _with_foreign(session: Session, page: Page) -> Page:
    """Read the frames of another origin one by one, and put them where they lie."""
    from playwright.async_api import Error

    unread: list[Foreign] = []
    elements = page.elements
    for foreign in page.foreign:
        frame = next((f for f in session.page.frames if foreign.url and f.url == foreign.url), None)
        try:
            if frame is None:
                raise Error("moved on")
            inner = parse(await session.ask(WALK, {"k": page.scale}, frame=frame), frame=foreign)
            elements = graft(elements, foreign.bounds, inner.elements)
            unread.extend(inner.foreign)
        except Error:
            unread.append(foreign)
    return replace(page, elements=elements, foreign=tuple(unread))


async def _shot(session: Session, scale: Literal["css", "device"]) -> bytes:
    """Take a picture of what is in view, as PNG."""
    from playwright.async_api import Error

    try:
        return await session.free(session.page.screenshot(scale=scale, timeout=10_000))
    except (Error, Stuck):
        return b""
