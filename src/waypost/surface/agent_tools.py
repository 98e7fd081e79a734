"""A map's name and a device in, its tools served over the Model Context Protocol until it is told to stop."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

from waypost import __version__
from waypost.adapters.mcp import Desk
from waypost.errors import UsageError
from waypost.parts.devices import DeviceOptions
from waypost.surface.door import token_for
from waypost.surface.toolbox import MapToolbox

__all__ = ["ToolsRequest", "listed", "serve_tools"]


@dataclass(frozen=True, slots=True)
class ToolsRequest:
    map: str
    device: str | None = None
    """Default: the one that the map was made on."""
    options: DeviceOptions | None = None
    explore: bool = False
    """Offer the tool that grows the map."""
    http: bool = False
    """Streamable HTTP rather than standard input and output."""
    host: str = "127.0.0.1"
    port: int = 8765
    token: str = ""
    """With HTTP: stands before every path; beyond loopback there is always one."""


def listed(*, explore: bool) -> str:
    """Return the result of `tools/list`, which needs no map."""
    _needs_sdk()
    from waypost.adapters.mcp.running import tools_list
    from waypost.adapters.mcp.server import server

    return tools_list(server(Desk(_no_map), explore=explore, version=__version__))


def serve_tools(request: ToolsRequest, ready: Callable[[str], None]) -> None:
    """Serve until the client hangs up, or until a signal. Raises WaypostError before it begins."""
    _needs_sdk()
    from waypost.adapters.mcp.running import run_http, run_stdio
    from waypost.adapters.mcp.server import server

    desk = Desk(lambda: MapToolbox(request.map, request.device, options=request.options, clock=time.time))
    try:
        desk.start()
        made = server(desk, explore=request.explore, version=__version__)
        if request.http:
            door = token_for(request.host, request.token)
            run_http(made, request.host, request.port, ready, token=door)
        else:
            ready("stdio")
            run_stdio(made)
    finally:
        desk.close()


def _no_map() -> MapToolbox:
    raise UsageError("Name a map")


def _needs_sdk() -> None:
    if find_spec("mcp") is None:
        raise UsageError('The tools need the MCP SDK: pip install "waypost[mcp]"')
