"""An OpenAI-compatible endpoint on loopback that plays a model: perfect, noisy, looping, lying, and worse.

The wire is real; the wit is scripted. A policy knows the embedded phone's own truth, so that what it gets
wrong is wrong on purpose: figures made with it show the machinery, and say nothing of any model.
"""

import json
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

from waypost.adapters.pocket import PocketDevice
from waypost.adapters.pocket.truth import ways
from waypost.mapping import settled
from waypost.model import Action, Direction, LongPress, Press, Screen, Swipe, Tap, TypeText

__all__ = ["POLICIES", "Endpoint", "Oracle", "Play", "Told", "endpoint", "way_to"]

POLICIES = ("perfect", "noisy", "looping", "lying", "unparsable", "slow", "dropping")
_BROKEN = (
    "I think the task is complete now.",
    'Action: {"action_type": "click", "index": 40',
    "<think>finished</think>",
    "Action: click(the third one)",
    '[{"Type": "done"}]',
)
_NEXT = re.compile(r'^Next: on ".*?", .*?"(.*?)"(?: \((\d+)\w\w of \d+\))?; leads to', re.MULTILINE)
_LINE = re.compile(r'^(\d+): (\S+) (?:named )?"(.*?)"', re.MULTILINE)
_SEEN = {Direction.UP: "down", Direction.DOWN: "up", Direction.LEFT: "right", Direction.RIGHT: "left"}


@dataclass(frozen=True, slots=True)
class Oracle:
    """The shortest way to a page, with the page that each action is done on."""

    target: str
    actions: tuple[Action, ...]
    pages: tuple[str, ...]
    look: Screen
    """The page itself, as the walk ended on it."""


def way_to(app: str, target: str) -> Oracle | None:
    """Walk the shortest way on a phone of its own, and write down where each action is done."""
    way = ways(app).get(target)
    if way is None:
        return None
    device = PocketDevice(app)
    device.restart()
    pages = []
    for action in way.actions:
        settled(device)
        pages.append(device.where())
        device.perform(action)
    last = settled(device)
    arrived = device.where() == target
    return Oracle(target, way.actions, tuple(pages), last.screen) if arrived else None


@dataclass
class Play:
    """One run of one policy."""

    policy: str
    oracle: Oracle
    device: PocketDevice
    seed: int = 0
    known: float = 0.55
    """Share of a noisy one's steps that it knows the way at."""
    claims: float = 0.08
    """Share of a noisy one's steps at which it claims to be done, wherever it is."""
    wrong: float = 0.1
    """Share of a verifier's and a critic's words that are wrong."""
    asked: int = 0
    _last: int | None = None

    def __post_init__(self) -> None:
        self._random = random.Random(f"{self.policy}/{self.oracle.target}/{self.seed}")
        # A stream of its own, so that whoever is asked besides does not change what the actor does.
        self._judging = random.Random(f"judging/{self.oracle.target}/{self.seed}")

    def answer(self, prompt: str, shape: str) -> str:
        """Say what a model would: JSON where a shape is asked for, else what the actor does next."""
        if shape:
            return json.dumps(self._judged(shape))
        self.asked += 1
        match self.policy:
            case "looping":
                return _said({"action_type": "click", "index": 1})
            case "lying" if self.asked > 1:
                return _said({"action_type": "status", "goal_status": "complete"})
            case "unparsable":
                return _BROKEN[self.asked % len(_BROKEN)]
            case "noisy":
                return self._noisy(prompt)
        return self._right()

    def _noisy(self, prompt: str) -> str:
        draw, which = self._random.random(), self._random.random()
        if draw < self.claims:
            return _said({"action_type": "status", "goal_status": "complete"})
        told = _NEXT.search(prompt)
        lines = [(int(n), label) for n, _, label in _LINE.findall(prompt)]
        if told and draw < 0.9:
            fitting = [n for n, label in lines if label == told.group(1)]
            nth = int(told.group(2) or 1)
            if fitting:
                return _said({"action_type": "click", "index": fitting[min(nth, len(fitting)) - 1]})
        if "This is the destination: stop." in prompt and draw < 0.9:
            return _said({"action_type": "status", "goal_status": "complete"})
        doubted = "Suggestion of the last action: go back" in prompt or "You are going in circles" in prompt
        if doubted or draw < self.claims + self.known or not lines:
            return self._right()
        return _said({"action_type": "click", "index": lines[int(which * len(lines))][0]})

    def _right(self) -> str:
        """Do the next action of the way from wherever this is; off the way, go back."""
        here = self.device.where()
        if here == self.oracle.target:
            return _said({"action_type": "status", "goal_status": "complete"})
        at = [n for n, page in enumerate(self.oracle.pages) if page == here]
        if not at:
            return _said({"action_type": "navigate_back"})
        after = [n for n in at if self._last is not None and n > self._last]
        self._last = (after or at)[0]
        return _said(_worded(self.oracle.actions[self._last], self.device.observe().screen.size))

    def _judged(self, shape: str) -> dict[str, Any]:
        here = self.device.where()
        right = self._judging.random() >= self.wrong
        if shape == "Verification":
            there = (here == self.oracle.target) is right
            missing = [] if there else ["the page is not shown"]
            return {"complete": there, "reason": "the screen", "missing_steps": missing}
        if shape == "Critique":
            near = here in self.oracle.pages or here == self.oracle.target
            words = "" if near is right else "go back"
            return {"evaluation": "", "progress": "", "suggestion": words, "part_done": False, "shown": ""}
        if shape == "Criteria":
            return {"criteria": []}
        raise ValueError(f"no policy for {shape}")


class Told:
    """Does what the guidance says and nothing else; it reads no more than a model would."""

    policy = "told"

    def answer(self, prompt: str, shape: str) -> str:
        if "This is the destination: stop." in prompt:
            return _said({"action_type": "status", "goal_status": "complete"})
        told = _NEXT.search(prompt)
        lines = [(int(n), label) for n, _, label in _LINE.findall(prompt)]
        fitting = [n for n, label in lines if told and label == told.group(1)]
        nth = int(told.group(2) or 1) if told else 1
        if fitting:
            return _said({"action_type": "click", "index": fitting[min(nth, len(fitting)) - 1]})
        return _said({"action_type": "navigate_back" if "press back" in prompt else "wait"})


def _said(action: dict[str, Any]) -> str:
    return f"Reason: as planned.\nAction: {json.dumps(action)}"


def _worded(action: Action, size: tuple[int, int]) -> dict[str, Any]:
    def at(point: tuple[int, int]) -> list[int]:
        return [round(1000 * (v + 0.5) / s) for v, s in zip(point, size, strict=True)]

    match action:
        case Tap(at=point):
            return {"action_type": "click", "coordinate": at(point)}
        case LongPress(at=point):
            return {"action_type": "long_press", "coordinate": at(point)}
        case TypeText(text=text, at=point, submit=submit):
            row: dict[str, Any] = {"action_type": "input_text", "text": text, "submit": submit}
            return row | ({"coordinate": at(point)} if point else {})
        case Swipe(start=start, end=end) if start and end:
            return {"action_type": "swipe", "coordinate": at(start), "coordinate2": at(end)}
        case Swipe(direction=direction):
            return {"action_type": "scroll", "direction": _SEEN[direction]}
        case Press(key=key):
            return {"action_type": "keyboard_enter" if key == "enter" else f"navigate_{key}"}
    return {"action_type": "wait"}


@dataclass
class Endpoint:
    """Where the play is on; set `play` before each run."""

    url: str = ""
    play: Play | Told | None = None
    patience: float = 0.5
    """Seconds for which a slow reply is held back."""
    calls: int = 0
    transcript: list[dict[str, Any]] = field(default_factory=list)


@contextmanager
def endpoint(*, patience: float = 0.5) -> Iterator[Endpoint]:
    """Serve a play on a free loopback port."""
    served, over = Endpoint(patience=patience), Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            served.calls += 1
            play = served.play
            assert play is not None
            if play.policy == "dropping" and served.calls % 3 == 0:
                self.close_connection = True
                self.connection.close()
                return
            if play.policy == "slow" and served.calls % 3 == 0:
                over.wait(served.patience)
            self._reply(body, play)

        def _reply(self, body: dict[str, Any], play: Play | Told) -> None:
            prompt = "\n".join(_text(m["content"]) for m in body["messages"])
            shape = str((body.get("response_format") or {}).get("json_schema", {}).get("name", ""))
            text = play.answer(prompt, shape)
            served.transcript.append({"prompt": prompt, "reply": text})
            raw = json.dumps(_completion(body["model"], prompt, text)).encode()
            try:
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)
            except OSError:
                pass  # Whoever asked has given up waiting.

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    served.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        over.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _completion(model: str, prompt: str, text: str) -> dict[str, Any]:
    sent, received = len(prompt.encode()) // 4 + 1, len(text.encode()) // 4 + 1
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": sent, "completion_tokens": received, "total_tokens": sent + received},
    }


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)
