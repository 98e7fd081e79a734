from hypothesis import given
from hypothesis import strategies as st

from waypost.adapters.embedders import MiniLmEmbedder, MultilingualEmbedder, RoutedEmbedder
from waypost.library.glossary import explained, kinds, ready
from waypost.library.store import labels
from waypost.model import NodeId, Record


def test_a_known_label_is_explained_with_its_other_names() -> None:
    (line,) = explained(["Basket"])
    assert line.startswith("basket, cart")


def test_a_label_is_explained_by_its_parts_where_it_is_not_known_as_a_whole() -> None:
    assert any(line.startswith("basket") for line in explained(["Basket of Ann"]))


def test_known_labels_come_before_parts_of_unknown_ones() -> None:
    assert explained(["My basket now", "Drafts"])[0].startswith("drafts")


def test_chinese_labels_are_explained_in_chinese() -> None:
    assert "壁纸" in explained(["聊天背景"])[0]
    assert explained(["我的聊天背景图"])


def test_plain_words_of_a_label_explain_nothing() -> None:
    assert explained(["Select Qwertz"]) == ()


@given(st.lists(st.text(max_size=40), max_size=5))
def test_a_page_gets_few_explanations_whatever_its_labels(names: list[str]) -> None:
    assert len(explained(names)) <= 4


def test_a_page_is_called_by_its_name_and_by_what_leads_to_it() -> None:
    record = Record(
        NodeId("a"),
        0,
        "Filter (Kitchen) (sheet)",
        "Filter (sheet). also called Refine, Narrow. with Size",
        (),
        (),
    )
    assert labels(record) == ["Filter", "Kitchen", "Refine", "Narrow"]


def test_the_vectors_made_in_advance_are_those_of_this_glossary() -> None:
    embedder = RoutedEmbedder(MiniLmEmbedder(), MultilingualEmbedder())
    rows = ready(embedder.id)
    assert rows is not None, "run scripts/glossary_vectors.py"
    some = [0, len(kinds()) // 2, len(kinds()) - 1]
    fresh = embedder.embed([kinds()[i] for i in some])
    assert ((rows[some] * fresh).sum(axis=1) > 0.99).all()


def test_another_model_has_no_vectors_made_in_advance() -> None:
    assert ready("another") is None
