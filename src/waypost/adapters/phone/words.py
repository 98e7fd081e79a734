"""Characters in, the words of a shell command out: quotes, variables, substitutions."""

import re
from abc import ABC, abstractmethod

from waypost.adapters.phone.syntax import (
    Arithmetic,
    Literal,
    Piece,
    Script,
    Substitution,
    SyntaxFault,
    Variable,
    Word,
)

__all__ = ["META", "WordReader"]

META = " \t\n;&|<>()"
"""What ends a word unless it is quoted."""


class WordReader(ABC):
    """Reads words from `pos` on; what reads whole scripts builds on it."""

    def __init__(self, text: str, depth: int = 0) -> None:
        self.text = text
        self.pos = 0
        self.depth = depth

    @abstractmethod
    def script(self, ends: frozenset[str]) -> Script:
        """Read commands until the end, a closing bracket, or a reserved word of `ends`."""

    @abstractmethod
    def anew(self, text: str) -> Script:
        """Read another text as a script of its own."""

    def blank(self, *, lines: bool = False) -> None:
        """Skip blanks, comments, and with `lines` the ends of lines as well."""
        while self.pos < len(self.text):
            c = self.text[self.pos]
            if c in " \t" or (lines and c == "\n"):
                self.pos += 1
            elif self.text.startswith("\\\n", self.pos):
                self.pos += 2
            elif c == "#":
                end = self.text.find("\n", self.pos)
                self.pos = len(self.text) if end < 0 else end
            else:
                return

    def take(self, token: str) -> bool:
        """Pass over `token` where it stands here."""
        if self.text.startswith(token, self.pos):
            self.pos += len(token)
            return True
        return False

    def name(self) -> str:
        """Read a variable's name; empty where none stands here."""
        start = self.pos
        while self.pos < len(self.text) and self.text[start : self.pos + 1].isidentifier():
            self.pos += 1
        return self.text[start : self.pos]

    def word(self) -> Word | None:
        """Read a word; None where none begins here."""
        self.blank()
        pieces: list[Piece] = []
        begun = False
        while self.pos < len(self.text) and self.text[self.pos] not in META:
            begun = True
            pieces += self._piece()
        return tuple(pieces) if begun else None

    def _piece(self) -> list[Piece]:
        c = self.text[self.pos]
        if c == "'":
            return [Literal(self._until("'", self.pos + 1), True)]
        if c == '"':
            self.pos += 1
            return self._quoted()
        if c == "\\":
            self.pos += 2
            escaped = self.text[self.pos - 1 : self.pos]
            return [] if escaped == "\n" else [Literal(escaped or "\\", True)]
        if c in "$`":
            return [self._dollar(quoted=False)]
        start = self.pos
        while self.pos < len(self.text) and self.text[self.pos] not in META + "'\"\\$`":
            self.pos += 1
        return [Literal(self.text[start : self.pos])]

    def _until(self, end: str, start: int) -> str:
        at = self.text.find(end, start)
        if at < 0:
            raise SyntaxFault(f"no closing {end}")
        self.pos = at + len(end)
        return self.text[start:at]

    def _quoted(self) -> list[Piece]:
        pieces: list[Piece] = [Literal("", True)]
        said: list[str] = []
        while True:
            if self.pos >= len(self.text):
                raise SyntaxFault('no closing "')
            c = self.text[self.pos]
            if c in '"$`':
                pieces.append(Literal("".join(said), True))
                said = []
            if c == '"':
                self.pos += 1
                return pieces
            if c in "$`":
                pieces.append(self._dollar(quoted=True))
            elif c == "\\" and self.text[self.pos + 1 : self.pos + 2] in ("$", "`", '"', "\\", "\n"):
                escaped = self.text[self.pos + 1]
                said.append("" if escaped == "\n" else escaped)
                self.pos += 2
            else:
                said.append(c)
                self.pos += 1

    def _dollar(self, *, quoted: bool) -> Piece:
        if self.take("`"):
            inner = self._until_tick()
            return Substitution(self.anew(inner), quoted)
        self.pos += 1
        if self.take("(("):
            return Arithmetic(self._arithmetic(), quoted)
        if self.take("("):
            script = self.script(frozenset())
            if not self.take(")"):
                raise SyntaxFault("unmatched '$('")
            return Substitution(script, quoted)
        if self.take("{"):
            return self._braced(quoted=quoted)
        if not quoted and self.take("'"):
            return Literal(_unescaped(self._until("'", self.pos)), True)
        c = self.text[self.pos : self.pos + 1]
        if c and c in "?$#@*!-0123456789":
            self.pos += 1
            return Variable(c, quoted)
        name = self.name()
        return Variable(name, quoted) if name else Literal("$", True)

    def _until_tick(self) -> str:
        start = self.pos
        while self.pos < len(self.text) and self.text[self.pos] != "`":
            self.pos += 2 if self.text[self.pos] == "\\" else 1
        if self.pos >= len(self.text):
            raise SyntaxFault("no closing `")
        self.pos += 1
        return self.text[start : self.pos - 1].replace("\\`", "`").replace("\\\\", "\\")

    def _arithmetic(self) -> Word:
        end = self.text.find("))", self.pos)
        if end < 0:
            raise SyntaxFault("no closing ))")
        inner, self.pos = self.text[self.pos : end], end + 2
        return (Literal(inner, True),)

    def _braced(self, *, quoted: bool) -> Piece:
        name = self.name() or (self.take("?") and "?") or ""
        default: Word | None = None
        if self.take(":-"):
            at = self.text.find("}", self.pos)
            if at < 0:
                raise SyntaxFault("no closing }")
            default = (Literal(self.text[self.pos : at], True),)
            self.pos = at
        if not name or not self.take("}"):
            raise SyntaxFault("bad substitution")
        return Variable(name, quoted, default)


def _unescaped(text: str) -> str:
    r"""Read the escapes of `$'...'`.

    >>> _unescaped("a\\x41")
    'aA'
    """
    plain = {"n": "\n", "t": "\t", "r": "\r", "e": "\x1b", "a": "\a", "b": "\b"}

    def one(found: re.Match[str]) -> str:
        said = found[1]
        if said[0] in "xuU":
            code = int(said[1:], 16)
            return chr(code) if code < 0x110000 else "\ufffd"
        return plain.get(said, said)

    return re.sub(r"\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|.)", one, text, flags=re.DOTALL)
