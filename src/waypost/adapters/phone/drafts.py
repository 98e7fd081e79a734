"""A field's text and where the caret is in, the same after a key out: what a keyboard does to a text."""

from dataclasses import dataclass, replace

__all__ = ["Draft"]


@dataclass(frozen=True, slots=True)
class Draft:
    """A text that is being written."""

    text: str
    caret: int
    """Characters before it."""
    marked: bool = False
    """All of it is selected: what comes next replaces it."""

    @classmethod
    def at_end(cls, text: str) -> "Draft":
        return cls(text, len(text))

    def insert(self, text: str) -> "Draft":
        """Type at the caret.

        >>> Draft("ac", 1).insert("b"), Draft("old", 3, True).insert("new").text
        (Draft(text='abc', caret=2, marked=False), 'new')
        """
        if self.marked:
            return Draft.at_end(text)
        return Draft(self.text[: self.caret] + text + self.text[self.caret :], self.caret + len(text))

    def delete(self, *, forward: bool = False) -> "Draft":
        """Delete the character before the caret, or after it.

        >>> Draft.at_end("abc").delete().text, Draft("abc", 0).delete(forward=True).text
        ('ab', 'bc')
        """
        if self.marked:
            return Draft("", 0)
        if forward:
            return replace(self, text=self.text[: self.caret] + self.text[self.caret + 1 :])
        before = max(0, self.caret - 1)
        return Draft(self.text[:before] + self.text[self.caret :], before)

    def move(self, by: int) -> "Draft":
        """Move the caret, as far as there is text.

        >>> Draft.at_end("abc").move(-2).caret, Draft.at_end("abc").move(9).caret
        (1, 3)
        """
        return Draft(self.text, max(0, min(len(self.text), self.caret + by)))

    def mark(self) -> "Draft":
        """Select all of it."""
        return replace(self, marked=bool(self.text))
