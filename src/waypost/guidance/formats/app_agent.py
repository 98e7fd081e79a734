"""AppAgent (Zhang et al. 2025): a document for each element on the screen, told at every look."""

from waypost.guidance.formats.knowledge import Element, Knowledge, head, leads, uses
from waypost.model import LongPress, Observation, TypeText
from waypost.model.wording import cue

__all__ = ["AppAgentDocuments"]

_TOLD = 40


class AppAgentDocuments:
    """Tells what each element is for, in the order of the screen and whatever the task is.

    The original keys a document by the element's id, so that elements of other pages with the same id
    overwrite each other; here what was seen on this page counts first.
    """

    def __init__(self, known: Knowledge, instruction: str) -> None:
        self._known, self._instruction = known, instruction

    def __call__(self, observation: Observation) -> str:
        told = [f"- {self._document(e)}" for e in uses(self._known, observation)[:_TOLD]]
        lines = head("Documents of the elements on this screen.", self._instruction)
        return "\n".join([*lines, *(told or ["There is none."])])

    def _document(self, element: Element) -> str:
        action = element.action
        doing = "holding" if isinstance(action, LongPress) else "writing into"
        doing = doing if isinstance(action, LongPress | TypeText) else "tapping"
        return f"{cue(action.target)}: {doing} it opens {leads(element.steps[0], self._known)}"  # type: ignore[union-attr, arg-type]
