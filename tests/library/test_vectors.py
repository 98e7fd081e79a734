import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from waypost.adapters.embedders import HashEmbedder
from waypost.library import Library, Retriever
from waypost.library.vectors import VectorCache, digest
from waypost.model import NodeId, Record
from waypost.protocols import Reading, Vectors


class Spelling:
    """Reads a text word by word, each as the hashes say; remembers what it was asked."""

    def __init__(self) -> None:
        self._words = HashEmbedder(64)
        self.asked: list[str] = []

    @property
    def id(self) -> str:
        return "spelling"

    @property
    def dimension(self) -> int:
        return self._words.dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked.extend(texts)
        return self._words.embed(texts)

    def read(self, texts: Sequence[str]) -> list[Reading]:
        vectors = self.embed(texts)
        words = [self._words.embed(text.split()) for text in texts]
        shares = [np.full(len(w), 1 / max(len(w), 1), np.float32) for w in words]
        return [Reading(*parts) for parts in zip(vectors, words, shares, strict=True)]


_TEXTS = ["Sleep timer. with Minutes", "Wallpaper", "Sleep timer. with Minutes"]


def test_what_was_read_is_kept_and_its_vector_too(tmp_path: Path) -> None:
    first, again = Spelling(), Spelling()
    fresh = VectorCache(first, tmp_path).tokens(_TEXTS)
    assert [t.shape for t in fresh] == [(4, 64), (1, 64), (4, 64)]
    assert first.asked == _TEXTS[:2]
    cache = VectorCache(again, tmp_path)
    assert all(np.array_equal(a, b) for a, b in zip(fresh, cache.tokens(_TEXTS), strict=True))
    assert np.allclose(cache.vectors(_TEXTS), HashEmbedder(64).embed(_TEXTS), atol=1e-3)
    assert again.asked == []


def test_tokens_that_are_torn_are_read_anew(tmp_path: Path) -> None:
    VectorCache(Spelling(), tmp_path).tokens(_TEXTS)
    with closing(sqlite3.connect(tmp_path / "vectors.sqlite")) as db, db:
        db.execute("UPDATE tokens SET tokens = x'00' WHERE length(tokens) > 130")
    again = Spelling()
    assert VectorCache(again, tmp_path).tokens(_TEXTS)[0].shape == (4, 64)
    assert again.asked == _TEXTS[:1]


def test_a_folder_of_before_tokens_is_read_on(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "vectors.sqlite")) as db, db:
        db.execute("CREATE TABLE vectors (model TEXT, text TEXT, vector BLOB, PRIMARY KEY (model, text))")
        row = np.full(64, 0.125, np.float16)
        db.execute("INSERT INTO vectors VALUES ('spelling', ?, ?)", (digest("Clock"), row.tobytes()))
    again = Spelling()
    cache = VectorCache(again, tmp_path)
    assert len(cache.tokens(_TEXTS)) == 3
    assert np.allclose(cache.vectors(["Clock"]), 0.125)
    assert "Clock" not in again.asked


def test_a_model_that_reads_no_tokens_has_none() -> None:
    assert [len(t) for t in VectorCache(HashEmbedder(), None).tokens(_TEXTS)] == [0, 0, 0]


def test_a_word_that_stands_alone_among_many_is_heard() -> None:
    """A whole page in one vector drowns it."""
    busy = "Kitchen (page). with " + ", ".join(f"shelf{i}" for i in range(40)) + ", saffron"
    records = [
        Record(NodeId(str(i)), 0, text.split(" ")[0], text, (), (text.split(" ")[0],), ())
        for i, text in enumerate([busy, "Saffraan (page). with things"])
    ]
    found = Retriever(Library(records, Spelling()), rules=()).retrieve("where saffron")
    assert {f.record.node: f.evidence["tokens"] > 0.4 for f in found} == {"0": True, "1": False}
