"""Mishaps come at their rates, by seed, and never change what is true."""

import pytest

from tests.adapters.pocket.driving import phone, small, tap
from waypost.adapters.pocket import Faults, PocketDevice
from waypost.errors import DeviceError
from waypost.model import ImageStatus, Press, Tap, TreeQuality


def _phone(faults: Faults) -> PocketDevice:
    device = PocketDevice("small", faults=faults, specs=[small()])
    while device.where() == "side:splash":
        device.observe()
    return device


def _press_often(device: PocketDevice) -> None:
    for _ in range(50):
        device.perform(Press("enter"))


def test_without_faults_every_look_is_whole() -> None:
    device = phone()
    assert all(device.observe().screen.quality is TreeQuality.FULL for _ in range(100))


def test_a_tree_may_be_missing_or_cut() -> None:
    screen = _phone(Faults(no_tree=1.0)).observe().screen
    assert screen.quality is TreeQuality.NONE
    assert not screen.root.children
    whole = len(list(phone().observe().screen.walk()))
    cut = _phone(Faults(truncated=1.0)).observe().screen
    assert cut.quality is TreeQuality.PARTIAL
    assert 1 < len(list(cut.walk())) < whole


def test_a_stale_tree_is_the_one_before_and_labelled_so() -> None:
    device = _phone(Faults(stale=1.0))
    device.observe()
    device.perform(Tap((500, 500)))
    look = device.observe()
    assert look.screen.quality is TreeQuality.PARTIAL
    assert (device.label(look.seen_at), device.where()) == ("small/home", "small/form")
    assert device.label(device.observe().seen_at) == "small/form"


def test_screenshots_may_be_black_or_fail() -> None:
    assert _phone(Faults(black=1.0)).observe(pixels=True).image_status is ImageStatus.SECURE
    look = _phone(Faults(unpictured=1.0)).observe(pixels=True)
    assert (look.image_status, look.image) == (ImageStatus.FAILED, b"")


def test_a_secure_page_has_no_picture() -> None:
    device = phone()
    tap(device, "Secret")
    look = device.observe(pixels=True)
    assert (look.image_status, look.image) == (ImageStatus.SECURE, b"")


def test_a_slow_page_slides_in_and_settles() -> None:
    device = _phone(Faults(slow=1.0, slow_looks=2))
    device.observe()
    device.perform(Tap((500, 500)))
    labels, lefts = [], []
    for _ in range(3):
        look = device.observe()
        labels.append(device.label(look.seen_at))
        lefts.append(min(e.bounds.left for e in look.screen.visible()))
    assert labels == ["side:settling", "side:settling", "small/form"]
    assert lefts[0] > lefts[1] > lefts[2] == 0


def test_a_lost_phone_answers_again_after_a_restart() -> None:
    device = _phone(Faults(lost=0.5, seed=3))
    with pytest.raises(DeviceError, match="call restart"):
        _press_often(device)
    with pytest.raises(DeviceError):
        device.observe()
    device.restart()
    while device.where() == "side:splash":
        device.observe()
    assert device.where() == "small/home"


def test_one_seed_gives_one_series_of_mishaps() -> None:
    def series(seed: int) -> list[TreeQuality]:
        device = _phone(Faults.all_on(seed))
        return [device.observe().screen.quality for _ in range(200)]

    assert series(1) == series(1)
    assert series(1) != series(2)
    assert set(series(1)) == set(TreeQuality)


def test_the_presets_are_what_they_say() -> None:
    assert not Faults.none().any
    assert Faults.all_on(5).any
    assert Faults.all_on(5).seed == 5
