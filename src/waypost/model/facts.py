"""What a step needs and changes besides the page: literals and the facts that hold in, what holds after out.

A literal is `signed_in`, `not signed_in` or, for what has one value of several, `clipboard=address`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

__all__ = ["Fact", "Literal", "changed", "holding", "initial", "kept", "literal"]


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that may hold while an app is used: signed in, a permission given, an item there."""

    name: str
    initial: bool = False
    """Whether it holds before anything was done."""
    volatile: bool = False
    """Lost when the app is relaunched: an open dialog, a text typed and not saved."""
    note: str = ""
    """What it stands for, in words."""


@dataclass(frozen=True, slots=True)
class Literal:
    fact: str
    """The name, with the value where it has one: `clipboard=address`."""
    positive: bool = True

    @property
    def variable(self) -> str:
        """The name without the value."""
        return self.fact.partition("=")[0]


def literal(text: str) -> Literal:
    """Read a literal. Raises ValueError where there is no name in it.

    >>> literal("not signed_in")
    Literal(fact='signed_in', positive=False)
    >>> literal(" clipboard = address ").variable
    'clipboard'
    """
    words = text.strip()
    positive = words.partition(" ")[0] != "not"
    name, equals, value = (words if positive else words[3:]).partition("=")
    name, value = name.strip(), value.strip()
    if not name or (equals and not value):
        raise ValueError(f"{text!r} is no fact; write `name`, `not name` or `name=value`")
    return Literal(f"{name}={value}" if equals else name, positive)


def holding(literals: Iterable[str], held: frozenset[str]) -> bool:
    """Whether all `literals` hold.

    >>> holding(("signed_in", "not locked"), frozenset({"signed_in"}))
    True
    """
    return all((read.fact in held) is read.positive for read in map(literal, literals))


def changed(held: frozenset[str], effects: Iterable[str]) -> frozenset[str]:
    """Return what holds after `effects`: a value drives out the other values of its name.

    >>> sorted(changed(frozenset({"clipboard=a", "locked"}), ("clipboard=b", "not locked")))
    ['clipboard=b']
    """
    for read in map(literal, effects):
        if read.positive:
            gone = {f for f in held if "=" in read.fact and f.partition("=")[0] == read.variable}
            held = (held - gone) | {read.fact}
        else:
            held = held - {f for f in held if f == read.fact or f.partition("=")[0] == read.fact}
    return held


def initial(facts: Mapping[str, Fact]) -> frozenset[str]:
    """Return what holds before anything was done."""
    return frozenset(name for name, fact in facts.items() if fact.initial)


def kept(held: frozenset[str], facts: Mapping[str, Fact]) -> frozenset[str]:
    """Return what still holds after a relaunch; a value is lost where it or its name is volatile."""
    lost = {name for name, fact in facts.items() if fact.volatile}
    return frozenset(f for f in held if f not in lost and f.partition("=")[0] not in lost)
