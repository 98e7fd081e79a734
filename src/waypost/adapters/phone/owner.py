"""The one thread that touches the device: work in from any thread, its result out, one after the other."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from waypost.adapters.phone.streams import StreamClosed
from waypost.errors import DeviceError
from waypost.protocols import Device

__all__ = ["Owner"]

T = TypeVar("T")


class Owner:
    """Holds a device, and does to it what it is asked, in the order of asking."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._pool = ThreadPoolExecutor(1, "waypost-phone-device")

    def call(self, work: Callable[[Device], T], gone: threading.Event | None = None) -> T:
        """Run `work` on the device's thread. StreamClosed where who asked is `gone` when its turn comes."""

        def turn() -> T:
            if gone is not None and gone.is_set():
                raise StreamClosed("the client has gone")
            return work(self._device)

        try:
            future = self._pool.submit(turn)
        except RuntimeError as e:
            raise DeviceError("The phone is being switched off") from e
        return future.result()

    def close(self) -> None:
        """Finish what is running, and let go of the device; calling it twice does no harm."""
        try:
            done = self._pool.submit(self._device.close)
        except RuntimeError:
            return  # Closed before.
        try:
            done.result()
        finally:
            self._pool.shutdown(cancel_futures=True)
