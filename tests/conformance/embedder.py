"""What every embedder must do. Subclass, and provide the fixture `embedder`."""

import numpy as np
import pytest

from waypost.protocols import Embedder, TokenEmbedder

__all__ = ["EmbedderSuite", "TokenEmbedderSuite"]

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


class TokenEmbedderSuite(EmbedderSuite):
    """What an embedder that reads word piece by word piece must do as well."""

    def test_a_reading_has_the_vector_of_the_whole(self, embedder: TokenEmbedder) -> None:
        read = embedder.read(_TEXTS)
        assert np.allclose(np.stack([r.vector for r in read]), embedder.embed(_TEXTS), atol=1e-4)
        assert embedder.read([]) == []

    def test_tokens_fit_each_other_and_their_shares_sum_to_one(self, embedder: TokenEmbedder) -> None:
        short, long = embedder.read(["ringtone", "change the ringtone of one of my friends"])
        assert short.tokens.shape[1] == long.tokens.shape[1]
        assert 0 < len(short.tokens) < len(long.tokens)
        for reading in (short, long):
            assert reading.shares.shape == (len(reading.tokens),)
            assert reading.shares.sum() == pytest.approx(1, abs=1e-5)

    def test_the_best_match_of_a_word_is_itself(self, embedder: TokenEmbedder) -> None:
        word, among, without = embedder.read(
            ["ringtone", "wallpaper, ringtone, volume", "wallpaper, clock, volume"]
        )
        best = [(word.tokens @ other.tokens.T).max(axis=1).mean() for other in (among, without)]
        assert best[0] > best[1]

    def test_odd_texts_are_read_too(self, embedder: TokenEmbedder) -> None:
        for reading in embedder.read(["", "   ", "\u202e\x00", "🙂🙃", "word " * 3000]):
            assert np.isfinite(reading.tokens).all()
            assert len(reading.shares) == len(reading.tokens)
