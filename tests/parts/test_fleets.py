"""Several apps, one fleet: each app has a map of its own, the same as if it had been explored alone."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.calling import called_json
from tests.exploration.toy import APP, Toy
from tests.parts.test_fleet import PAGES, shown, stored
from waypost.errors import UsageError
from waypost.model import Action, Observation
from waypost.parts.fleet import Fleeted, FleetProgress, FleetRequest, fleet
from waypost.parts.fleets import _Group, _in_turn, _phone, fleets

FEW = {"Home": {"Inbox": "Inbox", "Sent": "Sent"}, "Inbox": {"Up": "Home"}, "Sent": {"Back home": "Home"}}


class Mail(Toy):
    """The same kind of phone with another app in front."""

    def observe(self, *, pixels: bool = False) -> Observation:
        seen = super().observe(pixels=pixels)
        return replace(seen, screen=replace(seen.screen, app="org.mail"))


def test_each_app_has_a_map_of_its_own(tmp_path: Path) -> None:
    alone = fleet([Toy(PAGES)], tmp_path / "alone", FleetRequest(pictures=False))
    seen: list[FleetProgress] = []
    found = fleets(
        [Toy(PAGES), Mail(FEW), Toy(PAGES)],
        tmp_path / "m",
        FleetRequest(pictures=False),
        progress=seen.append,
    )
    toy, mail = found.maps
    assert (toy.devices, mail.devices) == (2, 1)
    assert (toy.pages, mail.pages) == (alone.pages, len(FEW))
    assert mail.app == "org.mail"
    assert Path(mail.map) == tmp_path / "m-mail"
    assert shown(stored(Path(toy.map))) == shown(stored(tmp_path / "alone"))
    assert seen[-1].pages == toy.pages + mail.pages == found.as_json()["pages"]
    assert seen[-1].actions == toy.actions + mail.actions


def test_one_app_goes_into_the_map_that_was_named(tmp_path: Path) -> None:
    (done,) = fleets([Toy(PAGES), Toy(PAGES)], tmp_path / "m", FleetRequest(pictures=False)).maps
    assert (Path(done.map), done.devices, done.stop_reason) == (tmp_path / "m", 2, "complete")
    with pytest.raises(UsageError, match="needs a device"):
        fleets([], tmp_path / "m", FleetRequest())


def test_a_budget_is_of_all_apps_together(tmp_path: Path) -> None:
    request = FleetRequest(actions=20, pictures=False)
    found = fleets([Toy(PAGES), Mail(PAGES)], tmp_path / "m", request)
    assert [m.stop_reason for m in found.maps] == ["out_of_actions"] * 2
    assert sum(m.actions for m in found.maps) <= 2 * (10 + 8)


def test_what_fails_for_one_app_halts_the_others_and_is_told(tmp_path: Path) -> None:
    class Broken(Mail):
        def perform(self, action: Action) -> None:
            raise ZeroDivisionError("a fault of ours")

    with pytest.raises(ZeroDivisionError):
        fleets([Toy(PAGES), Broken(FEW)], tmp_path / "m", FleetRequest(pictures=False))
    name = APP.rpartition(".")[2]
    again = fleet([Toy(PAGES)], tmp_path / f"m-{name}", FleetRequest(pictures=False))
    assert (again.stop_reason, again.frontier) == ("complete", 0)


def test_a_fleet_that_is_halted_says_so_and_can_be_taken_up(tmp_path: Path) -> None:
    device = Toy(PAGES)
    request = FleetRequest(pictures=False, halted=lambda: bool(device.done))
    done = fleet([device], tmp_path / "m", request)
    assert done.stop_reason == "interrupted"
    assert done.frontier > 0
    again = fleet([Toy(PAGES)], tmp_path / "m", FleetRequest(pictures=False))
    assert (again.stop_reason, again.frontier) == ("complete", 0)


def test_a_phone_that_is_named_with_two_apps_does_one_after_the_other() -> None:
    assert _phone("adb:R58/com.mail") == _phone("adb:R58/com.chat") != _phone("adb:R59/com.mail")
    assert _phone("wda:http://h:8100#a") == _phone("wda:http://h:8100#b") != ""
    assert _phone("pocket:mail") == _phone("browser:http://127.0.0.1:1/") == ""
    phones = {"a": ("one",), "b": ("one", "two"), "c": ("three",), "d": ("two",)}
    groups = [_Group(app, app, (), frozenset(held)) for app, held in phones.items()]
    busy: set[str] = set()
    lock, both = threading.Lock(), threading.Barrier(2)

    def explored(group: _Group) -> Fleeted:
        with lock:
            assert not busy & group.phones
            busy.update(group.phones)
        if group.app in "ac":
            both.wait(timeout=60)  # They share no phone, so they run side by side.
        with lock:
            busy.difference_update(group.phones)
        return Fleeted(group.app, group.app, 1, 0, 1, 0, 0, 0, 0, "complete", 0.0)

    done = _in_turn(groups, explored, threading.Event())
    assert [m.app for m in done] == ["a", "b", "c", "d"]


def test_the_command_explores_several_apps(tmp_path: Path) -> None:
    words = ("pocket:clock", "pocket:music", "--map", str(tmp_path / "all"), "--budget-actions", "24")
    found = called_json("fleet", *words, "--no-pictures")
    assert [m["app"] for m in found["maps"]] == ["com.pocket.clock", "com.pocket.music"]
    for name in ("clock", "music"):
        assert stored(tmp_path / f"all-{name}").app == f"com.pocket.{name}"
    assert found["actions"] == sum(m["actions"] for m in found["maps"])
