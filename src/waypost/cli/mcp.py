"""`waypost mcp`: a map's tools for an agent, over stdio or over HTTP on loopback."""

import sys
from typing import Annotated

import typer

from waypost.cli.options import (
    AllowHost,
    Cdp,
    Device,
    Faults,
    InitScript,
    Json,
    Seed,
    StorageState,
    Token,
    Uiautomator2,
    device_options,
)
from waypost.cli.output import guarded, notes, show
from waypost.errors import UsageError
from waypost.surface.agent_tools import ToolsRequest, listed, serve_tools

__all__ = ["mcp"]


def mcp(
    map: Annotated[str, typer.Argument(metavar="MAP", help="A map's name, or its folder.")] = "",
    http: Annotated[
        bool, typer.Option("--http", help="Streamable HTTP instead of standard input and output.")
    ] = False,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="With --http: port to listen on; 0: any.")
    ] = 8765,
    host: Annotated[str, typer.Option("--host", help="With --http: address to listen on.")] = "127.0.0.1",
    token: Token = "",
    explore: Annotated[
        bool, typer.Option("--explore", help="Offer the tool that walks the app and grows the map, too.")
    ] = False,
    list: Annotated[
        bool, typer.Option("--list", help="Print the tools and stop; --json: exactly as a client gets them.")
    ] = False,
    device: Device = None,
    storage_state: StorageState = None,
    init_script: InitScript = None,
    allow_host: AllowHost = None,
    cdp: Cdp = "",
    seed: Seed = 0,
    faults: Faults = False,
    uiautomator2: Uiautomator2 = False,
    json: Json = False,
) -> None:
    """Serve a map's tools to an agent (Model Context Protocol)."""
    with guarded(as_json=json):
        if list:
            _list(listed(explore=explore), as_json=json)
            return
        if not map:
            raise UsageError("Name a map: waypost mcp MAP")
        options = device_options(
            storage_state, init_script, allow_host, cdp, seed=seed, faults=faults, uiautomator2=uiautomator2
        )
        request = ToolsRequest(map, device, options, explore, http, host, port, token)

        def ready(address: str) -> None:
            # Standard output is the protocol's own over stdio, so that a person is spoken to beside it.
            if json and http:
                show({"url": address, "map": map})
            else:
                notes.print(f"{map}: tools are served on {address}", markup=False)

        serve_tools(request, ready)


def _list(line: str, *, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(line + "\n")
        return
    import json

    for tool in json.loads(line)["tools"]:
        typer.echo(f"{tool['name']}: {tool['description']}")
