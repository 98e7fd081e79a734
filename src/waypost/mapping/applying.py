"""Bring a map into line with its corrections: a mapper and its teacher in, pages joined or parted out."""

from typing import TYPE_CHECKING

from waypost.mapping.corrections import Correction, Ignore, Merge, Pin, Rename, Split
from waypost.mapping.recognise import Recogniser
from waypost.mapping.teaching import Teacher
from waypost.model import NodeId, PageKind

if TYPE_CHECKING:
    from waypost.mapping.mapper import Mapper

__all__ = ["apply"]


def apply(mapper: "Mapper", teacher: Teacher, eye: Recogniser) -> None:
    """Do what the corrections say, in their order; doing it again changes nothing."""
    for node, name in teacher.corrections.names.items():
        if node in mapper.graph.nodes:
            mapper.call(NodeId(node), name)
    for correction in teacher.corrections.made:
        _do(correction, mapper, teacher, eye)


def _do(correction: Correction, mapper: "Mapper", teacher: Teacher, eye: Recogniser) -> None:
    match correction:
        case Merge(page=page, other=other):
            one, two = _bound(teacher, eye, page, other)
            if one is not None and two is not None:
                mapper.merge(one, two)
        case Split(page=page, off=off):
            one, two = _bound(teacher, eye, page, off)
            if one is not None and one == two:
                _part(correction, one, mapper, teacher, eye)
        case Rename(page=page, name=name):
            for node in teacher.bind(page, eye)[:1]:
                mapper.call(node, name)
        case Pin(page=page):
            nodes = teacher.bind(page, eye)
            for double in nodes[1:]:
                mapper.merge(nodes[0], double)
        case Ignore(page=page):
            teacher.bind(page, eye)
            _join_alike(page, mapper, teacher)


def _bound(teacher: Teacher, eye: Recogniser, *pages: str) -> list[NodeId | None]:
    return [next(iter(teacher.bind(page, eye)), None) for page in pages]


def _part(split: Split, node: NodeId, mapper: "Mapper", teacher: Teacher, eye: Recogniser) -> None:
    """Part a page that holds looks of both sides."""
    looks = eye.looks(node)
    off = [i for i, s in enumerate(looks) if teacher.nearest(s, split, eye.known) == split.off]
    if off and len(off) < len(looks):
        one, other = mapper.split(node, off)
        teacher.take(split.page, one)
        teacher.take(split.off, other)


def _join_alike(page: str, mapper: "Mapper", teacher: Teacher) -> None:
    """Join the pages that are one once the region is no evidence."""
    home = teacher.bound(page)
    if home is None:
        return
    for node in [n for n in mapper.graph.nodes.values() if n.kind is PageKind.PAGE and n.id != home]:
        shown = teacher.shown((k.observation.screen for k in node.looks), page)
        if shown and teacher.allows(home, node.id) and mapper.judge_pages(home, node.id).same:
            home = mapper.merge(home, node.id)
            teacher.take(page, home)
