"""Real apps start from nothing but their cache, and pages lie where their routes say."""

import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from waypost.bench.tasks import read_tasks

WORLDS = Path(__file__).resolve().parents[2] / "worlds"
CANNOT = re.compile(r"is missing|could not be installed|could not install|virtual environment")
SOME = {
    "actual": ("envelope-amount", "register", "new-group", "net-worth", "theme", "accounts"),
    "fava": ("menu", "events", "holdings-currency", "add-note", "help-budgets"),
}


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def run(name: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(WORLDS / name / "run"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(params=sorted(SOME))
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Yield name, address, and the options that the device needs; the app runs on a cache of its own."""
    name = str(request.param)
    pytest.importorskip("playwright", reason="needs the browser extra")
    if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"))):
        pytest.skip("Chromium is missing; apt install chromium")
    started = run(name, "--background", "--port", str(free_port()), "--cache", str(tmp_path))
    if started.returncode and CANNOT.search(started.stderr):
        pytest.skip(started.stderr.strip().splitlines()[-1])
    assert started.returncode == 0, started.stderr
    state = re.findall(r"^--storage-state (.+)$", started.stderr, re.MULTILINE)
    yield name, started.stdout.strip(), ["--storage-state", state[0]] if state else []
    assert run(name, "--stop", "--cache", str(tmp_path)).returncode == 0


@pytest.mark.chromium
@pytest.mark.slow
def test_some_targets_are_where_their_routes_lead_and_nowhere_else(world: tuple[str, str, list[str]]) -> None:
    name, url, options = world
    only = ",".join(f"{name}-{task}" for task in SOME[name])
    assert len(SOME[name]) == sum(
        t.id in only.split(",") for t in read_tasks(WORLDS / name / "tasks.yaml").tasks
    )
    command = [sys.executable, "-m", "worlds.verify", name, "--url", url, "--only", only, *options]
    done = subprocess.run(command, cwd=WORLDS.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
