"""What a person or a program sees: results and errors in, terminal text or one JSON object out."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import Any

import typer
from rich.console import Console

from waypost.errors import DeviceError, ModelError, WaypostError

__all__ = ["Exit", "console", "fail", "guarded", "notes", "show"]

console = Console(highlight=False, soft_wrap=True)
notes = Console(stderr=True, highlight=False, soft_wrap=True)


class Exit(IntEnum):
    """What an exit code means, the same for every command."""

    OK = 0
    NOT_REACHED = 1
    WRONG_USE = 2
    DEVICE_FAULT = 3
    MODEL_FAULT = 4


def show(data: Any) -> None:
    """Print one JSON value, and nothing else, on standard output."""
    sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
    sys.stdout.flush()


def fail(error: WaypostError, *, as_json: bool) -> typer.Exit:
    """Say what went wrong, in words, and with which code to leave."""
    code = exit_code(error)
    if as_json:
        show({"error": {"kind": type(error).__name__, "message": str(error)}, "exit": int(code)})
    else:
        notes.print(f"[red]error:[/] {_plain(str(error))}")
    return typer.Exit(int(code))


def exit_code(error: WaypostError) -> Exit:
    """Return the exit code of an error.

    >>> exit_code(DeviceError("gone")).name
    'DEVICE_FAULT'
    """
    match error:
        case DeviceError():
            return Exit.DEVICE_FAULT
        case ModelError():
            return Exit.MODEL_FAULT
        case _:  # MapError, UsageError
            return Exit.WRONG_USE


def _plain(text: str) -> str:
    """Keep screen text and paths from being read as markup."""
    return text.replace("[", r"\[")


@contextmanager
def guarded(*, as_json: bool) -> Iterator[None]:
    """Turn our errors into a message and an exit code; a user's mistake never shows a traceback."""
    try:
        yield
    except WaypostError as e:
        raise fail(e, as_json=as_json) from e
    except KeyboardInterrupt as e:
        notes.print("stopped; what was done so far is kept")
        raise typer.Exit(130) from e
    except BrokenPipeError as e:
        raise typer.Exit(0) from e
