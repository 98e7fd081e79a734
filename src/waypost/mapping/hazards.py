"""Which elements do what may not be undone: an element and its ancestors in, a class of hazard out."""

import itertools
import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import TypeAlias

from waypost.mapping.naming import spoken
from waypost.model import Element, Role

__all__ = ["hazard", "hazard_of_label"]

Words: TypeAlias = tuple[str, ...]

_NEVER = frozenset({
    Role.TAB, Role.CHECKBOX, Role.SWITCH, Role.RADIO, Role.PICKER, Role.FIELD, Role.TABLIST, Role.PROGRESS,
})  # fmt: skip
_NAMES_A_PLACE = frozenset({"pay", "send", "call", "share", "subscribe"})
_LONG = 8
"""Words: a longer label is somebody's content, not a command."""
_LONG_EAST = 14
"""Letters, where words are not parted."""
_EAST_SCRIPT = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WORD = re.compile(r"[^\W\d_]+(?:['’\u0900-\u0903\u093a-\u094f-]*[^\W\d_]*)*")
_DIALOG = re.compile(r"dialog|alert|modal|confirm|popup|sheet", re.I)
_ARROW = re.compile(r"chevron|disclosure|arrow", re.I)
_DONE_TO = {"deleted": "delete", "erased": "delete", "removed": "delete", "lost": "delete", "charged": "pay"}
_NEGATIONS = frozenset(["nicht", "no", "ne", "не", "nao", "non", "nie", "لا", "नहीं"])
# The head of a noun that follows the verb: Italian "Ordina per" sorts, it does not buy.
_NOT_AN_ACT = frozenset(
    [
        "per",
        "par",
        "por",
        "nach",
        "по",
        "historial",
        "historique",
        "verlauf",
        "cronologia",
        "история",
        "السجل",
        "इतिहास",
    ]
)


def hazard(element: Element, ancestors: tuple[Element, ...]) -> str:
    """Say why acting on `element` may not be undone; empty where it is harmless.

    Reads its label, its description, the name of its id or icon, and what a dialog around it asks.
    Ancestors are given nearest first. A choice, a tab or a field never acts by itself.

    >>> hazard(Element(Role.BUTTON, text="Delete account"), ())
    'delete'
    >>> hazard(Element(Role.ITEM, text="Order history"), ())
    ''
    """
    if element.role in _NEVER or element.checkable:
        return ""
    labels = list(dict.fromkeys(t for t in (spoken(element), element.text, element.description) if t.strip()))
    for label in labels:
        found = hazard_of_label(label)
        if found and not _is_place(element, ancestors, label, found):
            return found
    if not any(_words(t) or _EAST_SCRIPT.search(t) for t in labels):
        return _glyph(labels) or _from_names(element)
    if any(_confirms(t) for t in labels):
        return _from_names(element) or _asked(element, ancestors)
    return ""


@lru_cache(maxsize=8192)
def hazard_of_label(label: str) -> str:
    """Say what kind of act a label commands; empty for a place, a thing, a refusal.

    >>> [hazard_of_label(t) for t in ("Pay now", "Payment methods", "立即购买", "已删除", "Konto löschen")]
    ['pay', '', 'pay', '', 'delete']
    """
    label = unicodedata.normalize("NFKC", label).strip()
    if _EAST_SCRIPT.search(label):
        return _east(label) or _command(_words(_EAST_SCRIPT.sub(" ", label)))
    return _command(_words(label))


@dataclass(frozen=True, slots=True)
class _Lexicon:
    strong: Mapping[Words, str]
    weak: Mapping[Words, str]
    west: Mapping[Words, str]
    east: tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...]
    """Class, the act, and the act as part of the name of a place."""
    noun_heads: frozenset[str]
    soft_heads: frozenset[str]
    harmless_objects: frozenset[str]
    leads: tuple[Words, ...]
    refusals: frozenset[str]
    confirm: frozenset[str]
    ids: Mapping[str, str]
    glyphs: Mapping[str, str]


@cache
def _lexicon() -> _Lexicon:
    data = tomllib.loads(files("waypost.mapping").joinpath("hazard_words.toml").read_text("utf-8"))
    english, answers = data["english"], data["answers"]
    return _Lexicon(
        strong=_table(data["strong"]),
        weak=_table(data["weak"]),
        west={tuple(map(_bare, phrase)): kind for phrase, kind in _table(data["west"]).items()},
        east=_east_patterns(data["east"], data["around"]),
        noun_heads=frozenset(english["noun_heads"].split()),
        soft_heads=frozenset(english["soft_heads"].split()),
        harmless_objects=frozenset(english["harmless_objects"].split()),
        leads=tuple(sorted((_words(t) for t in english["leads"].split(";")), key=lambda w: -len(w))),
        refusals=frozenset(answers["refusals"].split()),
        confirm=frozenset(t.strip() for t in answers["confirm"].split(";")),
        ids={word: kind for kind, text in data["ids"].items() for word in text.split()},
        glyphs={glyph: kind for kind, glyphs in data["glyphs"].items() for glyph in glyphs},
    )


def _table(source: Mapping[str, str]) -> dict[Words, str]:
    return {
        _words(phrase): kind for kind, text in source.items() for phrase in text.split(";") if _words(phrase)
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


def _is_place(element: Element, ancestors: tuple[Element, ...], label: str, found: str) -> bool:
    """Whether a single word names a place to go to: an entry of a bar, a link, a row with an arrow."""
    words = _words(label)
    if found not in _NAMES_A_PLACE or len(words) != 1 or _EAST_SCRIPT.search(label):
        return False
    if any(a.role in (Role.NAVIGATION, Role.TABLIST) for a in ancestors):
        return True
    leads = element.role is Role.LINK and bool(element.href)
    arrow = any(_ARROW.search(e.resource_id + e.description) for e in element.walk())
    return (leads or arrow) and words in _lexicon().weak


def _command(words: Words) -> str:
    if not words or len(words) > _LONG:
        return ""
    lexicon = _lexicon()
    for rest in _without_leads(words):
        if rest[0] in lexicon.refusals:
            return _undoing(rest)
        found = _strong(rest) or _weak(rest) or _west(rest)
        if found:
            return found
    return ""


def _undoing(words: Words) -> str:
    """Judge what begins with a refusal: "Cancel" is harmless, "Cancel subscription" is not."""
    found = _phrase(words, _lexicon().strong) or _phrase(tuple(map(_bare, words)), _lexicon().west)
    return found if len(words) > 1 else ""


def _without_leads(words: Words) -> list[Words]:
    """Return the words, and what is left of them without each polite lead."""
    forms = [words]
    for _ in range(2):
        for lead in _lexicon().leads:
            if forms[-1][: len(lead)] == lead and len(forms[-1]) > len(lead):
                forms.append(forms[-1][len(lead) :])
                break
    return forms


def _strong(words: Words) -> str:
    lexicon = _lexicon()
    found = _phrase(words, lexicon.strong)
    if not found or len(words) == 1:
        return found
    if words[-1] in lexicon.soft_heads:
        return ""
    if found == "delete" and words[-1] in lexicon.harmless_objects:
        return ""
    place = found in ("pay", "send", "install", "call") and words[-1] in ("history", "later", "list", "log")
    return "" if place and len(words) <= 3 else found


def _weak(words: Words) -> str:
    found = _phrase(words, _lexicon().weak)
    if not found or len(words) > 5:
        return ""
    noun = any(t in _lexicon().noun_heads or (t.endswith("ing") and len(t) > 5) for t in words[1:])
    return "" if noun else found


def _west(words: Words) -> str:
    if any(t in _lexicon().soft_heads for t in words[1:]):
        return ""
    plain = tuple(map(_bare, words))
    if plain[0] in _NEGATIONS or any(t in _NOT_AN_ACT for t in plain[1:]):
        return ""
    return _phrase(plain, _lexicon().west, also_end=True)


def _phrase(words: Words, table: Mapping[Words, str], *, also_end: bool = False) -> str:
    for size in range(min(5, len(words)), 0, -1):
        for part in (words[:size], words[-size:]) if also_end else (words[:size],):
            if part in table:
                return table[part]
    return ""


def _east(label: str) -> str:
    if len(_EAST_SCRIPT.findall(label)) > _LONG_EAST:
        return ""
    return _east_anywhere(re.sub(r"[^\w\u0e31-\u0e4e]+|[\d_]+", " ", label).strip())


def _east_anywhere(text: str) -> str:
    refusal = re.match(r"取消|撤销|撤銷|취소", text)
    for kind, act, place in _lexicon().east:
        hit = act.search(text)
        if hit and not place.search(text) and not (refusal and hit.start() > 0):
            return kind
    return ""


def _glyph(labels: list[str]) -> str:
    return next((k for label in labels for g, k in _lexicon().glyphs.items() if g in label), "")


def _from_names(element: Element) -> str:
    """Read the name of an icon or an id where the label says nothing: `btn_delete`, `ic_send`."""
    names = [element.resource_id, *(e.resource_id for e in element.children if e.role is Role.IMAGE)]
    ids = _lexicon().ids
    for name in names:
        parts = _id_parts(name)
        if any(
            p in _lexicon().soft_heads or p in ("history", "cancel", "list", "log", "undo", "no")
            for p in parts
        ):
            continue
        joined = [*parts, *(a + b for a, b in itertools.pairwise(parts))]
        found = next((ids[p] for p in joined if p in ids), "")
        if found:
            return found
    return ""


def _id_parts(name: str) -> list[str]:
    tail = name.rsplit("/", 1)[-1]
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z]+", " ", tail).casefold().split()


def _confirms(label: str) -> bool:
    plain = unicodedata.normalize("NFKC", label).strip(" !！.。").casefold()
    words = _words(label)
    return plain in _lexicon().confirm or (0 < len(words) <= 3 and words[0] in _lexicon().confirm)


def _asked(element: Element, ancestors: tuple[Element, ...]) -> str:
    """Read what the dialog around a plain "OK" asks."""
    frame = next(
        (a for a in ancestors if a.role is Role.DIALOG or _DIALOG.search(a.resource_id + a.class_name)), None
    )
    if frame is None:
        return ""
    texts = [frame.label] + [
        e.label
        for e in frame.walk()
        if e.visible and not e.clickable and e.role is not Role.FIELD and e.label
    ]
    return next((found for text in texts[:12] if text != element.label and (found := _question(text))), "")


@lru_cache(maxsize=2048)
def _question(text: str) -> str:
    """Find an act that a text asks about: at its start, or a pure verb anywhere in it."""
    found = hazard_of_label(re.split(r"[?？]", text[:80])[0])
    if found:
        return found
    for sentence in re.split(r"[.!?。！？\n]+", text[:400]):
        found = _east_anywhere(sentence) if _EAST_SCRIPT.search(sentence) else _verb_inside(_words(sentence))
        if found:
            return found
    return ""


def _verb_inside(words: Words) -> str:
    lexicon = _lexicon()
    for at, word in enumerate(words):
        if at and words[at - 1] in ("not", "never", "cannot", "don't", "nicht", "ne"):
            continue
        found = _phrase(words[at:], lexicon.strong) or _phrase(tuple(map(_bare, words[at:])), lexicon.west)
        if found or word in _DONE_TO:
            return found or _DONE_TO[word]
    return ""


@lru_cache(maxsize=8192)
def _words(label: str) -> Words:
    text = unicodedata.normalize("NFKC", label).casefold().replace("’", "'").replace("&", " and ")
    text = re.sub(r"[\u064b-\u0652\u0640]", "", text)  # Arabic vowel marks and stretching
    return tuple(w for part in _WORD.findall(text) for w in part.strip("-'").split("-") if w)


def _bare(word: str) -> str:
    """Drop the accents that people leave out; other scripts keep their marks."""
    return "".join(c for c in unicodedata.normalize("NFD", word) if not "\u0300" <= c <= "\u036f")
