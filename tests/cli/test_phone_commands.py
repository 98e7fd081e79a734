import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.adapters.android.adb_server import serving
from tests.adapters.android.toy import APP, Item, Page, ToyPhone
from tests.adapters.ios.agent import Iphone
from tests.adapters.ios.agent import serving as serving_ios
from waypost.cli.app import app

ROWS = {"Sound": "sound", "Display": "display", "Battery": "battery"}


def _row(n: int, text: str, to: str = "") -> Item:
    return Item(text, (0, 200 + 160 * n, 1080, 340 + 160 * n), to=to)


def _pages() -> dict[str, Page]:
    pages = {"home": Page("home", tuple(_row(n, t, p) for n, (t, p) in enumerate(ROWS.items())))}
    for text, name in ROWS.items():
        rows = (_row(5, f"{text} level"), _row(6, f"{text} mode"), _row(7, f"About {text.lower()}"))
        pages[name] = Page(name, (Item(text, (0, 60, 1080, 180)), *rows))
    return pages


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[ToyPhone]:
    phone = ToyPhone(pages=_pages())
    with serving({"toy": phone.execute}) as port:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(port))
        yield phone


def _json(*words: str, code: int = 0) -> dict[str, Any]:
    result = CliRunner().invoke(app, [*words, "--json"])
    assert result.exit_code == code, result.output
    read = json.loads(result.stdout)
    assert isinstance(read, dict)
    return read


def test_a_phone_is_explored_and_gone_to_by_its_serial(served: ToyPhone, tmp_path: Path) -> None:
    folder = tmp_path / "map"
    served.stack = ["home", "sound"]  # It was left there.
    told = _json("explore", f"adb:toy/{APP}", "--map", str(folder), "--budget-actions", "30", "--no-pictures")
    assert (told["app"], told["pages"] >= 4) == (APP, True)
    assert _json("pages", str(folder))["app"] == APP
    assert json.loads((folder / "meta.json").read_text())["device"]["name"] == f"adb:toy/{APP}"
    served.stack = ["home"]
    assert _json("go", str(folder), "battery mode")["status"] == "reached"
    assert served.stack == ["home", "battery"]


def test_a_preview_of_a_phone_touches_nothing(served: ToyPhone) -> None:
    _json("explore", "adb:toy", "--dry-run")
    assert not [w for w in served.log if w[0] in ("input", "am", "monkey")]


def test_a_phone_that_is_not_there_is_a_device_fault(served: ToyPhone, tmp_path: Path) -> None:
    told = _json("explore", "adb:gone", "--map", str(tmp_path / "m"), code=3)
    assert "no phone 'gone'" in told["error"]["message"]


@pytest.mark.parametrize("port", ["x", "0", "70000"])
def test_a_port_that_is_none_is_wrong_use(port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", port)
    assert "ANDROID_ADB_SERVER_PORT" in _json("explore", "adb:x", "--dry-run", code=2)["error"]["message"]


def test_doctor_asks_the_phones_that_are_there(served: ToyPhone) -> None:
    served.printed = {"dumpsys power": b"mWakefulness=Asleep"}
    checks = {c["part"]: c for c in _json("doctor")["checks"]}
    assert checks["adb server"]["ok"]
    assert checks["phone toy"]["found"] == "Toy, Android 14"
    assert (checks["phone toy: screen"]["ok"], checks["phone toy: screen"]["found"]) == (False, "off")
    assert all(c["ok"] or c["cure"] for c in checks.values())


def test_an_iphone_is_previewed_by_its_address() -> None:
    with serving_ios(Iphone()) as url:
        assert _json("explore", f"wda:{url}", "--dry-run") == {"skipped": []}
