"""Two maps of one app in, what changed out; a map and a device in, how far the map still holds out."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

from waypost.errors import UsageError
from waypost.exploration import StartRecipe
from waypost.library import Library
from waypost.mapping.corrections import Corrections, Rename, Split, cited, handles
from waypost.mapping.pagesfile import write_corrections
from waypost.mapping.standing import forward
from waypost.model import NodeId, Standing
from waypost.parts.face import Map
from waypost.parts.started import Started
from waypost.protocols import Device
from waypost.versions import Diff, Verification, VerifyConfig, diff, to_verify, verify

__all__ = ["Kept", "Verified", "VerifyRequest", "compared", "diff_json", "keep", "verified"]


@dataclass(frozen=True, slots=True)
class Kept:
    """What was carried over from an old map to a new one."""

    corrections: int
    records: int


@dataclass(frozen=True, slots=True)
class VerifyRequest:
    """What to walk, and how."""

    config: VerifyConfig = VerifyConfig()
    against: Map | None = None
    """A newer map: only steps that it does not have are walked."""
    unverified: bool = False
    """Only what is not known to work on the version at hand."""
    recipe: StartRecipe | None = None
    """Brings an app behind a login to its start state."""


@dataclass(frozen=True, slots=True)
class Verified:
    """How far a map holds on the app as it is now."""

    version: str
    """The version of the app that it was held against; empty where the device cannot tell."""
    verification: Verification
    carried: int
    """Steps that need no walk: the newer map has them too."""


def compared(old: Map, new: Map) -> Diff:
    """Hold two maps of one app against each other. Raises UsageError where they are of two apps."""
    if old.graph.app != new.graph.app:
        raise UsageError(
            f"{old.folder.name!r} is a map of {old.graph.app}, {new.folder.name!r} of {new.graph.app}"
        )
    for known in (old, new):
        if known.graph.root is None:
            raise UsageError(f"The map {known.folder.name!r} is empty; explore the app first")
    return diff(old.mapper, new.mapper)


def keep(old: Map, new: Map, found: Diff) -> Kept:
    """Carry names, corrections and edited records over to the new map, for the pages that stayed."""
    before = new.mapper.teacher.corrections
    after = before.joined(_still_found(old, new, found))
    if after != before:
        write_corrections(new.folder, after)
        new.taught(after)
    pairs = {a: new.mapper.resolve(b) for a, b in found.alignment.pairs.items()}
    edited = [
        replace(r, node=pairs[r.node]) for r in old.records() if r.provenance == "user" and r.node in pairs
    ]
    if edited:
        new.records()
        Library.adopt(new.folder, edited)
        new.remember()
    return Kept(len(after.made) - len(before.made), len(edited))


def _still_found(old: Map, new: Map, found: Diff) -> Corrections:
    """Return the old map's corrections, with what the pages look like now, and names by id as by looks."""
    teacher, pairs = old.mapper.teacher, found.alignment.pairs
    pages = dict(teacher.corrections.pages)
    for page, looks in teacher.corrections.pages.items():
        node = teacher.bound(page)
        if node in pairs and not _splits(teacher.corrections, page):
            seen = [new.mapper.read(k.observation.screen) for k in new.graph.nodes[pairs[node]].looks]
            pages[page] = tuple(dict.fromkeys((*looks, *cited(seen)[:1])))
    made = list(teacher.corrections.made)
    for by_id, name in teacher.corrections.names.items():
        if NodeId(by_id) in pairs:
            shown = new.graph.nodes[pairs[NodeId(by_id)]]
            pages[name] = cited([new.mapper.read(k.observation.screen) for k in shown.looks])
            made.append(Rename(name, name, shown.name))
    return Corrections(pages, tuple(made))


def _splits(corrections: Corrections, page: str) -> bool:
    """Whether a page is one side of a split: there each cited look was chosen."""
    return any(isinstance(c, Split) and page in handles(c) for c in corrections.made)


def verified(
    known: Map,
    open_device: Callable[[], Device],
    request: VerifyRequest,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Verified:
    """Walk a map's steps again; `open_device` is called only where something is left to walk."""
    against = request.against
    carried = _carried(known, against) if against is not None else 0
    device: Device | None = None
    try:
        if against is None or to_verify(known.mapper, unverified=True):
            device = open_device()
            known.meet(device)
        steps = to_verify(known.mapper, unverified=request.unverified or against is not None)
        version = known.graph.met or known.graph.version
        if device is None:
            known.mapper.settle_version()
            known.mapper.commit()
            return Verified(version, Verification((), 0), carried)
        driven = Started(device, request.recipe) if request.recipe else device
        walked = verify(driven, known.mapper, steps, request.config, progress=progress)
        return Verified(version, walked, carried)
    finally:
        if device is not None:
            device.close()


def _carried(known: Map, newer: Map) -> int:
    """Take over what the newer map saw: steps that are on both maps work on its version."""
    found = compared(known, newer)
    pairs, mapper = found.alignment.pairs, known.mapper
    mapper.meet(newer.graph.version)
    for renamed in found.renamed:
        for look in newer.graph.nodes[renamed.new.id].looks[:1]:
            mapper.adopt(renamed.old.id, look.observation)
    count = 0
    for t in list(forward(known.graph)):
        at = (pairs.get(t.source), t.key, pairs.get(t.target))
        there = newer.graph.transitions.get(at)  # type: ignore[arg-type]
        if there is not None and there.standing is Standing.LIVE:
            mapper.verify(t, Standing.LIVE)
            count += 1
    mapper.commit()
    return count


def diff_json(old: Map, new: Map, found: Diff) -> dict[str, Any]:
    """Write a difference as JSON values."""
    told = asdict(replace(found, alignment=None))  # type: ignore[arg-type]
    told.pop("alignment")
    return {
        "old": {"map": old.folder.name, "version": old.graph.version, "profile": old.graph.profile},
        "new": {"map": new.folder.name, "version": new.graph.version, "profile": new.graph.profile},
        "differs": bool(found),
        "stayed": len(found.alignment.pairs),
        "two_languages": found.alignment.languages,
        **told,
    }
