"""Words that mean the same in any app: nothing in, lists and patterns by language out."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["date_words", "topic", "universal", "up_words", "ways_out"]


@cache
def _read() -> dict[str, Any]:
    return tomllib.loads((files("waypost.mapping") / "vocabulary.toml").read_text(encoding="utf-8"))


@cache
def universal() -> frozenset[str]:
    """Return names that pages of every app share.

    >>> "more options" in universal()
    True
    """
    return frozenset(_read()["everywhere"])


@cache
def up_words() -> frozenset[str]:
    """Return names of the control that leads one level up."""
    return frozenset(_read()["up"])


@cache
def date_words() -> frozenset[str]:
    """Return words that make up dates and times."""
    return frozenset(_read()["dates"])


@cache
def topic(name: str) -> re.Pattern[str]:
    """Return the pattern of what an interruption of that kind says.

    >>> bool(topic("crash").search("Mail isn't responding"))
    True
    """
    return _any(_read()["topics"][name])


@cache
def ways_out() -> tuple[re.Pattern[str], ...]:
    """Return what leaves a prompt without granting anything, the safest first."""
    return tuple(_any(group["words"]) for group in _read()["ways_out"])


def _any(words: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(words), re.IGNORECASE)
