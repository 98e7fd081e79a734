import json
import re
from dataclasses import fields, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.library.test_store import RECORDS
from waypost.library.keeping import kept
from waypost.library.lines import WORDS, line, parse
from waypost.model import NodeId, Provenance, Record, Source

SCHEMA: dict[str, Any] = json.loads(
    (files("waypost.library") / "record.schema.json").read_text(encoding="utf-8")
)
SEEN = Record(
    NodeId("n"), 0, "Sound", "Sound (page)", ("Sound",), ("Home", "Sound"), ("Home → Sound: tap",), depth=1
)
BY_MODEL = replace(
    SEEN,
    summary="Where sounds are chosen",
    hints=("Home → Sound: tap the bell",),
    provenance=Provenance(summary=Source.MODEL, hints=Source.MODEL),
    model="m",
    prompt="describe-1",
)


def _edited(text: str, **changes: object) -> str:
    return json.dumps({**json.loads(text), **changes})


def test_the_schema_is_a_schema_and_names_every_field() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert set(SCHEMA["properties"]) == {f.name for f in fields(Record)} | {"format", "stamp"}


@settings(deadline=None)
@given(RECORDS)
def test_every_line_fits_the_schema(record: Record) -> None:
    jsonschema.validate(json.loads(line(record)), SCHEMA)


@pytest.mark.parametrize("name", WORDS)
def test_a_field_that_was_edited_is_the_users_and_no_other(name: str) -> None:
    value: object = "Mine" if isinstance(getattr(SEEN, name), str) else ["Mine"]
    found = parse(_edited(line(SEEN), **{name: value}))
    assert found.provenance == replace(Provenance(), **{name: Source.USER})


def test_a_field_that_was_deleted_is_the_users_too() -> None:
    row = json.loads(line(SEEN))
    del row["hints"]
    found = parse(json.dumps(row))
    assert (found.hints, found.provenance.hints) == ((), Source.USER)


def test_a_line_of_before_the_first_format_is_read() -> None:
    row = {"node": "n", "member": 0, "name": "A", "summary": "s", "intents": [], "waypoints": ["A"]}
    assert parse(json.dumps({**row, "provenance": "user"})).provenance.summary is Source.USER
    assert parse(json.dumps({**row, "provenance": "seen"})).provenance == Provenance()


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"format": 2}, "upgrade waypost"),
        ({"hints": "tap"}, "hints must be a list of texts"),
        ({"notes": [1]}, "notes must be a list of texts"),
        ({"name": None}, "name must be a text"),
        ({"provenance": {"name": "rumour"}}, "rumour"),
        ({"provenance": {"colour": "seen"}}, "colour"),
        ({"provenance": 3}, "provenance must be an object"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_what_is_no_record_is_refused_with_the_reason(changes: dict[str, object], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        parse(_edited(line(SEEN), **changes))


@settings(deadline=None)
@given(RECORDS, RECORDS)
def test_what_the_user_wrote_always_stays(fresh: Record, old: Record) -> None:
    found = kept(fresh, old)
    for name in WORDS:
        if getattr(old.provenance, name) is Source.USER:
            assert getattr(found, name) == getattr(old, name)
            assert getattr(found.provenance, name) is Source.USER
    assert not old.notes or found.notes == old.notes
    assert (found.node, found.depth, found.version) == (fresh.node, fresh.depth, fresh.version)
    assert kept(fresh, found) == found


def test_a_models_words_stay_when_the_map_is_distilled_without_one() -> None:
    found = kept(SEEN, BY_MODEL)
    assert (found.summary, found.model, found.prompt) == ("Where sounds are chosen", "m", "describe-1")
    assert found.provenance == BY_MODEL.provenance


def test_a_model_that_writes_anew_is_believed_and_the_user_more() -> None:
    new = replace(BY_MODEL, summary="Newer words", model="m2")
    assert kept(new, BY_MODEL).summary == "Newer words"
    mine = replace(BY_MODEL, summary="Mine", provenance=Provenance(summary=Source.USER))
    assert kept(new, mine).summary == "Mine"
    assert kept(new, mine).hints == new.hints


def test_what_a_model_said_of_a_way_goes_with_the_way() -> None:
    other_way = replace(SEEN, waypoints=("Home", "Menu", "Sound"), hints=("a", "b"), depth=2)
    found = kept(other_way, BY_MODEL)
    assert found.hints == ("a", "b")
    assert found.summary == "Where sounds are chosen"
    assert found.provenance.hints is Source.SEEN


def test_without_a_models_words_no_model_is_named() -> None:
    only_hints = replace(BY_MODEL, summary="s", provenance=Provenance(hints=Source.MODEL))
    assert kept(replace(SEEN, depth=5), only_hints).model == ""


@settings(deadline=None)
@given(st.text(max_size=60))
def test_a_note_is_kept_letter_by_letter(note: str) -> None:
    record = replace(SEEN, notes=(note.encode("utf-8", "ignore").decode(),))
    assert parse(line(record)).notes == record.notes


def test_the_example_of_the_documents_fits_the_schema() -> None:
    text = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```json\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    jsonschema.validate(json.loads(example), SCHEMA)
    assert parse(example).notes == ("Where the siren for fire drills is set",)
