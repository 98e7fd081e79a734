"""What the endpoint costs: requests of many agents at once, directly and by way of it; milliseconds out.

    python -m benchmarks.endpoint_latency MAP [--agents 50] [--requests 1000] [--thinks 0.2]

Endpoint and model's server run in processes of their own; `--thinks` is how long the scripted model takes.
"""

import argparse
import http.client
import json
import multiprocessing
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from typing import Any
from urllib.parse import urlsplit

from tests.surface.upstream import upstream

_SENTENCES = ("change the ringtone", "see what uses most battery", "book a flight", "switch on dark colours")


def _model(said: Connection, thinks: float) -> None:
    with upstream() as told:
        told.pause = thinks
        said.send(told.url)
        said.recv()


def _body(n: int) -> bytes:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 200_000}}
    words = {"type": "text", "text": f"Task: {_SENTENCES[n % len(_SENTENCES)]}"}
    messages = [
        {"role": "system", "content": "You drive a phone."},
        {"role": "user", "content": [words, picture]},
    ]
    return json.dumps({"model": "m", "messages": messages}).encode()


def _agent(url: str, first: int, count: int) -> list[float]:
    parts = urlsplit(url)
    link = http.client.HTTPConnection(parts.netloc)
    took = []
    for n in range(first, first + count):
        body = _body(n)
        began = time.perf_counter()
        link.request("POST", f"{parts.path}/chat/completions", body, {"Content-Type": "application/json"})
        link.getresponse().read()
        took.append(time.perf_counter() - began)
    link.close()
    return took[1:]  # The first opens the connection.


def _measured(url: str, agents: int, requests: int) -> dict[str, float]:
    each = max(2, requests // agents)
    with ThreadPoolExecutor(agents) as pool:
        took = sorted(
            t for row in pool.map(lambda a: _agent(url, a * each, each), range(agents)) for t in row
        )
    return {
        "n": len(took),
        **{f"p{q}_ms": round(took[min(len(took) - 1, len(took) * q // 100)] * 1000, 2) for q in (50, 95, 99)},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("map")
    parser.add_argument("--agents", type=int, default=50)
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--thinks", type=float, default=0.2)
    asked = parser.parse_args()
    here, there = multiprocessing.Pipe()
    model = multiprocessing.Process(target=_model, args=(there, asked.thinks), daemon=True)
    model.start()
    url = here.recv()
    command = [
        sys.executable,
        "-m",
        "waypost",
        "serve",
        asked.map,
        "--upstream",
        url,
        "--port",
        "0",
        "--json",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        told = ""
        while not told.rstrip().endswith("}"):
            told += running.stdout.readline()
        endpoint = json.loads(told)["url"]
        found: dict[str, Any] = {"agents": asked.agents, "thinks_s": asked.thinks}
        found["direct"] = _measured(url, asked.agents, asked.requests)
        found["guided"] = _measured(endpoint, asked.agents, asked.requests)
        running.terminate()
        found["report"] = json.loads(running.stdout.read())
    here.send("stop")
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
