"""Words after `pixels` in a device's name in, the finder that they choose out: `pixels+ocr+NAME:DEVICE`."""

import os

from waypost.errors import UsageError
from waypost.parts.foreign import foreign_finder
from waypost.parts.plugins import unknown
from waypost.protocols import ElementFinder

__all__ = ["FINDERS", "finder", "finders"]

FINDERS = ("ocr", "model")


def finders(kind: str) -> tuple[str, ...]:
    """Return the finders that a device's kind names, the reader of text where it names none.

    >>> finders("pixels"), finders("pixels+ocr+icons")
    (('ocr',), ('ocr', 'icons'))
    """
    return tuple(kind.split("+")[1:]) or FINDERS[:1]


def finder(kind: str) -> ElementFinder:
    """Make what finds elements, several as one. Raises UsageError."""
    from waypost.adapters.pixels import JoinedFinder

    made = [_named(name) for name in finders(kind)]
    return made[0] if len(made) == 1 else JoinedFinder(*made)


def _named(name: str) -> ElementFinder:
    match name:
        case "ocr":
            from waypost.adapters.pixels import OcrFinder

            return OcrFinder()
        case "model":
            return _asking()
        case _:
            found = foreign_finder(name)
            if found is None:
                raise unknown("finder", name, FINDERS)
            return found


def _asking() -> ElementFinder:
    """Ask the model that the environment names; what the reader of text finds private is covered first."""
    from waypost.adapters.pixels import AskedFinder, OcrFinder
    from waypost.parts.models import ModelOptions, open_model

    name = os.environ.get("WAYPOST_LLM_MODEL", "")
    if not name:
        raise UsageError("pixels+model asks a vision model: set WAYPOST_LLM_MODEL; see docs/models.md")
    options = ModelOptions(
        name, os.environ.get("WAYPOST_LLM_BASE_URL", ""), os.environ.get("WAYPOST_LLM_KEY", "")
    )
    return AskedFinder(open_model(options).llm, OcrFinder())
