"""`waypost doctor`: says for each device what is there, what is missing, and the cure."""

from typing import Annotated

import typer

from waypost.cli.options import Json
from waypost.cli.output import Exit, console, guarded, show
from waypost.parts.health import Finding, checked

__all__ = ["doctor"]


def doctor(
    fix: Annotated[
        bool, typer.Option("--fix", help="Print the commands that mend what is missing; runs none of them.")
    ] = False,
    json: Json = False,
) -> None:
    """Say what is missing for each device, and the cure."""
    with guarded(as_json=json):
        findings = checked()
        if json:
            show({"checks": [f.as_json() for f in findings]})
        elif fix:
            _commands(findings)
        else:
            for finding in findings:
                mark = "ok     " if finding.ok else "missing"
                console.print(f"{mark}  {finding.part}: {finding.found}", markup=False)
                if finding.cure:
                    console.print(f"         cure: {finding.cure}", markup=False)
        needed = [f for f in findings if f.needed and not f.ok]
        raise typer.Exit(Exit.NOT_REACHED if needed else Exit.OK)


def _commands(findings: list[Finding]) -> None:
    """Print a script for a shell: what no command mends stands there as a remark."""
    for finding in (f for f in findings if not f.ok):
        console.print(f"# {finding.part}: {finding.found}", markup=False)
        for line in finding.fix or (f"# {finding.cure}",):
            console.print(line, markup=False)
