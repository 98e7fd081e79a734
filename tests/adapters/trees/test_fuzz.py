import contextlib
import json
from typing import Any
from xml.etree import ElementTree

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.adapters.trees.dumps import accessibility, hierarchies, mutated, views
from waypost.adapters.trees import Dump, Parsed, parse
from waypost.errors import TreeError
from waypost.model import TreeQuality

fuzz = settings(settings.get_profile("fuzz"))


def _sane(found: Parsed) -> None:
    screen = found.screen
    width, height = screen.size
    count = 0
    for element in screen.walk():
        count += 1
        box = element.bounds
        assert 0 <= box.left <= box.right <= width
        assert 0 <= box.top <= box.bottom <= height
        assert not element.visible or box.area or not element.class_name
        for words in (element.text, element.description, element.resource_id, element.class_name):
            words.encode("utf-8")
            assert "\x00" not in words
    if screen.quality is TreeQuality.NONE:
        assert found.fault is not Dump.NONE
        assert count == 1
    hash(screen)
    repr(screen)


def _read(source: Any) -> None:
    with contextlib.suppress(TreeError):
        _sane(parse(source))


@fuzz
@given(mutated())
@example("ERROR: could not get idle state.\n")
@example("<?xml")
@example("<a <b <c")
@example("<node bounds='[0,0][9,9]' text='\ud83d'/>")
@example("<hierarchy><node" + " x='" * 9)
def test_a_dump_that_was_damaged_is_read_or_refused_by_our_own_error(text: str) -> None:
    _read(text)


@fuzz
@given(st.binary(max_size=60) | st.text(max_size=60))
def test_noise_is_read_or_refused_by_our_own_error(noise: bytes | str) -> None:
    _read(noise)


@fuzz
@given(views | accessibility)
def test_objects_of_any_shape_are_read_or_refused_by_our_own_error(data: dict[str, Any]) -> None:
    _read(data)


@fuzz
@given(hierarchies)
def test_a_sound_dump_is_read_as_the_stock_parser_reads_it(text: str) -> None:
    found = parse(text, size=(1080, 2400))
    root = ElementTree.fromstring(text)
    expected = [(n.get("class", ""), n.get("text", "")) for n in root.iter("node")]
    assert found.screen.quality is TreeQuality.FULL
    assert [(e.class_name, e.text) for r in found.roots for e in r.walk()] == expected
    _sane(found)


@fuzz
@given(hierarchies, st.data())
def test_a_dump_that_was_cut_says_so(text: str, data: st.DataObject) -> None:
    cut = text[: data.draw(st.integers(0, len(text) - len("</hierarchy>")))]
    found = parse(cut + data.draw(st.sampled_from(["", "Killed", "\nKilled \n"])))
    assert found.screen.quality in (TreeQuality.PARTIAL, TreeQuality.NONE)
    assert found.fault is not Dump.NONE


@fuzz
@given(views)
def test_json_as_text_is_read_as_the_object_is(data: dict[str, Any]) -> None:
    try:
        text = json.dumps(data, allow_nan=False)
    except ValueError:
        return
    assert parse(text).screen == parse(json.loads(text)).screen
