"""One browser page and all that may happen to it: settings in, awaitable verbs out."""

import asyncio
import json
from collections.abc import Awaitable
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from waypost.adapters.browser.chromium import INSTALL, SCALE, BrowserConfig, open_context
from waypost.adapters.browser.fence import Fence
from waypost.adapters.browser.held import Held
from waypost.errors import DeviceError

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, CDPSession, Dialog, Frame, Page, Playwright

__all__ = ["Session", "Stuck"]

T = TypeVar("T")
SCRIPTS = ("watch.js", "names.js", "layers.js", "walk.js", "act.js")
QUIET_MS = 250
CAP_MS = 1500
LEAVING_MS = 6000
REQUEST_MS = 12_000
"""How long an answer is waited for that the last gesture asked for; the old page may still show meanwhile."""
BLANK_MS = 2500


class Stuck(Exception):
    """A dialog of the browser holds the page: it cannot answer before the dialog is answered."""


def page_script(outside: str) -> str:
    """Return the script that is installed in every page; `outside` matches addresses beyond the fence."""
    folder = files("waypost.adapters.browser") / "page"
    text = "\n".join((folder / name).read_text("utf-8") for name in SCRIPTS)
    return text.replace('"__OUTSIDE__"', json.dumps(outside))


class Session:
    """Owns Playwright, the context and the page. Every method runs on one event loop."""

    def __init__(self, config: BrowserConfig, fence: Fence) -> None:
        self.config = config
        self.fence = fence
        self.held: Held | None = None
        self.crashed = False
        self.notes: list[str] = []
        self.scale = float(SCALE)
        """Device pixels a CSS pixel, as the last look found it."""
        self._dialog: Dialog | None = None
        self._up = asyncio.Event()
        self._script = ""
        self._play: Playwright | None = None
        self._browser: Browser | None = None
        self._context: BrowserContext | None = None
        self._page: Page | None = None
        self._cdp: CDPSession | None = None
        self.restless: dict[str, list[str]] = {}
        """Places of a page that change for ever, by the page's address: not waited for again."""
        self.last_wait = ""
        """Why the last wait was cut off; empty where the page came to rest."""
        self._slow: list[str] = []
        self._pardoned: set[str] = set()
        self._leaving = False
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def attached(self) -> bool:
        """Whether the browser is somebody else's."""
        return bool(self.config.cdp)

    @property
    def page(self) -> "Page":
        if self._page is None or self._page.is_closed() or self.crashed:
            raise DeviceError("The browser page was lost; restart the device")
        return self._page

    @property
    def alive(self) -> bool:
        """Whether the browser still answers; its page may be lost even so."""
        browser = self._context.browser if self._context is not None else None
        return self._context is not None and (browser is None or browser.is_connected())

    @property
    def cdp(self) -> "CDPSession":
        if self._cdp is None:
            raise DeviceError("The browser is not running; restart the device")
        return self._cdp

    # ---- start and end ---------------------------------------------------------------------------
    async def start(self) -> None:
        """Start the browser, or attach to one; navigates nowhere."""
        try:
            from playwright.async_api import async_playwright
        except ImportError as e:
            raise DeviceError(f"Playwright is not installed; {INSTALL}") from e
        self._play = await async_playwright().start()
        if self.attached:
            await self._attach(self._play)
        else:
            self._script = page_script(self.fence.outside.pattern)
            self._browser, self._context = await open_context(
                self._play, self.config, self.fence.resolver_rules()
            )
            await self.fence.surround(self._context)
            await self._context.add_init_script(self._script)
            if self.config.init_script is not None:
                await self._context.add_init_script(path=str(self.config.init_script))
            self._context.on("page", self._on_popup)
            pages = self._context.pages
            await self._adopt(pages[0] if pages else await self._context.new_page())

    async def _attach(self, play: "Playwright") -> None:
        self._browser = await play.chromium.connect_over_cdp(self.config.cdp)
        pages = [p for c in self._browser.contexts for p in c.pages if p.url.startswith(("http", "about"))]
        if not pages:
            raise DeviceError(f"The browser at {self.config.cdp!r} shows no page; open the app in it first")
        front = pages[0]
        for page in pages:
            if await page.evaluate("document.visibilityState") == "visible":
                front = page
                break
        self._context = front.context
        self.fence.origin = self.fence.origin or front.url
        self._script = page_script(self.fence.outside.pattern)
        await self.fence.surround(front)
        await front.add_init_script(self._script)
        if self.config.init_script is not None:
            await front.add_init_script(path=str(self.config.init_script))
        await self._adopt(front)
        await self.cdp.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 1})

    async def _adopt(self, page: "Page") -> None:
        self._page = page
        page.on("dialog", self._on_dialog)
        page.on("filechooser", lambda _: self.notes.append("file chooser"))
        page.on("download", lambda d: self.notes.append(f"download {d.url}"))
        page.on("crash", lambda _: self._on_crash())
        self._cdp = await page.context.new_cdp_session(page)
        await self.fence.watch(self._cdp)
        if self.attached:
            self._context and self._context.on("page", self._on_popup)

    async def stop(self) -> None:
        """Close what is ours; an attached browser only loses the connection."""
        if self._page is not None and not self._page.is_closed() and self.attached:
            await self.fence.lift(self._page)
            if self._context is not None:
                self._context.remove_listener("page", self._on_popup)
        if not self.attached:
            if self._dialog is not None:
                await self.answer(False)
            if self._context is not None:
                await self._context.close()
            if self._browser is not None:
                await self._browser.close()
        if self._play is not None:
            await self._play.stop()
        self._play = self._browser = self._context = self._page = self._cdp = None

    # ---- what the browser reports -----------------------------------------------------------------
    def _on_dialog(self, dialog: "Dialog") -> None:
        if self._leaving and dialog.type == "beforeunload":
            self._spawn(dialog.accept())
            return
        self._dialog = dialog
        self.held = Held(
            overlay="javascript",
            message=dialog.message or ("Leave this page?" if dialog.type == "beforeunload" else ""),
            choices=("OK",) if dialog.type == "alert" else ("Cancel", "OK"),
            field=dialog.default_value if dialog.type == "prompt" else None,
        )
        self._up.set()

    def _on_crash(self) -> None:
        self.crashed = True
        self._up.set()
        self.notes.append("crash")

    def _on_popup(self, page: "Page") -> None:
        self._spawn(self._follow(page))

    async def _follow(self, popup: "Page") -> None:
        """Show a new tab of the app in our one page; close any other."""
        if popup is self._page or self._page is None or await popup.opener() is None:
            return
        from playwright.async_api import Error

        try:
            for _ in range(40):
                if popup.is_closed() or popup.url not in ("", "about:blank"):
                    break
                await asyncio.sleep(0.05)
            url = popup.url
            await popup.close()
            self.notes.append(f"new tab {url}")
            if url.startswith("http") and self.fence.allows(url) and self._page is not None:
                await self._page.goto(url, wait_until="commit")
        except Error as e:
            self.notes.append(f"new tab: {e.message.splitlines()[0]}")

    def _spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()

    # ---- asking the page --------------------------------------------------------------------------
    async def free(self, work: Awaitable[T]) -> T:
        """Wait for `work`, unless a dialog holds the page: then raise Stuck and let it run on."""
        task = asyncio.ensure_future(work)
        if self._up.is_set():
            await asyncio.sleep(0)
        gate = asyncio.ensure_future(self._up.wait())
        done, _ = await asyncio.wait({task, gate}, return_when=asyncio.FIRST_COMPLETED)
        if task in done:
            gate.cancel()
            return task.result()
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        if self.crashed:
            raise DeviceError("The browser page was lost; restart the device")
        raise Stuck

    async def ask(self, script: str, argument: Any = None, *, frame: "Frame | None" = None) -> Any:
        """Evaluate in the page, or in one of its frames, with our script in place."""
        where = frame or self.page.main_frame
        guarded = f"(o) => window.__waypost ? ({script})(o) : '__missing__'"
        answer = await self.free(where.evaluate(guarded, argument))
        if answer == "__missing__":
            await self.free(where.evaluate(f"() => {{ {self._script} }}"))
            answer = await self.free(where.evaluate(guarded, argument))
        return answer

    async def unfold(self, x: float, y: float) -> bool:
        """Hold the native list of choices at a point, if there is one."""
        found = await self.ask("(p) => window.__waypost.choicesAt(p)", [x, y])
        if found:
            self.held = Held("", found["name"], tuple(found["labels"]), chosen=found["chosen"])
        return bool(found)

    async def choose(self, index: int | None) -> None:
        """Take a choice of the list that is held; None leaves it as it was."""
        self.held = None
        if index is not None:
            await self.ask("(i) => window.__waypost.choose(i)", index)

    async def answer(self, accept: bool, text: str = "") -> None:
        """Answer the dialog that holds the page."""
        from playwright.async_api import Error

        dialog, self._dialog = self._dialog, None
        self.held = None
        self._up.clear()
        if dialog is not None:
            try:
                await (dialog.accept(text) if accept else dialog.dismiss())
            except Error as e:
                self.notes.append(f"dialog: {e.message.splitlines()[0]}")

    # ---- waiting ----------------------------------------------------------------------------------
    async def settle(self, cap: int = CAP_MS) -> None:
        """Wait until the structure is quiet, at most about `cap` milliseconds a document."""
        from playwright.async_api import Error

        for _ in range(5):
            here = self.page.url.split("?")[0].split("#")[0]
            options = {
                "quiet": QUIET_MS,
                "cap": cap,
                "leaving": LEAVING_MS,
                "request": REQUEST_MS,
                "blank": BLANK_MS,
                "noisy": self.restless.get(here, []),
                "slow": self._slow,
            }
            try:
                found = await self.ask("(o) => window.__waypost.quiet(o)", options)
            except Stuck:
                return
            except Error as e:
                if not _moved_on(e):
                    raise
                cap = max(cap, 2 * CAP_MS)
                await self._loaded()
                continue
            self.last_wait = found["why"]
            for url in found["away"]:
                self.fence.note(url)
            if found["noisy"]:
                known = self.restless.setdefault(here, [])
                known.extend(n for n in found["noisy"] if n not in known)
            # What was late once may be awaited again; what is late for ever, as a held-open request, may not.
            pardoned = [s for s in found["prompt"] if s not in self._pardoned]
            self._pardoned.update(pardoned)
            self._slow = [s for s in self._slow if s not in pardoned]
            self._slow.extend(s for s in found["slow"] if s not in self._slow)
            return

    async def rest(self, seconds: float) -> None:
        """Let time pass."""
        await asyncio.sleep(max(0.0, seconds))

    async def _loaded(self) -> None:
        from playwright.async_api import Error

        try:
            await self.free(self.page.wait_for_load_state("domcontentloaded", timeout=10_000))
        except (Error, Stuck):
            return

    # ---- going ------------------------------------------------------------------------------------
    async def open(self, url: str) -> None:
        """Load `url` as a launcher icon would: no way back behind it, the data stay."""
        from playwright.async_api import Error

        if self._dialog is not None:
            await self.answer(False)
        await self._mend()
        self._leaving = True
        try:
            if self.page.url != "about:blank":
                await self.page.goto("about:blank", wait_until="commit", timeout=10_000)
            await self.free(self.page.goto(url, wait_until="domcontentloaded", timeout=30_000))
        except Stuck:
            pass
        except Error as e:
            raise DeviceError(f"Cannot open {url}: {_first_line(e)}; is the app running there?") from e
        finally:
            self._leaving = False
        await self.settle(cap=3 * CAP_MS)
        if self._dialog is None:
            await self.cdp.send("Page.resetNavigationHistory")

    async def _mend(self) -> None:
        """Get a new page where ours was closed or has crashed."""
        lost = self._page
        if self._context is None or (lost is not None and not lost.is_closed() and not self.crashed):
            return
        if self.attached:
            raise DeviceError("The page that was attached to is gone; open the app again in that browser")
        self._page, self.crashed = None, False
        self._up.clear()
        page = await self._context.new_page()
        await self._adopt(page)
        if lost is not None and not lost.is_closed():
            await lost.close()

    async def back(self) -> None:
        """Go back in the history; from its first entry, leave the app."""
        if self.page.url == "about:blank":
            return
        history = await self.cdp.send("Page.getNavigationHistory")
        at = history["currentIndex"]
        if at > 0:
            await self.cdp.send("Page.navigateToHistoryEntry", {"entryId": history["entries"][at - 1]["id"]})
        else:
            self._leaving = True
            try:
                await self.page.goto("about:blank", wait_until="commit")
            finally:
                self._leaving = False

    async def save(self, path: Path) -> None:
        """Write cookies, local storage and IndexedDB to a file."""
        if self._context is None:
            raise DeviceError("The browser is not running; restart the device")
        await self._context.storage_state(path=str(path), indexed_db=True)


def _moved_on(error: Exception) -> bool:
    text = str(error)
    return any(
        s in text
        for s in (
            "context was destroyed",
            "navigat",
            "Cannot find context",
            "frame was detached",
            "Frame was detached",
        )
    )


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
