"""Hold words against words: an instruction and labels in, how well they fit out. No model."""

import math
import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

__all__ = ["Vocabulary", "stems"]

_WORD = re.compile(r"[^\W_]+")
# What every instruction says and no page is called by: function words and the act of going somewhere.
_STOP_WORDS = (
    "a an the of to in on at for from with by and or is are be my me i it its this that these those where "
    "which what when how can could would do does all your you please want need into out up there "
    "go open show find see get take bring page screen view section place navigate reach visit look app "
    "的 了 在 我 到 去 打开 页面 页 请 想 要 看 界面"
)
_STOP = frozenset(_STOP_WORDS.split())
_ENDINGS = (
    ("ization", "ize"), ("ations", "ate"), ("ation", "ate"), ("ments", "ment"), ("ities", "ity"),
    ("nesses", ""), ("ness", ""), ("ings", ""), ("ing", ""), ("ies", "y"), ("ied", "y"), ("sses", "ss"),
    ("ers", "er"), ("ed", ""), ("es", ""), ("s", ""), ("e", ""),
)  # fmt: skip


@lru_cache(maxsize=16384)
def stems(text: str) -> tuple[str, ...]:
    """Return the content words of a text, as stems; pairs of characters where a script has no spaces.

    >>> stems("the page where I change notification settings")
    ('chang', 'notificat', 'sett')
    >>> stems("打开铃声设置")
    ('铃声', '声设', '设置')
    """
    found: list[str] = []
    for word in _WORD.findall(text.casefold()):
        if any(ord(c) > 0x2E7F for c in word):
            found += _pairs(word)
        elif word not in _STOP and (len(word) > 1 or word.isdigit()):
            found.append(_stem(word))
    return tuple(dict.fromkeys(found))


def _pairs(word: str) -> list[str]:
    for common in (w for w in _STOP if ord(w[0]) > 0x2E7F and len(w) > 1):
        word = word.replace(common, " ")
    pairs = [a + b for part in word.split() for a, b in pairwise(part)]
    return pairs or [word.strip()]


def _stem(word: str) -> str:
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: len(word) - len(ending)] + instead
            break
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "aeious":
        word = word[:-1]
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


class Vocabulary:
    """Which words an app uses, and how rare each is, from what has been seen of it so far."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._count: Counter[str] = Counter()

    def learn(self, labels: Iterable[str]) -> None:
        for label in labels:
            if label not in self._seen:
                self._seen.add(label)
                self._count.update(stems(label))

    def weight(self, stem: str) -> float:
        """Return how much a stem says: its rarity among the labels seen.

        A stem that no label bears may be the user's own word for something, or mere wording: half.
        """
        rarity = math.log(1 + (1 + len(self._seen)) / (1 + self._count[stem]))
        return rarity if self._count[stem] else 0.5 * rarity

    def fit(self, wanted: tuple[str, ...], label: str) -> tuple[float, float]:
        """Return how much of `wanted` the label says, and how much of the label `wanted` says, 0 to 1."""
        said = stems(label)
        if not wanted or not said:
            return 0.0, 0.0
        met = {w: max(_alike(w, s) for s in said) for w in wanted}
        back = {s: max(_alike(w, s) for w in wanted) for s in said}
        return self._share(met), self._share(back)

    def _share(self, met: dict[str, float]) -> float:
        total = sum(self.weight(w) for w in met)
        return sum(self.weight(w) * m for w, m in met.items()) / total if total else 0.0


@lru_cache(maxsize=65536)
def _alike(a: str, b: str) -> float:
    if a == b:
        return 1.0
    short, long = sorted((a, b), key=len)
    # One word grown out of the other: "notif" and "notificat", "calend" and "calendar".
    return 0.8 if len(short) >= 4 and long.startswith(short) else 0.0
