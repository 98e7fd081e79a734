"""Any `Device` in, an Android phone on a port out: the parts of this room put together."""

import re
import time
from collections.abc import Callable
from types import TracebackType

from waypost.adapters.phone.files import Files
from waypost.adapters.phone.handset import Handset, HandsetConfig
from waypost.adapters.phone.programs import programs
from waypost.adapters.phone.server import Server
from waypost.adapters.phone.services import FEATURES, Desk
from waypost.protocols import Device

__all__ = ["Phone"]


class Phone:
    """A served device. Owns it from now on: nobody else may touch it, and closing closes it."""

    def __init__(
        self,
        device: Device,
        config: HandsetConfig | None = None,
        *,
        host: str = "127.0.0.1",
        port: int = 5555,
        clock: Callable[[], float] = time.time,
        note: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Put a phone together; `note` is told what clients asked for in vain."""
        config = config or HandsetConfig(model=device.name)
        known = programs()
        self.handset = Handset(device, config, clock=clock, note=note)
        self.files = Files(clock, tuple(sorted({*known, "sh"})))
        self.server = Server(
            _banner(config.model),
            Desk(self.handset, self.files, known).service,
            host=host,
            port=port,
            note=note,
        )

    @property
    def serial(self) -> str:
        """What `adb connect` is told, and what the phone is called afterwards."""
        host = f"[{self.server.host}]" if ":" in self.server.host else self.server.host
        return f"{host}:{self.server.port}"

    def start(self) -> None:
        """Take connections. Raises UsageError where the port is taken."""
        self.server.start()

    def close(self) -> None:
        """Hang up on everybody, and let go of the device; calling it twice does no harm."""
        self.server.close()
        self.handset.close()

    def __enter__(self) -> "Phone":
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _banner(model: str) -> bytes:
    """Write what a phone says of itself when it is connected to, in signs that mean nothing else there.

    >>> _banner("pocket:mail")[:80]
    b'device::ro.product.name=waypost;ro.product.model=pocket_mail;ro.product.device=w'
    """
    plain = re.sub(r"[^A-Za-z0-9_.-]+", "_", model).strip("_")[:64] or "Waypost"
    said = f"ro.product.name=waypost;ro.product.model={plain};ro.product.device=waypost;"
    return f"device::{said}features={','.join(FEATURES)}".encode()
