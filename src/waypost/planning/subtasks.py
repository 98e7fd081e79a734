"""Instructions that span apps (MapAgent, 3.2): a sentence and the installed apps in, a plan of legs out.

Two planners behind one seam, `SubtaskPlanner`: `RuleSubtasks` parts the sentence by its grammar and gives
each part to the app whose memory fits it best; `AskedSubtasks` has a model do both. Either is first coarse
(parts, scheduled over the apps), then, with each app's best pages at hand, fine.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template

from waypost.errors import ReplyError
from waypost.model import Considered, Subtask
from waypost.model.wording import one_line, quoted
from waypost.planning.clauses import clauses
from waypost.protocols import LLM, Fits

__all__ = ["AskedSubtasks", "RuleSubtasks"]

_NAMED = 3.0
"""What being named counts for an app: as much as pages of one app may lie apart and still be alike."""
_SAME = 0.5
"""What it counts that the part before was done in an app: a tie-break, no more."""
_WORD = re.compile(r"\w+")


class RuleSubtasks:
    """Parts by grammar, apps by their memories; asks nobody."""

    @property
    def id(self) -> str:
        return "rules"

    def coarse(self, instruction: str, apps: Mapping[str, str], fits: Fits) -> tuple[Subtask, ...]:
        """Give every clause to the app that is named in it or, more than any other, has its page."""
        parts: list[Subtask] = []
        for clause in clauses(instruction):
            scores = dict(fits(clause.text))
            for app in _named(clause.text, apps):
                scores[app] = scores.get(app, 0.0) + _NAMED
            if parts and parts[-1].app in scores:
                scores[parts[-1].app] += _SAME
            best = max(scores, key=lambda a: (scores[a], a), default="")
            parts.append(Subtask(clause.text, best, clause.learns, clause.needs))
        return tuple(parts)

    def fine(self, part: Subtask, pages: Sequence[Considered], sure: bool) -> tuple[int, str]:
        """Take the page that the memory puts first, where it is sure to have one at all."""
        if not pages or not sure:
            return -1, ""
        return 0, f"{one_line(part.what, 300)}{_taken(part)}"


def _named(text: str, apps: Mapping[str, str]) -> list[str]:
    """Return the apps that a clause names by a word that no other app is called by."""
    words = {app: _words(f"{app} {title}") for app, title in apps.items()}
    said = _words(text)
    found = []
    for app, mine in words.items():
        own = mine.difference(*(w for other, w in words.items() if other != app))
        if any(_spoken(w, said) for w in own if len(w) > 2):
            found.append(app)
    return found


def _words(text: str) -> set[str]:
    return {w.casefold() for w in _WORD.findall(text)}


def _spoken(word: str, said: set[str]) -> bool:
    """Whether a name is said, also as its plural, or behind an `e` (`email` for a mail app)."""
    return bool({word, f"{word}s", f"{word}'s", f"e{word}", f"e{word}s"} & said)


def _taken(part: Subtask) -> str:
    return "".join(
        f"; {verb} {', '.join(names)}"
        for verb, names in (("with", part.needs), ("note", part.learns))
        if names
    )


@dataclass(frozen=True, slots=True)
class CoarsePart:
    """A part as a model names it."""

    what: str
    app: str
    learns: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CoarsePlan:
    parts: tuple[CoarsePart, ...]


@dataclass(frozen=True, slots=True)
class FinePlan:
    """What a model makes of one part, with the pages of its app before it."""

    page: int
    """Number of the page that the part is done on; 0 for none of them."""
    words: str


class AskedSubtasks:
    """Has a model part, schedule and refine; what it says that does not fit falls back to the rules."""

    def __init__(self, llm: LLM) -> None:
        self._llm, self._rules = llm, RuleSubtasks()

    @property
    def id(self) -> str:
        return self._llm.id

    def coarse(self, instruction: str, apps: Mapping[str, str], fits: Fits) -> tuple[Subtask, ...]:
        rows = "\n".join(f"- {app}: {quoted(title)}" for app, title in apps.items()) or "(none)"
        try:
            said = self._llm.ask(
                _filled("coarse", instruction=instruction, apps=rows), returns=CoarsePlan
            ).parts
        except ReplyError:
            said = ()
        known = {a.casefold(): a for a in apps}
        parts = tuple(
            Subtask(
                p.what.strip(), known.get(p.app.strip().casefold(), ""), _names(p.learns), _names(p.needs)
            )
            for p in said
            if p.what.strip()
        )
        return _kept(parts) or self._rules.coarse(instruction, apps, fits)

    def fine(self, part: Subtask, pages: Sequence[Considered], sure: bool) -> tuple[int, str]:
        if not pages:
            return -1, ""
        rows = "\n".join(
            f"{n}: {quoted(p.name)}, {quoted(p.summary, 300)}; way: {' > '.join(map(quoted, p.waypoints))}"
            for n, p in enumerate(pages, 1)
        )
        carried = ", ".join(part.needs) or "(nothing)"
        try:
            said = self._llm.ask(
                _filled("fine", part=part.what, app=part.app, pages=rows, carried=carried), returns=FinePlan
            )
        except ReplyError:
            return self._rules.fine(part, pages, sure)
        if not 0 <= said.page <= len(pages):
            return self._rules.fine(part, pages, sure)
        return said.page - 1, one_line(said.words, 300) if said.page else ""


def _names(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one_line(n, 60) for n in names if n.strip()))


def _kept(parts: Sequence[Subtask]) -> tuple[Subtask, ...]:
    """Leave out of each part what it needs that no part before it learns."""
    learnt: set[str] = set()
    found = []
    for part in parts:
        needs = tuple(n for n in part.needs if n in learnt)
        found.append(Subtask(part.what, part.app, part.learns, needs))
        learnt |= set(part.learns)
    return tuple(found)


def _filled(name: str, **values: str) -> str:
    text = Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8")
    clean = {k: v if k in ("apps", "pages") else one_line(v, 2_000) for k, v in values.items()}
    return Template(text).substitute(clean).strip() + "\n"
