"""The programs of the phone by name: each takes a `Call` and returns an exit code."""

from waypost.adapters.phone.calls import Call, Program
from waypost.adapters.phone.programs import (
    activity,
    automation,
    dumps,
    filing,
    packages,
    pointing,
    system,
    tables,
    testing,
    texts,
)

__all__ = ["programs"]


def programs() -> dict[str, Program]:
    """Return every program by the name that it is called by."""
    rooms = (filing, texts, testing, system, tables, activity, packages, pointing, automation, dumps)
    found: dict[str, Program] = {}
    for room in rooms:
        found |= room.PROGRAMS

    def toybox(call: Call) -> int:
        """Run the program that the first argument names."""
        from dataclasses import replace

        if not call.args:
            call.out(" ".join(sorted(found)))
            return 0
        program = found.get(call.args[0])
        if program is None:
            call.err(f'toybox: Unknown command {call.args[0]} (see "toybox --help")')
            return 127
        return program(replace(call, argv=call.args))

    found["toybox"] = toybox
    return found
