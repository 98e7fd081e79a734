"""A phone on a JVM in; which of its activities start, lay out and draw, and why the rest do not, out.

python -m worlds.framework.survey framework:127.0.0.1:5110 [--out FOLDER] [--json]
"""

import argparse
import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from waypost.adapters.framework import FrameworkDevice
from waypost.errors import DeviceError

__all__ = ["main"]


def main() -> None:
    """Start each activity alone, look, and count what came of it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("device", help="framework:HOST:PORT")
    parser.add_argument("--out", type=Path, help="folder for a picture of each, and rows.jsonl")
    parser.add_argument("--only", default="", help="a pattern that the names shall hold")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    rows = []
    with FrameworkDevice(asked.device.removeprefix("framework:")) as device:
        for name in device.activities():
            if re.search(asked.only, name):
                rows.append(_surveyed(device, name, asked.out))
                print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    if asked.out:
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (asked.out / "rows.jsonl").write_text(lines, encoding="utf-8")
    kinds = Counter(str(row["outcome"]) for row in rows)
    causes = Counter(str(row["cause"]) for row in rows if row["cause"])
    told = {"activities": len(rows), "outcomes": dict(kinds), "causes": dict(causes.most_common())}
    print(json.dumps(told, indent=None if asked.json else 1))


def _surveyed(device: FrameworkDevice, name: str, out: Path | None) -> dict[str, Any]:
    before, left = len(device.deaths), len(device.left)
    row: dict[str, Any] = {"activity": name, "outcome": "", "cause": "", "elements": 0, "page": ""}
    try:
        device.open(name)
        seen = device.observe(pixels=True)
    except DeviceError as e:
        return {**row, "outcome": "phone failed", "cause": str(e)[:160]}
    row["page"] = page = device.page(seen.seen_at)
    row["elements"] = sum(1 for _ in seen.screen.visible())
    if out is not None and seen.image:
        out.mkdir(parents=True, exist_ok=True)
        (out / f"{name}.png").write_bytes(seen.image)
    if len(device.deaths) > before:
        return {**row, "outcome": "died", "cause": _cause(device.deaths[-1])}
    if len(device.left) > left:
        return {**row, "outcome": "left the app", "cause": device.left[-1].split(" cmp=")[0][:80]}
    if page == "home":
        return {**row, "outcome": "ended by itself"}
    if seen.screen.overlay:
        return {**row, "outcome": "asked for a permission"}
    if not page.startswith(name):
        return {**row, "outcome": "passed on to another"}
    return {**row, "outcome": "shown"}


def _cause(trace: str) -> str:
    """Return the innermost exception of a trace, and where it was thrown."""
    found = re.findall(
        r"(?m)^(?:Caused by: )?((?:[\w$]+\.)+[\w$]+(?:Error|Exception)[^\n]*)\n\s+at ([^\n(]+)", trace
    )
    return f"{found[-1][0][:120]} at {found[-1][1]}" if found else trace.splitlines()[0][:120]


if __name__ == "__main__":
    main()
