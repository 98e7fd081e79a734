"""One small map for the tests of this room, explored once; each test gets a copy of its own."""

import shutil
from pathlib import Path

import pytest

from waypost.parts.exploring import ExploreRequest, explored


@pytest.fixture(scope="session")
def clock_made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("maps") / "clock"
    explored("pocket:clock", folder, ExploreRequest(actions=160))
    return folder


@pytest.fixture
def clock_map(clock_made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(clock_made, tmp_path / "clock", ignore=shutil.ignore_patterns("lock")))
