"""Screenshots in a folder, in memory and in a real S3-style store on loopback, held to the same rules."""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conformance.pictures import PicturesSuite
from waypost.adapters.fsspec_pictures import FsspecPictures
from waypost.errors import UsageError
from waypost.mapping.pictures import FolderPictures, Pictures
from waypost.parts.exploring import ExploreRequest, explored
from waypost.parts.face import open_map
from waypost.parts.stores import lay_pictures

_NUMBER = itertools.count()


class TestFolderPictures(PicturesSuite):
    @pytest.fixture
    def make_pictures(self, tmp_path: Path) -> Callable[[], Pictures]:
        return lambda: FolderPictures(tmp_path / "screens")


class TestLocalStore(PicturesSuite):
    @pytest.fixture
    def make_pictures(self, tmp_path: Path) -> Callable[[], Pictures]:
        return lambda: FsspecPictures(f"file://{tmp_path}/deep/er")


class TestMemoryStore(PicturesSuite):
    @pytest.fixture
    def make_pictures(self) -> Callable[[], Pictures]:
        number = next(_NUMBER)
        return lambda: FsspecPictures(f"memory://shots{number}/")


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    """Give a bucket of a server that speaks S3, on loopback."""
    server = pytest.importorskip("moto.server").ThreadedMotoServer(
        ip_address="127.0.0.1", port=0, verbose=False
    )
    pytest.importorskip("s3fs")
    server.start()
    host, port = server.get_host_and_port()
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
            patch.setenv("AWS_ACCESS_KEY_ID", "nobody")
            patch.setenv("AWS_SECRET_ACCESS_KEY", "nothing")
            import fsspec

            fsspec.filesystem("s3", skip_instance_cache=True).mkdir("screens")
            yield "s3://screens"
    finally:
        server.stop()


@pytest.mark.slow
class TestS3Store(PicturesSuite):
    @pytest.fixture
    def make_pictures(self, bucket: str) -> Callable[[], Pictures]:
        number = next(_NUMBER)
        return lambda: FsspecPictures(f"{bucket}/map{number}")


@pytest.mark.slow
def test_an_exploration_keeps_its_pictures_in_the_store_that_was_named(bucket: str, tmp_path: Path) -> None:
    explored("pocket:clock", tmp_path / "clock", ExploreRequest(actions=6))
    before = {p.stem for p in (tmp_path / "clock" / "screens").glob("*.png")}
    address = f"{bucket}/clock"
    assert lay_pictures(tmp_path / "clock", address) == len(before) > 0
    explored("pocket:clock", tmp_path / "clock", ExploreRequest(actions=20))
    assert {p.stem for p in (tmp_path / "clock" / "screens").glob("*.png")} == before
    grown = set(FsspecPictures(address).names())
    assert grown > before
    with open_map(tmp_path / "clock", readonly=True) as known:
        hashes = {k.image_hash for n in known.graph.nodes.values() for k in n.looks} - {""}
        assert hashes == grown
        assert all(known.picture(h) for h in hashes)
        assert known.picture_place(min(hashes)) == f"{address}/{min(hashes)}.png"
    assert lay_pictures(tmp_path / "clock", "") == len(grown)
    assert {p.stem for p in (tmp_path / "clock" / "screens").glob("*.png")} == grown


def test_a_picture_that_was_cut_off_is_written_again(tmp_path: Path) -> None:
    store = FsspecPictures(f"file://{tmp_path}")
    (tmp_path / "ab.png").write_bytes(b"hal")
    store.keep("ab", b"half and half")
    assert store.read("ab") == b"half and half"


def test_an_address_that_is_none_is_told() -> None:
    with pytest.raises(UsageError, match="no store"):
        FsspecPictures("nosuchthing://x/y")


def test_whatever_a_client_raises_where_nobody_answers_is_an_oserror(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("s3fs")
    for name, value in {"ENDPOINT_URL": "http://127.0.0.1:1", "MAX_ATTEMPTS": "1"}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    for name in ("ACCESS_KEY_ID", "SECRET_ACCESS_KEY"):
        monkeypatch.setenv(f"AWS_{name}", "nothing")
    with pytest.raises(OSError, match=r"127\.0\.0\.1:1"):
        FsspecPictures("s3://nobody/here").keep("ab", b"x")
