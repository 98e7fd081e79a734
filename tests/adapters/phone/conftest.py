"""A pocket phone served over the protocol, with a client at hand."""

from collections.abc import Iterator

import pytest

from tests.adapters.phone.client import Client, pocket_config, served
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


@pytest.fixture
def client(phone: Phone) -> Iterator[Client]:
    with Client(phone.server.port) as client:
        yield client
