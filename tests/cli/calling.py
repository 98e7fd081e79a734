"""Commands as a user calls them: words in, what was printed out; a traceback never passes."""

import json
from typing import Any

from typer.testing import CliRunner

from waypost.cli.app import app

__all__ = ["called", "called_json"]

_runner = CliRunner()


def called(*args: str, code: int = 0) -> str:
    result = _runner.invoke(app, list(args))
    assert result.exit_code == code, (result.stdout, result.stderr, result.exception)
    assert "Traceback" not in result.stderr
    return result.stdout


def called_json(*args: str, code: int = 0) -> Any:
    return json.loads(called(*args, "--json", code=code))
