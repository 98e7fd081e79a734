"""YAML file in, compiled `Spec` out; whatever is wrong is said with its file, line and path."""

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from waypost.adapters.pocket.compiling import Problem, compile_app
from waypost.adapters.pocket.spec import Spec
from waypost.errors import UsageError

__all__ = ["apps", "load", "load_file", "parse"]

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def apps() -> tuple[str, ...]:
    """Names of the apps that ship with the phone, sorted."""
    folder = files(__package__) / "apps"
    return tuple(sorted(f.name[: -len(".yaml")] for f in folder.iterdir() if f.name.endswith(".yaml")))


@cache
def load(app: str) -> Spec:
    """Load a shipped app by name. Raises UsageError where there is none, or where it is wrong."""
    if app not in apps():
        raise UsageError(f"The pocket phone has no app {app!r}; it has {', '.join(apps())}")
    text = (files(__package__) / "apps" / f"{app}.yaml").read_text(encoding="utf-8")
    return parse(text, f"apps/{app}.yaml")


def load_file(path: Path) -> Spec:
    """Load an app from a file of one's own."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as e:
        raise UsageError(f"Cannot read app file {str(path)!r}: {e.strerror}") from e
    return parse(text, str(path))


def parse(text: str, where: str) -> Spec:
    """Compile the text of an app file; `where` names it in messages."""
    try:
        raw = yaml.load(text, Loader=_LOADER)
    except yaml.YAMLError as e:
        raise UsageError(f"{where} is not YAML: {e}") from e
    try:
        return compile_app(raw)
    except Problem as e:
        line = _line(text, e.path)
        raise UsageError(f"{where}, line {line}, at {dotted(e.path)}: {e.message}") from e


def dotted(path: tuple[str | int, ...]) -> str:
    """Write a path as people do.

    >>> dotted(("pages", "inbox", "body", 2, "go"))
    'pages.inbox.body[2].go'
    """
    out = ""
    for part in path:
        out += f"[{part}]" if isinstance(part, int) else f".{part}" if out else part
    return out or "(top)"


def _line(text: str, path: tuple[str | int, ...]) -> int:
    """Line of the deepest part of `path` that the file itself holds (what came by `like` lies elsewhere)."""
    node = yaml.compose(text, Loader=_LOADER)
    line = 1
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
