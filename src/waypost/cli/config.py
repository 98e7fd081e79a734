"""`waypost config`: every setting, and whether a flag, the environment, the file or nobody said so."""

import os
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from waypost.cli.options import Json
from waypost.cli.output import console, guarded, notes, show
from waypost.cli.settings import Setting, checked, settings
from waypost.errors import UsageError
from waypost.parts.configuring import config_file, places

__all__ = ["config"]


def config(
    ctx: typer.Context,
    command: Annotated[str, typer.Argument(metavar="COMMAND", help="Show all options of this command.")] = "",
    every: Annotated[
        bool, typer.Option("--every", help="Show all options of all commands, not only what was set.")
    ] = False,
    json: Json = False,
) -> None:
    """Show what is set, and where it came from: flag, environment, file or default, in this order."""
    with guarded(as_json=json):
        from waypost.cli.app import COMMANDS
        from waypost.cli.app import command as made

        root = ctx.find_root()
        if command and command not in COMMANDS:
            raise UsageError(f"There is no command {command!r}; `waypost --help` lists them")
        commands = {name: made(name) for name in COMMANDS}
        checked(ctx, commands)
        rows = [
            row
            for name in ([command] if command else commands)
            for row in settings(_told(root, name, commands[name]), name, commands[name])
            if command or every or row.source != "default"
        ]
        if json:
            show(_as_json(rows))
        else:
            _tell(rows)


def _told(root: Any, name: str, command: Any) -> typer.Context:
    """Return a context in which the file's defaults of a command are known."""
    from waypost.cli.settings import defaults

    told = typer.Context(root.command, info_name=root.info_name, auto_envvar_prefix=root.auto_envvar_prefix)
    told.default_map = {name: defaults(root, name, command)}
    return told


def _as_json(rows: list[Setting]) -> dict[str, Any]:
    return {
        "file": {"path": str(config_file()), "exists": config_file().is_file()},
        "places": [{"name": p.name, "path": str(p.path), "source": p.source} for p in places()],
        # Whether there is a key may be told; the key never.
        "key": {"variable": "WAYPOST_LLM_KEY", "set": bool(os.environ.get("WAYPOST_LLM_KEY"))},
        "settings": [
            {
                "command": r.command,
                "option": f"--{r.option}",
                "value": str(r.value) if isinstance(r.value, Path) else r.value,
                "source": r.source,
                "variable": r.variable,
            }
            for r in rows
        ],
    }


def _tell(rows: list[Setting]) -> None:
    for place in places():
        there = "" if place.path.exists() else ", not there yet"
        console.print(
            f"{place.name:8} {place.path}  ({place.source}: {place.variable}{there})",
            markup=False,
        )
    key = "set" if os.environ.get("WAYPOST_LLM_KEY") else "not set"
    console.print(f"key      WAYPOST_LLM_KEY is {key}  (environment only)", markup=False)
    if not rows:
        notes.print("Nothing else is set; `waypost config COMMAND` lists what could be.")
        return
    table = Table("command", "option", box=None, pad_edge=False)
    for name in ("value", "source", "variable"):
        table.add_column(name, overflow="fold")
    for r in rows:
        table.add_row(r.command, f"--{r.option}", _shown(r.value), r.source, r.variable)
    console.print(table)


def _shown(value: Any) -> str:
    shown = ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
    return ("" if value is None else shown).replace("[", r"\[")
