"""A client at the served phone."""

from collections.abc import Iterator

import pytest

from tests.adapters.phone.client import Client
from waypost.adapters.phone import Phone


@pytest.fixture
def client(phone: Phone) -> Iterator[Client]:
    with Client(phone.server.port) as client:
        yield client
