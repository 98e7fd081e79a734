"""What a small real model said when it acted is kept: an action or unusable, never a claim."""

import json
from pathlib import Path

from waypost.actors import DIALECTS
from waypost.actors.replies import Said
from waypost.model import Finish

KEPT = Path(__file__).parents[2] / "docs" / "transcripts" / "small-model.jsonl"


def test_what_the_small_model_said_is_never_read_as_having_arrived() -> None:
    rows = [json.loads(line) for line in KEPT.read_text(encoding="utf-8").splitlines()]
    assert rows
    for row in rows:
        said = DIALECTS["tree"].read(row["reply"]["text"])
        assert not (isinstance(said, Said) and isinstance(getattr(said.move, "action", None), Finish))
        assert row["reply"]["sent"] > 100
