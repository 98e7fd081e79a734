"""The command line: words in, verbs run, one result out; every command has `--json`."""

from waypost.cli.app import main

__all__ = ["main"]
