"""Plan instructions that span apps over the embedded phone's maps, and go the ways: sentences in, shares out.

    python -m benchmarks.spanning [--go] [--json]

The 36 instructions of spanning.yaml, written before what plans them; the maps that come with the package;
planning by rules and retrieval alone. `parts_and_apps`: it is parted into as many parts as it has, for the
same apps. Over the parts of those: the page that is chosen, or that is among the three brought forward, is
the true one, as far as the map has it. `carried`: which value goes from which part to which. `whole` is the
baseline: the sentence unparted, asked of every memory, which can name one page only. With `--go` the ways
are gone by the follower on one phone that has all the apps; where it truly is, the phone says.
"""

import argparse
import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.actors.policies import way_to
from waypost.adapters.pocket import PocketDevice
from waypost.adapters.pocket.truth import ways
from waypost.bench.stats import wilson
from waypost.model import Observation, SpanningPlan
from waypost.parts.acting import Acting, ActorChoice
from waypost.parts.seeds import install
from waypost.parts.spanning import Installed, travelled
from waypost.planning import RuleSubtasks

APPS = ("settings", "clock", "shop", "music", "mail")
TASKS = Path(__file__).with_name("spanning.yaml")


@dataclass(frozen=True, slots=True)
class Said:
    """One instruction with the truth about it."""

    text: str
    parts: tuple[tuple[str, str], ...]
    """App and page; empty where no app has it."""
    carries: frozenset[tuple[int, int]]


def read(path: Path = TASKS) -> list[Said]:
    """Read the instructions."""
    rows = yaml.safe_load(path.read_text(encoding="utf-8"))["tasks"]
    return [
        Said(
            row["say"],
            tuple((p["app"] or "", p["page"] or "") for p in row["parts"]),
            frozenset((c[0], c[1]) for c in row.get("carry", ())),
        )
        for row in rows
    ]


def nodes(installed: Installed) -> dict[tuple[str, str], str]:
    """Find each true page on its app's map, by the look that a phone of its own shows there."""
    found = {}
    for app in APPS:
        known = installed.maps[f"pocket-{app}"]
        for page in ways(app):
            oracle = way_to(app, page)
            at = known.mapper.locate(Observation(oracle.look)) if oracle else None
            if at is not None:
                found[app, page] = known.mapper.resolve(at.node)
    return found


def carries(plan: SpanningPlan) -> frozenset[tuple[int, int]]:
    """Return which part hands a value to which."""
    pairs = set()
    for n, leg in enumerate(plan.legs):
        for name in leg.subtask.needs:
            before = [m for m in range(n) if name in plan.legs[m].subtask.learns]
            pairs |= {(before[-1], n)} if before else set()
    return frozenset(pairs)


def share(good: Sequence[bool]) -> dict[str, Any]:
    low, high = wilson(sum(good), len(good))
    return {"n": len(good), "right": sum(good), "ci": [round(low, 3), round(high, 3)]}


def measured(*, go: bool) -> dict[str, Any]:
    """Plan every instruction, and go the ways where that is asked for."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["XDG_DATA_HOME"] = home  # The maps of the package, and none of the user's.
        for app in APPS:
            install(f"pocket-{app}")
        with Installed([f"pocket-{a}" for a in APPS], readonly=not go) as installed:
            return _measured(installed, read(), go=go)


def _measured(installed: Installed, all_: Sequence[Said], *, go: bool) -> dict[str, Any]:
    true = nodes(installed)
    plans = [installed.plan(s.text, RuleSubtasks()) for s in all_]
    parted, counted, first, among, absent, whole, wrong = [], [], [], [], [], [], []
    hits = found = wanted = 0
    for said, plan in zip(all_, plans, strict=True):
        apps = [leg.subtask.app.removeprefix("pocket-") for leg in plan.legs]
        counted.append(len(apps) == len(said.parts))
        # Where no app has the page it does not matter which was asked in vain.
        parted.append(counted[-1] and all(a in ("", b) for (a, _), b in zip(said.parts, apps, strict=True)))
        pairs = carries(plan)
        hits, found, wanted = hits + len(pairs & said.carries), found + len(pairs), wanted + len(said.carries)
        whole.append(_whole(installed, said, true))
        if not parted[-1]:
            texts = [leg.subtask.what for leg in plan.legs]
            wrong.append({"say": said.text, "parts": list(zip(apps, texts, strict=True))})
            continue
        for (app, page), leg in zip(said.parts, plan.legs, strict=True):
            if not page:
                absent.append(leg.target is None)
                continue
            node = true.get((app, page))
            first.append(node is not None and leg.target == node)
            among.append(node is not None and node in [p.node for p in leg.pages])
    told = {
        "instructions": len(all_),
        "parts": sum(len(s.parts) for s in all_),
        "on_map": sum((a, p) in true for s in all_ for a, p in s.parts if p),
        "as_many_parts": share(counted),
        "parts_and_apps": share(parted),
        "page_first": share(first),
        "page_among_three": share(among),
        "absent_refused": share(absent),
        "carried": {"right": hits, "found": found, "wanted": wanted},
        "whole_sentence_names_a_page_of_it": share(whole),
        "parted_otherwise": wrong,
    }
    return told | ({"gone": _gone(installed, all_, plans)} if go else {})


def _whole(installed: Installed, said: Said, true: dict[tuple[str, str], str]) -> bool:
    """Whether the memory that fits the unparted sentence best answers with one of its pages."""
    fits = installed.fits(said.text)
    best = max(fits, key=lambda a: (fits[a], a))
    record = installed.answer(best, said.text).record
    app = best.removeprefix("pocket-")
    return record is not None and any(true.get((app, p)) == record.node for a, p in said.parts if a == app)


def _gone(installed: Installed, all_: Sequence[Said], plans: Sequence[SpanningPlan]) -> dict[str, Any]:
    """Go every plan; verified is the map's word, there the phone's own."""
    verified, there, false, legs = [], [], 0, [0, 0]
    for said, plan in zip(all_, plans, strict=True):
        device = PocketDevice("")
        journey = travelled(plan, installed, device, Acting(ActorChoice()))
        looks = [o.episode.final for o in journey.outcomes if o.episode and o.episode.final]
        ends = [device.label(look.seen_at) for look in looks]
        wanted = [p for _, p in said.parts]
        verified.append(journey.reached)
        there.append(journey.reached and ends == wanted)
        legs[0] += sum(o.verified for o in journey.outcomes)
        legs[1] += len(plan.legs)
        false += journey.reached and not there[-1]
        device.close()
    return {
        "verified": share(verified),
        "truly_done": share(there),
        "legs_verified": legs,
        "verified_to_pages_that_were_not_meant": false,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--go", action="store_true", help="go the ways, too")
    parser.add_argument("--json", action="store_true", help="one JSON object, with what was parted otherwise")
    asked = parser.parse_args()
    told = measured(go=asked.go)
    if not asked.json:
        told.pop("parted_otherwise")
    print(json.dumps(told, indent=1 if not asked.json else None))


if __name__ == "__main__":
    main()
