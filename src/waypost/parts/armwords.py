"""Arms by name: `frontier+kg_rag` in; whose map, what is given, how it is told and who plans, out."""

from dataclasses import dataclass

from waypost.errors import UsageError
from waypost.guidance.formats import FORMATS
from waypost.parts.acting import GuideMode
from waypost.parts.planning import PLANNERS

__all__ = ["NONE", "ArmWords", "arm_words", "unfit"]

NONE = "none"
_GIVEN = "destination"
_MODES: dict[str, GuideMode] = {"open": "open", "closed": "closed", "edit": "edit"}


@dataclass(frozen=True, slots=True)
class ArmWords:
    """What an arm's name says."""

    memory: str
    """Whose map it is, or `none`."""
    given: bool = False
    """The true page is given instead of asked for."""
    mode: GuideMode | None = None
    """How the way is told; None leaves it to the comparison."""
    form: str = ""
    """Another system's form of memory instead of our block; a name of `guidance.formats.FORMATS`."""
    planner: str = ""
    """Empty for the default."""

    @property
    def aims(self) -> bool:
        """Whether the arm sets out for one page of its map."""
        return self.memory != NONE and (not self.form or FORMATS[self.form].aims)


def arm_words(arm: str) -> ArmWords:
    """Read an arm's name: a map, and behind it what is given, how it is told, who plans. Raises UsageError.

    >>> arm_words("frontier+destination+shortest")
    ArmWords(memory='frontier', given=True, mode=None, form='', planner='shortest')
    >>> arm_words("manual+kg_rag").form
    'kg_rag'
    """
    memory, *words = arm.split("+")
    given, modes, forms, planners = [], [], [], []
    for word in words:
        if word == _GIVEN:
            given.append(word)
        elif word in _MODES:
            modes.append(_MODES[word])
        elif word in FORMATS:
            forms.append(word)
        elif word in PLANNERS:
            planners.append(word)
        else:
            raise UsageError(f"{arm!r}: behind a map come {_known()}; {word!r} is none of them")
    if any(len(said) > 1 for said in (given, modes + forms, planners)):
        raise UsageError(f"{arm!r}: an arm is told in one way, and planned by one planner")
    if words and memory == NONE:
        raise UsageError(f"{arm!r}: without a map there is nothing to tell or to plan")
    mode = modes[0] if modes else None
    found = ArmWords(memory, bool(given), mode, "".join(forms), "".join(planners))
    if (found.given or found.planner) and not found.aims:
        raise UsageError(f"{arm!r}: {found.form} sets out for no page, so that none is given or planned to")
    return found


def unfit(arm: str, actor: str) -> str:
    """Say why an arm is not for an actor; empty where it is."""
    words = arm_words(arm)
    if actor == "follower" and (words.form or words.mode):
        return f"{arm!r} is told in words, and the follower reads none; take another --actor, such as lexical"
    return ""


def _known() -> str:
    return ", ".join([_GIVEN, *_MODES, *FORMATS, *PLANNERS])
