"""What the tools ask of whoever stands behind them: arguments as an agent gives them in, JSON values out."""

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

__all__ = ["Note", "Toolbox", "Tree"]

Tree: TypeAlias = "str | dict[str, Any] | None"
"""A screen as the agent sees it: uiautomator, Appium or WebDriverAgent XML, or neutral JSON."""
Note: TypeAlias = Callable[[float, float | None, str], None]
"""Takes down progress: how much is done, of how much, in words. Raises Cancelled once the caller gave up."""


class Toolbox(Protocol):
    """A map and perhaps a device, asked by one thread. Every method raises WaypostError with the cure."""

    def where_am_i(self, tree: Tree, *, detail: bool) -> dict[str, Any]: ...

    def find_page(self, sentence: str, *, detail: bool) -> dict[str, Any]: ...

    def plan_route(self, to: str, start: str, tree: Tree, *, detail: bool) -> dict[str, Any]: ...

    def go(self, to: str, note: Note, *, restart: bool, limit: int, detail: bool) -> dict[str, Any]: ...

    def explain(self, page: str, other: str) -> dict[str, Any]: ...

    def report_hop(
        self, before: Tree, did: str, target: str, after: Tree, *, expected: str
    ) -> dict[str, Any]: ...

    def map_stats(self) -> dict[str, Any]: ...

    def explore(self, actions: int, note: Note) -> dict[str, Any]: ...

    def pages(self) -> dict[str, Any]:
        """List the pages: what the resource of the whole map says."""
        ...

    def page(self, page: str) -> dict[str, Any]: ...

    def screenshot(self, page: str) -> bytes:
        """Return a page's picture as PNG. Raises UsageError where none was taken."""
        ...

    def close(self) -> None: ...
