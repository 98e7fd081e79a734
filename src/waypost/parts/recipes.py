"""A start recipe's file in, a `StartRecipe` out; its secrets come from the environment and stay in memory."""

import os
from pathlib import Path

import yaml

from waypost.errors import UsageError
from waypost.exploration import StartRecipe

__all__ = ["read_recipe"]


def read_recipe(path: Path | None) -> StartRecipe | None:
    """Read a recipe. Raises UsageError that names the file and the fault, or the variable that is not set."""
    if path is None:
        return None
    try:
        lines = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as e:
        raise UsageError(f"Cannot read the start recipe {str(path)!r}: {e.strerror or e}") from e
    except (yaml.YAMLError, UnicodeDecodeError) as e:
        raise UsageError(f"{str(path)!r} is not YAML: {e}") from e
    if isinstance(lines, dict):
        lines = lines.get("steps")
    if not isinstance(lines, list) or not all(isinstance(row, (str, dict)) for row in lines):
        raise UsageError(f'{str(path)!r} wants a list of steps, such as: tap "Log in"')
    return StartRecipe.parse(lines, os.environ)
