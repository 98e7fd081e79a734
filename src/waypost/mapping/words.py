"""What a label says once its counts, dates and amounts are taken off: text in, a comparable form out."""

import re
import unicodedata
from functools import lru_cache

from waypost.mapping.vocabulary import date_words

__all__ = ["name_key", "plain", "route_key", "words"]

_DIGIT = re.compile(r"\d")
_ORDINAL = re.compile(r"(?<![\w.,:])\d{1,3}[.:] +(?=[^\W\d])")
"""A number that names, as of a step or a chapter: what follows belongs to it."""
_SPACE = re.compile(r"\s+")
_EDGE = " \t\n.,:;·•…-–—|/()[]{}<>\"'“”‘’*+#!?&、。，：；（）【】"
_CJK_DATE = re.compile(r"^(周|星期|礼拜)?[一二三四五六日天]$|^[一二三四五六七八九十]+月$")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
LONG = 60
"""Characters from which a text is taken for content, not for a name."""


@lru_cache(maxsize=16384)
def plain(text: str) -> str:
    """Fold case and spaces, and cut what counts: a badge, a date, an amount.

    >>> plain("Inbox (3)"), plain("Inbox, 12 unread"), plain("3 unread"), plain("  Save  AS ")
    ('inbox', 'inbox', 'unread', 'save as')
    >>> plain("12:30"), plain("May 2026"), plain("Friday 08 May")
    ('', '', '')
    >>> plain("Step 2: Billing address")
    'step 2: billing address'
    """
    folded = _SPACE.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip(_EDGE)
    digit = None if _ORDINAL.search(folded) else _DIGIT.search(folded)
    if digit:
        head = folded[: digit.start()].strip(_EDGE + "¥$€£₩")
        folded = (
            head if sum(c.isalpha() for c in head) >= 2 else re.sub(r"\d[\d.,:/%]*", "#", folded).strip(_EDGE)
        )
    if _is_date(folded) or (digit and folded.isascii() and sum(c.isalpha() for c in folded) <= 3):
        return ""  # A date, or a unit: what it counts is content.
    return folded if any(c.isalpha() for c in folded) else ""


def _is_date(text: str) -> bool:
    found = _WORD.findall(text)
    return bool(found) and all(w in date_words() or _CJK_DATE.match(w) for w in found)


def words(text: str) -> frozenset[str]:
    """Return the words of a text; single characters where a script has no spaces.

    >>> sorted(words("Delete contact?"))
    ['contact', 'delete']
    >>> sorted(words("设置"))
    ['置', '设']
    """
    found: set[str] = set()
    for word in _WORD.findall(plain(text)):
        found.update(word if any(ord(c) > 0x2E7F for c in word) else (word,))
    return frozenset(found)


@lru_cache(maxsize=16384)
def name_key(identifier: str) -> str:
    """Return what a resource id says of the kind of thing, without package, counters or generated parts.

    >>> name_key("com.example:id/row_12"), name_key("radix-:r1b:"), name_key("menu-4f3a9c21b0")
    ('row_#', '', 'menu')
    """
    last = identifier.rsplit("/", 1)[-1] if ":id/" in identifier else identifier
    if re.search(r":r[0-9a-z]*:", last):
        return ""
    parts = [p for p in re.split(r"[-_.:/\s]", last) if p]
    kept = [p for p in parts if not _generated(p)]
    return re.sub(r"\d+", "#", "_".join(kept))[:48]


def _generated(part: str) -> bool:
    """Whether a part looks like a hash or a long number rather than a word."""
    digits = sum(c.isdigit() for c in part)
    return len(part) >= 6 and digits >= 2 and bool(re.fullmatch(r"[0-9a-fA-F]+|[0-9A-Za-z]{10,}", part))


def route_key(path: str) -> str:
    """Return the pattern of a page's address: identifiers generalised, query keys kept without values.

    >>> route_key("/accounts/7d3f1c9e-2a4b-4c6d-8e9f-0a1b2c3d4e5f?sort=date#top")
    '/accounts/{}?sort#top'
    >>> route_key("/report/2025-03/"), route_key("#/users/42")
    ('/report/{}', '#/users/{}')
    """
    base, _, fragment = path.partition("#")
    base, _, query = base.partition("?")
    route = _segments(base)
    keys = sorted({pair.split("=")[0] for pair in query.split("&") if pair})
    if keys:
        route += "?" + "&".join(keys)
    return route + ("#" + _segments(fragment.partition("?")[0]) if fragment else "")


def _segments(path: str) -> str:
    absolute = path.startswith("/")
    found = ["{}" if _identifier(s) else s for s in path.split("/") if s]
    return ("/" if absolute else "") + "/".join(found)


def _identifier(segment: str) -> bool:
    digits = sum(c.isdigit() for c in segment)
    if re.fullmatch(r"[\d.,:_-]+", segment) or "%" in segment or "@" in segment:
        return True
    if re.fullmatch(r"[0-9a-fA-F]{8}-[0-9a-fA-F-]{20,}", segment):
        return True
    return (len(segment) >= 8 and digits >= 3) or (len(segment) >= 40 and "-" in segment)
