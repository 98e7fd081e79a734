"""Another system's form of memory, made from a map: an open map and a sentence in, a guide out."""

from waypost.actors.locator import Locator
from waypost.errors import UsageError
from waypost.guidance.formats import FORMATS, Knowledge
from waypost.model import Record
from waypost.parts.face import Map
from waypost.parts.memory import embedder
from waypost.protocols import Guide, Planner

__all__ = ["HANDBOOK", "formatted", "handbook_of"]

HANDBOOK = "manual.md"
"""What somebody wrote of an app, in its map's folder."""


def formatted(
    form: str, known: Map, sentence: str, record: Record | None, planner: Planner, locator: Locator
) -> Guide:
    """Make a guide of one form; `record` is the page that is meant, for those that aim. Raises UsageError."""
    written = handbook_of(known) if form == "handbook" else ""
    knowledge = Knowledge(locator, planner, known.records(), known.vectors, embedder().embed, record, written)
    return FORMATS[form].make(knowledge, sentence)


def handbook_of(known: Map) -> str:
    """Return what somebody wrote of a map's app by hand. Raises UsageError with the cure."""
    path = known.folder / HANDBOOK
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as e:
        raise UsageError(f"There is no manual yet: write what one should know of the app into {path}") from e
    except (OSError, UnicodeDecodeError) as e:
        raise UsageError(f"Cannot read {str(path)!r}: {e}") from e
    if not text.strip():
        raise UsageError(f"{str(path)!r} is empty: write what one should know of the app into it")
    return text
