from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Lock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conformance.llm import Opinion
from waypost.adapters.llm import (
    Asking,
    Backoff,
    Cached,
    Completion,
    EpisodeCache,
    Ledger,
    Limited,
    Metered,
    Prices,
    Recording,
    Redacting,
    Replayed,
    Request,
    Retrying,
    Scripted,
    ScriptedChat,
    Turn,
)
from waypost.errors import BusyError, ModelError
from waypost.model.private import withheld

ASK = Request((Turn("user", "hello"),))
OPINION = Opinion("n1", ("because",), 0.25)


class Clock:
    """Seconds that pass only when somebody sleeps, or looks."""

    def __init__(self, step: float = 0.0) -> None:
        self.now, self.step = 0.0, step
        self.slept: list[float] = []

    def __call__(self) -> float:
        self.now += self.step
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def test_a_busy_endpoint_is_asked_again_later_and_later() -> None:
    clock = Clock()
    chat = ScriptedChat([BusyError("no"), BusyError("no"), BusyError("no"), "yes"])
    assert Retrying(chat, sleep=clock.sleep).complete(ASK).text == "yes"
    assert [1 <= s / base <= 1.25 for s, base in zip(clock.slept, (1, 2, 4), strict=True)] == [True] * 3


def test_the_endpoint_says_how_long_to_wait_up_to_a_limit() -> None:
    clock = Clock()
    chat = ScriptedChat([BusyError("no", 30.0), BusyError("no", 9e9), "yes"])
    Retrying(chat, sleep=clock.sleep).complete(ASK)
    assert clock.slept == [30.0, 60.0]


def test_in_the_end_it_gives_up_and_says_how_often_it_asked() -> None:
    chat = ScriptedChat([BusyError("no")] * 9)
    with pytest.raises(BusyError, match="asked 3 times"):
        Retrying(chat, sleep=Clock().sleep, backoff=Backoff(tries=3)).complete(ASK)
    assert len(chat.asked) == 3


def test_what_waiting_does_not_cure_is_not_asked_again() -> None:
    chat = ScriptedChat([ModelError("wrong key"), "yes"])
    with pytest.raises(ModelError, match="wrong key"):
        Retrying(chat, sleep=Clock().sleep).complete(ASK)
    assert len(chat.asked) == 1


def test_no_more_than_so_many_questions_are_out_at_once() -> None:
    lock, all_here = Lock(), Event()
    out = most = 0

    class Slow:
        model = "slow"

        def complete(self, request: Request) -> Completion:
            nonlocal out, most
            with lock:
                out += 1
                most = max(most, out)
                if out == 3:
                    all_here.set()
            all_here.wait(10)  # Three are let in: they meet here, and whoever came on top would be counted.
            with lock:
                out -= 1
            return Completion("x")

    chat = Limited(Slow(), 3)
    with ThreadPoolExecutor(12) as pool:
        list(pool.map(lambda _: chat.complete(ASK), range(12)))
    assert most == 3


def test_every_call_is_entered_with_tokens_cost_and_time() -> None:
    ledger = Ledger()
    chat = ScriptedChat([Completion("x", 1_000_000, 500_000), BusyError("no"), Completion("four")])
    metered = Metered(chat, ledger, clock=Clock(0.5), prices=Prices(2.0, 4.0))
    metered.complete(ASK)
    with pytest.raises(BusyError):
        metered.complete(ASK)
    metered.complete(ASK)
    first, second, third = ledger.calls
    assert (first.sent, first.received, first.cost, first.seconds) == (1_000_000, 500_000, 4.0, 0.5)
    assert (second.error, second.cost) == ("BusyError", 0.0)
    assert third.estimated
    assert third.received > 0
    sums = ledger.as_json()
    assert (sums["calls"], sums["failed"], sums["estimated"]) == (3, 1, True)


def test_a_broken_reply_costs_and_is_counted_and_so_is_its_repair() -> None:
    ledger = Ledger()
    chat = Metered(ScriptedChat(["no", "no"]), ledger, clock=Clock(), prices=Prices(1e6, 1e6))
    with pytest.raises(ModelError):
        Asking(chat).ask("?", returns=Opinion)
    assert len(ledger.calls) == 2
    assert all(c.cost > 0 for c in ledger.calls)


def test_a_question_that_was_answered_costs_nothing_again(tmp_path: Path) -> None:
    ledger = Ledger()
    first = Scripted([OPINION])
    assert Cached(first, tmp_path).ask("?", [b"a"], returns=Opinion) == OPINION
    again = Cached(Scripted([]), tmp_path, ledger=ledger)
    assert again.holds("?", [b"a"], returns=Opinion)
    assert again.ask("?", [b"a"], returns=Opinion) == OPINION
    assert ledger.as_json()["cached"] == 1


def test_a_question_repeated_within_an_episode_is_asked_again_and_an_episode_run_again_is_free(
    tmp_path: Path,
) -> None:
    second = Opinion("n2", (), 1.0)
    answered = Cached(Scripted([OPINION, second]), tmp_path)
    episode = EpisodeCache(answered)
    said = [episode.ask("?", [b"a"], returns=Opinion) for _ in range(2)]
    assert said == [OPINION, second]
    rerun = EpisodeCache(Cached(Scripted([]), tmp_path))
    assert [rerun.ask("?", [b"a"], returns=Opinion) for _ in range(2)] == said
    with pytest.raises(ModelError):
        rerun.ask("?", [b"a"], returns=Opinion)


@pytest.mark.parametrize(("prompt", "image", "id"), [("!", b"a", "m"), ("?", b"b", "m"), ("?", b"a", "n")])
def test_another_prompt_picture_or_model_is_another_question(
    tmp_path: Path, prompt: str, image: bytes, id: str
) -> None:
    Cached(Scripted([OPINION], id="m"), tmp_path).ask("?", [b"a"], returns=Opinion)
    other = Cached(Scripted([], id=id), tmp_path)
    assert not other.holds(prompt, [image], returns=Opinion)
    with pytest.raises(ModelError):
        other.ask(prompt, [image], returns=Opinion)


def test_a_torn_reply_is_asked_for_anew(tmp_path: Path) -> None:
    Cached(Scripted([OPINION]), tmp_path).ask("?", returns=Opinion)
    (kept,) = tmp_path.rglob("*.json")
    kept.write_text(kept.read_text()[:20])
    other = Opinion("n2", (), 1.0)
    assert Cached(Scripted([other]), tmp_path).ask("?", returns=Opinion) == other


def test_a_broken_reply_is_not_kept(tmp_path: Path) -> None:
    with pytest.raises(ModelError):
        Cached(Asking(ScriptedChat(["no", "no"])), tmp_path).ask("?", returns=Opinion)
    assert not list(tmp_path.rglob("*"))


def test_a_recorded_conversation_is_replayed_with_its_repair(tmp_path: Path) -> None:
    cassette = tmp_path / "talk.jsonl"
    good = '{"page": "n1", "reasons": ["because"], "sure": 0.25}'
    recorded = Asking(Recording(ScriptedChat(["no", good], model="m"), cassette))
    assert recorded.ask("?", [b"\x89PNG secret screen"], returns=Opinion) == OPINION
    assert Asking(Replayed(cassette, "m")).ask("?", [b"\x89PNG secret screen"], returns=Opinion) == OPINION
    assert "secret screen" not in cassette.read_text()
    with pytest.raises(ModelError, match="record it anew"):
        Asking(Replayed(cassette, "m")).ask("?", [b"another screen"], returns=Opinion)


def test_a_cassette_that_is_none_is_named_by_its_line(tmp_path: Path) -> None:
    cassette = tmp_path / "talk.jsonl"
    Recording(ScriptedChat(["yes"]), cassette).complete(ASK)
    with cassette.open("a") as file:
        file.write('{"key": 1}\n')
    with pytest.raises(ModelError, match="line 2"):
        Replayed(cassette, "scripted").complete(ASK)
    with pytest.raises(ModelError, match="Cannot read"):
        Replayed(tmp_path / "none", "scripted").complete(ASK)


def test_nothing_private_leaves() -> None:
    chat = ScriptedChat(["ok"])
    text = "Ann <ann@example.org>, +49 30 123456, password: hunter2 and sk-abcdefghijklmnop1234"
    Redacting(chat).complete(Request((Turn("user", text), Turn("assistant", "ann@example.org"))))
    sent = " ".join(t.text for t in chat.asked[0].turns)
    assert sent == "Ann <[e-mail]>, [number], password: [secret] and [secret] [e-mail]"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Authorization: Bearer abc.def.ghi", "Authorization: [secret]"),
        ("PIN is 1234", "PIN is [secret]"),
        ('{"token": "abc"}', '{"token": "[secret]"}'),
        ("密码：hunter2", "密码：[secret]"),
        ("555-0199", "[number]"),
        ("(030) 123 456 78", "[number]"),
        ("4111 1111 1111 1111", "[number]"),
    ],
)
def test_secrets_and_numbers_are_known_by_form_and_name(text: str, left: str) -> None:
    assert withheld(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "7:30 am, 12 of 24",
        "Page 3/10",
        "2026-12-01",
        "01.12.2026",
        "Version 12.4.1",
        "1080x2400",
        "Password",
        "Pin to top",
    ],
)
def test_what_belongs_to_nobody_stays(text: str) -> None:
    assert withheld(text) == text


@settings(deadline=None)
@given(st.text(max_size=80))
def test_cutting_twice_changes_nothing(text: str) -> None:
    once = withheld(text)
    assert withheld(once) == once
