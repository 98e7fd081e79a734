"""One thread that owns a toolbox: calls of many clients in, one after the other, results out."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol, TypeVar

from waypost.adapters.mcp.toolbox import Note, Toolbox
from waypost.errors import Cancelled

__all__ = ["Desk", "Teller"]

T = TypeVar("T")
_Told = tuple[float, float | None, str]


class Teller(Protocol):
    """Whoever passes progress on to the client: the SDK's context."""

    async def report_progress(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> None: ...


class Desk:
    """Map and device stay with the thread that opened them; everything that is asked queues here."""

    def __init__(self, open: Callable[[], Toolbox]) -> None:
        self._open = open
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="waypost-mcp")
        self._toolbox: Toolbox | None = None

    def start(self) -> None:
        """Open the toolbox, so that what is wrong with it is said before a client connects."""
        self._pool.submit(self._opened).result()

    def close(self) -> None:
        """Let go of map and device, once what is under way has ended."""
        self._pool.submit(self._shut).result()
        self._pool.shutdown()

    async def ask(self, what: Callable[[Toolbox], T]) -> T:
        """Run a question to its end."""
        return await asyncio.wrap_future(self._pool.submit(lambda: what(self._opened())))

    async def work(self, what: Callable[[Toolbox, Note], T], teller: Teller) -> T:
        """Run what takes a while: progress is passed on, and a client that gives up stops it.

        When this is cancelled, it waits until the device is at rest: the action under way is finished, no
        other is begun.
        """
        loop = asyncio.get_running_loop()
        told: asyncio.Queue[_Told | None] = asyncio.Queue()
        stop = threading.Event()

        def note(done: float, total: float | None, words: str) -> None:
            if stop.is_set():
                raise Cancelled("The client took the call back")
            loop.call_soon_threadsafe(told.put_nowait, (done, total, words))

        def job() -> T:
            if stop.is_set():  # It was taken back while it queued.
                raise Cancelled("The client took the call back")
            return what(self._opened(), note)

        running: Future[T] = self._pool.submit(job)
        running.add_done_callback(lambda _: loop.call_soon_threadsafe(told.put_nowait, None))
        try:
            while (line := await told.get()) is not None:
                await teller.report_progress(*line)
        except asyncio.CancelledError:
            stop.set()
            await _ended(running)
            raise
        return running.result()

    def _opened(self) -> Toolbox:
        if self._toolbox is None:
            self._toolbox = self._open()
        return self._toolbox

    def _shut(self) -> None:
        if self._toolbox is not None:
            self._toolbox.close()
            self._toolbox = None


async def _ended(running: "Future[T]") -> None:
    """Wait for a job's end, whatever comes of it, even while one is being cancelled again."""
    import anyio

    done = asyncio.Event()
    loop = asyncio.get_running_loop()
    running.add_done_callback(lambda _: loop.call_soon_threadsafe(done.set))
    with anyio.CancelScope(shield=True):
        await done.wait()
