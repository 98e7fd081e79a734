"""AutoDroid (Wen et al. 2024): the screen as markup, elements marked with the simulated tasks they serve."""

from html import escape

from waypost.guidance.formats.knowledge import Knowledge, head, identity
from waypost.mapping.grounding import proof
from waypost.mapping.naming import Named, actionable, named
from waypost.model import Element, Evidence, Observation, Role
from waypost.model.wording import quoted

__all__ = ["AutoDroidMarkup"]

_TASKS = 5
"""Simulated tasks that are looked up for one task."""
_TOLD = 60
_TAGS = {Role.FIELD: "input", Role.SWITCH: "checkbox", Role.CHECKBOX: "checkbox", Role.RADIO: "checkbox"}


class AutoDroidMarkup:
    """Looks simulated tasks up once; marks the elements on their ways wherever they show.

    A simulated task is an intent of a page, and its elements are those on the way from the app's start.
    What is hazardous is markup like any text: nothing says that it can be acted on.
    """

    def __init__(self, known: Knowledge, instruction: str) -> None:
        self._head = head(
            "The screen as markup; onclick says which tasks an element was seen to serve.", instruction
        )
        self._serves: dict[tuple[str, str, str], list[str]] = {}
        root = known.locator.graph.root
        pairs = [(wish, record) for record in known.records for wish in record.wishes]
        for place in known.best(instruction, [wish for wish, _ in pairs], _TASKS):
            wish, record = pairs[place]
            for step in known.plan(root, record.node).steps if root is not None else ():
                target = getattr(step.action, "target", None)
                if target is not None:
                    served = self._serves.setdefault(identity(target), [])
                    served.extend([] if wish in served else [wish])

    def __call__(self, observation: Observation) -> str:
        screen = observation.screen
        rows = [self._row(t.element, t.label, proof(t, screen)) for t in named(screen) if _shown(t)]
        return "\n".join([*self._head, *rows[:_TOLD]])

    def _row(self, element: Element, label: str, target: Evidence) -> str:
        acts = actionable(element) and element.enabled and not target.hazard
        tag = _TAGS.get(element.role, "button") if acts else "p"
        serves = self._serves.get(identity(target), []) if acts else []
        onclick = f" onclick={_safe('; '.join(serves), 160)}" if serves else ""
        checked = f" checked={element.checked}" if tag == "checkbox" else ""
        # What somebody wrote into a field is theirs: a field is called by what it asks for.
        words = (element.hint or element.description) if element.role is Role.FIELD else label
        return f"<{tag}{onclick}{checked}>{_safe(words) if words else ''}</{tag}>"


def _shown(thing: Named) -> bool:
    if actionable(thing.element):
        return True
    inside = any(actionable(a) for a in thing.ancestors)
    return bool(thing.label) and not thing.element.children and not inside


def _safe(text: str, limit: int = 60) -> str:
    # Signs that would end an element are spelled out: what a screen says stays inside of its quotes.
    return escape(quoted(text, limit), quote=False)
