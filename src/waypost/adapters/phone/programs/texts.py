"""Texts from files or input, to the output: echo, cat, grep, head, tail, wc, sort, base64 and their like."""

import base64
import binascii
import re
from collections.abc import Iterator

from waypost.adapters.phone.calls import Call, Program
from waypost.adapters.phone.files import FileError
from waypost.adapters.phone.programs.filing import flags

__all__ = ["PROGRAMS"]

_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "\\": "\\",
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "0": "\0",
}


def _unescaped(text: str) -> str:
    return re.sub(r"\\([ntr\\abe0])", lambda m: _ESCAPES[m[1]], text)


def _echo(call: Call) -> int:
    args = list(call.args)
    end, escapes = "\n", False
    while args and re.fullmatch(r"-[neE]+", args[0]):
        end = "" if "n" in args[0] else end
        escapes = "e" in args[0] or escapes
        args.pop(0)
    said = " ".join(args)
    call.write(((_unescaped(said) if escapes else said) + end).encode("utf-8", "replace"))
    return 0


def _printf(call: Call) -> int:
    if not call.args:
        call.err("printf: Needs 1 argument")
        return 1
    form, values = _unescaped(call.args[0]), list(call.args[1:])
    while True:
        before = len(values)

        def fill(found: re.Match[str]) -> str:
            if found[0] == "%%":
                return "%"
            value = values.pop(0) if values else ""
            if found[2] == "d":
                value = value if re.fullmatch(r"-?\d+", value) else "0"
            return value.rjust(int(found[1])) if found[1].isdecimal() else value

        call.write(re.sub(r"%(\d{0,3})([sdb%])", fill, form).encode("utf-8", "replace"))
        if not values or len(values) == before:
            return 0


def _sources(call: Call, paths: list[str]) -> Iterator[tuple[str, bytes]]:
    """Yield each file's content by the name that was given; the input where there is none."""
    for path in paths or ["-"]:
        if path == "-":
            yield "-", call.everything()
            continue
        full = call.path(path)
        if full == "/dev/null":
            continue
        try:
            yield path, call.files.read(full)
        except FileError as e:
            call.err(f"{call.name}: {path}: {e.reason}")
            yield path, b""


def _cat(call: Call) -> int:
    _, paths = flags(call)
    if not paths:
        while data := call.read():
            call.write(data)
        return 0
    missing = [p for p in paths if p != "-" and call.path(p) != "/dev/null" and not _readable(call, p)]
    for _, data in _sources(call, paths):
        call.write(data)
    return 1 if missing else 0


def _readable(call: Call, path: str) -> bool:
    entry = call.files.stat(call.path(path))
    return entry is not None and not entry.folder


def _lines(data: bytes) -> list[bytes]:
    return data.removesuffix(b"\n").split(b"\n") if data else []


def _cut(call: Call) -> int:
    """Write the first lines, or the last ones where the program is `tail`."""
    args, count, paths = list(call.args), 10, []
    while args:
        arg = args.pop(0)
        if arg in ("-n", "-c") and args:
            count = int(args.pop(0).lstrip("+") or 0) if args[0].lstrip("+-").isdecimal() else 10
        elif re.fullmatch(r"-n?\d+", arg):
            count = int(arg.lstrip("-n"))
        else:
            paths.append(arg)
    for _, data in _sources(call, paths):
        lines = _lines(data)
        kept = lines[:count] if call.name == "head" else lines[max(0, len(lines) - count) :]
        if kept:
            call.write(b"\n".join(kept) + b"\n")
    return 0


def _grep(call: Call) -> int:
    asked, rest = flags(call)
    if not rest:
        call.err("grep: no REGEX")
        return 2
    pattern = re.escape(rest[0]) if "F" in asked or call.name == "fgrep" else _basic(rest[0], asked)
    try:
        wanted = re.compile(pattern.encode(), re.IGNORECASE if "i" in asked else 0)
    except re.error:
        call.err(f"grep: bad REGEX '{rest[0]}'")
        return 2
    hits = 0
    for _, data in _sources(call, rest[1:]):
        for line in _lines(data):
            found = wanted.search(line)
            if (found is None) != ("v" in asked):
                continue
            hits += 1
            if not asked & {"q", "c"}:
                call.write((found[0] if "o" in asked and found else line) + b"\n")
    if "c" in asked:
        call.out(str(hits))
    return 0 if hits else 1


def _basic(pattern: str, asked: set[str]) -> str:
    """Turn a basic regular expression into an extended one: bare braces and bars are plain there."""
    if "E" in asked:
        return pattern
    swapped = {r"\(": "(", r"\)": ")", r"\{": "{", r"\}": "}", r"\|": "|", r"\+": "+", r"\?": "?"}
    swapped |= {v: k for k, v in swapped.items()}
    return re.sub(r"\\?[(){}|+?]|\\.", lambda m: swapped.get(m[0], m[0]), pattern)


def _wc(call: Call) -> int:
    asked, paths = flags(call)
    for path, data in _sources(call, paths):
        counts = {"l": data.count(b"\n"), "w": len(data.split()), "c": len(data)}
        shown = [str(counts[k]) for k in counts if k in asked or not asked & set(counts)]
        call.out(" ".join(shown + ([path] if path != "-" else [])))
    return 0


def _sort(call: Call) -> int:
    asked, paths = flags(call)
    lines = [line for _, data in _sources(call, paths) for line in _lines(data)]
    ordered = sorted(set(lines) if "u" in asked else lines, reverse="r" in asked)
    for line in ordered:
        call.write(line + b"\n")
    return 0


def _uniq(call: Call) -> int:
    last = None
    for _, data in _sources(call, flags(call)[1]):
        for line in _lines(data):
            if line != last:
                call.write(line + b"\n")
            last = line
    return 0


def _tr(call: Call) -> int:
    asked, rest = flags(call)
    text = call.everything().decode("utf-8", "replace")
    if "d" in asked and rest:
        gone = set(_unescaped(rest[0]))
        text = "".join(c for c in text if c not in gone)
    elif len(rest) == 2:
        ours, theirs = _unescaped(rest[0]), _unescaped(rest[1])
        text = text.translate({ord(a): theirs[min(i, len(theirs) - 1)] for i, a in enumerate(ours) if theirs})
    call.write(text.encode("utf-8", "replace"))
    return 0


def _base64(call: Call) -> int:
    asked, paths = flags(call)
    for _, data in _sources(call, [p for p in paths if not p.isdecimal()]):
        if "d" not in asked:
            call.out(base64.b64encode(data).decode())
            continue
        try:
            call.write(base64.b64decode(data))
        except binascii.Error:
            call.err("base64: bad input")
            return 1
    return 0


PROGRAMS: dict[str, Program] = {
    "base64": _base64,
    "cat": _cat,
    "echo": _echo,
    "egrep": _grep,
    "fgrep": _grep,
    "grep": _grep,
    "head": _cut,
    "printf": _printf,
    "sort": _sort,
    "tail": _cut,
    "tr": _tr,
    "uniq": _uniq,
    "wc": _wc,
}
