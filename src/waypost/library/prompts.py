"""Prompts as text files beside the modules that send them: a name in, a template and its version out."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template

__all__ = ["Prompt", "prompt"]


@dataclass(frozen=True, slots=True)
class Prompt:
    name: str
    version: int
    """Raised with every change of the text; records note it."""
    text: str

    @property
    def id(self) -> str:
        """What a record notes: `describe-1`."""
        return f"{self.name}-{self.version}"

    def filled(self, **values: str) -> str:
        """Put the values in for `$name`; a value is never read as a template."""
        return Template(self.text).substitute(values)


@cache
def prompt(name: str) -> Prompt:
    """Read a prompt of this room; its first line says which version it is.

    >>> prompt("describe").id
    'describe-1'
    """
    head, _, text = Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8").partition("\n")
    return Prompt(name, int(head.removeprefix("version ")), text.strip())
