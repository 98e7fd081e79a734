"""uiautomator2 as a second reader of the screen, where the user asks for it: a serial in, a dump out."""

from waypost.adapters.android.ladder import Helper
from waypost.errors import DeviceError, UsageError

__all__ = ["uiautomator2_helper"]


def uiautomator2_helper(serial: str) -> Helper:
    """Return a reader that starts on its first use, and then puts its server's file on the phone."""
    from importlib.util import find_spec

    if find_spec("uiautomator2") is None:
        raise UsageError("--uiautomator2 needs that package: pip install uiautomator2")
    connected: list[object] = []

    def dump() -> str:
        import uiautomator2
        from adbutils.errors import AdbError

        try:
            if not connected:
                connected.append(uiautomator2.connect(serial))
            return str(connected[0].dump_hierarchy())  # type: ignore[attr-defined]
        except (uiautomator2.exceptions.BaseException, AdbError, OSError) as e:
            raise DeviceError(f"uiautomator2 gave no tree of {serial!r}: {str(e)[:160]}") from e

    return dump
