"""A map survives `kill -9` at any moment: it opens, at most the step under way is lost, and it goes on."""

import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from waypost.mapping import MapStore
from waypost.parts.exploring import ExploreRequest, explored
from waypost.parts.face import open_map

ROUNDS = 20


def _steps(folder: Path) -> int:
    """Count the steps that were committed, as a reader from outside."""
    path = folder / "map.sqlite"
    if not path.is_file():
        return 0
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        return int(db.execute("SELECT count(*) FROM steps").fetchone()[0])
    finally:
        db.close()


@pytest.mark.slow
def test_a_killed_exploration_loses_no_committed_step_and_is_taken_up_again(tmp_path: Path) -> None:
    folder, rng = tmp_path / "mail", random.Random(7)
    code = (
        "import sys; from waypost.parts.exploring import *; "
        "explored('pocket:mail', sys.argv[1], ExploreRequest())"
    )
    kept = 0
    for _ in range(ROUNDS):
        child = subprocess.Popen([sys.executable, "-c", code, str(folder)], stderr=subprocess.DEVNULL)
        try:
            # Wait for a random number of further steps, not for a time: the moment is random within a step.
            wanted = kept + rng.randrange(0, 12)
            while child.poll() is None and _steps(folder) < wanted:
                time.sleep(0.001 * rng.random())
        finally:
            child.send_signal(signal.SIGKILL)
            child.wait()
        seen = _steps(folder)
        assert seen >= kept
        kept = seen
        if (folder / "map.sqlite").is_file():
            store = MapStore.open(folder)  # the dead writer's lock is no obstacle
            graph = store.load()
            store.close()
            assert graph.steps == kept
            assert all(
                t.source in graph.nodes and t.target in graph.nodes for t in graph.transitions.values()
            )
    done = explored("pocket:mail", folder, ExploreRequest())
    assert done.stop_reason == "complete"
    assert done.actions >= kept
    with open_map(folder) as known:
        assert known.records()
