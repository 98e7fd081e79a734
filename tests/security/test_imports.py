"""What strangers made is read within bounds: no way out of the folder, no bomb goes off."""

import gzip
import struct
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path

import pytest
from PIL import Image

from waypost.adapters.bounded import check_source, gunzipped, no_bomb, opened_picture, plain_xml
from waypost.adapters.foreign.imported import loaded
from waypost.adapters.trees import parse
from waypost.errors import TreeError, UsageError
from waypost.parts.importing import imported

BOMB = '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><hierarchy>&b;</hierarchy>'


def _folder(tmp_path: Path) -> Path:
    places = tmp_path / ".minimap" / "places"
    places.mkdir(parents=True)
    (tmp_path / ".minimap" / "edges").mkdir()
    return places


def test_a_link_out_of_what_is_imported_is_refused(tmp_path: Path) -> None:
    places = _folder(tmp_path / "theirs")
    (tmp_path / "secret.json").write_text('{"id": "x", "label": "the key is 1234"}')
    (places / "a.json").symlink_to(tmp_path / "secret.json")
    with pytest.raises(UsageError, match="leads out of"):
        imported("minimap", tmp_path / "theirs", tmp_path / "map")
    assert not (tmp_path / "map" / "map.sqlite").exists()


def test_a_folder_that_is_a_link_out_is_refused_and_one_inside_is_not(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "inside").symlink_to(tmp_path / "a" / "b")
    check_source(tmp_path / "a")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    with pytest.raises(UsageError, match="leads out of"):
        check_source(tmp_path / "a")


def test_packed_files_are_unpacked_no_further_than_they_may_grow(tmp_path: Path) -> None:
    assert gunzipped(gzip.compress(b"[1, 2]")) == b"[1, 2]"
    with pytest.raises(ValueError, match="more than 1 MB"):
        gunzipped(gzip.compress(bytes(5 * 2**20)), 2**20)
    (tmp_path / "cut.json.gz").write_bytes(gzip.compress(b"[1, 2, 3]" * 99)[:-12])
    with pytest.raises(UsageError, match="as JSON"):
        loaded(tmp_path / "cut.json.gz")


def test_a_picture_of_more_pixels_than_any_screen_is_refused_before_it_is_read(tmp_path: Path) -> None:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    for wide in (9_000, 60_000):
        head = chunk(b"IHDR", struct.pack(">IIBBBBB", wide, wide, 8, 2, 0, 0, 0))
        (tmp_path / "bomb.png").write_bytes(
            b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", b"") + chunk(b"IEND", b"")
        )
        with pytest.raises(ValueError, match="pixels"):
            opened_picture(tmp_path / "bomb.png")
    Image.new("RGB", (1080, 2400)).save(tmp_path / "screen.png")
    with opened_picture(tmp_path / "screen.png") as picture:
        assert picture.size == (1080, 2400)


def test_a_package_that_grows_beyond_reason_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.apk", "w", zipfile.ZIP_DEFLATED) as packed:
        for n in range(5):
            with packed.open(f"{n}", "w") as entry:
                for _ in range(64):
                    entry.write(bytes(2**20))
    with pytest.raises(UsageError, match="no package of an app"):
        no_bomb(tmp_path / "bomb.apk")
    (tmp_path / "none.apk").write_bytes(b"PK nothing")
    with pytest.raises(UsageError, match="is no package"):
        no_bomb(tmp_path / "none.apk")
    with zipfile.ZipFile(tmp_path / "small.apk", "w") as packed:
        packed.writestr("AndroidManifest.xml", "x" * 5000)
    no_bomb(tmp_path / "small.apk")


def test_entities_of_a_dump_are_never_expanded() -> None:
    with pytest.raises(ValueError, match="entities"):
        plain_xml(BOMB)
    assert plain_xml("<a/>") == "<a/>"
    outside = BOMB.replace('"ha"', 'SYSTEM "file:///etc/passwd"')
    for bomb in (BOMB, outside):
        try:
            said = str(parse(bomb).screen)
        except TreeError:
            continue
        assert "haha" not in said
        assert "root:" not in said


def test_a_tree_as_deep_as_a_well_ends_in_a_screen_or_a_plain_refusal() -> None:
    deep = "<hierarchy>" + '<node bounds="[0,0][9,9]">' * 50_000 + "</node>" * 50_000 + "</hierarchy>"
    nested = '{"children":[' * 50_000
    for dump in (deep, nested):
        with suppress(TreeError):
            assert sum(1 for _ in parse(dump).screen.walk()) < 100_000
