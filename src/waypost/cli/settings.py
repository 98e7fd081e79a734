"""The configuration's sections in, defaults of a command's options out; and where each value came from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import typer

from waypost.errors import UsageError
from waypost.parts.configuring import config_file, read_config

__all__ = ["SHARED", "Setting", "checked", "defaults", "settings", "shared"]

SHARED = "all"
"""The section that holds for every command that has the option."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What one option of one command is, unless a flag says otherwise."""

    command: str
    option: str
    value: Any
    source: str
    """`environment`, `file` or `default`."""
    variable: str
    """The variable that would be heeded."""


def shared(name: str, default: str = "") -> str:
    """Return a text of the section that all commands share."""
    return str(read_config().get(SHARED, {}).get(name, default))


def defaults(ctx: typer.Context, name: str, command: Any) -> dict[str, Any]:
    """Return what the file says of a command, by parameter, as the parser takes it. Raises UsageError."""
    sections = read_config()
    return _defaults(ctx, name, command, sections.get(name, {}), sections.get(SHARED, {}))


def checked(ctx: typer.Context, commands: Mapping[str, Any]) -> None:
    """Hold the whole file against all commands. Raises UsageError for what none of them knows."""
    sections = read_config()
    for name in sections:
        if name != SHARED and name not in commands:
            raise _unknown(f"[{name}] is no command", name, [*commands, SHARED])
    options = {key for command in commands.values() for key in _all_keys(command)}
    for key in sections.get(SHARED, {}):
        if key not in options:
            raise _unknown(f"[{SHARED}] {key}: no command has such an option", key, sorted(options))
    for name, command in commands.items():
        _defaults(ctx, name, command, sections.get(name, {}), sections.get(SHARED, {}))


def settings(ctx: typer.Context, name: str, command: Any) -> Iterator[Setting]:
    """Yield every option of a command with its value, and where that came from."""
    made = typer.Context(command, info_name=name.split()[-1], parent=ctx, resilient_parsing=True)
    for sub, inside in _inside(command).items():
        yield from settings(made, f"{name} {sub}", inside)
    for key, param in _options(command).items():
        variable = _variable(param, made)
        said = param.resolve_envvar_value(made)
        filed = (made.default_map or {}).get(param.name)
        if said is not None:
            yield Setting(name, key, said, "environment", variable)
        elif filed is not None:
            yield Setting(name, key, filed, "file", variable)
        else:
            yield Setting(name, key, param.get_default(made), "default", variable)


def _defaults(
    ctx: typer.Context, name: str, command: Any, said: Mapping[str, Any], common: Mapping[str, Any]
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    options, groups = _options(command), _inside(command)
    for key in said:
        if key not in options and key not in groups:
            raise _unknown(f"[{name}] has no option {key!r}", key, [*options, *groups])
    for key, param in options.items():
        section = name if key in said else SHARED
        value = said.get(key, common.get(key))
        if value is not None:
            found[param.name] = _read(ctx, param, value, f"[{section}] {key}")
    for key, inside in groups.items():
        deeper = said.get(key, {})
        if not isinstance(deeper, Mapping):
            raise UsageError(f"{_file()}: [{name}] {key} is a section: [{name}.{key}]")
        found[key] = _defaults(ctx, f"{name}.{key}", inside, deeper, common)
    return found


def _read(ctx: typer.Context, param: Any, value: Any, where: str) -> Any:
    """Return a value as the option takes it, or say why it does not."""
    if param.multiple and not isinstance(value, list):
        value = [value]
    if isinstance(value, Mapping) or (isinstance(value, list) and not param.multiple):
        raise UsageError(f"{_file()}: {where} takes one value")
    try:
        taken = param.process_value(ctx, value)
    except typer.BadParameter as e:
        raise UsageError(f"{_file()}: {where}: {e.message}") from e
    return str(taken.expanduser()) if isinstance(taken, Path) else value


def _options(command: Any) -> dict[str, Any]:
    """Return a command's options by their long names, help left out."""
    found = {}
    for param in command.params:
        names = [o for o in param.opts if o.startswith("--")]
        if param.param_type_name == "option" and names and param.name != "help":
            found[names[0].removeprefix("--")] = param
    return found


def _inside(command: Any) -> dict[str, Any]:
    return dict(getattr(command, "commands", {}))


def _all_keys(command: Any) -> set[str]:
    return {*_options(command), *(k for c in _inside(command).values() for k in _all_keys(c))}


def _variable(param: Any, ctx: typer.Context) -> str:
    named = param.envvar
    if isinstance(named, str):
        return named
    return named[0] if named else f"{ctx.auto_envvar_prefix}_{param.name.upper()}"


def _unknown(said: str, name: str, there: list[str]) -> UsageError:
    close = get_close_matches(name, there, 1)
    return UsageError(f"{_file()}: {said}" + (f"; did you mean {close[0]!r}?" if close else ""))


def _file() -> str:
    return f"The configuration {str(config_file())!r}"
