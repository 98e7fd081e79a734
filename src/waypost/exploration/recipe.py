"""How to get an app past its gate: lines of a recipe in, actions on the present look out."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from waypost.errors import UsageError
from waypost.mapping.grounding import tap_point
from waypost.mapping.naming import Named, actionable, named, plain
from waypost.model import Action, Element, Press, Role, Screen, Tap, TypeText, Wait

__all__ = ["RecipeStep", "StartRecipe"]


@dataclass(frozen=True, slots=True)
class RecipeStep:
    """One line: tap what is called so, type into the field that is called so, press back, or wait."""

    verb: str
    label: str = ""
    text: str = field(default="", repr=False)
    """What to type. Kept out of every printed form: it may be a secret."""
    seconds: float = 1.0


@dataclass(frozen=True, slots=True)
class StartRecipe:
    """Steps from the gate of an app to its start page. Typed text reaches the device and nothing else."""

    steps: tuple[RecipeStep, ...]

    @classmethod
    def parse(cls, lines: Sequence[str | Mapping[str, Any]], secrets: Mapping[str, str]) -> "StartRecipe":
        """Read a recipe; `$NAME` is looked up in `secrets`. Raises UsageError.

        >>> StartRecipe.parse(['tap "Log in"', 'type Password $PASS', 'wait 2'], {"PASS": "x"}).steps[1]
        RecipeStep(verb='type', label='Password', seconds=1.0)
        """
        return cls(tuple(_step(_row(line), secrets) for line in lines))

    def shows(self, screen: Screen) -> bool:
        """Whether the gate is in front: what the first step names can be seen."""
        first = next((s for s in self.steps if s.label), None)
        return first is not None and _find(first, screen) is not None

    def action(self, step: int, screen: Screen) -> Action | None:
        """Aim one step at the present look; None where what it names cannot be seen."""
        what = self.steps[step]
        if what.verb == "wait":
            return Wait(what.seconds)
        if what.verb == "press":
            return Press("back")
        element = _find(what, screen)
        if element is None:
            return None
        return Tap(tap_point(element)) if what.verb == "tap" else TypeText(what.text, tap_point(element))


def _row(line: str | Mapping[str, Any]) -> list[str]:
    if isinstance(line, str):
        try:
            return shlex.split(line)
        except ValueError as e:
            raise UsageError(f"Cannot read the recipe line {line!r}: {e}") from e
    for verb in ("tap", "wait", "press"):
        if verb in line:
            return [verb, str(line[verb])]
    if "type" in line and "text" in line:
        return ["type", str(line["type"]), str(line["text"])]
    raise UsageError(f"A recipe step wants tap, type with text, or wait; got {sorted(line)}")


def _step(row: list[str], secrets: Mapping[str, str]) -> RecipeStep:
    match row:
        case ["tap", label]:
            return RecipeStep("tap", label)
        case ["type", label, text]:
            return RecipeStep("type", label, _secret(text, secrets))
        case ["press", "back"]:
            return RecipeStep("press")
        case ["wait"]:
            return RecipeStep("wait")
        case ["wait", seconds]:
            try:
                return RecipeStep("wait", seconds=float(seconds))
            except ValueError as e:
                raise UsageError(f"wait wants seconds, not {seconds!r}") from e
        case _:
            verb = row[0] if row else ""
            raise UsageError(
                f'A recipe line is: tap "LABEL", type "LABEL" TEXT, or wait SECONDS; got {verb!r}'
            )


def _secret(text: str, secrets: Mapping[str, str]) -> str:
    if not text.startswith("$"):
        return text
    name = text[1:]
    if name not in secrets:
        raise UsageError(f"The recipe needs the environment variable {name}; set it first")
    return secrets[name]


def _find(step: RecipeStep, screen: Screen) -> Element | None:
    """Find the element that bears the label; a field also by the text before it."""
    things = named(screen)
    if step.verb == "tap":
        for exact in (True, False):
            for thing in things:
                if actionable(thing.element) and thing.element.enabled and _called(thing, step.label, exact):
                    return thing.element
        return None
    fields = [t for t in things if t.element.role is Role.FIELD]
    for exact in (True, False):
        for thing in fields:
            if _called(thing, step.label, exact):
                return thing.element
    seen = False
    for thing in things:
        seen = seen or plain(thing.element.label).casefold() == plain(step.label).casefold()
        if seen and thing.element.role is Role.FIELD:
            return thing.element
    return None


def _called(thing: Named, label: str, exact: bool) -> bool:
    e = thing.element
    wanted = plain(label).casefold()
    names = {plain(n).casefold() for n in (thing.label, e.text, e.description, e.hint, e.resource_id) if n}
    return wanted in names if exact else any(wanted in n for n in names if wanted)
