"""What every embedder must do. Subclass, and provide the fixture `embedder`."""

import numpy as np

from waypost.protocols import Embedder

__all__ = ["EmbedderSuite"]

_TEXTS = ["change the ringtone", "Delete all events", "更改铃声", "Wi-Fi", "12:30"]


class EmbedderSuite:
    def test_a_row_is_one_text_of_unit_length(self, embedder: Embedder) -> None:
        rows = embedder.embed(_TEXTS)
        assert rows.shape == (len(_TEXTS), embedder.dimension)
        assert rows.dtype == np.float32
        assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-4)

    def test_no_texts_give_no_rows(self, embedder: Embedder) -> None:
        assert embedder.embed([]).shape == (0, embedder.dimension)

    def test_a_row_does_not_depend_on_the_company(self, embedder: Embedder) -> None:
        together = embedder.embed(_TEXTS)
        alone = np.concatenate([embedder.embed([t]) for t in reversed(_TEXTS)])[::-1]
        assert np.allclose(together, alone, atol=1e-4)

    def test_blank_odd_and_long_texts_are_embedded_too(self, embedder: Embedder) -> None:
        rows = embedder.embed(["", "   ", "\u202e\x00", "🙂🙃", "word " * 3000])
        assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-4)

    def test_the_id_names_the_model(self, embedder: Embedder) -> None:
        assert embedder.id
        assert embedder.id == embedder.id.strip()

    def test_shared_words_are_nearer_than_none(self, embedder: Embedder) -> None:
        asked, near, far = embedder.embed(["change the ringtone", "ringtone", "unpaid invoices of last year"])
        assert asked @ near > asked @ far
