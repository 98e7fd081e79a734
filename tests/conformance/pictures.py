"""What every store of screenshots must do. Subclass, and provide the fixture `make_pictures`."""

import hashlib
from collections.abc import Callable

from waypost.mapping.pictures import Pictures

__all__ = ["PicturesSuite"]


def _named(png: bytes) -> tuple[str, bytes]:
    return hashlib.sha256(png).hexdigest(), png


class PicturesSuite:
    """`make_pictures` opens one and the same place again and again."""

    def test_what_was_kept_is_read_also_by_who_opens_the_place_anew(
        self, make_pictures: Callable[[], Pictures]
    ) -> None:
        first, second = _named(b"one"), _named(bytes(range(256)) * 1_000)
        mine, others = make_pictures(), make_pictures()
        assert others.read(first[0]) == b""
        for name, png in (first, second):
            mine.keep(name, png)
        for store in (mine, others, make_pictures()):
            assert store.read(first[0]) == first[1]
            assert store.read(second[0]) == second[1]

    def test_a_place_where_nothing_was_kept_is_empty(self, make_pictures: Callable[[], Pictures]) -> None:
        store = make_pictures()
        assert list(store.names()) == []
        assert store.read("") == store.read("0" * 64) == b""

    def test_names_are_told_in_order_however_often_they_were_kept(
        self, make_pictures: Callable[[], Pictures]
    ) -> None:
        store = make_pictures()
        kept = [_named(bytes([n])) for n in range(12)]
        for name, png in (*kept, *kept[:3]):
            store.keep(name, png)
        assert list(make_pictures().names()) == sorted(name for name, _ in kept)
        assert all(store.read(name) == png for name, png in kept)

    def test_a_place_is_told_by_where_the_picture_is(self, make_pictures: Callable[[], Pictures]) -> None:
        name, png = _named(b"somewhere")
        store = make_pictures()
        store.keep(name, png)
        assert store.place(name).endswith(f"/{name}.png")
