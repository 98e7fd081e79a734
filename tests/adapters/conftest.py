"""A pocket phone served over the protocol, for those who serve phones and those who drive them."""

from collections.abc import Iterator

import pytest

from tests.adapters.phone.client import pocket_config, served
from tests.adapters.phone.real_adb import Adb, running
from waypost.adapters.phone import Phone
from waypost.adapters.pocket import PocketDevice


@pytest.fixture(scope="module")
def server(adb: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Adb]:
    """Give the real adb with a server of its own."""
    with running(adb, tmp_path_factory.mktemp("adb")) as real:
        yield real


@pytest.fixture
def notes() -> list[str]:
    """Give what the phone notes of what clients ask for in vain."""
    return []


@pytest.fixture
def phone(notes: list[str]) -> Iterator[Phone]:
    device = PocketDevice("clock")
    while "Splash" in device.observe().screen.activity:
        pass
    with served(device, pocket_config(), notes) as phone:
        yield phone
