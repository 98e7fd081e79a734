"""Texts to comparable words: tokens, stems, and what people call the same thing.

The lexicon (`everyday.txt`) is general: words that any interface may use, none that names an app.
"""

import itertools
import re
import unicodedata
from functools import cache
from pathlib import Path

from waypost.model.private import redacted

__all__ = ["STOP", "clean", "content", "fold", "quoted", "redacted", "related", "stem", "tokens"]

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?|[^\W\d_]", re.IGNORECASE)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+")
_QUOTED = re.compile(r"\"[^\"]{1,80}\"|“[^”]{1,80}”|「[^」]{1,80}」|(?<![\w])'[^']{1,80}'(?!\w)")
_BADGE = re.compile(r"\s*[(\[]\d[\d,.+]*[)\]]$")
_NUMBER = re.compile(r"[\d\s.,:/%+\-–¥$€£]*(?:am|pm|[kmgt]?b)?")
_STOP_WORDS = """
a an the of to in on at for from by with and or is are be do does did it its this that these those
i me my mine we us our you your he she they them his her their can could would will shall should
please want need like let lets so as if then than when where which who what how there here into onto
up out about some any all just again also too very page screen app application phone
go get take bring show open see view find look visit reach navigate come back head place part
have has had am was were not no don doesn isn i'd i'm i'll where's what's let's don't one ones thing
right now currently every everything whole please could give tell me
must says say said
的 了 我 你 他 她 它 们 是 在 有 不 这 那 个 里 把 被
和 与 就 都 也 很 吗 呢 吧 啊 请 要 想 能 会 可 以 给 让 到 去 来
看 从 对 为 上 下 怎 么 我的 我想 想要 怎么 什么 哪里 可以 一下 这个 那个 一个 我要 帮我 看看 打开 进入
things something someone anything use using used make sure able
"""
_STOP = frozenset(_STOP_WORDS.split())


def clean(text: str, limit: int = 80) -> str:
    r"""Return text from a screen as one plain line: no control characters, no secrets, cut at a word.

    >>> clean("Sound\u202e\n &  vibration"), clean("Mail ann@example.org now")
    ('Sound & vibration', 'Mail … now')
    >>> clean("one two three", 9)
    'one two…'
    """
    line = " ".join(_CONTROL.sub(" ", unicodedata.normalize("NFKC", text[:2000])).split())
    # Normalising spells the sign out; one way of writing is kept, so that cleaning twice changes nothing.
    line = redacted(line).replace("...", "…")
    if len(line) <= limit:
        return line
    cut = line[: limit - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut[limit // 2 :] else cut).rstrip(" ,;:.") + "…"


def fold(text: str) -> str:
    """Return a label as it is compared: case, spaces and a badge taken off; empty for a mere number or time.

    >>> fold("Inbox (3)"), fold(" Save  AS…"), fold("5 minutes"), fold("07:30 am"), fold("3")
    ('inbox', 'save as', '5 minutes', '', '')
    """
    line = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    line = _BADGE.sub("", line).strip(" .,:;·•…-–*+!?")
    return "" if _NUMBER.fullmatch(line) else line


def tokens(text: str) -> list[str]:
    """Return the stems in order; scripts without spaces give pairs of characters, and then each one.

    >>> tokens("Changing the Ringtones"), tokens("声音")
    (['chang', 'the', 'rington'], ['声音', '声', '音'])
    """
    found: list[str] = []
    run: list[str] = []
    for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()):
        if _CJK.match(word):
            run.append(word)
            continue
        found.extend(_pairs(run))
        run = []
        found.append(stem(word))
    return found + _pairs(run)


def _pairs(run: list[str]) -> list[str]:
    return [a + b for a, b in itertools.pairwise(run)] + run


def content(text: str) -> list[str]:
    """Return the stems that say what is meant, each once; empty phrases of a request are left out.

    >>> content("Please take me to the page where I change the ringtone")
    ['chang', 'rington']
    """
    return list(dict.fromkeys(t for t in tokens(text) if t not in STOP and not t.isdigit()))


def quoted(text: str) -> str:
    """Return the text without what it quotes: that is content, not a page.

    >>> quoted("Rename the note 'Diary' to “Events”")
    'Rename the note to'
    """
    return " ".join(_QUOTED.sub(" ", text).split()) or text


@cache
def stem(word: str) -> str:
    """Cut the commonest English endings; a word keeps at least three letters.

    >>> [stem(w) for w in ("settings", "notifications", "deleted", "copies", "sorting", "pass", "news")]
    ['sett', 'notific', 'delet', 'copy', 'sort', 'pass', 'news']
    """
    word = word.removesuffix("'s")
    word = _IRREGULAR.get(word, word)
    if len(word) <= 3 or word.endswith(("ss", "us", "news")) or (len(word) == 4 and word[-1] != "s"):
        return word
    for ending, put in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending) + put
            break
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    if len(word) > 5 and word[-1] in "ey":
        word = word[:-1] + ("i" if word[-1] == "y" else "")
    return word


_IRREGULAR = {
    form: verb
    for verb, forms in {
        "write": "wrote written", "send": "sent", "buy": "bought", "choose": "chose chosen", "pay": "paid",
        "hide": "hid hidden", "speak": "spoke spoken", "take": "took taken", "forget": "forgot forgotten",
        "keep": "kept", "hear": "heard", "throw": "threw thrown", "draw": "drew drawn", "drive": "driven",
        "begin": "began begun", "spend": "spent", "lose": "lost", "sell": "sold",
        "find": "found", "leave": "left",
        "think": "thought", "bring": "brought", "read": "reads", "sing": "sang sung", "swim": "swam swum",
        "run": "ran running", "steal": "stole stolen", "break": "broke broken", "wake": "woke woken",
        "child": "children", "person": "persons", "foot": "feet", "sync": "syncing synced",
        "mail": "e-mail email",
    }.items()
    for form in forms.split()
}  # fmt: skip
_ENDINGS = (
    ("ications", "ic"), ("ication", "ic"), ("icates", "ic"), ("icated", "ic"), ("icating", "ic"),
    ("icate", "ic"),
    ("izations", "iz"), ("ization", "iz"), ("isation", "iz"),
    ("ations", "at"), ("ation", "at"), ("ings", ""), ("ing", ""), ("ies", "y"), ("ied", "y"),
    ("ized", "iz"), ("ised", "iz"), ("ise", "iz"), ("ize", "iz"), ("sses", "ss"),
    ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("ers", "er"), ("s", ""), ("edly", ""),
    ("ed", ""), ("ly", ""), ("ment", ""),
)  # fmt: skip

STOP = frozenset(_STOP | {stem(w) for w in _STOP})
"""Stems of words that say nothing of what is meant."""


@cache
def _lexicon() -> dict[str, frozenset[str]]:
    groups: dict[str, set[str]] = {}
    path = Path(__file__).with_name("everyday.txt")
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            members = {t for word in line.split(",") for t in [" ".join(tokens(word))] if t}
            for member in members:
                groups.setdefault(member, set()).update(members - {member})
    return {word: frozenset(others) for word, others in groups.items()}


def related(word: str) -> frozenset[str]:
    """Return the stems that people use for the same thing as this stem; empty where none are known.

    >>> "theme" in related("dark"), stem("invoice") in related("bill"), related("xyzzy")
    (True, True, frozenset())
    """
    return _lexicon().get(word, frozenset())
