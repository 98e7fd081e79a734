"""Redirects in, ends moved out: where a command reads and writes once `>`, `<` and `2>&1` are applied."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from waypost.adapters.phone.files import FileError, Files
from waypost.adapters.phone.syntax import Redirect, Word

__all__ = ["Ends", "Overfull", "Redirected", "into", "once", "redirected"]


LIMIT = 64 * 1024 * 1024
"""Bytes that a pipe, a substitution or a redirect holds at most."""


class Overfull(Exception):
    """A command said more than can be kept."""


@dataclass(frozen=True, slots=True)
class Ends:
    """Where a command reads and writes."""

    read: Callable[[], bytes]
    out: Callable[[bytes], None]
    err: Callable[[bytes], None]


@dataclass(slots=True)
class Redirected:
    """Ends with files behind them, which `finish` writes."""

    ends: Ends
    kept: list[tuple[str, bytearray]] = field(default_factory=list)

    def finish(self, files: Files) -> None:
        """Write what was said into the files. Raises FileError."""
        for path, data in self.kept:
            files.write(path, bytes(data))


def redirected(
    redirects: tuple[Redirect, ...],
    ends: Ends,
    resolve: Callable[[Word], tuple[str, str]],
    files: Files,
    tty: Ends,
) -> Redirected:
    """Apply redirects in order; `resolve` gives a target as it was said and as a path. Raises FileError."""
    made = Redirected(ends)
    for redirect in redirects:
        said, path = resolve(redirect.target)
        match redirect.operator, said:
            case (("<" | "<&"), _):
                made.ends = replace(made.ends, read=_input(said, path, files, made.ends))
            case ">&", "1":
                made.ends = replace(made.ends, err=made.ends.out)
            case ">&", "2":
                made.ends = replace(made.ends, out=made.ends.err)
            case _:
                sink = _sink(redirect.operator, path, files, made, tty)
                if redirect.operator == "&>" or (redirect.operator == ">&" and redirect.number == 1):
                    made.ends = replace(made.ends, out=sink, err=sink)
                elif redirect.number == 2:
                    made.ends = replace(made.ends, err=sink)
                elif redirect.number == 1:
                    made.ends = replace(made.ends, out=sink)
    return made


def once(data: bytes) -> Callable[[], bytes]:
    """Return a reader that gives `data`, then its end."""
    left = [data] if data else []
    return lambda: left.pop() if left else b""


def _input(said: str, path: str, files: Files, ends: Ends) -> Callable[[], bytes]:
    if path == "/dev/null":
        return once(b"")
    if said.isdecimal() or path == "/dev/tty":
        return ends.read
    return once(files.read(path))


def _sink(operator: str, path: str, files: Files, made: Redirected, tty: Ends) -> Callable[[bytes], None]:
    match path:
        case "/dev/null":
            return lambda _: None
        case "/dev/tty" | "/dev/stdout":
            return tty.out
        case "/dev/stderr":
            return tty.err
    before = b""
    if operator == ">>":
        try:
            before = files.read(path)
        except FileError as e:
            if e.reason != "No such file or directory":
                raise
    data = bytearray(before)
    files.write(path, before)  # Made at once, so that what cannot be written is said before it runs.
    made.kept.append((path, data))
    return into(data)


def into(data: bytearray) -> Callable[[bytes], None]:
    """Return a writer that keeps what is said. It raises Overfull once that is too much."""

    def write(said: bytes) -> None:
        if len(data) + len(said) > LIMIT:
            raise Overfull
        data.extend(said)

    return write
