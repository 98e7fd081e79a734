import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.adapters.embedders import HashEmbedder, MiniLmEmbedder, MultilingualEmbedder, RoutedEmbedder
from waypost.library import Library, Retriever
from waypost.library.certainty import certainty, rightness
from waypost.model import NodeId, Record


def record(node: str, name: str, *intents: str, depth: int = 1, parent: str = "Home") -> Record:
    way = ("Home",) if name == "Home" else ("Home", name) if parent == "Home" else ("Home", parent, name)
    summary = f"{name} (page). with {', '.join(intents)}"
    return Record(NodeId(node), 0, name, summary, (name, *intents), way, depth=depth)


RECORDS = [
    record("home", "Home", depth=0),
    record("sound", "Sound & vibration", "turn on or off Vibrate for calls", "Media volume"),
    record("ring", "Phone ringtone", "Phone ringtone: Argon", depth=2, parent="Sound & vibration"),
    record("theme", "Appearance", "turn on or off Dark theme", "Font size"),
    record("store", "Storage", "Free up space", "Downloads"),
    record("bills", "Invoices", "Download invoice", "Payment method"),
    record("help", "Help", "Frequently asked questions"),
]
_EMBEDDER = RoutedEmbedder(MiniLmEmbedder(), MultilingualEmbedder())


@pytest.fixture(scope="module")
def retriever() -> Retriever:
    return Retriever(Library(RECORDS, _EMBEDDER))


@pytest.mark.parametrize(
    ("sentence", "node"),
    [
        ("use another tune when somebody calls", "ring"),
        ("switch to the black look", "theme"),
        ("my device is full, remove what is not needed", "store"),
        ("Where do I find the bill for my last order?", "bills"),
        ("更改来电铃声", "ring"),
    ],
)
def test_everyday_sentences_find_their_page(retriever: Retriever, sentence: str, node: str) -> None:
    assert retriever.retrieve(sentence)[0].record.node == node


@pytest.mark.parametrize(
    "sentence", ["order a pizza", "see the phases of the moon", "join a video conference", "叫出租车"]
)
def test_what_the_map_lacks_is_said_to_be_absent(retriever: Retriever, sentence: str) -> None:
    answer = retriever.answer(sentence)
    assert answer.record is None
    assert answer.confidence > 0.5
    assert "not on this map" in answer.reason
    assert answer.candidates


def test_an_answer_is_sure_and_says_why(retriever: Retriever) -> None:
    answer = retriever.answer("change the phone ringtone")
    assert answer.record is not None
    assert answer.record.node == "ring"
    assert answer.confidence > 0.8
    assert "rington" in answer.reason


@pytest.mark.parametrize("sentence", ["boil eggs", "Boil  Eggs.", "qwzx"])
def test_what_stands_on_a_page_word_for_word_is_never_said_to_be_absent(sentence: str) -> None:
    # Evidence of meaning alone would refuse these: one says nothing, the other is unlike the page's name.
    timer = record("timer", "Countdown", "boil eggs", "qwzx")
    answer = Retriever(Library([*RECORDS, timer], _EMBEDDER)).answer(sentence)
    assert answer.record is not None
    assert answer.record.node == "timer"


@pytest.mark.parametrize("sentence", ["Themes", "themes (3)"])
def test_a_page_called_by_its_name_comes_before_those_that_say_more_of_it(sentence: str) -> None:
    more = record("more", "Themes & themes store", "themes", "My themes", "Themes", depth=0)
    plain = record("plain", "Themes", "Ocean", "Forest", depth=4)
    answer = Retriever(Library([more, plain], HashEmbedder())).answer(sentence)
    assert answer.candidates[0].record.node == "plain"


def test_a_number_is_no_name_that_stands_on_a_page() -> None:
    numbered = record("n", "Home", "12", depth=0)
    answer = Retriever(Library([numbered], _EMBEDDER)).answer("7")
    evidence = answer.candidates[0].evidence
    by_meaning = certainty(evidence) * rightness(math.inf, evidence)
    assert answer.confidence == pytest.approx(by_meaning if answer.record else 1 - certainty(evidence))


def test_an_answer_that_is_not_sure_enough_can_be_withheld() -> None:
    twins = [record("a", "Zebras of Ann"), record("b", "Zebras of Bob")]
    library = Library(twins, HashEmbedder())
    assert Retriever(library).answer("zebras").record is not None
    withheld = Retriever(library, least=0.9).answer("zebras")
    assert withheld.record is None
    assert "not sure enough" in withheld.reason


def test_an_empty_library_and_an_empty_question_are_answered(retriever: Retriever) -> None:
    assert Retriever(Library([], HashEmbedder())).answer("anything").record is None
    assert retriever.answer("  ").record is None


def test_ties_go_to_the_nearer_page() -> None:
    twins = [record("deep", "Filters", depth=3), record("near", "Filters", depth=1)]
    assert Retriever(Library(twins, HashEmbedder())).retrieve("filters")[0].record.node == "near"


def test_no_more_than_k_are_returned_best_first(retriever: Retriever) -> None:
    found = retriever.retrieve("sound", 3)
    assert len(found) == 3
    assert found[0].record.node == "sound"


_HASHED = Retriever(Library(RECORDS, HashEmbedder(64)))
_HASHED.retrieve("load the vectors once")


@given(st.text(max_size=80))
def test_any_question_gets_an_answer_with_a_probability(sentence: str) -> None:
    answer = _HASHED.answer(sentence)
    assert 0 <= answer.confidence <= 1
