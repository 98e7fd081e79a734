"""The truth that scoring needs, by app: its true pages, the fewest actions to each, what stands on them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from waypost.adapters.pocket import truth
from waypost.adapters.pocket.expr import Text
from waypost.adapters.pocket.load import load
from waypost.adapters.pocket.spec import Spec

__all__ = ["AppTruth", "app_labels", "app_truth", "gate_recipe", "start_recipe", "started_spec"]


@dataclass(frozen=True, slots=True)
class AppTruth:
    pages: frozenset[str]
    shortest: Mapping[str, int]
    """From a fresh start, by page; what is not in here cannot be reached without a hazardous action."""
    started: Mapping[str, int]
    """The same from where the start recipe leads; equal to `shortest` where the app needs none."""

    @property
    def reachable(self) -> frozenset[str]:
        return frozenset(self.shortest)


@cache
def _starts() -> dict[str, Any]:
    text = (files(__package__) / "starts.yaml").read_text(encoding="utf-8")
    read: dict[str, Any] = yaml.safe_load(text)
    return read


def start_recipe(app: str) -> tuple[str, ...]:
    """Return what leads past an app's login right after a launch; nothing where all of it is open."""
    return tuple(_starts().get(app, {}).get("recipe", ()))


def gate_recipe(app: str) -> tuple[str, ...]:
    """Return what to do where an app's login shows; nothing where all of it is open."""
    return tuple(_starts().get(app, {}).get("gate", ()))


@cache
def started_spec(app: str) -> Spec:
    """Return an app as it is once its start recipe has been done."""
    spec = load(app)
    return replace(spec, state={**spec.state, **_starts().get(app, {}).get("state", {})})


@cache
def app_truth(app: str) -> AppTruth:
    """Search an app's own states, from a fresh start and past its login; takes about a second."""
    spec = load(app)
    shortest = {page: len(way.actions) for page, way in truth.ways(spec).items()}
    started = shortest
    if start_recipe(app):
        started = {page: len(way.actions) for page, way in truth.ways(started_spec(app)).items()}
    return AppTruth(frozenset(truth.pages(spec)), shortest, started)


@cache
def app_labels(app: str) -> Mapping[str, tuple[str, ...]]:
    """Return what is written on each page of an app, by full id; texts that depend on its state left out."""
    spec = load(app)
    return {spec.full(name): tuple(dict.fromkeys(_texts(page))) for name, page in spec.pages.items()}


def _texts(part: object) -> Iterator[str]:
    if isinstance(part, Text):
        if part.run is None and part.source:
            yield part.source
    elif isinstance(part, tuple):
        for inner in part:
            yield from _texts(inner)
    elif isinstance(part, Mapping):
        for inner in part.values():
            yield from _texts(inner)
    elif is_dataclass(part):
        for f in fields(part):
            yield from _texts(getattr(part, f.name))
