"""TAG-Nav's preferences in choosing a destination, a class each: question and candidates in, points off out.

Points are in units of the fused score, where one point is about what a related word counts. All but the
first are small: they break near ties. Weighed more, each sent more sentences astray than it brought home,
on recorded as on invented apps.
The source is TAG-Nav, section 3.3 and appendix C.2.
"""

import re
from dataclasses import dataclass
from typing import Protocol

from waypost.library.words import content, related, tokens
from waypost.model import Record

__all__ = [
    "RULES",
    "Asked",
    "LoadedFirst",
    "NoMereLink",
    "PageOverModal",
    "Rule",
    "SpecificOverGeneral",
    "asked",
]

_PAGE_STYLE = re.compile(
    r"\s*(please\s+)?((take|bring|get) me (to|back)|(go|navigate|jump|head|return) (back )?to|open|show|see"
    r"|view|look at|where|which|what|who|how (many|much)|find|list|the |my |i want to (see|look|read)"
    r"|打开|查看|看|进入|去|哪|显示)",
    re.IGNORECASE,
)
_CHOOSING = re.compile(
    r"\s*(please\s+)?((choose|pick|select|set|change|switch|adjust)\b|更改|更换|修改|选择|设置)",
    re.IGNORECASE,
)
_LAYER_WORDS = frozenset(
    tokens("dialog popup menu drawer sheet confirm confirmation prompt picker 弹窗 菜单 对话框")
)
_GENERAL = frozenset(
    tokens(
        "help faq support about information info settings setting general more home menu options main start "
        "overview feedback questions frequently asked tips page app 帮助 关于 设置 通用 更多 首页 我"
    )
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, taken apart once."""

    text: str
    words: frozenset[str]
    page_style: bool
    """It asks for a place ("show ...", "where ..."), not for something to be done."""
    choosing: bool = False
    """It asks to choose among values, which is done in a dialog, sheet or menu more often than not."""


class Rule(Protocol):
    @property
    def name(self) -> str: ...

    def points_off(self, question: Asked, page: Record, others: tuple[Record, ...]) -> float:
        """Return how much `page` loses, given the other candidates; 0 where the rule has no say."""
        ...


def asked(instruction: str) -> Asked:
    """Take a question apart.

    >>> asked("Show me the invoices").page_style, asked("Turn off the vibration").page_style
    (True, False)
    """
    words = frozenset(content(instruction) or tokens(instruction))
    page_style, choosing = bool(_PAGE_STYLE.match(instruction)), bool(_CHOOSING.match(instruction))
    return Asked(instruction, words, page_style, choosing)


@dataclass(frozen=True, slots=True)
class LoadedFirst:
    """A loaded page before one that was still loading."""

    name: str = "loaded over loading"

    def points_off(self, question: Asked, page: Record, others: tuple[Record, ...]) -> float:
        return 3.0 if page.loading and any(not o.loading for o in others) else 0.0


@dataclass(frozen=True, slots=True)
class PageOverModal:
    """A page before a dialog or menu over it, unless the question is about what the layer is for."""

    name: str = "destination over modal"

    def points_off(self, question: Asked, page: Record, others: tuple[Record, ...]) -> float:
        below = [o for o in others if _leads(o, page)]
        if not page.modal or not below or question.choosing:
            return 0.0
        # A word that only the layer has is asked of the layer.
        own = question.words & _words(page) - frozenset[str]().union(*(_words(o) for o in below))
        return 0.0 if own or _named(question, page) or question.words & _LAYER_WORDS else 0.15


@dataclass(frozen=True, slots=True)
class NoMereLink:
    """A page that only has an entry to the destination loses to the destination."""

    name: str = "no page that merely links there"

    def points_off(self, question: Asked, page: Record, others: tuple[Record, ...]) -> float:
        here = question.words & _words(page)
        for other in others:
            if _leads(page, other):
                there = question.words & _words(other)
                if there and here < there:
                    return 0.3
        return 0.0


@dataclass(frozen=True, slots=True)
class SpecificOverGeneral:
    """A general page (help, settings, more) only for a general question."""

    name: str = "specific over general"

    def points_off(self, question: Asked, page: Record, others: tuple[Record, ...]) -> float:
        name = frozenset(tokens(page.name))
        if not name or not name <= _GENERAL or not others:
            return 0.0
        meant = question.words & name or any(related(w) & name for w in question.words)
        return 0.0 if meant else 0.2


RULES: tuple[Rule, ...] = (LoadedFirst(), PageOverModal(), NoMereLink(), SpecificOverGeneral())
"""In TAG-Nav's order; page-style against action-style is a matter of weights, and lower depth of ties."""


def _words(page: Record) -> frozenset[str]:
    return frozenset(tokens(f"{page.name} {' '.join(page.wishes)}"))


def _leads(page: Record, other: Record) -> bool:
    """Whether the way to `other` goes through `page` last."""
    return len(other.waypoints) > 1 and other.waypoints[-2] == page.name and page.node != other.node


def _named(question: Asked, page: Record) -> bool:
    name = frozenset(content(page.name))
    known = {w for w in question.words for w in (w, *related(w))}
    return bool(name) and len(name & known) * 2 >= len(name)
