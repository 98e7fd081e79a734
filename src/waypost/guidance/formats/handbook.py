"""A manual that somebody wrote by hand (TAG-Nav, table 22): the same general advice for every task."""

from waypost.guidance.formats.knowledge import Knowledge, head
from waypost.guidance.guides import fixed
from waypost.model.wording import one_line
from waypost.protocols import Guide

__all__ = ["handbook"]

_LINES = 80


def handbook(known: Knowledge, instruction: str) -> Guide:
    """Tell what was written, line by line. ValueError where nothing was."""
    lines = [said for line in known.handbook.splitlines() if (said := one_line(line, 300))]
    if not lines:
        raise ValueError("nothing was written of this app")
    return fixed(
        "\n".join([*head("A manual of this app, written by its user.", instruction), *lines[:_LINES]])
    )
