"""`waypost map check` and `map pictures`, as a user calls them."""

from pathlib import Path

import pytest

from tests.cli.calling import called, called_json
from waypost.adapters.fsspec_pictures import FsspecPictures
from waypost.parts.exploring import ExploreRequest, explored


@pytest.fixture
def clock(tmp_path: Path) -> Path:
    """Give a map of a few pages, with pictures."""
    explored("pocket:clock", tmp_path / "clock", ExploreRequest(actions=12))
    return tmp_path / "clock"


def test_a_map_is_held_against_itself(clock: Path) -> None:
    assert ", all agree" in called("map", "check", str(clock))
    assert called_json("map", "check", str(clock))["disagreements"] == []
    picture = min((clock / "screens").glob("*.png"))
    picture.unlink()
    told = called_json("map", "check", str(clock), code=1)
    assert told["disagreements"] == [f"the picture {picture.stem} is missing or damaged"]
    assert picture.stem in called("map", "check", str(clock), code=1)


def test_pictures_are_laid_elsewhere_and_back(clock: Path, tmp_path: Path) -> None:
    there = len(list((clock / "screens").glob("*.png")))
    address = f"file://{tmp_path}/elsewhere"
    told = called_json("map", "pictures", str(clock), address)
    assert (told["copied"], told["pictures"]) == (there, address)
    assert len(list(FsspecPictures(address).names())) == there
    for picture in (clock / "screens").glob("*.png"):
        picture.unlink()
    assert called_json("map", "check", str(clock))["disagreements"] == []
    assert called_json("map", "pictures", str(clock))["copied"] == there
    assert len(list((clock / "screens").glob("*.png"))) == there


def test_an_address_that_is_none_changes_nothing(clock: Path) -> None:
    assert "no store" in called_json("map", "pictures", str(clock), "nosuch://x", code=2)["error"]["message"]
    assert called_json("map", "check", str(clock))["disagreements"] == []
