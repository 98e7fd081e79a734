"""One run of a program on the phone: its words, where it reads and writes, and the phone it runs on."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from waypost.adapters.phone.files import Files
from waypost.adapters.phone.handset import Handset

__all__ = ["Call", "Program"]


@dataclass(frozen=True, slots=True)
class Call:
    """What a program is given. Words are arguments and never anything else: no program runs a text."""

    argv: tuple[str, ...]
    handset: Handset
    files: Files
    folder: str
    """The working folder."""
    env: Mapping[str, str]
    read: Callable[[], bytes]
    """Some input, waited for; empty at its end."""
    write: Callable[[bytes], None]
    complain: Callable[[bytes], None]
    gone: threading.Event
    """Set when nobody waits for the answer any more."""

    @property
    def name(self) -> str:
        return self.argv[0]

    @property
    def args(self) -> tuple[str, ...]:
        return self.argv[1:]

    def out(self, text: str) -> None:
        """Write a line."""
        self.write((text + "\n").encode("utf-8", "replace"))

    def err(self, text: str) -> None:
        """Write a line of complaint."""
        self.complain((text + "\n").encode("utf-8", "replace"))

    def path(self, path: str) -> str:
        """Return the absolute path that a word names."""
        return self.files.resolve(path, self.folder)

    def everything(self) -> bytes:
        """Read the input to its end."""
        parts = []
        while data := self.read():
            parts.append(data)
        return b"".join(parts)


Program = Callable[[Call], int]
"""Runs, and returns an exit code."""
