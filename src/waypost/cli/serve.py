"""`waypost serve`: an OpenAI-compatible endpoint that puts the way into an agent's prompt."""

from typing import Annotated

import typer

from waypost.cli.options import Json, MapName, Token
from waypost.cli.output import console, guarded, notes, show
from waypost.cli.stopping import told_to_stop
from waypost.surface.door import token_for
from waypost.surface.endpoint import EndpointConfig, MapTasks, serve_endpoint
from waypost.surface.endpoint.report import Served

__all__ = ["serve"]


def serve(
    map: MapName,
    upstream: Annotated[
        str,
        typer.Option("--upstream", metavar="URL", help="The model's server: https://.../v1."),
    ],
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port to listen on; 0: any.")] = 8767,
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    token: Token = "",
    placeholder: Annotated[
        str, typer.Option("--placeholder", help="What stands in a prompt where the block belongs.")
    ] = "<AGENTP>",
    refresh: Annotated[
        bool,
        typer.Option("--refresh", help="Say anew at every step where the agent is (its tree in the prompt)."),
    ] = False,
    json: Json = False,
) -> None:
    """Serve a model's endpoint that puts the way into the prompt: an agent only sets its base URL."""
    with guarded(as_json=json), told_to_stop() as stop:
        key = token_for(host, token)
        config = EndpointConfig(upstream, host, port, placeholder, refresh, token=key)
        tasks = MapTasks.of(map)
        try:
            tasks.warm()
            served = serve_endpoint(config, tasks, note=(lambda _: None) if json else _noted)
        except BaseException:
            tasks.close()
            raise
        try:
            if json:
                show({"url": served.url, "map": map, "upstream": upstream})
            else:
                console.print(f"base URL: {served.url}   (stop it with Ctrl-C)", markup=False)
            stop.wait()
        finally:
            served.close()
            told = served.report.as_json()
            if json:
                show(told)
            else:
                counts = f"{told['requests']} requests, {told['guided']} guided"
                cost = f"about {told['added_tokens']} tokens, {told['latency_ms']['p95']} ms (p95)"
                notes.print(f"{counts}; added: {cost}", markup=False)


def _noted(served: Served) -> None:
    """Say one line of each request: no header, no query, no word of the prompt."""
    page = f" -> {served.page!r}" if served.page else ""
    notes.print(
        f"{served.path} {served.status}{page} +{served.added_tokens} tokens, {served.latency * 1000:.1f} ms",
        markup=False,
    )
