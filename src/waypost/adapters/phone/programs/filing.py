"""Files and folders: ls, rm, mkdir, cp, mv, touch, stat, md5sum and their like."""

import hashlib
import stat
import time

from waypost.adapters.phone.calls import Call, Program
from waypost.adapters.phone.files import Entry, FileError

__all__ = ["PROGRAMS", "flags"]


def flags(call: Call) -> tuple[set[str], list[str]]:
    """Split arguments into single-letter flags and the rest; `--` ends the flags."""
    found: set[str] = set()
    rest: list[str] = []
    for i, arg in enumerate(call.args):
        if arg == "--":
            rest += call.args[i + 1 :]
            break
        if arg.startswith("--"):
            found.add(arg)
        elif arg.startswith("-") and len(arg) > 1:
            found |= set(arg[1:])
        else:
            rest.append(arg)
    return found, rest


def _ls(call: Call) -> int:
    asked, paths = flags(call)
    code = 0
    for path in paths or ["."]:
        entry = call.files.stat(call.path(path))
        if entry is None:
            call.err(f"ls: {path}: No such file or directory")
            code = 1
            continue
        inside = call.files.list(call.path(path)) if entry.folder and "d" not in asked else None
        if inside is not None and "l" in asked:
            call.out("total " + str(sum(-(-e.size // 1024) for e in inside)))
        for e in inside if inside is not None else [entry]:
            name = e.name if inside is not None else path
            if not name.startswith(".") or "a" in asked or inside is None:
                call.out(_long(e, name) if "l" in asked else name)
    return code


def _long(entry: Entry, name: str) -> str:
    at = time.strftime("%Y-%m-%d %H:%M", time.gmtime(entry.changed))
    return f"{stat.filemode(entry.mode)} 1 shell shell {entry.size:>8} {at} {name}"


def _rm(call: Call) -> int:
    asked, paths = flags(call)
    code = 0
    for path in paths:
        try:
            call.files.remove(call.path(path), folders=bool(asked & {"r", "R"}))
        except FileError as e:
            if "f" in asked and e.reason == "No such file or directory":
                continue
            call.err(f"rm: {path}: {e.reason}")
            code = 1
    return code


def _mkdir(call: Call) -> int:
    asked, paths = flags(call)
    code = 0
    for path in paths:
        try:
            call.files.make_folder(call.path(path), parents="p" in asked)
        except FileError as e:
            call.err(f"mkdir: '{path}': {e.reason}")
            code = 1
    return code


def _rmdir(call: Call) -> int:
    code = 0
    for path in flags(call)[1]:
        try:
            if call.files.list(call.path(path)):
                raise FileError("Directory not empty")
            call.files.remove(call.path(path), folders=True)
        except FileError as e:
            call.err(f"rmdir: {path}: {e.reason}")
            code = 1
    return code


def _touch(call: Call) -> int:
    for path in flags(call)[1]:
        full = call.path(path)
        entry = call.files.stat(full)
        if entry is not None and entry.folder:
            continue
        try:
            call.files.write(full, call.files.read(full) if entry else b"")
        except FileError as e:
            call.err(f"touch: '{path}': {e.reason}")
            return 1
    return 0


def _copy(call: Call) -> int:
    """Copy files, or move them where the program is `mv`."""
    _, paths = flags(call)
    if len(paths) < 2:
        call.err(f"{call.name}: Needs 2 arguments")
        return 1
    *sources, target = paths
    for source in sources:
        try:
            data = call.files.read(call.path(source))
            into = call.path(target)
            entry = call.files.stat(into)
            if entry is not None and entry.folder:
                into = into.rstrip("/") + "/" + call.path(source).rpartition("/")[2]
            if into == call.path(source):
                raise FileError("is the same file")
            call.files.write(into, data)
            if call.name == "mv":
                call.files.remove(call.path(source))
        except FileError as e:
            call.err(f"{call.name}: {source}: {e.reason}")
            return 1
    return 0


def _sum(call: Call) -> int:
    """Write sums as md5sum, sha1sum and sha256sum do."""
    kind = call.name.removesuffix("sum")
    code = 0
    for path in flags(call)[1] or ["-"]:
        try:
            data = call.everything() if path == "-" else call.files.read(call.path(path))
        except FileError as e:
            call.err(f"{call.name}: {path}: {e.reason}")
            code = 1
            continue
        call.out(f"{hashlib.new(kind, data, usedforsecurity=False).hexdigest()}  {path}")
    return code


def _stat(call: Call) -> int:
    args = list(call.args)
    form = "%n %s"
    if args[:1] == ["-c"] and len(args) > 1:
        form, args = args[1], args[2:]
    for path in args:
        entry = call.files.stat(call.path(path))
        if entry is None:
            call.err(f"stat: '{path}': No such file or directory")
            return 1
        said = form
        for sign, value in (
            ("%n", path),
            ("%s", str(entry.size)),
            ("%Y", str(entry.changed)),
            ("%a", f"{entry.mode & 0o777:o}"),
            ("%F", "directory" if entry.folder else "regular file"),
        ):
            said = said.replace(sign, value)
        call.out(said)
    return 0


def _chmod(call: Call) -> int:
    for path in flags(call)[1][1:]:
        if call.files.stat(call.path(path)) is None:
            call.err(f"{call.name}: {path}: No such file or directory")
            return 1
    return 0


def _df(call: Call) -> int:
    call.out("Filesystem     1K-blocks    Used Available Use% Mounted on")
    call.out("/dev/fuse         262144       0    262144   0% /storage/emulated")
    return 0


PROGRAMS: dict[str, Program] = {
    "chmod": _chmod,
    "chown": _chmod,
    "cp": _copy,
    "df": _df,
    "ls": _ls,
    "md5sum": _sum,
    "mkdir": _mkdir,
    "mv": _copy,
    "rm": _rm,
    "rmdir": _rmdir,
    "sha1sum": _sum,
    "sha256sum": _sum,
    "stat": _stat,
    "touch": _touch,
}
