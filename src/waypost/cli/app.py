"""The commands by name; each is written in the file that is named after it or its kin."""

import sys

import typer

from waypost import __version__
from waypost.cli.ask import find, go, route
from waypost.cli.bench import bench
from waypost.cli.bring import bring
from waypost.cli.distil import distil, learn
from waypost.cli.doctor import doctor
from waypost.cli.explore import explore
from waypost.cli.identity import identity
from waypost.cli.look import explain, export
from waypost.cli.maps import map_
from waypost.cli.mcp import mcp
from waypost.cli.pages import pages
from waypost.cli.phone import phone
from waypost.cli.plan import facts, plan
from waypost.cli.serve import serve
from waypost.cli.static import static
from waypost.cli.tour import tour
from waypost.cli.versions import diff, verify
from waypost.cli.view import view

__all__ = ["app", "main"]

app = typer.Typer(
    name="waypost",
    help="A map of the app for mobile GUI agents: explore, remember, find, go, verified.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=True,
)
_COMMANDS = (
    *(tour, explore, learn, distil, find, route, plan, facts, go, pages, explain, diff, verify, bench),
    *(export, static, view, mcp, serve, phone, doctor),
)
for command in _COMMANDS:
    app.command()(command)
app.command("import")(bring)
app.add_typer(identity)
app.add_typer(map_)


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


def main() -> int:
    """Run the command line; returns the exit code."""
    try:
        app(standalone_mode=True)
    except SystemExit as e:
        return e.code if isinstance(e.code, int) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
