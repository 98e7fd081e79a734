"""How one family of models is spoken to: its name in, its prompt, reader and coordinates out."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template

from waypost.actors.placing import Scale
from waypost.actors.replies import Said, Unreadable, agentcpm, listed, qwen, uitars
from waypost.anchors.reading import texts
from waypost.model import Screen
from waypost.model.wording import quoted

__all__ = ["DIALECTS", "Dialect", "dialect_of", "filled"]


@dataclass(frozen=True, slots=True)
class Dialect:
    name: str
    read: Callable[[str], Said | Unreadable]
    prompt: str
    """Name of the text file beside this module."""
    eyes: bool = True
    """The model is sent a screenshot."""
    marks: bool = False
    """Elements carry numbers, on the screenshot and in the words."""
    scale: Scale = Scale.THOUSAND


DIALECTS = {
    d.name: d
    for d in (
        Dialect("uitars", uitars, "uitars", scale=Scale.PICTURE),
        Dialect("uitars-1000", uitars, "uitars"),
        Dialect("qwen", qwen, "qwen"),
        Dialect("qwen-pixels", qwen, "qwen", scale=Scale.PICTURE),
        Dialect("agentcpm", agentcpm, "agentcpm"),
        Dialect("marks", listed, "marks", marks=True),
        Dialect("tree", listed, "tree", eyes=False, marks=True),
    )
}
"""By name: those of models that were trained on one, then the two for all others."""


def dialect_of(model: str, *, images: bool = True) -> Dialect:
    """Choose by a model's name; numbered elements for whatever was trained on no grammar of its own.

    >>> dialect_of("ByteDance/UI-TARS-1.5-7B").name, dialect_of("ui-tars-72b-dpo").name
    ('uitars', 'uitars-1000')
    >>> dialect_of("qwen3-vl-plus").name, dialect_of("Qwen2.5-VL-7B").name, dialect_of("gpt-5").name
    ('qwen', 'qwen-pixels', 'marks')
    >>> dialect_of("qwen3-vl-plus", images=False).name
    'tree'
    """
    name = model.casefold().replace("_", "-")
    if not images:
        return DIALECTS["tree"]
    if "ui-tars" in name or "uitars" in name:
        return DIALECTS["uitars" if "1.5" in name or "-2" in name else "uitars-1000"]
    if "agentcpm" in name:
        return DIALECTS["agentcpm"]
    if "qwen" in name and "vl" in name:
        return DIALECTS["qwen-pixels" if "2.5" in name or "qwen2" in name else "qwen"]
    return DIALECTS["marks"]


def shown(screen: Screen, most: int = 60) -> str:
    """Quote the first texts of a screen for a prompt, each once; secrets left out."""
    return "; ".join(quoted(t) for t in texts(screen)[:most])


def filled(name: str, **values: str) -> str:
    """Fill a prompt of this room; a value is never read as a template."""
    return _template(name).substitute(values).strip() + "\n"


@cache
def _template(name: str) -> Template:
    return Template(Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8"))
