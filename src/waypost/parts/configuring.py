"""The user's one configuration file, and the folders that Waypost uses; who said where each is."""

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from waypost.errors import UsageError
from waypost.parts.folders import maps_home
from waypost.parts.models import replies_home

__all__ = ["TEMPLATE", "Place", "begun", "config_file", "places", "read_config"]

TEMPLATE = """\
# Waypost's configuration. A flag counts before the environment, the environment before this file, and this
# file before the default; `waypost config` shows each value and where it came from.
# A section is a command, a key one of its options (`waypost COMMAND --help`); [all] holds for every command
# that has the option. Keys of models never stand in a file: set WAYPOST_LLM_KEY.

[all]
# seed = 0
# model = "qwen3-vl-plus"                     # for `distil`, `learn`, and actors that name none
# base-url = "http://127.0.0.1:8000/v1"       # any OpenAI-compatible endpoint; default: OpenAI's own
# timeout = 120.0

[explore]
# budget-minutes = 20
# policy = "frontier"

[view]
# port = 8766
# open = false

[serve]
# upstream = "https://api.example.com/v1"
"""


@dataclass(frozen=True, slots=True)
class Place:
    """A file or folder of Waypost's own, and what decides where it is."""

    name: str
    path: Path
    source: str
    """`environment` or `default`."""
    variable: str
    """The variable that decides it, or would."""


def config_file() -> Path:
    """Return where the configuration is: `$WAYPOST_CONFIG`, else `$XDG_CONFIG_HOME/waypost/config.toml`."""
    named = os.environ.get("WAYPOST_CONFIG")
    if named:
        return Path(named).expanduser()
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "waypost" / "config.toml"


def places() -> list[Place]:
    """Return the configuration's file and the folders of maps and of models' replies."""
    chosen = "WAYPOST_CONFIG" if os.environ.get("WAYPOST_CONFIG") else "XDG_CONFIG_HOME"
    rows = (
        ("config", config_file(), chosen),
        ("maps", maps_home(), "XDG_DATA_HOME"),
        ("replies", replies_home(), "XDG_CACHE_HOME"),
    )
    return [
        Place(name, path, "environment" if os.environ.get(variable) else "default", variable)
        for name, path, variable in rows
    ]


def read_config(path: Path | None = None) -> dict[str, dict[str, Any]]:
    """Read the file into its sections; nothing where there is none. Raises UsageError with file and line."""
    path = path or config_file()
    try:
        read = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if os.environ.get("WAYPOST_CONFIG"):
            raise UsageError(f"There is no file {str(path)!r}, which WAYPOST_CONFIG names") from None
        return {}
    except (OSError, UnicodeDecodeError) as e:
        raise UsageError(f"Cannot read the configuration {str(path)!r}: {e}") from e
    except tomllib.TOMLDecodeError as e:
        raise UsageError(f"The configuration {str(path)!r} is not TOML: {e}") from e
    loose = [key for key, value in read.items() if not isinstance(value, dict)]
    if loose:
        raise UsageError(
            f"{str(path)!r}: {loose[0]!r} stands in no section; a section is a command's name or [all]"
        )
    return read


def begun(*, again: bool = False) -> tuple[Path, bool]:
    """Write a configuration in which nothing is said yet; whether it was written now. Raises UsageError."""
    path = config_file()
    if path.exists() and not again:
        return path, False
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(TEMPLATE, encoding="utf-8")
    except OSError as e:
        raise UsageError(f"Cannot write {str(e.filename or path)!r}: {e.strerror}") from e
    return path, True
