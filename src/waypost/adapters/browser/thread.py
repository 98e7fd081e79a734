"""Run coroutines on one thread of their own: Playwright's objects never leave it, the caller stays sync."""

import asyncio
import concurrent.futures
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from waypost.errors import DeviceError

__all__ = ["LoopThread"]

T = TypeVar("T")


class LoopThread:
    """An event loop that keeps turning between calls, so that the fence answers at any time."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    @property
    def running(self) -> bool:
        """Whether the thread was started and not yet stopped."""
        return self._loop is not None

    def start(self) -> None:
        """Start the thread; it ends with the process."""
        loop = asyncio.new_event_loop()
        ready = threading.Event()
        loop.call_soon(ready.set)
        self._loop = loop
        self._thread = threading.Thread(target=loop.run_forever, name="waypost-browser", daemon=True)
        self._thread.start()
        ready.wait()

    def call(self, work: Coroutine[Any, Any, T], timeout: float) -> T:
        """Run `work` to its end; DeviceError where it takes longer than `timeout` seconds."""
        if self._loop is None:
            work.close()
            raise DeviceError("The browser was closed; make a new BrowserDevice")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result(timeout)
        except concurrent.futures.TimeoutError as e:
            future.cancel()
            raise DeviceError(f"The browser did not answer within {timeout:g} s; restart the device") from e
        except BaseException:
            future.cancel()
            raise

    def stop(self) -> None:
        """End the thread; calling it twice does no harm."""
        if self._loop is None or self._thread is None:
            return
        loop, self._loop = self._loop, None
        loop.call_soon_threadsafe(loop.stop)
        self._thread.join(10)
        if not self._thread.is_alive():
            loop.close()
