"""Measure the browser device on a web app: an address in, looks (ms) and settled actions a minute out.

    python benchmarks/browser_speed.py http://127.0.0.1:5006/ --seconds 60 --storage-state state.json

A seeded random tapper taps what can be tapped, scrolls, and goes back; it restarts where it left the app.
Every action is followed by a look, as exploration does it. Hazards are not known here: use a throw-away app.
"""

import argparse
import json
import random
import statistics
import time
from pathlib import Path

from waypost.adapters.browser import BrowserConfig, BrowserDevice
from waypost.errors import DeviceError
from waypost.model import Action, Press, Screen, Swipe, Tap

NEVER = ("delete", "remove", "log out", "logout", "reset", "close budget", "restart", "import", "export")


def choose(screen: Screen, dice: random.Random) -> Action:
    """Pick mostly a tap, sometimes a swipe or back."""
    roll = dice.random()
    targets = [
        e
        for e in screen.visible()
        if e.clickable and e.enabled and not any(n in e.label.lower() for n in NEVER)
    ]
    if roll < 0.08 or not targets:
        return Press("back") if roll < 0.5 else Swipe()
    if roll < 0.14:
        return Swipe()
    return Tap(dice.choice(targets).bounds.center)


def outline(screen: Screen) -> tuple[str, tuple[tuple[str, str, str], ...]]:
    """Name a screen coarsely, for counting how many different ones were met."""
    shown = sorted({(e.role.value, e.resource_id, e.class_name) for e in screen.visible()})
    return screen.activity.split("?")[0], tuple(shown)


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--storage-state", type=Path)
    args = parser.parse_args()
    dice = random.Random(args.seed)
    looks: list[float] = []
    deeds: list[float] = []
    nodes: list[int] = []
    screens: set[object] = set()
    restarts = errors = 0
    with BrowserDevice(args.url, config=BrowserConfig(storage_state=args.storage_state)) as device:
        home = device.observe().screen.app
        device.restart()
        time.sleep(5)  # The app's own start is not what is measured.
        screen = device.observe().screen
        began = time.perf_counter()
        lost = 0.0
        while time.perf_counter() - began - lost < args.seconds:
            if screen.app != home:
                at = time.perf_counter()
                device.restart()
                restarts += 1
                time.sleep(3)
                screen = device.observe().screen
                lost += time.perf_counter() - at
                continue
            start = time.perf_counter()
            try:
                device.perform(choose(screen, dice))
            except DeviceError:
                errors += 1
            middle = time.perf_counter()
            screen = device.observe().screen
            looks.append(time.perf_counter() - middle)
            deeds.append(middle - start)
            nodes.append(sum(1 for _ in screen.walk()))
            screens.add(outline(screen))
        spent = time.perf_counter() - began - lost
    print(
        json.dumps(
            {
                "actions": len(deeds),
                "actions_per_minute": round(60 * len(deeds) / spent, 1),
                "observe_ms": {
                    "median": round(1000 * statistics.median(looks)),
                    "p90": round(1000 * percentile(looks, 0.9)),
                },
                "perform_ms": {
                    "median": round(1000 * statistics.median(deeds)),
                    "p90": round(1000 * percentile(deeds, 0.9)),
                },
                "nodes_median": statistics.median(nodes),
                "screens": len(screens),
                "restarts": restarts,
                "errors": errors,
                "fenced": len(device.fenced),
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
