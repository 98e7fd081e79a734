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
from typing import Any, Protocol

from tests.actors.grammars import reply
from waypost.actors.numbering import Numbered, numbered
from waypost.adapters.pocket import PocketDevice
from waypost.adapters.pocket.truth import ways
from waypost.mapping import settled
from waypost.model import Action, Finish, Press, Screen, Tap, Wait

__all__ = ["POLICIES", "Endpoint", "Oracle", "Play", "PocketTruth", "Told", "Truth", "endpoint", "way_to"]

POLICIES = ("perfect", "noisy", "looping", "lying", "unparsable", "slow", "dropping")
_BROKEN = (
    "I think the task is complete now.",
    'Action: {"action_type": "click", "index": 400',
    "<think>finished</think>",
    "Action: click(the third one)",
    '[{"Kind": "done"}]',
)
_NEXT = re.compile(r'^Next: on ".*?", .*?"(.*?)"(?: \((\d+)\w\w of \d+\))?; leads to', re.MULTILINE)
_LINE = re.compile(r'^(\d+): (\S+) (?:named )?"(.*?)"', re.MULTILINE)


class Truth(Protocol):
    """What a world itself says of where one is; no actor is told."""

    def where(self) -> str: ...

    def screen(self) -> Screen: ...


@dataclass(frozen=True, slots=True)
class PocketTruth:
    device: PocketDevice

    def where(self) -> str:
        return self.device.where()

    def screen(self) -> Screen:
        return self.device.observe().screen


@dataclass(frozen=True, slots=True)
class Oracle:
    """A way to a page, with the page that each action is done on."""

    target: str
    actions: tuple[Action, ...]
    pages: tuple[str, ...]
    look: Screen
    """The page itself, as the walk ended on it."""

    def action(self, number: int, screen: Screen) -> Action:
        """Return an action of the way as it is done on this very screen."""
        return self.actions[number]


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
    """One run of one policy, in the grammar that the actor asks for."""

    policy: str
    oracle: Oracle
    truth: Truth
    seed: int = 0
    dialect: str = "tree"
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
        if self.policy == "unparsable":
            return _BROKEN[self.asked % len(_BROKEN)]
        screen = self.truth.screen()
        return reply(self.dialect, self._chosen(prompt, screen), screen)

    def _chosen(self, prompt: str, screen: Screen) -> Action:
        match self.policy:
            case "looping":
                things = numbered(screen)
                return _tapped(things[0]) if things else Wait()
            case "lying" if self.asked > 1:
                return Finish(True)
            case "noisy":
                return self._noisy(prompt, screen)
        return self._right(screen)

    def _noisy(self, prompt: str, screen: Screen) -> Action:
        draw, which = self._random.random(), self._random.random()
        if draw < self.claims:
            return Finish(True)
        told = _NEXT.search(prompt)
        things = [t for t in numbered(screen) if t.target.label]
        if told and draw < 0.9:
            fitting = [t for t in things if t.target.label == told.group(1)]
            nth = int(told.group(2) or 1)
            if fitting:
                return _tapped(fitting[min(nth, len(fitting)) - 1])
        if "This is the destination: stop." in prompt and draw < 0.9:
            return Finish(True)
        doubted = "Suggestion of the last action: go back" in prompt or "You are going in circles" in prompt
        if doubted or draw < self.claims + self.known or not things:
            return self._right(screen)
        return _tapped(things[int(which * len(things))])

    def _right(self, screen: Screen) -> Action:
        """Do the next action of the way from wherever this is; off the way, go back."""
        here = self.truth.where()
        if here == self.oracle.target:
            return Finish(True)
        at = [n for n, page in enumerate(self.oracle.pages) if page == here]
        if not at:
            return Press("back")
        after = [n for n in at if self._last is not None and n > self._last]
        self._last = (after or at)[0]
        return self.oracle.action(self._last, screen)

    def _judged(self, shape: str) -> dict[str, Any]:
        here = self.truth.where()
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


def _tapped(thing: Numbered) -> Tap:
    return Tap(thing.at, thing.target)


class Told:
    """Does what the guidance says and nothing else; it reads no more than a model would."""

    policy = "told"

    def answer(self, prompt: str, shape: str) -> str:
        if shape == "FinePlan":
            return json.dumps({"page": 1, "words": "the first page of the memory"})
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
