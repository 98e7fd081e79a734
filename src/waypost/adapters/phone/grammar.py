"""Shell text in, a tree of commands out: lists, pipes, redirects, branches and loops.

The dialect is what clients send to Android's `sh`. Nothing is run here, and no host shell is ever asked.
"""

from waypost.adapters.phone.syntax import (
    Command,
    For,
    Group,
    If,
    Literal,
    Loop,
    Pipeline,
    Redirect,
    Script,
    Simple,
    Step,
    SyntaxFault,
    Word,
)
from waypost.adapters.phone.words import META, WordReader

__all__ = ["parse"]

_RESERVED = frozenset(
    ("if", "then", "elif", "else", "fi", "for", "in", "do", "done", "while", "until", "{", "}", "!")
)
DEPTH = 40
"""How deep commands may be nested."""


def parse(text: str) -> Script:
    """Parse a command line. Raises SyntaxFault.

    >>> parse("echo 'a b'")[0].pipeline.commands[0].words[1]
    (Literal(text='a b', quoted=True),)
    """
    reader = _Reader(text.replace("\r\n", "\n"))
    script = reader.script(frozenset())
    if not reader.at_end():
        raise SyntaxFault(f"unexpected '{reader.text[reader.pos : reader.pos + 12]}'")
    return script


class _Reader(WordReader):
    def at_end(self) -> bool:
        self.blank(lines=True)
        return self.pos >= len(self.text)

    def anew(self, text: str) -> Script:
        reader = _Reader(text, self.depth)
        script = reader.script(frozenset())
        if not reader.at_end():
            raise SyntaxFault("unexpected ')'")
        return script

    def _reserved(self) -> str:
        """The reserved word that stands here, if one does."""
        self.blank()
        end = self.pos
        while end < len(self.text) and self.text[end] not in META + "'\"$`\\":
            end += 1
        word = self.text[self.pos : end]
        whole = end >= len(self.text) or self.text[end] in META
        return word if whole and word in _RESERVED else ""

    def _expect(self, word: str) -> None:
        self.blank(lines=True)
        if self._reserved() != word:
            raise SyntaxFault(f"'{word}' expected")
        self.pos += len(word)

    # Lists and pipes.

    def script(self, ends: frozenset[str]) -> Script:
        """Read commands until the end, a closing bracket, or a reserved word of `ends`."""
        self.depth += 1
        if self.depth > DEPTH:
            raise SyntaxFault("too deeply nested")
        steps: list[Step] = []
        after = ";"
        while True:
            self.blank(lines=True)
            if self.pos >= len(self.text) or self.text[self.pos] == ")" or self._reserved() in ends - {""}:
                break
            steps.append(Step(after, self._pipeline()))
            after = self._separator()
        if after in ("&&", "||"):
            raise SyntaxFault("unexpected end of file")
        self.depth -= 1
        return tuple(steps)

    def _separator(self) -> str:
        self.blank()
        for token in ("&&", "||"):
            if self.take(token):
                return token
        if self.text.startswith(";;", self.pos):
            raise SyntaxFault("unexpected ';;'")
        for token in (";", "&", "\n"):
            if self.take(token):
                return ";"
        if self.pos < len(self.text) and self.text[self.pos] != ")":
            raise SyntaxFault(f"unexpected '{self.text[self.pos]}'")
        return ";"

    def _pipeline(self) -> Pipeline:
        negated = False
        while self._reserved() == "!":
            self.pos += 1
            negated = not negated
        commands = [self._command()]
        while True:
            self.blank()
            if self.text.startswith("||", self.pos) or not self.take("|"):
                return Pipeline(tuple(commands), negated)
            self.blank(lines=True)
            commands.append(self._command())

    # Commands.

    def _command(self) -> Command:
        self.blank()
        if self.take("("):
            body = self.script(frozenset())
            if not self.take(")"):
                raise SyntaxFault("unmatched '('")
            return Group(body, True, self._redirects())
        word = self._reserved()
        match word:
            case "{":
                self.pos += 1
                body = self.script(frozenset({"}"}))
                self._expect("}")
                return Group(body, False, self._redirects())
            case "if":
                return self._if()
            case "while" | "until":
                self.pos += len(word)
                condition = self.script(frozenset({"do"}))
                return Loop(condition, self._do(), word == "until")
            case "for":
                return self._for()
            case "" | "in":
                return self._simple()
            case _:
                raise SyntaxFault(f"unexpected '{word}'")

    def _do(self) -> Script:
        self._expect("do")
        body = self.script(frozenset({"done"}))
        self._expect("done")
        return body

    def _if(self) -> If:
        branches = []
        self.pos += len("if")
        while True:
            condition = self.script(frozenset({"then"}))
            self._expect("then")
            branches.append((condition, self.script(frozenset({"elif", "else", "fi"}))))
            if self._reserved() != "elif":
                break
            self.pos += len("elif")
        otherwise = None
        if self._reserved() == "else":
            self.pos += len("else")
            otherwise = self.script(frozenset({"fi"}))
        self._expect("fi")
        return If(tuple(branches), otherwise)

    def _for(self) -> For:
        self.pos += len("for")
        self.blank()
        name = self.name()
        if not name:
            raise SyntaxFault("a name is expected after 'for'")
        words: list[Word] = []
        if self._reserved() == "in":
            self.pos += len("in")
            while (word := self.word()) is not None:
                words.append(word)
        self._separator()
        return For(name, tuple(words), self._do())

    def _simple(self) -> Simple:
        assigned: list[tuple[str, Word]] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        while True:
            redirects += self._redirects()
            word = self.word()
            if word is None:
                break
            named = None if words else _assignment(word)
            if named:
                assigned.append(named)
            else:
                words.append(word)
        if not words and not assigned and not redirects:
            found = self.text[self.pos : self.pos + 1] or "end of file"
            raise SyntaxFault(f"unexpected '{found}'")
        return Simple(tuple(words), tuple(assigned), tuple(redirects))

    def _redirects(self) -> tuple[Redirect, ...]:
        found: list[Redirect] = []
        while True:
            self.blank()
            start = self.pos
            while self.text[self.pos : self.pos + 1] in tuple("0123456789"):
                self.pos += 1
            digits = self.text[start : self.pos]
            operator = next((o for o in ("<<", "&>", ">>", ">&", "<&", ">|", ">", "<") if self.take(o)), "")
            if not operator or (digits and operator == "&>"):
                self.pos = start
                return tuple(found)
            if operator == "<<":
                raise SyntaxFault("here-documents are not known to this shell")
            target = self.word()
            if target is None:
                raise SyntaxFault("a redirect leads nowhere")
            number = int(digits) if digits else (0 if operator[0] == "<" else 1)
            found.append(Redirect(number, operator, target))


def _assignment(word: Word) -> tuple[str, Word] | None:
    first = word[0] if word else None
    if not isinstance(first, Literal) or first.quoted or "=" not in first.text:
        return None
    name, _, rest = first.text.partition("=")
    if not name.isidentifier() or not name.isascii():
        return None
    return name, ((Literal(rest), *word[1:]) if rest else word[1:])
