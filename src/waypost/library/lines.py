"""The open format of a record: a `Record` in, its line of `records.jsonl` out, and back, edits noticed.

The schema is `record.schema.json` beside this file. A line carries a stamp of what was written: a field
that does not fit its stamp any more was changed by hand, and counts as the user's from then on.
"""

import dataclasses
import hashlib
import json
from typing import Any

from waypost.model import Provenance, Record, Source
from waypost.model.codec import decode, encode

__all__ = ["FORMAT", "WORDS", "line", "parse"]

FORMAT = 1
"""Version of the lines; those of a newer one are refused."""
WORDS = tuple(f.name for f in dataclasses.fields(Provenance))
"""The fields that hold words, in the order of a stamp's parts."""
_LISTS = ("intents", "waypoints", "hints", "notes", "hazards")
_TEXTS = ("node", "name", "summary")


def line(record: Record) -> str:
    """Return a record as its line: all fields, always in the same order."""
    row: dict[str, Any] = {"format": FORMAT}
    row |= {f.name: encode(getattr(record, f.name)) for f in dataclasses.fields(record)}
    row["provenance"] = {name: getattr(record.provenance, name).value for name in WORDS}
    row["stamp"] = ".".join(_sum(row[name]) for name in WORDS)
    return json.dumps(row, ensure_ascii=False)


def parse(text: str) -> Record:
    """Read what `line` wrote, or what a user made of it; raises ValueError."""
    row = json.loads(text)
    if not isinstance(row, dict):
        raise ValueError("a record is an object")
    made = row.pop("format", 0)
    if not isinstance(made, int) or made > FORMAT:
        raise ValueError(
            f"it is of format {made!r}, and this version of waypost knows {FORMAT}; upgrade waypost"
        )
    for name in _LISTS:
        value = row.get(name, [])
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise ValueError(f"{name} must be a list of texts")
    for name in _TEXTS:
        if not isinstance(row.get(name), str):
            raise ValueError(f"{name} must be a text")
    for name, default in (("member", 0), ("intents", []), ("waypoints", [])):
        row.setdefault(name, default)
    stamp = row.pop("stamp", "")
    row["provenance"] = _provenance(row.get("provenance", {}), stamp, row)
    return decode(Record, row)


def _provenance(said: Any, stamp: Any, row: dict[str, Any]) -> dict[str, str]:
    if isinstance(said, str):  # Before the first format, one word stood for all fields.
        said = dict.fromkeys(WORDS, said)
    if not isinstance(said, dict):
        raise ValueError("provenance must be an object")
    found = {name: str(Source(said.get(name, Source.SEEN))) for name in WORDS}
    if unknown := set(said) - set(WORDS):
        raise ValueError(f"provenance has no {sorted(unknown)}")
    sums = stamp.split(".") if isinstance(stamp, str) else []
    if len(sums) == len(WORDS):
        for name, known in zip(WORDS, sums, strict=True):
            if _sum(row.get(name, [])) != known:
                found[name] = Source.USER.value
    return found


def _sum(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6]
