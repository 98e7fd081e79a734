"""Which elements do what may not be undone: an element and its ancestors in, a class of hazard out."""

import itertools
import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from waypost.mapping.lexicon import Words, bare, lexicon, words_of
from waypost.mapping.naming import spoken
from waypost.model import Element, Role

__all__ = ["hazard", "hazard_of_label", "refuses"]

_NEVER = frozenset({
    Role.TAB, Role.CHECKBOX, Role.SWITCH, Role.RADIO, Role.PICKER, Role.FIELD, Role.TABLIST, Role.PROGRESS,
})  # fmt: skip
_TOGGLES = frozenset({Role.CHECKBOX, Role.SWITCH, Role.RADIO})
_NAMES_A_PLACE = frozenset({"pay", "send", "call", "share", "subscribe"})
_LONG = 8
"""Words: a longer label is somebody's content, not a command."""
_LONG_EAST = 14
"""Letters, where words are not parted."""
_EAST_SCRIPT = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_DIALOG = re.compile(r"dialog|alert|modal|confirm|popup|sheet", re.I)
_ARROW = re.compile(r"chevron|disclosure|arrow", re.I)
_SEARCH = re.compile(
    r"search|find|filter|query|such|recherch|busca|cerca|поиск|搜|查找|検索|검색|بحث|खोज", re.I
)
_SIZE = re.compile(r"\d\s?(?:[KMGТ]B|[кмг]б|字节)", re.I)
_TONGUES = frozenset(
    "|".join(
        (
            "english|deutsch|français|español|italiano|português|nederlands|svenska|norsk",
            "norsk bokmål|norsk nynorsk|dansk|suomi|polski|čeština|slovenčina|slovenščina|hrvatski",
            "srpski|magyar|română|български|русский|українська|ελληνικά|türkçe|עברית|العربية|فارسی",
            "हिन्दी|বাংলা|தமிழ்|ไทย|tiếng việt|bahasa indonesia|bahasa melayu|中文|简体中文",
            "繁體中文|日本語|한국어",
            "català|galego|euskara|eesti|latviešu|lietuvių|íslenska|esperanto|english us|english uk",
            "português brasileiro|español latinoamericano|chinese|german|french|spanish",
        )
    ).split("|")
)
"""Languages by their own names: after one of them is chosen, an app speaks of everything in other words."""
_DONE_TO = {"deleted": "delete", "erased": "delete", "removed": "delete", "lost": "delete", "charged": "pay"}


def hazard(element: Element, ancestors: tuple[Element, ...], *, content: bool = False) -> str:
    """Say why acting on `element` may not be undone; empty where it is harmless.

    Reads its label, its description, the name of its id or icon, and what a dialog around it asks.
    Ancestors are given nearest first. A choice, a tab or a field never acts by itself. `content` says that
    it is a row of a repeated list: what it is called there is somebody's data, unless it says nothing else.

    >>> hazard(Element(Role.BUTTON, text="Delete account"), ())
    'delete'
    >>> hazard(Element(Role.ITEM, text="Order history"), ())
    ''
    """
    if element.role in _NEVER or _is_choice(element):
        return ""
    labels = list(dict.fromkeys(t for t in (spoken(element), element.text, element.description) if t.strip()))
    if any(t.casefold().split(" (")[0].strip() in _TONGUES for t in labels):
        return "language"
    for label in labels:
        found = hazard_of_label(label)
        if (
            found
            and not _is_place(element, ancestors, label, found)
            and not (content and _noun(element, label))
        ):
            return found
    if not any(words_of(t) or _EAST_SCRIPT.search(t) for t in labels):
        return _glyph(labels) or _from_names(element)
    found = next((f for t in labels if (f := _in_context(t, element, ancestors))), "")
    if found:
        return found
    if any(_confirms(t) for t in labels):
        return _from_names(element) or _asked(element, ancestors)
    return ""


def _noun(element: Element, label: str) -> bool:
    """Whether a word that is a noun as often names the entry of a list, beside whose name more is said."""
    texts = {e.text for e in element.walk() if e.text and e.visible}
    return words_of(label) in lexicon().weak and len(texts) >= 2


def _is_choice(element: Element) -> bool:
    """Whether it is a toggle, or the row of one."""
    row = element.role is not Role.BUTTON
    return element.checkable or (row and any(e.checkable or e.role in _TOGGLES for e in element.walk()))


@lru_cache(maxsize=8192)
def hazard_of_label(label: str) -> str:
    """Say what kind of act a label commands; empty for a place, a thing, a refusal.

    >>> [hazard_of_label(t) for t in ("Pay now", "Payment methods", "立即购买", "已删除", "Konto löschen")]
    ['pay', '', 'pay', '', 'delete']
    """
    label = unicodedata.normalize("NFKC", label).strip()
    if _EAST_SCRIPT.search(label):
        return _east(label) or _command(words_of(_EAST_SCRIPT.sub(" ", label)))
    return _command(words_of(label))


def _is_place(element: Element, ancestors: tuple[Element, ...], label: str, found: str) -> bool:
    """Whether a single word names a place to go to: an entry of a bar, a link, a row with an arrow."""
    words = words_of(label)
    if found not in _NAMES_A_PLACE or len(words) != 1 or _EAST_SCRIPT.search(label):
        return False
    if any(a.role in (Role.NAVIGATION, Role.TABLIST) for a in ancestors):
        return True
    leads = element.role is Role.LINK and bool(element.href)
    arrow = any(_ARROW.search(e.resource_id + e.description) for e in element.walk())
    return (leads or arrow) and words in lexicon().weak


def refuses(label: str) -> bool:
    """Whether a label turns away or back rather than on: cancel, skip, close, later, up.

    >>> refuses("Skip"), refuses("Navigate up"), refuses("Next"), refuses("关闭")
    (True, True, False, True)
    """
    words = words_of(label)
    return bool(words) and words[0] in lexicon().refusals


def _command(words: Words) -> str:
    if not words or len(words) > _LONG:
        return ""
    known = lexicon()
    for rest in _without_leads(words):
        if rest[0] in known.refusals:
            if found := _undoing(rest):
                return found
            continue
        found = _strong(rest) or _weak(rest) or _west(rest)
        if found:
            return found
    return ""


def _undoing(words: Words) -> str:
    """Judge what begins with a refusal: "Cancel" is harmless, "Cancel subscription" is not."""
    found = _phrase(words, lexicon().strong) or _phrase(tuple(map(bare, words)), lexicon().west)
    return found if len(words) > 1 else ""


def _without_leads(words: Words) -> list[Words]:
    """Return the words, and what is left of them without each polite lead."""
    forms = [words]
    for _ in range(2):
        for lead in lexicon().leads:
            if forms[-1][: len(lead)] == lead and len(forms[-1]) > len(lead):
                forms.append(forms[-1][len(lead) :])
                break
    return forms


def _strong(words: Words) -> str:
    known = lexicon()
    found = _phrase(words, known.strong)
    if not found or words in known.strong:
        return found
    last = words[-1]
    if last in known.soft_heads or last in known.heads.get(words[0], ()):
        return ""
    if words[0] in ("clear", "reset", "remove") and last in known.harmless_objects:
        return ""
    if found == "power" and last in known.games:
        return ""
    place = found in ("pay", "send", "install", "call") and last in ("history", "list", "log")
    return "" if place and len(words) <= 3 else found


def _weak(words: Words) -> str:
    known = lexicon()
    found = _phrase(words, known.weak)
    if not found or len(words) > 5:
        return ""
    heads = known.heads.get(words[0], known.noun_heads)
    noun = any(t in heads or (t.endswith("ing") and len(t) > 5) for t in words[1:])
    return "" if noun else found


def _west(words: Words) -> str:
    if any(t in lexicon().soft_heads for t in words[1:]):
        return ""
    plain = tuple(map(bare, words))
    if plain[0] in lexicon().negations or any(t in lexicon().not_an_act for t in plain[1:]):
        return ""
    # Arabic puts the verb, or the noun of the act, first: at the end the same word names the thing.
    return _phrase(plain, lexicon().west, also_end=not "\u0600" <= plain[0][0] <= "\u06ff")


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
    for kind, act, place in lexicon().east:
        hit = act.search(text)
        if hit and not place.search(text) and not (refusal and hit.start() > 0):
            return kind
    return ""


def _glyph(labels: list[str]) -> str:
    return next((k for label in labels for g, k in lexicon().glyphs.items() if g in label), "")


def _from_names(element: Element) -> str:
    """Read the name of an icon or an id where the label says nothing: `btn_delete`, `ic_send`."""
    names = [element.resource_id, *(e.resource_id for e in element.children if e.role is Role.IMAGE)]
    ids = lexicon().ids
    for name in names:
        parts = _id_parts(name)
        if any(
            p in lexicon().soft_heads or p in ("history", "cancel", "list", "log", "undo", "no")
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


def _in_context(label: str, element: Element, ancestors: tuple[Element, ...]) -> str:
    """Judge a word that is harmless by itself by what stands beside it."""
    context = lexicon().context
    said = " ".join(unicodedata.normalize("NFKC", label).casefold().split()).strip(" !！.。…")
    if said in context["cache"] and any(_SIZE.search(e.label) for e in element.walk()):
        return "delete"
    wanted = next((k for k in ("accept", "join", "save") if said in context[k]), "")
    if wanted == "accept":
        near = " ".join(e.label for a in ancestors[:4] for e in a.walk() if e.visible)
        return "" if lexicon().terms.search(near) else "account"
    if wanted and ancestors:
        fields = [e for e in ancestors[-1].walk() if e.role is Role.FIELD and e.visible and e.bounds.area]
        if wanted == "join":
            return "account" if any(e.password for e in fields) else ""
        return "save" if any(not _searches(e) for e in fields) else ""
    if said in context["add"] and any(a.role is Role.DIALOG for a in ancestors):
        fields = [e for a in ancestors if a.role is Role.DIALOG for e in a.walk() if e.role is Role.FIELD]
        return "save" if any(not _searches(e) for e in fields) else ""
    return _titled(element, ancestors, said)


def _searches(field: Element) -> bool:
    return bool(_SEARCH.search(f"{field.hint} {field.description} {field.resource_id}"))


def _titled(element: Element, ancestors: tuple[Element, ...], said: str) -> str:
    """Judge a choice by the command that its dialog is titled with: "Share", and below it the receivers."""
    frame = next((a for a in ancestors if a.role is Role.DIALOG), None)
    words = words_of(said)
    if frame is None or (words and words[0] in lexicon().refusals) or said in lexicon().refusals:
        return ""
    texts = (e for e in frame.walk() if e.visible and e.role in (Role.HEADING, Role.TEXT) and e.text)
    title = next(texts, None)
    if title is None or title.clickable or any(title is e for e in element.walk()):
        return ""
    return hazard_of_label(title.text)


def _confirms(label: str) -> bool:
    plain = unicodedata.normalize("NFKC", label).strip(" !！.。").casefold()
    words = words_of(label)
    return plain in lexicon().confirm or (0 < len(words) <= 3 and words[0] in lexicon().confirm)


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
        found = (
            _east_anywhere(sentence) if _EAST_SCRIPT.search(sentence) else _verb_inside(words_of(sentence))
        )
        if found:
            return found
    return ""


def _verb_inside(words: Words) -> str:
    known = lexicon()
    for at, word in enumerate(words):
        if at and words[at - 1] in ("not", "never", "cannot", "don't", "nicht", "ne"):
            continue
        found = _phrase(words[at:], known.strong) or _phrase(tuple(map(bare, words[at:])), known.west)
        if found or word in _DONE_TO:
            return found or _DONE_TO[word]
    return ""
