"""The truth that scoring needs, by app: computed from the app's file once, then kept beside it."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from waypost.adapters.pocket import truth
from waypost.adapters.pocket.load import load

__all__ = ["AppTruth", "app_truth", "computed", "digest", "start_recipe"]

_KEPT = "truth.json"


@dataclass(frozen=True, slots=True)
class AppTruth:
    """The true pages of an app, and the fewest actions to each."""

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
    """Return the lines of an app's start recipe; none where all of it is open."""
    return tuple(_starts().get(app, {}).get("recipe", ()))


def computed(app: str) -> AppTruth:
    """Search an app's own states; takes seconds."""
    spec = load(app)
    shortest = {page: len(way.actions) for page, way in truth.ways(spec).items()}
    started = shortest
    if changed := _starts().get(app, {}).get("state"):
        # Frozen specs are looked up by value: a changed state is another app to the search.
        signed_in = replace(spec, state={**spec.state, **changed})
        started = {page: len(way.actions) for page, way in truth.ways(signed_in).items()}
    return AppTruth(frozenset(truth.pages(spec)), shortest, started)


def digest(app: str) -> str:
    """Return what a kept truth is valid for: the app's file and its start."""
    text = (files(__package__) / "apps" / f"{app}.yaml").read_bytes()
    start = json.dumps(_starts().get(app, {}).get("state"), sort_keys=True)
    return hashlib.sha256(text + start.encode()).hexdigest()


@cache
def app_truth(app: str) -> AppTruth:
    """Return the truth of an app: as it was kept for this very file, else computed anew."""
    path = files(__package__) / _KEPT
    kept = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    row = kept.get(app)
    if row is None or row["digest"] != digest(app):
        return computed(app)
    return AppTruth(frozenset(row["pages"]), row["shortest"], row.get("started", row["shortest"]))


def main() -> None:
    """Write the truth of every app anew: `python -m waypost.adapters.pocket.known > .../truth.json`."""
    from waypost.adapters.pocket.load import apps

    rows = {}
    for app in apps():
        found = computed(app)
        row = {
            "digest": digest(app),
            "pages": sorted(found.pages),
            "shortest": dict(sorted(found.shortest.items())),
        }
        if found.started != found.shortest:
            row["started"] = dict(sorted(found.started.items()))
        rows[app] = row
    print(json.dumps(rows, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
