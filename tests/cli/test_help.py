"""Every command says what it is for, and a start makes only the one that was asked for."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from waypost.cli.app import COMMANDS, app

runner = CliRunner()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str) -> None:
    said = runner.invoke(app, [name, "--help"])
    assert said.exit_code == 0, said.exception
    assert f"Usage: waypost {name}" in said.stdout


def test_the_forms_of_a_device_are_written_out() -> None:
    said = "".join(runner.invoke(app, ["explore", "--help"]).stdout.split())
    assert "adb:SERIAL[/PACKAGE]" in said.replace("│", "")


def test_a_command_that_there_is_not_is_wrong_use_and_what_is_close_to_it_is_told() -> None:
    said = runner.invoke(app, ["exploer"])
    assert said.exit_code == 2
    assert "explore" in said.stderr


def test_a_command_does_not_wait_for_the_others_to_be_made() -> None:
    code = """
import sys
from waypost.cli.app import command
command("pages")
print([m for m in sys.modules if m in ("waypost.cli.tour", "waypost.surface", "waypost.parts.acting")])
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
