"""Where a map came from, kept in its `meta.json`, so that `go` needs no device named."""

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from waypost.mapping.pagesfile import FILE
from waypost.parts.devices import DeviceOptions, DeviceSpec, parse_device

__all__ = ["Origin", "read_origin", "taught", "write_origin"]


@dataclass(frozen=True, slots=True)
class Origin:
    device: DeviceSpec | None = None
    """The device that the map was made on; None where that is not known."""
    options: DeviceOptions = DeviceOptions()
    distilled: int = -1
    """How many steps the map had when its records were written last; -1 for never."""
    taught: str = ""
    """Digest of the corrections that they were written with."""


def write_origin(folder: Path, origin: Origin) -> None:
    """Note where a map came from; paths are made absolute, faults are not carried over."""
    told = {k: v for k, v in asdict(origin.options).items() if v and k != "faults"}
    for name, value in told.items():
        if isinstance(value, Path):
            told[name] = str(value.absolute())
    meta = _meta(folder)
    if origin.device is not None:
        meta["device"] = {"name": str(origin.device), "options": told}
    meta["distilled"], meta["taught"] = origin.distilled, origin.taught
    aside = folder / "meta.json.part"
    aside.write_text(json.dumps(meta, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    aside.replace(folder / "meta.json")


def taught(folder: Path) -> str:
    """Return a digest of a map's corrections as they stand in its folder; empty for none."""
    try:
        return hashlib.sha256((folder / FILE).read_bytes()).hexdigest()[:16]
    except OSError:
        return ""


def read_origin(folder: Path) -> Origin:
    """Return where a map came from; a note that cannot be read is an unknown origin."""
    meta = _meta(folder)
    distilled, digest = meta.get("distilled", -1), str(meta.get("taught", ""))
    noted = meta.get("device")
    if not isinstance(noted, dict) or not isinstance(noted.get("name"), str):
        return Origin(distilled=distilled, taught=digest)
    told = noted.get("options") or {}
    known = {f.name: told[f.name] for f in fields(DeviceOptions) if f.name in told}
    for name in ("storage_state", "init_script"):
        if name in known:
            known[name] = Path(known[name])
    if "allow_hosts" in known:
        known["allow_hosts"] = tuple(known["allow_hosts"])
    return Origin(parse_device(noted["name"]), DeviceOptions(**known), distilled, digest)


def _meta(folder: Path) -> dict[str, Any]:
    try:
        read = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}  # The graph does not need it: a lost note costs the default device, nothing else.
    return read if isinstance(read, dict) else {}
