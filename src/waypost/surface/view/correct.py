"""What a person corrects in; written to `pages.yaml` or `records.jsonl`, and what was done, out."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from waypost.errors import UsageError
from waypost.library import Library
from waypost.mapping import page_called
from waypost.model import Source
from waypost.parts import correcting
from waypost.parts.face import Map, open_map

__all__ = ["corrected"]

_AT_ONCE = 300
"""Pages up to which the records are brought into line at once; else when they are next asked for."""
_Words = Mapping[str, Any]


def corrected(known: Map, what: str, said: _Words) -> dict[str, Any]:
    """Make one correction, on a map opened for writing as long as that takes.

    Raises UsageError for what makes no sense, and MapError while the map is being written by another.
    """
    deed = _DEEDS.get(what)
    if deed is None:
        raise UsageError(f"{what!r} is no correction; there are {', '.join(_DEEDS)}")
    with open_map(known.folder) as opened:
        done = deed(opened, said)
        if len(opened.graph.nodes) <= _AT_ONCE:
            opened.records()
        return done


def _text(said: _Words, name: str) -> str:
    value = said.get(name)
    if not isinstance(value, str) or not value.strip():
        raise UsageError(f"{name!r} is missing")
    return value


def _told(done: correcting.Corrected) -> dict[str, Any]:
    pages = [{"id": n.id, "name": n.name} for n in done.pages]
    return {"said": done.said, "pages": pages, "corrections": done.count, "file": done.file}


def _edit(known: Map, said: _Words) -> dict[str, Any]:
    """Put a person's words in place of a record's; they are kept when the map is distilled again."""
    node = page_called(known.mapper, _text(said, "page"))
    mine = known.record_of(node.id)
    if mine is None:
        raise UsageError(f"{node.name!r} has no record to edit")
    intents = said.get("intents")
    if not isinstance(intents, list) or not all(isinstance(line, str) for line in intents):
        raise UsageError("'intents' is a list of texts")
    kept = tuple(line for text in intents if (line := " ".join(text.split())))
    summary = " ".join(_text(said, "summary").split())
    by = replace(mine.provenance, summary=Source.USER, intents=Source.USER)
    edited = replace(mine, summary=summary, intents=kept, provenance=by)
    Library.adopt(known.folder, [edited])
    known.remember()
    return {
        "said": f"edited the record of {node.name!r}",
        "pages": [{"id": node.id, "name": node.name}],
        "corrections": len(known.mapper.teacher.corrections.made),
        "file": str(known.folder / "records.jsonl"),
    }


_DEEDS: dict[str, Callable[[Map, _Words], dict[str, Any]]] = {
    "merge": lambda m, s: _told(correcting.merge(m, _text(s, "page"), _text(s, "other"))),
    "split": lambda m, s: _told(correcting.split(m, _text(s, "page"), _text(s, "looks"))),
    "rename": lambda m, s: _told(correcting.rename(m, _text(s, "page"), _text(s, "name"))),
    "pin": lambda m, s: _told(correcting.pin(m, _text(s, "page"))),
    "ignore": lambda m, s: _told(correcting.ignore(m, _text(s, "page"), _text(s, "region"))),
    "undo": lambda m, s: _told(correcting.undo(m)),
    "edit": _edit,
}
