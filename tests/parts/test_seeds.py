"""Maps that come with the package: installed, they find, plan, and lead there at once."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import waypost
from waypost.adapters.pocket import apps
from waypost.cli.app import app
from waypost.errors import MapError
from waypost.parts.exploring import ExploreRequest, explored
from waypost.parts.face import open_map
from waypost.parts.seeds import pack, seeds


def _said(*words: str, code: int = 0) -> dict[str, Any]:
    result = CliRunner().invoke(app, [*words, "--json"])
    assert result.exit_code == code, result.output
    read = json.loads(result.stdout)
    assert isinstance(read, dict)
    return read


def test_pocket_comes_with_the_package_app_by_app() -> None:
    assert [s.name for s in seeds()] == ["actual", "ihatemoney", *(f"pocket-{a}" for a in sorted(apps()))]
    assert sum(s.bytes for s in seeds()) < 4_000_000
    told = _said("map", "list")
    assert told["yours"] == []
    assert all(row["pages"] > 20 for row in told["package"])


def test_an_installed_map_finds_plans_and_leads_there() -> None:
    told = _said("map", "get", "pocket-settings")
    (row,) = told["maps"]
    assert row["folder"].startswith(os.environ["XDG_DATA_HOME"])
    found = _said("find", "pocket-settings", "make the letters on the screen bigger")
    assert found["name"] == "Font size"
    with waypost.open("pocket-settings") as known:
        assert len(known.pages()) == next(s.pages for s in seeds() if s.name == "pocket-settings")
        pictured = [k.image_hash for n in known.pages() for k in n.looks if k.image_hash]
        assert all(known.picture(p).startswith(b"\x89PNG") for p in pictured)
        assert known.go("make the letters on the screen bigger").status == "reached"


def test_one_name_stands_for_all_of_pockets_maps() -> None:
    told = _said("map", "get", "pocket")
    pockets = [s.name for s in seeds() if s.name.startswith("pocket-")]
    assert [m["name"] for m in told["maps"]] == pockets
    assert _said("map", "list")["yours"] == pockets


def test_a_map_of_a_web_app_is_looked_at_without_the_app() -> None:
    for name in ("actual", "ihatemoney"):
        (row,) = _said("map", "get", name)["maps"]
        device = json.loads((Path(row["folder"]) / "meta.json").read_text())["device"]
        assert device["name"].startswith("browser:http://127.0.0.1:")
        assert device["options"] == {}  # Nobody's own paths.
    way = _said("route", "actual", "how my spending compares month by month")
    assert way["name"] == "Monthly Spending"
    assert way["plan"]["steps"]


def test_a_map_of_ones_own_is_not_replaced_unasked() -> None:
    _said("map", "get", "pocket-clock")
    with waypost.open("pocket-clock") as known:
        known.mapper.rename(known.pages()[0].id, "Mine")
        known.mapper.commit()
    assert "--again" in _said("map", "get", "pocket-clock", code=2)["error"]["message"]
    with waypost.open("pocket-clock") as known:
        assert known.pages()[0].name == "Mine"
    _said("map", "get", "pocket-clock", "--again")
    with waypost.open("pocket-clock") as known:
        assert known.pages()[0].name != "Mine"


@pytest.mark.parametrize("name", ["nothing", "pock", "../evil", ""])
def test_a_name_that_is_none_is_wrong_use(name: str) -> None:
    assert "there are: actual, ihatemoney, pocket-" in _said("map", "get", name, code=2)["error"]["message"]


def test_a_map_is_packed_the_same_each_time_and_small(tmp_path: Path) -> None:
    explored("pocket:clock", tmp_path / "clock", ExploreRequest(actions=12))
    with open_map(tmp_path / "clock") as known:
        known.records()
    packed = pack(tmp_path / "clock")
    assert packed == pack(tmp_path / "clock")
    whole = sum(p.stat().st_size for p in (tmp_path / "clock").rglob("*") if p.is_file())
    assert len(packed) < whole / 4
    with pytest.raises(MapError, match="No map"):
        pack(tmp_path)
