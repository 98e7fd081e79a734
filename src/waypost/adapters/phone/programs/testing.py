"""`test`, `[` and `[[`: a condition in, 0 or 1 out, 2 where it makes no sense."""

import operator
from collections.abc import Callable

from waypost.adapters.phone.calls import Call, Program

__all__ = ["PROGRAMS"]

_NUMBERS: dict[str, Callable[[int, int], bool]] = {
    "-eq": operator.eq,
    "-ne": operator.ne,
    "-lt": operator.lt,
    "-le": operator.le,
    "-gt": operator.gt,
    "-ge": operator.ge,
}


class _Senseless(Exception):
    pass


def _test(call: Call) -> int:
    args = list(call.args)
    if call.name in ("[", "[["):
        end = "]" if call.name == "[" else "]]"
        if not args or args.pop() != end:
            call.err(f"{call.name}: missing {end}")
            return 2
    try:
        return 0 if _any(call, args) else 1
    except (_Senseless, ValueError) as e:
        call.err(f"{call.name}: {e or 'unexpected operator'}")
        return 2


def _any(call: Call, args: list[str]) -> bool:
    for word, join in (("-o", any), ("-a", all)):
        if word in args[1:-1]:
            parts: list[list[str]] = [[]]
            for a in args:
                if a == word:
                    parts.append([])
                else:
                    parts[-1].append(a)
            return join(_any(call, p) for p in parts)
    if args[:1] == ["!"] and len(args) > 1:
        return not _any(call, args[1:])
    return _one(call, args)


def _one(call: Call, args: list[str]) -> bool:
    match args:
        case []:
            return False
        case [text]:
            return bool(text)
        case ["-z" | "-n" as sign, text]:
            return bool(text) == (sign == "-n")
        case ["-e" | "-f" | "-d" | "-s" | "-r" | "-w" | "-x" as sign, path]:
            return _file(call, sign, path)
        case [a, "=" | "==", b]:
            return a == b
        case [a, "!=", b]:
            return a != b
        case [a, sign, b] if sign in _NUMBERS:
            return _NUMBERS[sign](int(a), int(b))
        case _:
            raise _Senseless(f"{' '.join(args)[:80]}: unexpected operator")


def _file(call: Call, sign: str, path: str) -> bool:
    entry = call.files.stat(call.path(path))
    if entry is None:
        return False
    match sign:
        case "-f":
            return not entry.folder
        case "-d":
            return entry.folder
        case "-s":
            return entry.size > 0
        case "-x":
            return bool(entry.mode & 0o111)
        case _:
            return True


PROGRAMS: dict[str, Program] = {
    "[": _test,
    "[[": _test,
    "false": lambda call: 1,
    "test": _test,
    "true": lambda call: 0,
    ":": lambda call: 0,
}
