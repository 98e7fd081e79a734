"""A server in, served until it is told to stop: over stdio, or over streamable HTTP on loopback."""

import json
import socket
from collections.abc import Callable

import anyio
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import ListToolsResult

from waypost.errors import UsageError

__all__ = ["run_http", "run_stdio", "tools_list"]

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def tools_list(made: MCPServer) -> str:
    """Return the result of `tools/list` as a client is sent it: one line of JSON."""
    result = ListToolsResult(tools=anyio.run(made.list_tools))
    row = result.model_dump(mode="json", by_alias=True, exclude_none=True, exclude_unset=True)
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def run_stdio(made: MCPServer) -> None:
    """Serve one client on standard input and output, until it hangs up."""
    made.run("stdio")


def run_http(made: MCPServer, host: str, port: int, ready: Callable[[str], None], *, token: str = "") -> None:
    """Serve any number of clients; `ready` is given the address. Ends on SIGINT and SIGTERM.

    Requests are refused whose Host is not the one that is served, so that no web page can reach the tools
    by way of a name of its own. A token stands before the path, and nothing answers without it; it is what
    guards an address beyond loopback. Raises UsageError where the port is taken.
    """
    import uvicorn

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as e:
        listening.close()
        raise UsageError(f"Cannot listen on {host}:{port}: {e.strerror}; give another --port") from e
    bound = listening.getsockname()[1]
    names = [f"{'[::1]' if n == '::1' else n}:{bound}" for n in dict.fromkeys((host, *_LOOPBACK))]
    origins = [f"http://{n}" for n in names]
    anywhere = host in ("0.0.0.0", "::")
    # Who listens everywhere goes by names that cannot be known: there the token alone decides.
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=not anywhere, allowed_hosts=names, allowed_origins=origins
    )
    path = f"/{token}/mcp" if token else "/mcp"
    app = made.streamable_http_app(streamable_http_path=path, transport_security=security, host=host)
    config = uvicorn.Config(app, log_level="warning", lifespan="on", timeout_graceful_shutdown=5)
    ready(f"http://{names[0]}{path}")
    uvicorn.Server(config).run(sockets=[listening])
