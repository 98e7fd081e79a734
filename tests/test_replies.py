import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.model.replies import json_in

_TEXT = st.text(st.characters(blacklist_categories=["Cs"]), max_size=20)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | _TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4),
    max_leaves=12,
)
_OBJECTS = st.dictionaries(_TEXT, _JSON, min_size=1, max_size=5)
WANTED = {"page": "Sound", "steps": ["open the menu", "tap Sound"], "sure": 0.5}


@settings(deadline=None)
@given(_OBJECTS)
def test_whole_json_is_read_as_it_is(value: dict[str, object]) -> None:
    assert json_in(json.dumps(value, ensure_ascii=False)) == value


@settings(deadline=None)
@given(
    _OBJECTS,
    st.sampled_from(["Here you are:\n", "<think>a {maybe} b</think>", "好的，结果如下：", "```json\n"]),
)
def test_what_stands_around_it_is_left_out(value: dict[str, object], before: str) -> None:
    assert json_in(f"{before}{json.dumps(value)}\n```\nAnything else?") == value


@pytest.mark.parametrize(
    "text",
    [
        '{"page": "Sound", "steps": ["open the menu", "tap Sound",], "sure": 0.5,}',
        "{'page': 'Sound', 'steps': ['open the menu', 'tap Sound'], 'sure': 0.5}",
        "{page: 'Sound', steps: ['open the menu', 'tap Sound'], sure: 0.5} // done",
        "｛“page”：“Sound”，“steps”：［“open the menu”，“tap Sound”］，“sure”：0.5｝",
        "{“page”: “Sound”， “steps”：【“open the menu”、“tap Sound”】， “sure”：0.5}",
        '<|box|>{"page": "Sound", "steps": ["open the menu", "tap Sound"], "sure": 0.5}<|end_of_box|>',
        'I choose {} or rather:\n{"page": "Sound", "steps": ["open the menu", "tap Sound"], "sure": 0.5}',
        '{"page": "Sound", // the page\n "steps": ["open the menu", "tap Sound"], "sure": 0.5}',
    ],
)
def test_json_as_models_spell_it_is_read(text: str) -> None:
    assert json_in(text) == WANTED


def test_words_of_other_languages_for_truth_are_known() -> None:
    assert json_in("{'a': True, 'b': None, 'c': FALSE}") == {"a": True, "b": None, "c": False}


def test_quotes_inside_of_a_text_that_nobody_escaped_stay() -> None:
    assert json_in('{"hint": "tap "Sound" under "Phone" then wait"}') == {
        "hint": 'tap "Sound" under "Phone" then wait'
    }


@pytest.mark.parametrize("text", ['{"a": {"b": 1}', '{"a" 5, "b": {"c": 1}}', 'So: {"a": [{"b": 1}, {"c"'])
def test_a_part_of_a_broken_answer_is_no_answer(text: str) -> None:
    with pytest.raises(ValueError, match=r"cut off|no value"):
        json_in(text)


@pytest.mark.parametrize("left", [2, 3, 4])
def test_a_bracket_inside_of_a_text_ends_no_broken_answer(left: int) -> None:
    text = json.dumps({"b": [1, {"x": "0]"}], "c": [{"d": 1}], "e": None})
    with pytest.raises(ValueError, match=r"no value|cut off|neither|missing|the reply"):
        json_in(text[:-left])


@settings(deadline=None)
@given(_OBJECTS, st.data())
def test_what_is_cut_off_is_refused_and_never_half_read(
    value: dict[str, object], data: st.DataObject
) -> None:
    text = json.dumps(value)
    cut = data.draw(st.integers(0, len(text) - 1))
    with pytest.raises(ValueError, match=r"the reply|no value|neither|missing"):
        json_in(text[:cut])


@settings(deadline=None, max_examples=400)
@given(st.text(max_size=200) | st.text("{}[]\"'“”：，,:\\ab1 \n", max_size=60))
def test_any_text_gives_json_or_a_value_error(text: str) -> None:
    try:
        found = json_in(text)
    except ValueError:
        return
    assert isinstance(found, (dict, list))


def test_deep_nesting_is_refused_without_running_out_of_stack() -> None:
    with pytest.raises(ValueError, match=r"nested|cut off"):
        json_in('{"a":' * 5_000)
