"""Words in, arguments out: variables, substitutions, arithmetic, fields and file names."""

import ast
import fnmatch
import operator
import re
from collections.abc import Callable, Mapping

from waypost.adapters.phone.files import FileError, Files
from waypost.adapters.phone.syntax import (
    Arithmetic,
    Literal,
    Script,
    Substitution,
    SyntaxFault,
    Variable,
    Word,
)

__all__ = ["Expander", "compute"]

_LIMIT = 1 << 63


class Expander:
    """Expands words in the light of variables, files, and a way to run substitutions."""

    def __init__(
        self, variables: Mapping[str, str], files: Files, folder: str, output: Callable[[Script], bytes]
    ) -> None:
        self._variables = variables
        self._files = files
        self._folder = folder
        self._output = output

    def arguments(self, words: tuple[Word, ...]) -> list[str]:
        """Expand to any number of arguments: split where unquoted, and matched against files."""
        return [a for word in words for a in self._fields(word)]

    def text(self, word: Word) -> str:
        """Expand to one text, unsplit."""
        return "".join(self._value(p) for p in word)

    def _value(self, piece: object) -> str:
        match piece:
            case Literal(text=text):
                return text
            case Variable(name=name, default=default):
                value = self._variables.get(name, "")
                return value or (self.text(default) if default is not None else "")
            case Substitution(script=script):
                return self._output(script).decode("utf-8", "replace").rstrip("\n")
            case Arithmetic(word=word):
                return str(compute(self.text(word), self._variables))
            case _:
                raise AssertionError(piece)

    def _fields(self, word: Word) -> list[str]:
        """Split what came of unquoted expansions at blanks; a text in quotes stays whole."""
        fields: list[str] = []
        patterns: list[str] = []
        open_field = False
        for piece in word:
            value = self._value(piece)
            quoted = piece.quoted
            if quoted or isinstance(piece, Literal):
                parts, starts, ends = [value], False, False
                if not quoted and not value:
                    continue
            else:
                parts = value.split()
                starts, ends = value[:1].isspace(), value[-1:].isspace()
            if starts:
                open_field = False
            for i, part in enumerate(parts):
                pattern = re.sub(r"([*?\[])", r"[\1]", part) if quoted else part
                if i == 0 and open_field:
                    fields[-1] += part
                    patterns[-1] += pattern
                else:
                    fields.append(part)
                    patterns.append(pattern)
                open_field = True
            if ends:
                open_field = False
        return [name for f, p in zip(fields, patterns, strict=True) for name in self._named(f, p)]

    def _named(self, field: str, pattern: str) -> list[str]:
        """Match a pattern in a path's last part against the files; the field itself where none fits."""
        if not re.search(r"[*?]|\[[^*?\[]", pattern):
            return [field]
        above, slash, last = pattern.rpartition("/")
        folder = re.sub(r"\[([*?\[])\]", r"\1", above)
        try:
            found = self._files.list(self._files.resolve((folder + slash) or ".", self._folder))
        except FileError:
            return [field]
        names = [e.name for e in found if fnmatch.fnmatchcase(e.name, last)]
        shown = [n for n in names if last.startswith(".") or not n.startswith(".")]
        return [folder + slash + n for n in shown] or [field]


_BINARY: dict[type, Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.FloorDiv: lambda a, b: int(a / b),
    ast.Mod: lambda a, b: a - b * int(a / b),
}


def compute(text: str, variables: Mapping[str, str]) -> int:
    """Work out shell arithmetic on whole numbers. Raises SyntaxFault.

    >>> compute("i + 2*3", {"i": "4"}), compute("$i/3", {"i": "7"}), compute("2 > 1", {})
    (10, 2, 1)
    """
    plain = re.sub(r"\$\{?(\w+)\}?", r"\1", text).replace("/", "//").strip() or "0"
    try:
        return int(_computed(ast.parse(plain, mode="eval").body, variables))
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError, OverflowError, MemoryError) as e:
        raise SyntaxFault(f"{text.strip()}: bad arithmetic") from e


def _computed(node: ast.expr, variables: Mapping[str, str]) -> int:
    match node:
        case ast.Constant(value=int() as value):
            made = value
        case ast.Name(id=name):
            made = int(variables.get(name) or 0)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            made = -_computed(inner, variables)
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            made = int(not _computed(inner, variables))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            made = _BINARY[type(op)](_computed(left, variables), _computed(right, variables))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _BINARY:
            made = _BINARY[type(op)](_computed(left, variables), _computed(right, variables))
        case _:
            raise ValueError("not arithmetic")
    if abs(made) >= _LIMIT:
        raise ValueError("too large")
    return made
