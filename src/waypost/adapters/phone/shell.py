"""A command line in, its exit code out: runs the phone's own programs, and never one of the host's."""

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from waypost.adapters.phone.calls import Call, Program
from waypost.adapters.phone.console import Console
from waypost.adapters.phone.expanding import Expander
from waypost.adapters.phone.files import FileError, Files
from waypost.adapters.phone.grammar import parse
from waypost.adapters.phone.handset import Handset
from waypost.adapters.phone.redirects import Ends, Overfull, into, once, redirected
from waypost.adapters.phone.streams import StreamClosed
from waypost.adapters.phone.syntax import (
    Command,
    For,
    Group,
    If,
    Loop,
    Pipeline,
    Redirect,
    Script,
    Simple,
    SyntaxFault,
    Word,
)
from waypost.errors import DeviceError

__all__ = ["SHELL", "Shell"]

SHELL = "/system/bin/sh"
_NESTED = 60
"""How deep commands may call each other, by brackets, `$(...)` or `sh -c`."""


class _Exit(Exception):
    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class _Break(Exception):
    """`break`, or `continue` where `again`."""

    def __init__(self, again: bool) -> None:
        super().__init__()
        self.again = again


class Shell:
    """One shell: variables, a working folder, the last exit code."""

    def __init__(
        self,
        handset: Handset,
        files: Files,
        programs: Mapping[str, Program],
        console: Console,
        gone: threading.Event,
    ) -> None:
        self._handset = handset
        self._files = files
        self._programs = programs
        self._console = console
        self._gone = gone
        self._folder = "/"
        self._code = 0
        self._depth = 0
        self._variables = {
            "HOME": "/",
            "PATH": "/system/bin",
            "SHELL": SHELL,
            "USER": "shell",
            "EXTERNAL_STORAGE": "/sdcard",
            "TMPDIR": "/data/local/tmp",
            "$": "4242",
            "#": "0",
            "0": SHELL,
        }

    def run(self, text: str) -> int:
        """Run a command line. Raises StreamClosed where nobody waits for it any more."""
        ends = Ends(self._console.read, self._console.out, self._console.err)
        try:
            return self._text(text, ends)
        except _Exit as e:
            return e.code
        except _Break:
            return 0
        except Overfull:
            ends.err(f"{SHELL}: Killed\n".encode())
            return 137

    def _text(self, text: str, ends: Ends) -> int:
        try:
            script = parse(text)
        except (SyntaxFault, RecursionError) as e:
            ends.err(f"{SHELL}: syntax error: {e}\n".encode())
            return 1
        return self._script(script, ends)

    # What stands above a command.

    def _script(self, script: Script, ends: Ends) -> int:
        self._depth += 1
        if self._depth > _NESTED:
            raise _Exit(1)
        try:
            for step in script:
                if step.after == ";" or (step.after == "&&") == (self._code == 0):
                    self._code = self._pipeline(step.pipeline, ends)
            return self._code
        finally:
            self._depth -= 1

    def _pipeline(self, pipeline: Pipeline, ends: Ends) -> int:
        if self._gone.is_set():
            raise StreamClosed("the client has gone")
        *before, last = pipeline.commands
        read = ends.read
        for command in before:
            made = bytearray()
            self._apart(command, Ends(read, into(made), ends.err))
            read = once(bytes(made))
        code = self._command(last, replace(ends, read=read))
        return int(not code) if pipeline.negated else code

    def _apart(self, command: Command, ends: Ends) -> int:
        """Run as a shell of its own would: what it changes stays with it."""
        folder, variables, code = self._folder, dict(self._variables), self._code
        try:
            return self._command(command, ends)
        except _Exit as e:
            return e.code
        finally:
            self._folder, self._variables, self._code = folder, variables, code

    def _command(self, command: Command, ends: Ends) -> int:
        match command:
            case Simple():
                return self._simple(command, ends)
            case Group():
                return self._within(command.redirects, ends, lambda inner: self._group(command, inner))
            case If(branches=branches, otherwise=otherwise):
                for condition, body in branches:
                    if self._script(condition, ends) == 0:
                        return self._script(body, ends)
                return self._script(otherwise, ends) if otherwise is not None else 0
            case Loop(condition=condition, body=body, until=until):
                return self._loop(lambda: (self._script(condition, ends) != 0) == until, body, ends)
            case For(name=name, words=words, body=body):
                values = iter(self._expander(ends).arguments(words))
                return self._loop(lambda: self._assigned(name, values), body, ends)

    def _group(self, group: Group, ends: Ends) -> int:
        return self._apart(Group(group.body), ends) if group.subshell else self._script(group.body, ends)

    def _within(self, redirects: tuple[Redirect, ...], ends: Ends, run: Callable[[Ends], int]) -> int:
        """Run with redirects applied; what was said into files is written when it is done."""
        if not redirects:
            return run(ends)
        said = ""

        def resolve(word: Word) -> tuple[str, str]:
            nonlocal said
            said = self._expander(ends).text(word)
            return said, self._files.resolve(said, self._folder)

        console = Ends(self._console.read, self._console.out, self._console.err)
        try:
            made = redirected(redirects, ends, resolve, self._files, console)
            try:
                return run(made.ends)
            finally:
                made.finish(self._files)
        except FileError as e:
            ends.err(f"{SHELL}: can't open {said}: {e.reason}\n".encode("utf-8", "replace"))
            return 1

    def _assigned(self, name: str, values: Iterator[str]) -> bool:
        value = next(values, None)
        if value is not None:
            self._variables[name] = value
        return value is not None

    def _loop(self, going: Callable[[], bool], body: Script, ends: Ends) -> int:
        code = 0
        while going():
            try:
                code = self._script(body, ends)
            except _Break as e:
                if not e.again:
                    break
        return code

    # One command.

    def _simple(self, command: Simple, ends: Ends) -> int:
        try:
            expander = self._expander(ends)
            argv = expander.arguments(command.words)
            assigned = {name: expander.text(word) for name, word in command.assigned}
        except SyntaxFault as e:
            ends.err(f"{SHELL}: {e}\n".encode())
            return 1
        if not argv:
            self._variables.update(assigned)
        return self._within(
            command.redirects, ends, lambda inner: self._invoke(argv, assigned, inner) if argv else 0
        )

    def _invoke(self, argv: list[str], assigned: dict[str, str], ends: Ends) -> int:
        name, args = argv[0], argv[1:]
        match name:
            case "export" | "local" | "readonly" | "typeset" | "unset" | "set" | "umask" | "trap" | "ulimit":
                self._declare(name, args)
                return 0
            case "cd":
                return self._enter(args[0] if args else "/", ends)
            case "exit" | "return":
                raise _Exit(int(args[0]) & 0xFF if args and args[0].isdecimal() else self._code)
            case "break" | "continue":
                raise _Break(name == "continue")
            case "eval":
                return self._text(" ".join(args), ends)
            case "exec" | "command" | "nohup" | "builtin" if args and not args[0].startswith("-"):
                return self._invoke(args, assigned, ends)
            case "sh" | "/system/bin/sh" | "mksh":
                return self._nested(args, ends)
            case "command" | "type" if args:
                return self._where(args[-1], ends)
        return self._program(argv, assigned, ends)

    def _declare(self, name: str, args: list[str]) -> None:
        for word in args:
            key, sign, value = word.partition("=")
            if name == "unset":
                self._variables.pop(key, None)
            elif sign and key.isidentifier():
                self._variables[key] = value

    def _program(self, argv: list[str], assigned: dict[str, str], ends: Ends) -> int:
        name = argv[0].removeprefix("/system/bin/").removeprefix("/system/xbin/")
        program = self._programs.get(name)
        if program is None:
            return self._unknown(argv, ends)
        call = Call(
            (name, *argv[1:]),
            self._handset,
            self._files,
            self._folder,
            {**self._variables, **assigned},
            ends.read,
            ends.out,
            ends.err,
            self._gone,
        )
        try:
            return program(call)
        except DeviceError as e:
            self._handset.note(f"{' '.join(argv)[:200]!r} failed: {e}")
            call.err(f"{name}: {e}")
            return 1

    def _unknown(self, argv: list[str], ends: Ends) -> int:
        name = argv[0]
        entry = self._files.stat(self._files.resolve(name, self._folder)) if "/" in name else None
        self._handset.note(f"unknown command: {' '.join(argv)[:200]!r}")
        if entry is not None:
            why = "Is a directory" if entry.folder else "Permission denied"
            ends.err(f"{SHELL}: {name}: can't execute: {why}\n".encode("utf-8", "replace"))
            return 126
        ends.err(f"{SHELL}: {name}: inaccessible or not found\n".encode("utf-8", "replace"))
        return 127

    def _nested(self, args: list[str], ends: Ends) -> int:
        if args[:1] == ["-c"] and len(args) > 1:
            text = args[1]
        elif args and not args[0].startswith("-"):
            try:
                text = self._files.read(self._files.resolve(args[0], self._folder)).decode("utf-8", "replace")
            except FileError as e:
                ends.err(f"{SHELL}: {args[0]}: {e.reason}\n".encode("utf-8", "replace"))
                return 127
        else:
            text = b"".join(iter(ends.read, b"")).decode("utf-8", "replace")
        try:
            script = parse(text)
        except (SyntaxFault, RecursionError) as e:
            ends.err(f"{SHELL}: syntax error: {e}\n".encode("utf-8", "replace"))
            return 1
        return self._apart(Group(script), ends)

    def _where(self, name: str, ends: Ends) -> int:
        if name in self._programs:
            ends.out(f"/system/bin/{name}\n".encode())
            return 0
        return 1

    def _enter(self, path: str, ends: Ends) -> int:
        full = self._files.resolve(path, self._folder)
        entry = self._files.stat(full)
        if entry is None or not entry.folder:
            why = "No such file or directory" if entry is None else "Not a directory"
            ends.err(f"{SHELL}: cd: {path}: {why}\n".encode("utf-8", "replace"))
            return 2
        self._folder = self._variables["PWD"] = full
        return 0

    def _expander(self, ends: Ends) -> Expander:
        def output(script: Script) -> bytes:
            made = bytearray()
            self._apart(Group(script), replace(ends, out=into(made)))
            return bytes(made)

        variables = {"PWD": self._folder, **self._variables, "?": str(self._code)}
        return Expander(variables, self._files, self._folder, output)
