"""`waypost doctor`: says for each device what is there, what is missing, and the cure."""

import typer

from waypost.cli.options import Json
from waypost.cli.output import Exit, console, guarded, show
from waypost.parts.health import checked

__all__ = ["doctor"]


def doctor(json: Json = False) -> None:
    """Say what is missing for each device, and the cure."""
    with guarded(as_json=json):
        findings = checked()
        if json:
            show({"checks": [f.as_json() for f in findings]})
        else:
            for finding in findings:
                mark = "ok     " if finding.ok else "missing"
                console.print(f"{mark}  {finding.part}: {finding.found}", markup=False)
                if finding.cure:
                    console.print(f"         cure: {finding.cure}", markup=False)
        needed = [f for f in findings if f.needed and not f.ok]
        raise typer.Exit(Exit.NOT_REACHED if needed else Exit.OK)
