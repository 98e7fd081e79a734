"""YAML file in, compiled `Spec` out; whatever is wrong is said with its file, line and path."""

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from waypost.adapters.pocket.compiling import Problem, compile_app
from waypost.adapters.pocket.spec import Spec
from waypost.errors import UsageError

__all__ = ["apps", "builds", "load", "load_file", "parse"]

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def apps() -> tuple[str, ...]:
    """Names of the apps that ship with the phone, sorted."""
    folder = files(__package__) / "apps"
    return tuple(sorted(f.name[: -len(".yaml")] for f in folder.iterdir() if f.name.endswith(".yaml")))


@cache
def builds() -> tuple[str, ...]:
    """Names of the later builds that ship with the phone, sorted: `mail@2`."""
    folder = files(__package__) / "builds"
    return tuple(sorted(f.name[: -len(".yaml")] for f in folder.iterdir() if f.name.endswith(".yaml")))


@cache
def load(app: str) -> Spec:
    """Load a shipped app by name, `mail`, or a later build of it, `mail@2`.

    Raises UsageError where there is none, or where it is wrong.
    """
    name, _, build = app.partition("@")
    if name not in apps():
        raise UsageError(f"The pocket phone has no app {app!r}; it has {', '.join(apps())}")
    if not build:
        return parse(_text("apps", app), f"apps/{app}.yaml")
    if app not in builds():
        raise UsageError(f"The pocket phone has no build {app!r}; it has {', '.join(builds())}")
    where = f"builds/{app}.yaml"
    whole = overlaid(_raw(_text("apps", name), f"apps/{name}.yaml"), _raw(_text("builds", app), where))
    return _compiled(whole, _text("builds", app), where)


def _text(folder: str, name: str) -> str:
    return (files(__package__) / folder / f"{name}.yaml").read_text(encoding="utf-8")


def overlaid(under: Any, over: Any) -> Any:
    """Lay a build's changes over what was there: maps key by key, `None` takes away, the rest replaces.

    >>> overlaid({"a": {"b": 1, "c": 2}, "d": [1]}, {"a": {"b": None}, "d": [3]})
    {'a': {'c': 2}, 'd': [3]}
    """
    if not isinstance(over, dict):
        return over
    under = under if isinstance(under, dict) else {}
    kept = {k: v for k, v in under.items() if k not in over}
    return kept | {k: overlaid(under.get(k), v) for k, v in over.items() if v is not None}


def load_file(path: Path) -> Spec:
    """Load an app from a file of one's own."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as e:
        raise UsageError(f"Cannot read app file {str(path)!r}: {e.strerror}") from e
    return parse(text, str(path))


def parse(text: str, where: str) -> Spec:
    """Compile the text of an app file; `where` names it in messages."""
    return _compiled(_raw(text, where), text, where)


def _raw(text: str, where: str) -> Any:
    try:
        return yaml.load(text, Loader=_LOADER)
    except yaml.YAMLError as e:
        raise UsageError(f"{where} is not YAML: {e}") from e


def _compiled(raw: Any, text: str, where: str) -> Spec:
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
