from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.adapters.llm.shape import fitted, schema_of
from waypost.model.codec import encode


class Mood(StrEnum):
    GOOD = "good"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Inner:
    n: int
    maybe: str | None = None


@dataclass(frozen=True, slots=True)
class Outer:
    mood: Mood
    kind: Literal["a", "b"]
    inner: tuple[Inner, ...]
    sure: float


_OUTERS = st.builds(
    Outer,
    st.sampled_from(Mood),
    st.sampled_from(["a", "b"]),
    st.lists(st.builds(Inner, st.integers(), st.none() | st.text())).map(tuple),
    st.floats(allow_nan=False),
)


@settings(deadline=None)
@given(_OUTERS)
def test_what_is_written_out_fits_again(value: Outer) -> None:
    assert fitted(Outer, encode(value)) == value


def test_a_schema_asks_for_every_field_and_no_other() -> None:
    schema = schema_of(Outer)
    assert schema["required"] == ["mood", "kind", "inner", "sure"]
    assert schema["additionalProperties"] is False
    inner = schema["properties"]["inner"]["items"]
    assert inner["properties"]["maybe"] == {"anyOf": [{"type": "string"}, {"type": "null"}]}
    assert schema["properties"]["mood"] == {"enum": ["good", "bad"]}


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ([], "the reply: wants an object"),
        ({"mood": "fine"}, "mood: wants one of"),
        ({"mood": "good"}, "kind: is missing"),
        ({"mood": "good", "kind": "c"}, "kind: wants one of"),
        ({"mood": "good", "kind": "a", "inner": "x"}, "inner: wants a list"),
        ({"mood": "good", "kind": "a", "inner": [{"n": "3"}]}, r"inner\[0\].n: wants a whole number"),
        ({"mood": "good", "kind": "a", "inner": [{"n": True}]}, r"inner\[0\].n: wants a whole number"),
        ({"mood": "good", "kind": "a", "inner": [{"n": 1, "maybe": 2}]}, r"inner\[0\].maybe: wants a text"),
        ({"mood": "good", "kind": "a", "inner": [], "sure": "very"}, "sure: wants a number"),
        ({"mood": ["good"], "kind": "a"}, "mood: wants one of"),
    ],
)
def test_what_does_not_fit_is_named_by_its_place(value: object, place: str) -> None:
    with pytest.raises(ValueError, match=place):
        fitted(Outer, value)
