"""How smooth the viewer is: a map of many pages served to Chromium, seconds and frames out.

python -m benchmarks.view_speed [--pages 2000]
"""

import argparse
import json
import shutil
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.surface.big import big_map
from waypost.surface.view import Viewer, serve_view

_FRAMES = """async n => {
  const took = []; let last = performance.now();
  for (let i = 0; i < n; i++) {
    graph.view.x -= 9; graph.view.y -= 4; picture.moved();
    const now = await new Promise(requestAnimationFrame);
    took.push(now - last); last = now;
  }
  took.sort((a, b) => a - b);
  return { p50: took[n >> 1], p95: took[Math.floor(n * 0.95)], most: took[n - 1] };
}"""


def _measured(folder: Path) -> dict[str, Any]:
    began = time.perf_counter()
    served = serve_view(Viewer(folder), port=0)
    told: dict[str, Any] = {"open_s": time.perf_counter() - began}
    try:
        began = time.perf_counter()
        with urllib.request.urlopen(f"{served.url}api/start") as answer:
            told["start_bytes"] = len(answer.read())
        told["start_s"] = time.perf_counter() - began
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            began = time.perf_counter()
            page.goto(served.url)
            page.wait_for_selector(".node")
            told["shown_s"] = time.perf_counter() - began
            told["near_ms"] = page.evaluate(_FRAMES, 120)
            page.evaluate("graph.fit()")
            told["far_ms"] = page.evaluate(_FRAMES, 120)
            told["buttons"] = page.locator(".node").count()
            browser.close()
    finally:
        served.close()
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=2000)
    pages = parser.parse_args().pages
    with tempfile.TemporaryDirectory() as folder:
        told = _measured(big_map(Path(folder) / "big", pages))
    print(json.dumps({"pages": pages, **told}, indent=1))


if __name__ == "__main__":
    main()
