"""The nouns of the shell: what a command line is made of, once it is read."""

from dataclasses import dataclass
from typing import TypeAlias

__all__ = [
    "Arithmetic",
    "Command",
    "For",
    "Group",
    "If",
    "Literal",
    "Loop",
    "Piece",
    "Pipeline",
    "Redirect",
    "Script",
    "Simple",
    "Step",
    "Substitution",
    "SyntaxFault",
    "Variable",
    "Word",
]


class SyntaxFault(Exception):
    """The text is no shell command."""


@dataclass(frozen=True, slots=True)
class Literal:
    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Variable:
    name: str
    quoted: bool = False
    default: "Word | None" = None
    """What stands in where it is unset or empty: `${NAME:-word}`."""


@dataclass(frozen=True, slots=True)
class Substitution:
    script: "Script"
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Arithmetic:
    word: "Word"
    quoted: bool = False


Piece: TypeAlias = Literal | Variable | Substitution | Arithmetic
Word: TypeAlias = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Redirect:
    """`2>>file`: number, operator, and where to; for `2>&1` the target is the other number."""

    number: int
    operator: str
    target: Word


@dataclass(frozen=True, slots=True)
class Simple:
    words: tuple[Word, ...]
    assigned: tuple[tuple[str, Word], ...] = ()
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    body: "Script"
    subshell: bool = False
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class If:
    branches: tuple[tuple["Script", "Script"], ...]
    otherwise: "Script | None" = None


@dataclass(frozen=True, slots=True)
class Loop:
    condition: "Script"
    body: "Script"
    until: bool = False


@dataclass(frozen=True, slots=True)
class For:
    name: str
    words: tuple[Word, ...]
    body: "Script"


Command: TypeAlias = Simple | Group | If | Loop | For


@dataclass(frozen=True, slots=True)
class Pipeline:
    commands: tuple[Command, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """A pipeline, and what must have come of the one before: `;` anything, `&&` success, `||` failure."""

    after: str
    pipeline: Pipeline


Script: TypeAlias = tuple[Step, ...]
