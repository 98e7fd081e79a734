"""What other packages add through entry points: a kind of part and a name in, the part out.

Nothing is imported before it is asked for by name; what a package does wrong is told in words.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from types import UnionType
from typing import Any, Literal, TypeAlias

from waypost.errors import UsageError, WaypostError

__all__ = [
    "GROUPS",
    "Kind",
    "Plugin",
    "built_in",
    "fitting",
    "foreign",
    "loaded",
    "named",
    "plugin",
    "plugins",
    "twins",
    "unknown",
]

Kind: TypeAlias = Literal["matcher", "planner", "device", "actor", "finder"]
GROUPS: dict[Kind, str] = {
    "matcher": "waypost.matchers",
    "planner": "waypost.planners",
    "device": "waypost.devices",
    "actor": "waypost.actors",
    "finder": "waypost.finders",
}
"""The group of entry points that each kind of part is found in."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """A part that an installed package offers; not imported yet."""

    kind: Kind
    name: str
    package: str
    """The package and its version: `acme-waypost 1.2`."""
    entry: EntryPoint

    @property
    def distribution(self) -> str:
        """The package as it is uninstalled."""
        return self.package.rpartition(" ")[0]

    def __str__(self) -> str:
        return f"the plug-in {self.name!r} ({self.kind}) of {self.package}"


def plugins(kind: Kind | None = None) -> list[Plugin]:
    """List what is installed, by kind and name; reads what packages say of themselves, and no code."""
    kinds: Iterable[Kind] = GROUPS if kind is None else (kind,)
    found = [
        Plugin(
            k, entry.name, f"{entry.dist.name} {entry.dist.version}" if entry.dist else "no package", entry
        )
        for k in kinds
        for entry in entry_points(group=GROUPS[k])
    ]
    return sorted(found, key=lambda p: (p.kind, p.name, p.package))


def named(kind: Kind) -> tuple[str, ...]:
    """Return the names of the installed plug-ins of one kind that are not taken by a part of ours."""
    taken = built_in(kind)
    return tuple(dict.fromkeys(p.name for p in plugins(kind) if p.name not in taken))


def built_in(kind: Kind) -> frozenset[str]:
    """Return the names that are ours: a plug-in of such a name is never asked."""
    match kind:
        case "matcher":
            from waypost.parts.identity import MATCHERS

            return frozenset(MATCHERS)
        case "planner":
            from waypost.parts.planning import PLANNERS

            return frozenset(PLANNERS)
        case "device":
            return frozenset(("pocket", "browser", "adb", "wda", "recorded", "pixels", "http", "https"))
        case "actor":
            return frozenset(("follower", "lexical", "vision", "dual"))
        case "finder":
            from waypost.parts.pixels import FINDERS

            return frozenset(FINDERS)


def plugin(kind: Kind, name: str) -> Plugin | None:
    """Return the plug-in of a name; None where there is none. Raises UsageError where two claim it."""
    found = [p for p in plugins(kind) if p.name == name]
    if found and (wrong := twins(found[0])):
        raise UsageError(f"The {kind} {name!r} is not clear: {wrong}; uninstall one of them")
    return found[0] if found else None


def twins(offered: Plugin) -> str:
    """Say which packages offer another part of the same name; empty where none does."""
    also = [p.package for p in plugins(offered.kind) if p.name == offered.name]
    return f"{' and '.join(also)} both offer it" if len(also) > 1 else ""


def unknown(kind: Kind, name: str, ours: Iterable[str]) -> UsageError:
    """Say that there is no such part, and which there are."""
    there = [*ours, *(n for n in named(kind) if n not in ours)]
    close = get_close_matches(name, there, 1)
    meant = f" Did you mean {close[0]!r}?" if close else ""
    return UsageError(f"{name!r} is no {kind}; there are {', '.join(there)}.{meant}")


def loaded(made_by: Plugin) -> Callable[..., Any]:
    """Import a plug-in, and return what makes its parts. Raises UsageError for whatever goes wrong there."""
    found = foreign(made_by, made_by.entry.load, UsageError)
    if not callable(found):
        raise UsageError(
            f"{_said(made_by)} is of type {type(found).__name__}; a class or a function is wanted"
        )
    return found  # type: ignore[no-any-return]


def foreign(made_by: Plugin, deed: Callable[[], Any], error: type[WaypostError]) -> Any:
    """Run somebody else's code: what it raises is told in words, and never passes as a traceback."""
    try:
        return deed()
    except WaypostError:
        raise
    # A border: there is no name for all that code of others may raise.
    except Exception as e:
        said = " ".join(str(e).split())[:300]
        raise error(
            f"{_said(made_by)} failed: {type(e).__name__}: {said or 'no word'}; "
            f"mend it, or: pip uninstall {made_by.distribution}"
        ) from e


def fitting(made_by: Plugin, value: Any, kind: type | UnionType, error: type[WaypostError]) -> Any:
    """Return what a plug-in answered, where it is of the kind that the seam says. Raises `error`."""
    if not isinstance(value, kind):
        wanted = getattr(kind, "__name__", "an action")
        raise error(f"{_said(made_by)} gave {type(value).__name__} where {wanted} belongs")
    return value


def _said(made_by: Plugin) -> str:
    return f"T{str(made_by)[1:]}"
