import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from waypost.library.words import clean, content, redacted, related, stem, tokens


@given(st.text(max_size=300), st.integers(8, 120))
def test_what_a_screen_says_becomes_one_plain_line(text: str, limit: int) -> None:
    line = clean(text, limit)
    assert len(line) <= limit
    assert not any(unicodedata.category(c) in ("Cc", "Zl", "Zp") for c in line)
    assert not any(c in line for c in "\u202e\u200b\u2066\ufeff")


@given(st.text(max_size=120))
def test_cleaning_twice_changes_nothing(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@given(st.text(max_size=120))
def test_any_text_has_words_and_they_are_stable(text: str) -> None:
    assert tokens(text) == tokens(text)
    assert set(content(text)) <= set(tokens(text))


def test_addresses_numbers_and_keys_do_not_get_into_records() -> None:
    said = redacted("Ann ann.lee@example.org +44 20 7946 0958 sk-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c")
    assert "example.org" not in said
    assert "7946" not in said
    assert "4f9a" not in said
    assert said.startswith("Ann")


def test_dates_and_amounts_are_left() -> None:
    assert redacted("16.02.2021 12:30, 1,250.00 EUR") == "16.02.2021 12:30, 1,250.00 EUR"


def test_forms_of_a_word_meet() -> None:
    for forms in (
        ("notification", "notifications"),
        ("delete", "deleted", "deleting"),
        ("category", "categories"),
    ):
        assert len({stem(f) for f in forms}) == 1


def test_the_lexicon_joins_what_people_say_to_what_screens_say() -> None:
    assert stem("receipt") in related(stem("invoice"))
    assert stem("basket") in related(stem("cart"))
