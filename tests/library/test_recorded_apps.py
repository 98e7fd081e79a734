"""What may not get worse: the figures of `benchmarks.retrieval` on recordings, with slack."""

from pathlib import Path

import pytest
from benchmarks.retrieval import measure
from benchmarks.retrieval_sets import autodroid


@pytest.mark.shared
@pytest.mark.slow
def test_recorded_apps_are_found_as_well_as_ever(shared: Path) -> None:
    figures = measure("autodroid_mit", list(autodroid(shared)))
    assert figures["n"] > 140
    assert figures["recall_at_1"] >= 0.84
    assert figures["recall_at_5"] >= 0.97
