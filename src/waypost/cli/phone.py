"""`waypost phone`: any device served as an Android phone, until it is told to stop."""

import json as jsons
import sys
from typing import Annotated

import typer

from waypost.cli.options import (
    AllowHost,
    Cdp,
    DeviceName,
    Faults,
    InitScript,
    Json,
    Seed,
    StorageState,
    device_options,
)
from waypost.cli.output import console, guarded, notes
from waypost.cli.stopping import told_to_stop
from waypost.parts.devices import parse_device
from waypost.parts.phoning import open_phone

__all__ = ["phone"]


def phone(
    device: DeviceName,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port to listen on; 0: any.")] = 5555,
    host: Annotated[
        str,
        typer.Option(
            "--host", help="Address to listen on. There is no password: loopback only, unless you mean it."
        ),
    ] = "127.0.0.1",
    storage_state: StorageState = None,
    init_script: InitScript = None,
    allow_host: AllowHost = None,
    cdp: Cdp = "",
    seed: Seed = 0,
    faults: Faults = False,
    json: Json = False,
) -> None:
    """Serve a device as an Android phone: adb, adbutils and uiautomator2 connect to it."""
    with guarded(as_json=json), told_to_stop() as stop:
        options = device_options(storage_state, init_script, allow_host, cdp, seed=seed, faults=faults)
        spec = parse_device(device)
        served = open_phone(spec, options, host=host, port=port, note=_noted)
        try:
            if json:
                line = {
                    "serial": served.serial,
                    "host": host,
                    "port": served.server.port,
                    "device": str(spec),
                }
                sys.stdout.write(jsons.dumps(line) + "\n")
                sys.stdout.flush()
            else:
                console.print(f"{spec} is served as an Android phone; stop it with Ctrl-C", markup=False)
                meant = f"export ANDROID_SERIAL={served.serial}"  # adb may list it as an emulator, too.
                console.print(f"  adb connect {served.serial} && {meant}", markup=False)
            if host not in ("127.0.0.1", "::1", "localhost"):
                notes.print(
                    f"whoever can reach {host} can use this phone: it asks for no password", markup=False
                )
            stop.wait()
        finally:
            served.close()
        notes.print("the phone is switched off")


def _noted(line: str) -> None:
    """Say on standard error what a client asked for in vain; a client's words never steer the terminal."""
    notes.print("".join(c if c.isprintable() else "?" for c in line), markup=False)
