"""A phone on a JVM in; looks at its app's activities, each with its true page, out as a labelled folder.

    python -m worlds.framework.collected framework:5110 --out FOLDER [--activities 110] [--looks 6]

Activities are started in a seeded order, and a seeded tapper goes on from each for a few looks, as long as it
stays in the app. A page is named by its activity and the kinds of windows over it, as the phone says; which
dialog and which tab it is, a person has to add. `--without` leaves out an activity, as one that lists others.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from worlds.collect import Tapper
from worlds.framework.explored import page

from waypost.adapters.framework import FrameworkDevice
from waypost.adapters.looks import write_labels, write_look
from waypost.errors import DeviceError
from waypost.model import Observation

__all__ = ["label", "main"]


def label(where: str) -> str:
    """Return a page's label: whatever an activity is started with, it shows another item of one template.

    >>> label("org.demo.view.Details|index=3+dialog:Delete"), label("home")
    ('Details+dialog', '')
    """
    activity, *kinds = page(where).split("+")
    return "+".join([activity.partition("|")[0].rpartition(".")[2], *kinds]) if activity else ""


def _walked(
    device: FrameworkDevice, activity: str, looks: int, seed: int
) -> Iterator[tuple[str, Observation]]:
    """Yield looks from an activity on, until the app is left."""
    tapper = Tapper(seed)
    try:
        device.open(activity)
        for _ in range(looks):
            seen = device.observe(pixels=True)
            found = label(device.page(seen.seen_at))
            if not found:
                return
            yield found, seen
            device.perform(tapper.next(seen))
    except DeviceError as e:
        print(f"{activity}: {e}", file=sys.stderr)


def main() -> None:
    """Collect the looks of a phone's app."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("device", help="framework:HOST:PORT")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--activities", type=int, default=110)
    parser.add_argument("--looks", type=int, default=6, help="at most, from each activity")
    parser.add_argument("--without", action="append", default=[], help="an activity that is left out")
    parser.add_argument("--seed", type=int, default=5)
    asked = parser.parse_args()
    dice, labels = random.Random(asked.seed), dict[str, str | None]()
    with FrameworkDevice(asked.device.removeprefix("framework:")) as device:
        names = [a for a in device.activities() if a.rpartition(".")[2] not in asked.without]
        dice.shuffle(names)
        for name in names[: asked.activities]:
            for found, seen in _walked(device, name, asked.looks, dice.randrange(10**6)):
                if found.partition("+")[0] in asked.without:
                    break
                look = f"look{len(labels):04}"
                write_look(asked.out, look, seen)
                labels[look] = found
    write_labels(asked.out, labels)
    print(json.dumps({"looks": len(labels), "pages": len(set(labels.values()))}))


if __name__ == "__main__":
    main()
