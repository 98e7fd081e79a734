"""One sentence in, what it asks for in order out: clauses, each with the values that go from one to another.

Rules of grammar, none of any app: where clauses end, what `before` and `after` turn round, which verbs read a
value (`look up`, `copy`), and which words point back at one (`it`, `that time`, `the address`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

__all__ = ["Clause", "clauses"]


@dataclass(frozen=True, slots=True)
class Clause:
    text: str
    learns: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


_VERBS = (
    "add|adjust|allow|answer|ask|attach|book|browse|buy|call|cancel|change|check|choose|clear|close|compare|"
    "confirm|connect|copy|create|delete|disable|download|edit|email|enable|enter|fetch|fill|filter|find|follow|"
    "forward|get|give|go|have|hide|install|invite|join|keep|let|limit|list|listen|lock|log|look|lower|mail|make|"
    "mark|message|move|mute|note|open|order|pair|pause|pay|pick|play|post|print|put|raise|rate|read|record|"
    "redeem|remember|remove|rename|reply|report|reset|restart|save|scan|search|see|select|send|set|share|show|"
    "silence|skip|slow|snooze|sort|start|stop|switch|take|tell|text|track|translate|turn|type|unlock|update|"
    "use|view|watch|write"
)
_LEAD = r"(?:please\s+|also\s+|finally\s+|then\s+|next\s+)*"
_ENDS = re.compile(r"[.;!?。；！？]+(?=\s|$)|[。；！？]")
_NEXT = re.compile(
    r",?\s*\b(?:and,?\s+)?(?:then|after that|afterwards|after which|next(?=,)"
    r"|(?:once|when) (?:that|this|it) is done)\b,?\s*"
    r"|，?(?:然后|之后|接着)，?",
    re.IGNORECASE,
)
_BEFORE_THAT = re.compile(r",?\s*\b(?:and\s+|but\s+)?before (?:that|this|doing so)\b,?\s*", re.IGNORECASE)
_WHILE = re.compile(r"^(before|after|once|when)\s+([^,:]+)[,:]\s*(.+)$", re.IGNORECASE)
_JOINED = re.compile(
    rf"(?:,\s*(?:and\s+)?|\s+and\s+){_LEAD}"
    rf"(?=(?:in|on|from)\s+[\w' ]{{2,25}},?\s+(?:{_VERBS})\b|(?:{_VERBS})\b)",
    re.IGNORECASE,
)
_DONE_BY = re.compile(rf"^(?:I|you|we)?\s*(?:have\s+)?(?:{_VERBS})", re.IGNORECASE)

_READS = re.compile(
    r"\b(?:look\s+up|find\s+out|find|check|copy|note|read|see|take|get|write\s+down|remember|memorise|memorize)\b"
    r"(?:\s+(?:down|out|whether|if|what|which|when|where|who|how\s+(?:much|many|long)))?",
    re.IGNORECASE,
)
_ASKS = {"when": "time", "where": "place", "who": "name", "how much": "amount", "how many": "number"}
_POINTS = re.compile(r"\b(?:it|them|its|their|there|that|those|this|these)\b(?!\s+is\b)", re.IGNORECASE)
_DEFINITE = re.compile(r"\b(?:the|that|this|its|those|these)\s+((?:[\w'-]+\s+)?[\w'-]+)", re.IGNORECASE)
_PHRASE = re.compile(
    r"^\s*(?:the|a|an|my|our|this|that|its)?\s*((?:[\w'-]+\s+){0,2}?[\w'-]+)"
    r"(?=\s+(?:of|from|on|in|out|for|at|to|about|when|where|who|is|are|was|arrives?|attached|came|costs?)\b|[,.]|$)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\w'-]+")
_PLAIN = frozenset(
    {
        *("the", "a", "an", "my", "our", "your", "its", "it", "and", "or", "of", "for", "in", "on", "to"),
        *("from", "by", "with", "that", "this", "is", "are"),
    }
)


def clauses(instruction: str) -> tuple[Clause, ...]:
    """Part an instruction into what it asks for, in the order in which it is to be done.

    >>> [c.text for c in clauses("Write to Ann, and before that turn on the answer.")]
    ['turn on the answer', 'Write to Ann']
    >>> [(c.learns, c.needs) for c in clauses("Look up the address of the shop, then send it to Ann")]
    [(('address',), ()), ((), ('address',))]
    """
    found: list[str] = []
    for sentence in _ENDS.split(" ".join(instruction.split())):
        for part in _NEXT.split(sentence):
            found += _turned(part)
    texts = [t for part in found for t in _JOINED.split(part) if t]
    return _tied([c for c in (t.strip(" ,:") for t in texts) if _WORD.search(c)])


def _turned(part: str) -> list[str]:
    """Put what is said to come first there."""
    halves = _BEFORE_THAT.split(part, maxsplit=1)
    if len(halves) == 2:
        return [halves[1], halves[0]] if halves[0].strip() else [halves[1]]
    said = _WHILE.match(part.strip())
    if said is None:
        return [part]
    word, aside, main = said.group(1).casefold(), said.group(2), said.group(3)
    if not _DONE_BY.match(aside):
        return [main]  # `Before the night: ...` says when, and asks for nothing.
    if re.match(r"(?:I|you|we)\s+(?:go|get)\b", aside, re.IGNORECASE):
        return [main]
    aside = re.sub(r"^(?:I|you|we)\s+(?:have\s+)?", "", aside, flags=re.IGNORECASE)
    return [main, aside] if word == "before" else [aside, main]


def _tied(texts: Sequence[str]) -> tuple[Clause, ...]:
    """Tie what points back to what was read before it: the nearest reading clause that it can mean."""
    found = [Clause(t) for t in texts]
    for n, clause in enumerate(found):
        for m in reversed(range(n)):
            name = _carried(found[m].text, clause.text)
            if name:
                found[m] = replace(found[m], learns=_with(found[m].learns, name))
                found[n] = replace(found[n], needs=_with(found[n].needs, name))
                break
    return tuple(found)


def _with(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return names if name in names else (*names, name)


def _carried(source: str, text: str) -> str:
    """Name the value that `text` takes over from `source`; empty for none."""
    reads = _READS.search(source)
    if reads is None:
        return ""
    known = {w.casefold() for w in _WORD.findall(source)} - _PLAIN
    for said in _DEFINITE.finditer(text):
        phrase = said.group(1).casefold()
        head = phrase.split()[-1]
        if phrase.split()[0] in known or head in known:
            return phrase if set(phrase.split()) <= known else (head if head in known else phrase.split()[0])
        asked = next((v for k, v in _ASKS.items() if k in source.casefold()), "")
        if asked and asked in phrase.split():
            return asked
    if not _POINTS.search(text):
        return ""
    asked = next((v for k, v in _ASKS.items() if re.search(rf"\b{k}\b", source, re.IGNORECASE)), "")
    phrase_at = _PHRASE.match(source[reads.end() :])
    return asked or (phrase_at.group(1).casefold() if phrase_at else "")
