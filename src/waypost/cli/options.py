"""Options that several commands share, so that each is worded and read once."""

import os
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from waypost.errors import UsageError
from waypost.parts.devices import DeviceOptions
from waypost.parts.models import ModelOptions

__all__ = [
    "AllowHost",
    "Cdp",
    "Device",
    "DeviceName",
    "Faults",
    "InitScript",
    "Json",
    "MapName",
    "ModelCache",
    "ModelImages",
    "ModelName",
    "ModelTimeout",
    "ModelTokens",
    "ModelUrl",
    "OnRay",
    "PriceReceived",
    "PriceSent",
    "Seed",
    "Sentence",
    "Start",
    "StorageState",
    "Uiautomator2",
    "Workers",
    "device_options",
    "model_options",
]

MapName: TypeAlias = Annotated[str, typer.Argument(metavar="MAP", help="A map's name, or its folder.")]
Sentence: TypeAlias = Annotated[str, typer.Argument(metavar="SENTENCE", help="Where to go, in your words.")]
DeviceName: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="DEVICE",
        # A bracket without the stroke would be taken for markup.
        help=r"pocket\[:APP], browser:URL, adb:SERIAL\[/PACKAGE], wda:URL, framework:PORT, recorded:PATH.",
    ),
]
Device: TypeAlias = Annotated[
    str | None, typer.Option("--device", metavar="DEVICE", help="Default: the one the map was made on.")
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Token: TypeAlias = Annotated[
    str,
    typer.Option(
        "--token",
        envvar="WAYPOST_TOKEN",
        metavar="TOKEN",
        help="Stands in every address; without --host there is none unless you give one.",
    ),
]
OnRay: TypeAlias = Annotated[
    str | None, typer.Option("--ray", metavar="ADDRESS", help="Work on a Ray cluster: HOST:PORT, or local.")
]
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
ModelName: TypeAlias = Annotated[
    str,
    typer.Option("--model", metavar="NAME", envvar="WAYPOST_LLM_MODEL", help="Model to ask; none: no model."),
]
ModelUrl: TypeAlias = Annotated[
    str,
    typer.Option(
        "--base-url",
        metavar="URL",
        envvar="WAYPOST_LLM_BASE_URL",
        help="OpenAI-compatible endpoint; default: OpenAI's own.",
    ),
]
ModelImages: TypeAlias = Annotated[
    bool, typer.Option("--images/--no-images", envvar="WAYPOST_LLM_IMAGES", help="Send screenshots too.")
]
ModelTimeout: TypeAlias = Annotated[
    float, typer.Option("--timeout", min=1.0, envvar="WAYPOST_LLM_TIMEOUT", help="Seconds for one reply.")
]
ModelTokens: TypeAlias = Annotated[
    int,
    typer.Option("--max-tokens", min=16, envvar="WAYPOST_LLM_MAX_TOKENS", help="Most tokens of one reply."),
]
ModelCache: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--reply-cache", envvar="WAYPOST_LLM_CACHE", help="Folder of replies; a rerun costs nothing."
    ),
]
PriceSent: TypeAlias = Annotated[
    float,
    typer.Option(
        "--price-sent", min=0.0, envvar="WAYPOST_LLM_PRICE_SENT", help="Cost of a million tokens sent."
    ),
]
PriceReceived: TypeAlias = Annotated[
    float,
    typer.Option(
        "--price-received",
        min=0.0,
        envvar="WAYPOST_LLM_PRICE_RECEIVED",
        help="Cost of a million tokens received.",
    ),
]
Workers: TypeAlias = Annotated[
    int, typer.Option("--workers", min=1, max=64, help="Most questions to the model at once.")
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


def model_options(
    model: str,
    base_url: str,
    images: bool,
    limits: tuple[float, int],
    *,
    prices: tuple[float, float] = (0.0, 0.0),
    workers: int = 4,
    cache: Path | None = None,
) -> ModelOptions:
    """Gather what was said of the model; `limits` are seconds and tokens of one reply.

    The key comes from the environment, where no other user sees it.
    """
    key = os.environ.get("WAYPOST_LLM_KEY", "")
    return ModelOptions(
        model=model,
        base_url=base_url,
        key=key,
        images=images,
        timeout=limits[0],
        max_tokens=limits[1],
        price_sent=prices[0],
        price_received=prices[1],
        workers=workers,
        cache=cache,
    )
