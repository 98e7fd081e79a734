"""Options that several commands share, so that each is worded and read once."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from waypost.errors import UsageError
from waypost.parts.devices import DeviceOptions

__all__ = [
    "AllowHost",
    "Cdp",
    "DeviceName",
    "Faults",
    "InitScript",
    "Json",
    "MapName",
    "Seed",
    "Sentence",
    "Start",
    "StorageState",
    "Uiautomator2",
    "device_options",
]

MapName: TypeAlias = Annotated[str, typer.Argument(metavar="MAP", help="A map's name, or its folder.")]
Sentence: TypeAlias = Annotated[str, typer.Argument(metavar="SENTENCE", help="Where to go, in your words.")]
DeviceName: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="DEVICE", help="pocket[:APP], browser:URL, adb:SERIAL[/PACKAGE], wda:URL or recorded:PATH."
    ),
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Seed: TypeAlias = Annotated[int, typer.Option("--seed", help="Seed of everything that is random.")]
StorageState: TypeAlias = Annotated[
    Path | None,
    typer.Option("--storage-state", help="Browser: cookies and storage to start from (Playwright's JSON)."),
]
InitScript: TypeAlias = Annotated[
    Path | None, typer.Option("--init-script", help="Browser: JavaScript to run before each page's own.")
]
AllowHost: TypeAlias = Annotated[
    list[str] | None, typer.Option("--allow-host", help="Browser: a host inside the fence; may be repeated.")
]
Cdp: TypeAlias = Annotated[
    str, typer.Option("--cdp", help="Browser: attach to a running Chromium, e.g. http://127.0.0.1:9222.")
]
Faults: TypeAlias = Annotated[bool, typer.Option("--faults", help="Pocket: switch every fault on.")]
Uiautomator2: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--uiautomator2",
        help="Android: uiautomator2 reads what the phone's own dump cannot; it puts a file on the phone.",
    ),
]
Start: TypeAlias = Annotated[
    Path | None,
    typer.Option("--start", help="Start recipe (YAML): taps and texts that bring the app past its login."),
]


def device_options(
    storage_state: Path | None,
    init_script: Path | None,
    allow_host: list[str] | None,
    cdp: str,
    *,
    seed: int = 0,
    faults: bool = False,
    uiautomator2: bool = False,
) -> DeviceOptions:
    """Gather what was said of the device. Raises UsageError."""
    if cdp and (storage_state or init_script):
        raise UsageError("--cdp attaches to a browser as it is; leave out --storage-state and --init-script")
    return DeviceOptions(
        storage_state, init_script, tuple(allow_host or ()), cdp, seed, faults, uiautomator2=uiautomator2
    )
