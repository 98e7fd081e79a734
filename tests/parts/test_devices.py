from pathlib import Path

import pytest

from waypost.errors import UsageError
from waypost.parts.devices import DeviceOptions, DeviceSpec, open_device, parse_device
from waypost.parts.folders import map_folder, maps_home
from waypost.parts.health import checked
from waypost.parts.origin import Origin, read_origin, write_origin


@pytest.mark.parametrize(
    ("text", "kind", "address"),
    [
        ("pocket", "pocket", ""),
        ("pocket:mail", "pocket", "mail"),
        ("browser:http://127.0.0.1:5006/a?b#c", "browser", "http://127.0.0.1:5006/a?b#c"),
        ("https://127.0.0.1:1/", "browser", "https://127.0.0.1:1/"),
        ("recorded:/tmp/x", "recorded", "/tmp/x"),
        ("adb:127.0.0.1:5555", "adb", "127.0.0.1:5555"),
        ("pixels:pocket:mail", "pixels", "pocket:mail"),
        ("pixels+ocr+model:http://127.0.0.1:1/", "pixels+ocr+model", "browser:http://127.0.0.1:1/"),
    ],
)
def test_every_kind_of_device_has_a_name(text: str, kind: str, address: str) -> None:
    spec = parse_device(text)
    assert spec == DeviceSpec(kind, address)
    assert parse_device(str(spec)) == spec


@pytest.mark.parametrize(
    "text", ["", "phone", "browser:", "recorded", "adb:", "iphone:1", "pixels", "pixels:phone"]
)
def test_a_name_that_is_no_device_is_told_what_there_is(text: str) -> None:
    with pytest.raises(UsageError, match=r"devices: pocket\[:APP\]"):
        parse_device(text)


def test_a_finder_that_is_not_there_is_told_what_there_is() -> None:
    with pytest.raises(UsageError, match="'icons' is no finder; there are ocr, model"):
        open_device(parse_device("pixels+icons:pocket:mail"))
    with pytest.raises(UsageError, match="set WAYPOST_LLM_MODEL"):
        open_device(parse_device("pixels+model:pocket:mail"))


def test_a_missing_state_file_is_named(tmp_path: Path) -> None:
    options = DeviceOptions(storage_state=tmp_path / "none.json")
    with pytest.raises(UsageError, match="--storage-state: there is no file"):
        open_device(parse_device("browser:http://127.0.0.1:1/"), options)


@pytest.mark.parametrize("name", ["../x", "/tmp/x", "./x", "~/x"])
def test_a_map_can_be_a_folder(name: str) -> None:
    assert map_folder(name) == Path(name).expanduser()


def test_a_map_can_be_a_name() -> None:
    assert map_folder("budget") == maps_home() / "budget"


@pytest.mark.parametrize("name", ["", " ", "a\nb", "a:b", "a\\b"])
def test_a_name_that_no_folder_can_have_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="no name for a map"):
        map_folder(name)


def test_where_a_map_came_from_is_kept(tmp_path: Path) -> None:
    options = DeviceOptions(tmp_path / "s.json", None, ("a.example",), "", 3, faults=True)
    write_origin(tmp_path, Origin(DeviceSpec("pocket", "mail"), options, 7))
    origin = read_origin(tmp_path)
    assert origin.device == DeviceSpec("pocket", "mail")
    assert origin.distilled == 7
    assert origin.options == DeviceOptions(tmp_path / "s.json", None, ("a.example",), "", 3)


@pytest.mark.parametrize("text", ["", "[", "[]", "{}", '{"device": 3}'])
def test_a_lost_note_is_an_unknown_origin(tmp_path: Path, text: str) -> None:
    (tmp_path / "meta.json").write_text(text)
    assert read_origin(tmp_path).device is None


def test_options_that_are_said_win_over_those_that_were_kept() -> None:
    kept, said = DeviceOptions(seed=1, allow_hosts=("a",)), DeviceOptions(seed=2)
    assert kept.overlaid(said) == DeviceOptions(seed=2, allow_hosts=("a",))
    assert kept.overlaid(None) == kept


def test_a_machine_without_a_browser_is_told_so_and_the_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    (browser,) = [f for f in checked() if f.part == "browser"]
    assert not browser.ok
    assert "chromium" in browser.cure
