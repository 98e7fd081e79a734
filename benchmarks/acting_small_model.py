"""Let the small real model act once over the real wire: a transcript, a JSON line a question, out.

    python -m benchmarks.acting_small_model [--out docs/transcripts/small-model.jsonl]

What runs is what `waypost go MAP SENTENCE --actor vision:smollm2 --no-images --base-url ADDRESS` runs: the
gate, the breaker of loops, the memory, the map's guidance at each step, and a fresh look after a claim. A
model of 135 million parameters shows that the wire, the prompts and the parsers fit together. It can do no
task, and nothing is claimed of its quality. Needs what `./check` installs (requirements/model.txt).
"""

import argparse
import json
import tempfile
import time
from pathlib import Path

from tests import small_model
from waypost.actors import DIALECTS
from waypost.adapters.llm import Asking, Cached, Endpoint, Ledger, Metered, OpenAiChat, Recording, Redacting
from waypost.model.wording import describe
from waypost.parts.acting import Acting, ActorChoice, went
from waypost.parts.exploring import explore
from waypost.parts.models import ModelOptions, OpenModel

SAY = "Show the world clock"
OUT = Path(__file__).parent.parent / "docs/transcripts/small-model.jsonl"
_REPLY = 120


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--steps", type=int, default=3)
    told = parser.parse_args()
    if not small_model.there():
        raise SystemExit(small_model.MISSING)
    told.out.parent.mkdir(parents=True, exist_ok=True)
    told.out.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as home, small_model.serving() as address:
        endpoint = Endpoint(small_model.NAME, address, timeout=400.0, max_tokens=_REPLY, images=False)
        ledger = Ledger()
        metered = Metered(Redacting(OpenAiChat(endpoint)), ledger, clock=time.monotonic)
        llm = Cached(Asking(Recording(metered, told.out)), Path(home) / "replies", ledger=ledger)
        choice = ActorChoice("vision", ModelOptions(small_model.NAME, address), DIALECTS["tree"])
        with explore("pocket:clock", Path(home) / "map", actions=120) as known:
            came = went(known, SAY, Acting(choice, opened=OpenModel(llm, ledger)), limit=told.steps)
    episode = came.episode
    print(json.dumps({
        "stop": episode.stop.value, "claimed": episode.claimed, "verified": episode.verified,
        "questions": episode.model_calls, "actions": [describe(s.decision.action) for s in episode.steps],
        "note": episode.note, "spent": ledger.as_json(),
    }, indent=1))  # fmt: skip


if __name__ == "__main__":
    main()
