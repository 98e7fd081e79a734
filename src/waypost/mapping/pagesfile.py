"""`pages.yaml`: the text that holds a map's corrections in, the corrections out, and back."""

import dataclasses
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

import yaml

from waypost.errors import MapError
from waypost.mapping.corrections import Correction, Corrections, Ignore, Merge, Pin, Rename, Split, handles
from waypost.mapping.layers import LayerKind
from waypost.mapping.regions import Region
from waypost.mapping.signature import Signature
from waypost.model import TreeQuality

__all__ = ["FILE", "dump", "parse", "read_corrections", "write_corrections"]

FILE = "pages.yaml"
_HEAD = """\
# Corrections of this map, in the order in which they were made; `waypost pages MAP` writes them.
# `pages` says what each page shows that they name, so that it is found again on a map made anew.
# May be edited; comments of your own are not kept.
"""
_ENUMS: Mapping[str, type[Enum]] = {"layer": LayerKind, "quality": TreeQuality}
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Problem(Exception):
    def __init__(self, path: tuple[str | int, ...], message: str) -> None:
        super().__init__(message)
        self.path, self.message = path, message


def read_corrections(folder: Path) -> Corrections:
    """Read a map's corrections; none where there is no file. Raises MapError with the line and the cure."""
    path = folder / FILE
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Corrections()
    except (OSError, UnicodeDecodeError) as e:
        raise MapError(f"Cannot read {str(path)!r}: {e}; mend it, or move it away") from e
    return parse(text, str(path))


def write_corrections(folder: Path, corrections: Corrections) -> None:
    """Write a map's corrections: the old file is there whole until the new one is."""
    path = folder / FILE
    if not corrections and not corrections.pages:
        path.unlink(missing_ok=True)
        return
    aside = path.with_name(path.name + ".part")
    aside.write_text(dump(corrections), encoding="utf-8")
    aside.replace(path)


def dump(corrections: Corrections) -> str:
    """Write corrections as text: the pages sorted, all sets sorted, equal for equal corrections."""
    pages: dict[str, Any] = {
        h: {"looks": [_told(s) for s in looks]} for h, looks in corrections.pages.items()
    }
    for node, name in corrections.names.items():
        pages.setdefault(node, {})["name"] = name
    whole: dict[str, Any] = {}
    if corrections.made:
        whole["corrections"] = [_row(c) for c in corrections.made]
    if pages:
        whole["pages"] = {k: pages[k] for k in sorted(pages)}
    body = yaml.dump(
        whole, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=100, default_flow_style=False
    )
    return _HEAD + body


class _Dumper(yaml.SafeDumper):
    """Sets as lists on one line each; nothing is written as a reference to something above."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


class _Set(list[Any]):
    pass


_Dumper.add_representer(
    _Set, lambda dumper, data: dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=True)
)


def _row(correction: Correction) -> dict[str, Any]:
    match correction:
        case Merge(page=page, other=other):
            return {"merge": _Set([page, other])}
        case Split(page=page, off=off):
            return {"split": page, "apart": off}
        case Rename(page=page, name=name, was=was):
            return {"rename": page, "to": name, **({"was": was} if was else {})}
        case Pin(page=page):
            return {"pin": page}
        case Ignore(page=page, region=region):
            return {"ignore": page, "region": str(region)}


def _told(s: Signature) -> dict[str, Any]:
    """Write the fields of a look that say something."""
    row: dict[str, Any] = {}
    for f in dataclasses.fields(Signature):
        value = getattr(s, f.name)
        if f.name in _LEFT or value == f.default:
            continue
        if isinstance(value, frozenset):
            row[f.name] = _Set(sorted(list(v) if isinstance(v, tuple) else v for v in value))
        elif isinstance(value, tuple):  # In the order in which it is seen.
            row[f.name] = _Set(value)
        else:
            row[f.name] = value.value if isinstance(value, Enum) else value
    return row


_LEFT = ("content", "digest", "links", "row_links", "size")


# Reading


def parse(text: str, where: str = FILE) -> Corrections:
    """Read corrections; `where` names the file in messages. Raises MapError with the line and the cure."""
    try:
        raw = yaml.load(text, Loader=_LOADER)
    except yaml.YAMLError as e:
        mark = getattr(e, "problem_mark", None)
        # What is missing at the end is told of the last line that there is.
        last = max(1, len(text.splitlines()))
        line = f", line {min(mark.line + 1, last)}" if mark is not None else ""
        raise MapError(f"{where}{line}: not YAML ({getattr(e, 'problem', None) or e}); {_CURE}") from e
    try:
        return _corrections(raw)
    except _Problem as e:
        raise MapError(f"{where}, line {_line(text, e.path)}: {e.message}; {_CURE}") from e


_CURE = "mend the line, or move the file away to do without corrections"


def _corrections(raw: Any) -> Corrections:
    if raw is None:
        return Corrections()
    if not isinstance(raw, dict):
        raise _Problem((), "it starts with `corrections:` or `pages:`")
    for key in raw:
        if key not in ("corrections", "pages"):
            raise _Problem((key,), f"{key!r} is neither `corrections` nor `pages`")
    pages, names = _pages(raw.get("pages"))
    rows = raw.get("corrections") or []
    if not isinstance(rows, list):
        raise _Problem(("corrections",), "`corrections` is a list")
    made = tuple(_correction(row, ("corrections", i)) for i, row in enumerate(rows))
    for i, c in enumerate(made):
        for handle in handles(c):
            if handle not in pages:
                raise _Problem(
                    ("corrections", i), f"{handle!r} is not among `pages`, with what it looks like"
                )
    return Corrections(pages, made, names)


def _pages(raw: Any) -> tuple[dict[str, tuple[Signature, ...]], dict[str, str]]:
    pages: dict[str, tuple[Signature, ...]] = {}
    names: dict[str, str] = {}
    if raw is not None and not isinstance(raw, dict):
        raise _Problem(("pages",), "`pages` names pages, each with its `looks` or its `name`")
    for key, value in (raw or {}).items():
        at = ("pages", key)
        if not isinstance(value, dict) or not value or set(value) - {"looks", "name"}:
            raise _Problem(at, f"{key!r} wants `looks:` or `name:`")
        if "name" in value:
            names[str(key)] = _text(value["name"], (*at, "name"), "a name")
        if "looks" in value:
            looks = value["looks"]
            if not isinstance(looks, list) or not looks:
                raise _Problem((*at, "looks"), "`looks` is a list of what the page shows")
            pages[str(key)] = tuple(_look(row, (*at, "looks", i)) for i, row in enumerate(looks))
    return pages, names


def _text(value: Any, at: tuple[str | int, ...], what: str) -> str:
    if not isinstance(value, (str, int, float)) or isinstance(value, bool) or not str(value).strip():
        raise _Problem(at, f"{what} is a text")
    return str(value)


_VERBS: Mapping[str, tuple[str, ...]] = {
    "merge": ("merge",),
    "split": ("split", "apart"),
    "rename": ("rename", "to", "was"),
    "pin": ("pin",),
    "ignore": ("ignore", "region"),
}


def _correction(row: Any, at: tuple[str | int, ...]) -> Correction:
    if not isinstance(row, dict):
        raise _Problem(at, "a correction is one of " + ", ".join(f"`{v}:`" for v in _VERBS))
    verb = next((v for v in _VERBS if v in row), None)
    if verb is None or set(row) - set(_VERBS[verb]):
        raise _Problem(at, "a correction is one of " + ", ".join(f"`{v}:`" for v in _VERBS))

    def told(key: str) -> str:
        if key not in row:
            raise _Problem(at, f"`{verb}` wants `{key}` as well")
        return _text(row[key], (*at, key), f"`{key}`")

    make: Mapping[str, Callable[[], Correction]] = {
        "merge": lambda: _merge(row["merge"], (*at, "merge")),
        "split": lambda: Split(told("split"), told("apart")),
        "rename": lambda: Rename(told("rename"), told("to"), str(row.get("was", ""))),
        "pin": lambda: Pin(told("pin")),
        "ignore": lambda: Ignore(told("ignore"), _region(told("region"), (*at, "region"))),
    }
    return make[verb]()


def _merge(pages: Any, at: tuple[str | int, ...]) -> Merge:
    if not isinstance(pages, list) or len(pages) != 2:
        raise _Problem(at, "`merge` names two pages: [ONE, OTHER]")
    one, other = (_text(p, (*at, i), "a page") for i, p in enumerate(pages))
    return Merge(one, other)


def _region(text: str, at: tuple[str | int, ...]) -> Region:
    try:
        return Region.parse(text)
    except ValueError as e:
        raise _Problem(at, str(e)) from e


def _look(row: Any, at: tuple[str | int, ...]) -> Signature:
    """Read one look; fields that are not known are those of another version, and are left out."""
    if not isinstance(row, dict):
        raise _Problem(at, "a look is a map of what is seen")
    fields = {f.name: f for f in dataclasses.fields(Signature)}
    told: dict[str, Any] = {}
    for name in (n for n in row if n in fields and n not in _LEFT):
        value, default = row[name], fields[name].default
        if isinstance(default, frozenset):
            told[name] = _set(value, (*at, name), pairs=name == "view")
        elif name == "grid":
            told[name] = _numbers(value, (*at, name))
        elif isinstance(default, tuple):
            _set(value, (*at, name), pairs=False)
            told[name] = tuple(value)
        elif name in _ENUMS:
            try:
                told[name] = _ENUMS[name](value)
            except ValueError as e:
                raise _Problem((*at, name), f"{value!r} is no {name}") from e
        elif type(value) is not type(default):
            raise _Problem((*at, name), f"`{name}` is a {type(default).__name__}")
        else:
            told[name] = value
    return Signature(**told)


def _numbers(value: Any, at: tuple[str | int, ...]) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2 or not all(type(v) is int and v >= 0 for v in value):
        raise _Problem(at, f"`{at[-1]}` is two numbers, across and down")
    return value[0], value[1]


def _set(value: Any, at: tuple[str | int, ...], *, pairs: bool) -> frozenset[Any]:
    if not isinstance(value, list):
        raise _Problem(at, f"`{at[-1]}` is a list")
    if pairs:
        if not all(isinstance(v, list) and len(v) == 2 for v in value):
            raise _Problem(at, f"`{at[-1]}` is a list of pairs")
        return frozenset((str(a), str(b)) for a, b in value)
    if not all(isinstance(v, str) for v in value):
        raise _Problem(at, f"`{at[-1]}` is a list of texts; put what looks like a number into quotes")
    return frozenset(value)


def _line(text: str, path: tuple[str | int, ...]) -> int:
    """Return the line of the deepest part of `path` that is there."""
    node, line = yaml.compose(text, Loader=_LOADER), 1
    for part in path:
        found = None
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if key.value == str(part):
                    found, line = value, key.start_mark.line + 1
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            found = node.value[part]
            line = found.start_mark.line + 1
        if found is None:
            break
        node = found
    return line
