"""The commands by name; each is written in the file that is named after it or its kin."""

import os
import sys
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

from waypost import __version__

__all__ = ["COMMANDS", "app", "command", "main"]

COMMANDS = {
    **dict.fromkeys(("tour", "explore", "fleet"), ""),
    **dict.fromkeys(("learn", "distil"), "distil"),
    **dict.fromkeys(("find", "route"), "ask"),
    **dict.fromkeys(("plan", "facts"), "plan"),
    "go": "ask",
    "across": "",
    "pages": "",
    "explain": "look",
    **dict.fromkeys(("diff", "verify"), "versions"),
    **dict.fromkeys(("bench", "tasks"), ""),
    "export": "look",
    **dict.fromkeys(("static", "view", "record", "mcp", "serve", "phone", "init", "config", "doctor"), ""),
    "import": "bring:bring",
    "identity": "",
    "map": "maps:map_",
}
"""The file of each command, where it is not the command's own; and its name there, where that is another."""


class _ByName(TyperGroup):
    """Imports the file of the command that is asked for: a start with all of them takes twice as long."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        # For a name that is none, all are made: what is close to it is looked for among them.
        for name in (cmd_name,) if cmd_name in COMMANDS else COMMANDS:
            if name not in self.commands:
                self.commands[name] = command(name)
        return super().get_command(ctx, cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, found, left = super().resolve_command(ctx, args)
        if found is not None and not ctx.resilient_parsing:
            _configure(ctx, str(name), found, as_json="--json" in left)
        return name, found, left


def command(name: str) -> Any:
    """Make one command from the file that it is written in."""
    file, _, inside = COMMANDS[name].partition(":")
    found = getattr(import_module(f"waypost.cli.{file or name}"), inside or name)
    if isinstance(found, typer.Typer):
        return _terse(typer.main.get_group(found))
    alone = typer.Typer(add_completion=False)
    alone.command(name)(found)
    return _terse(typer.main.get_command(alone))


def _terse(made: Any) -> Any:
    """Leave the variables that every option has by its name out of the help: `waypost config` lists them."""
    for param in made.params:
        if hasattr(param, "show_envvar") and not param.envvar:
            param.show_envvar = False
    for inside in getattr(made, "commands", {}).values():
        _terse(inside)
    return made


app = typer.Typer(
    name="waypost",
    cls=_ByName,
    help="A map of the app for mobile GUI agents: explore, remember, find, go, verified.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=True,
    context_settings={"auto_envvar_prefix": "WAYPOST"},
)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"waypost {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and stop."
    ),
) -> None:
    pass


def _configure(ctx: Any, name: str, command: Any, *, as_json: bool) -> None:
    """Let the user's configuration stand in for what is said by no flag and no variable."""
    from waypost.parts.configuring import config_file

    if name == "init" or not (config_file().is_file() or "WAYPOST_CONFIG" in os.environ):
        return
    from waypost.cli.output import guarded
    from waypost.cli.settings import defaults

    with guarded(as_json=as_json):
        ctx.default_map = {name: defaults(ctx, name, command)}


def main() -> int:
    """Run the command line; returns the exit code."""
    try:
        app(standalone_mode=True)
    except SystemExit as e:
        return e.code if isinstance(e.code, int) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
