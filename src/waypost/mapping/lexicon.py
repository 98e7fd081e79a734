"""The words that tell a hazardous act: a file of phrases in many languages in, tables to look up out."""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import TypeAlias

__all__ = ["Lexicon", "Words", "bare", "lexicon", "words_of"]

Words: TypeAlias = tuple[str, ...]

_WORD = re.compile(r"[^\W\d_]+(?:['’\u0900-\u0903\u093a-\u094f-]*[^\W\d_]*)*")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words of `hazard_words.toml`, made ready to look up."""

    strong: Mapping[Words, str]
    weak: Mapping[Words, str]
    west: Mapping[Words, str]
    east: tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...]
    """Class, the act, and the act as part of the name of a place."""
    noun_heads: frozenset[str]
    heads: Mapping[str, frozenset[str]]
    """What makes a noun of one weak verb, where the common list does not fit."""
    games: frozenset[str]
    soft_heads: frozenset[str]
    harmless_objects: frozenset[str]
    leads: tuple[Words, ...]
    refusals: frozenset[str]
    confirm: frozenset[str]
    negations: frozenset[str]
    not_an_act: frozenset[str]
    ids: Mapping[str, str]
    context: Mapping[str, frozenset[str]]
    terms: re.Pattern[str]
    glyphs: Mapping[str, str]


@cache
def lexicon() -> Lexicon:
    """Read the words, once."""
    data = tomllib.loads(files("waypost.mapping").joinpath("hazard_words.toml").read_text("utf-8"))
    english, answers = data["english"], data["answers"]
    return Lexicon(
        strong=_table(data["strong"]),
        weak=_table(data["weak"]),
        west={tuple(map(bare, phrase)): kind for phrase, kind in _table(data["west"]).items()},
        east=_east_patterns(data["east"], data["around"]),
        noun_heads=frozenset(english["noun_heads"].split()),
        heads={verb: frozenset(text.split()) for verb, text in data["heads"].items()},
        games=frozenset(english["games"].split()),
        soft_heads=frozenset(english["soft_heads"].split()),
        harmless_objects=frozenset(english["harmless_objects"].split()),
        leads=tuple(sorted((words_of(t) for t in english["leads"].split(";")), key=lambda w: -len(w))),
        refusals=frozenset(answers["refusals"].split()),
        confirm=frozenset(t.strip() for t in answers["confirm"].split(";")),
        negations=frozenset(answers["negations"].split()),
        not_an_act=frozenset(answers["not_an_act"].split()),
        ids={word: kind for kind, text in data["ids"].items() for word in text.split()},
        context={
            kind: frozenset(t.strip() for t in data["context"][kind].replace("\n", " ").split(";"))
            for kind in ("accept", "join", "save", "add", "cache")
        },
        terms=re.compile(data["context"]["terms"].replace("\n", ""), re.I),
        glyphs={glyph: kind for kind, glyphs in data["glyphs"].items() for glyph in glyphs},
    )


def _table(source: Mapping[str, str]) -> dict[Words, str]:
    return {
        words_of(phrase): kind
        for kind, text in source.items()
        for phrase in text.split(";")
        if words_of(phrase)
    }


def _east_patterns(
    acts: Mapping[str, list[str]], around: Mapping[str, list[str]]
) -> tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...]:
    before = "|".join(around["before"])
    found = []
    for kind in (
        "account",
        "logout",
        "install",
        "subscribe",
        "power",
        "delete",
        "call",
        "share",
        "pay",
        "send",
    ):
        act = "|".join(acts[kind])
        after = "|".join(around["after_delete" if kind == "delete" else "after"])
        found.append((kind, re.compile(act), re.compile(f"(?:{before})(?:{act})|(?:{act})(?:{after})")))
    return tuple(found)


@lru_cache(maxsize=8192)
def words_of(label: str) -> Words:
    """Part a label into its words, in small letters.

    >>> words_of("Log-out & pay $5!")
    ('log', 'out', 'and', 'pay')
    """
    text = unicodedata.normalize("NFKC", label).casefold().replace("’", "'").replace("&", " and ")
    text = re.sub(r"[\u064b-\u0652\u0640]", "", text)  # Arabic vowel marks and stretching
    return tuple(w for part in _WORD.findall(text) for w in part.strip("-'").split("-") if w)


def bare(word: str) -> str:
    """Drop the accents that people leave out; other scripts keep their marks."""
    return "".join(c for c in unicodedata.normalize("NFD", word) if not "\u0300" <= c <= "\u036f")
