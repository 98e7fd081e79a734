"""`waypost record`: a person taps, or an agent's run is read; a map out."""

import secrets
from pathlib import Path
from typing import Annotated

import typer

from waypost.cli.options import (
    AllowHost,
    Cdp,
    Faults,
    InitScript,
    Json,
    Seed,
    Start,
    StorageState,
    Uiautomator2,
    device_options,
)
from waypost.cli.output import console, guarded, notes, show
from waypost.cli.stopping import told_to_stop
from waypost.errors import UsageError
from waypost.parts.learning import learned
from waypost.parts.recipes import read_recipe
from waypost.surface.record import Recorder, RecordRequest, serve_record

__all__ = ["record"]


def record(
    device: Annotated[
        str, typer.Argument(metavar="DEVICE", help="As for `waypost explore`; not needed with --from.")
    ] = "",
    map: Annotated[str, typer.Option("--map", metavar="MAP", help="Name or folder; added to if there.")] = "",
    episodes: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="An agent's run (episodes): it goes onto the map first."),
    ] = None,
    stay: Annotated[bool, typer.Option("--stay", help="Begin on the page that shows; no restart.")] = False,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port to listen on; 0: any.")] = 8768,
    open: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
    start: Start = None,
    storage_state: StorageState = None,
    init_script: InitScript = None,
    allow_host: AllowHost = None,
    cdp: Cdp = "",
    seed: Seed = 0,
    faults: Faults = False,
    uiautomator2: Uiautomator2 = False,
    json: Json = False,
) -> None:
    """Tap through an app on a page on loopback: what you tap and name becomes a map."""
    with guarded(as_json=json):
        if not map:
            raise UsageError("Say where to keep the map: --map NAME")
        if not device and episodes is None:
            raise UsageError("Name a device to tap on, or a run to read: --from FILE")
        if episodes is not None:
            done = learned(episodes, map, device=device)
            if not device:
                _tell(done.as_json(), as_json=json)
                return
        options = device_options(
            storage_state, init_script, allow_host, cdp, seed=seed, faults=faults, uiautomator2=uiautomator2
        )
        request = RecordRequest(device, map, options, read_recipe(start), stay or bool(cdp))
        with told_to_stop() as stop:
            recorder = Recorder(request)
            try:
                served = serve_record(recorder, secrets.token_urlsafe(18), finished=stop.set, port=port)
                try:
                    if json:
                        show({"url": served.url, "map": map})
                    else:
                        console.print(f"Tap on {served.url}; finish there, or with Ctrl-C", markup=False)
                        if open:
                            typer.launch(served.url)
                    stop.wait()
                finally:
                    served.close()
            finally:
                made = recorder.close()
        _tell(made, as_json=json)


def _tell(made: dict[str, object], *, as_json: bool) -> None:
    if as_json:
        show(made)
        return
    pages, ways, records = made["pages"], made["transitions"], made["records"]
    notes.print(f"{pages} pages, {ways} transitions, {records} records in {made['map']}", markup=False)
    notes.print(f"look at it: waypost view {made['map']}", markup=False)
