"""Looks as they lie on disk: packed bytes in, looks that are unpacked when somebody asks out.

What a page is recognised by is kept beside each look, so that a map of many pages opens without reading a
single tree. It is kept for the very code that made it: `stamp` is of all code and words of this room, and
what bears another stamp is made anew.
"""

import hashlib
import json
import sys
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import fields
from functools import cache
from importlib.resources import files
from typing import Any, get_type_hints

from waypost.errors import MapError
from waypost.mapping.layers import LayerKind
from waypost.mapping.signature import Signature, signature
from waypost.model import Look, Observation, TreeQuality
from waypost.model.codec import decode, encode

__all__ = ["StoredLook", "check", "packed", "signed", "signed_as_text", "signed_from_text", "stamp"]

_BROKEN = (zlib.error, ValueError, LookupError, TypeError)


class StoredLook(Look):
    """A look that is unpacked at the first question for what it shows; else like any other."""

    __slots__ = ("blob", "text")
    blob: bytes
    text: str

    def __new__(cls, observation: Observation, image_hash: str = "", visits: int = 1) -> Look:  # type: ignore[misc]
        """Make a plain look: this is what `replace` asks for."""
        return Look(observation, image_hash, visits)

    @classmethod
    def of(cls, blob: bytes, text: str, image_hash: str, visits: int) -> "StoredLook":
        """Make one of its packed bytes and what it is recognised by, as text."""
        self: StoredLook = object.__new__(cls)
        for name, value in (("blob", blob), ("text", text), ("image_hash", image_hash), ("visits", visits)):
            object.__setattr__(self, name, value)
        return self

    @property
    def observation(self) -> Observation:
        """What was seen. Raises MapError where the bytes are damaged."""
        try:
            held: Observation = _HELD.__get__(self, StoredLook)
        except AttributeError:
            held = unpacked(self.blob)
            _HELD.__set__(self, held)
        return held

    def again(self) -> Look:
        """Return it as seen once more, packed as it was: most looks of a map are only ever counted."""
        seen = StoredLook.of(self.blob, self.text, self.image_hash, self.visits + 1)
        with suppress(AttributeError):
            _HELD.__set__(seen, _HELD.__get__(self, StoredLook))
        return seen

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Look):
            return NotImplemented
        mine, its = (self.image_hash, self.visits), (other.image_hash, other.visits)
        return mine == its and self.observation == other.observation

    __hash__ = Look.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return Look, (self.observation, self.image_hash, self.visits)


_HELD: Any = Look.__dict__["observation"]


def signed(look: Look) -> Signature:
    """Return what a look is recognised by, from beside it where it was stored."""
    if isinstance(look, StoredLook):
        try:
            return signed_from_text(look.text)
        except _BROKEN as e:
            raise MapError(f"What a page is recognised by is damaged ({e}); restore a copy of the map") from e
    return signature(look.observation.screen)


def packed(observation: Observation) -> bytes:
    """Pack a look for the disk."""
    text = json.dumps(encode(observation), ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(text.encode(), 6)


def unpacked(blob: bytes) -> Observation:
    """Turn what `packed` made back. Raises MapError."""
    try:
        return decode(Observation, json.loads(zlib.decompress(blob)))
    except _BROKEN as e:
        raise MapError(f"A look of the map is damaged ({e}); restore a copy of the map") from e


def check(blob: bytes, text: str) -> int:
    """Return a number that changes where either is damaged."""
    return zlib.crc32(text.encode(), zlib.crc32(blob))


@cache
def stamp() -> str:
    """Name the code and the words that decide what a look is recognised by."""
    digest = hashlib.blake2b(digest_size=12)
    for room in ("waypost.mapping", "waypost.model"):
        for file in sorted(files(room).iterdir(), key=lambda f: f.name):
            if file.name.endswith((".py", ".toml")):
                digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def signed_as_text(s: Signature) -> str:
    """Write a signature as JSON, the same text for the same signature.

    >>> s = Signature(app="a", labels=frozenset(("x", "y")))
    >>> signed_from_text(signed_as_text(s)) == s
    True
    """
    row = [_plain(getattr(s, f.name)) for f in fields(Signature)]
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def signed_from_text(text: str) -> Signature:
    """Read it back. Raises ValueError or TypeError for what is none."""
    row = json.loads(text)
    readers = _readers()
    if not isinstance(row, list) or len(row) != len(readers):
        raise ValueError("not a signature")
    return Signature(*[read(value) for read, value in zip(readers, row, strict=True)])


def _plain(value: Any) -> Any:
    if isinstance(value, frozenset):
        return sorted(value)
    return list(value) if isinstance(value, tuple) else value


@cache
def _readers() -> tuple[Callable[[Any], Any], ...]:
    """Return how each field is read. Most words occur in many looks: they are held once."""
    kinds: dict[Any, Callable[[Any], Any]] = {
        str: sys.intern,
        frozenset[str]: _words,
        tuple[str, ...]: lambda v: tuple(map(sys.intern, v)),
        tuple[int, int]: lambda v: (int(v[0]), int(v[1])),
        frozenset[tuple[str, str]]: lambda v: frozenset((str(a), str(b)) for a, b in v),
        LayerKind: LayerKind,
        TreeQuality: TreeQuality,
        bool: bool,
        int: int,
    }
    hints = get_type_hints(Signature)
    return tuple(kinds[hints[f.name]] for f in fields(Signature))


_NONE: frozenset[str] = frozenset()


def _words(values: Iterable[str]) -> frozenset[str]:
    return frozenset(map(sys.intern, values)) if values else _NONE
