"""A pocket phone served over the protocol, for those who serve phones and those who drive them."""

from collections.abc import Iterator

import pytest

from tests.adapters.phone.client import pocket_config, served
from waypost.adapters.phone import Phone
from waypost.adapters.pocket import PocketDevice


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
