from pathlib import Path

import numpy as np
import pytest

from tests.conformance.embedder import EmbedderSuite, TokenEmbedderSuite
from waypost.adapters.embedders import HashEmbedder, MiniLmEmbedder, MultilingualEmbedder, RoutedEmbedder
from waypost.adapters.embedders.weights import check
from waypost.errors import ModelError
from waypost.protocols import Embedder, PartialEmbedder, TokenEmbedder

_MINILM, _MULTILINGUAL = MiniLmEmbedder(), MultilingualEmbedder()


class TestHashEmbedder(EmbedderSuite):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return HashEmbedder()


class TestMiniLmEmbedder(TokenEmbedderSuite):
    @pytest.fixture
    def embedder(self) -> TokenEmbedder:
        return _MINILM

    def test_the_vector_of_a_known_sentence_has_not_moved(self) -> None:
        row = _MINILM.embed(["change the ringtone"])[0]
        assert np.allclose(
            row[[0, 1, 2, 3, -2, -1]], [0.0360, 0.0101, -0.0679, -0.0702, 0.0593, -0.0716], atol=2e-3
        )

    def test_the_word_pieces_of_a_known_sentence_have_not_moved(self) -> None:
        (reading,) = _MINILM.read(["change the ringtone"])
        assert np.allclose(reading.tokens[0, :3], [0.119, -0.086, -0.164], atol=5e-3)
        assert np.allclose(reading.shares, [0.259, 0.235, 0.255, 0.251], atol=5e-3)

    def test_the_general_weights_stay_within_reach(self) -> None:
        general = MiniLmEmbedder(tuned=False)
        row = general.embed(["change the ringtone"])[0]
        assert np.allclose(
            row[[0, 1, 2, 3, -2, -1]], [0.0051, 0.0423, -0.0062, -0.1051, 0.0565, -0.0936], atol=2e-3
        )
        assert general.id != _MINILM.id

    def test_meaning_counts_where_no_word_is_shared(self) -> None:
        asked, near, far = _MINILM.embed(["make letters bigger", "Font size", "Bank account"])
        assert asked @ near > asked @ far + 0.1


class TestMultilingualEmbedder(EmbedderSuite):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return _MULTILINGUAL

    def test_the_vector_of_a_known_sentence_has_not_moved(self) -> None:
        row = _MULTILINGUAL.embed(["更改铃声"])[0]
        assert np.allclose(
            row[[0, 1, 2, 3, -2, -1]], [0.0581, 0.0624, 0.0336, 0.0585, 0.0331, 0.0104], atol=2e-3
        )

    def test_the_general_vectors_stay_within_reach(self) -> None:
        general = MultilingualEmbedder(tuned=False)
        row = general.embed(["更改铃声"])[0]
        assert np.allclose(
            row[[0, 1, 2, 3, -2, -1]], [0.0722, 0.0034, 0.0667, 0.0477, 0.0335, 0.0175], atol=2e-3
        )
        assert general.id != _MULTILINGUAL.id


class TestRoutedEmbedder(TokenEmbedderSuite):
    @pytest.fixture
    def embedder(self) -> TokenEmbedder:
        return RoutedEmbedder(_MINILM, _MULTILINGUAL)

    def test_a_chinese_question_finds_an_english_page(self) -> None:
        routed = RoutedEmbedder(_MINILM, _MULTILINGUAL)
        asked, right, wrong = routed.embed(["更改铃声", "Ringtone", "Delivery address"])
        assert asked @ right > asked @ wrong + 0.1

    @pytest.mark.parametrize("asked", ["更改铃声", "change the ringtone"])
    def test_lifted_a_product_across_scripts_is_the_cosine_of_the_model_that_reads_both(
        self, asked: str
    ) -> None:
        routed = RoutedEmbedder(_MINILM, _MULTILINGUAL)
        assert isinstance(routed, PartialEmbedder)
        texts = [asked, "Ringtone", "铃声"]
        rows, every = routed.embed(texts), _MULTILINGUAL.embed(texts)
        lifted = (rows @ rows[0]) * routed.lifts(rows, rows[0])
        other = 1 if asked == "更改铃声" else 2
        assert lifted[other] == pytest.approx(every[other] @ every[0], abs=1e-5)
        assert routed.lifts(rows, rows[0])[[0, 3 - other]].tolist() == [1.0, 1.0]

    def test_the_cosine_of_two_latin_texts_is_the_weighted_sum_of_both_models(self) -> None:
        texts = ["change the ringtone", "alarm sound"]
        a, b = RoutedEmbedder(_MINILM, _MULTILINGUAL, share=0.7).embed(texts)
        first, second = _MINILM.embed(texts), _MULTILINGUAL.embed(texts)
        assert a @ b == pytest.approx(0.7 * first[0] @ first[1] + 0.3 * second[0] @ second[1], abs=1e-5)

    def test_a_text_that_the_first_model_cannot_read_has_no_tokens(self) -> None:
        first, foreign, last = RoutedEmbedder(_MINILM, _MULTILINGUAL).read(["alarm", "更改铃声", "clock"])
        assert len(first.tokens) > 0 < len(last.tokens)
        assert len(foreign.tokens) == 0
        assert np.allclose(
            foreign.vector, RoutedEmbedder(_MINILM, _MULTILINGUAL).embed(["更改铃声"])[0], atol=1e-4
        )

    def test_without_a_model_that_reads_by_tokens_there_are_none(self) -> None:
        (reading,) = RoutedEmbedder(HashEmbedder(), _MULTILINGUAL).read(["alarm"])
        assert len(reading.tokens) == len(reading.shares) == 0

    def test_another_share_is_another_model(self) -> None:
        ids = {RoutedEmbedder(HashEmbedder(), HashEmbedder(), share=s).id for s in (0.4, 0.6)}
        assert len(ids) == 2

    @pytest.mark.parametrize("share", [0.0, 1.0, -1.0])
    def test_a_share_that_silences_a_model_is_refused(self, share: float) -> None:
        with pytest.raises(ValueError, match="share"):
            RoutedEmbedder(HashEmbedder(), HashEmbedder(), share=share)


def test_other_weights_are_refused(tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(b"not the weights")
    with pytest.raises(ModelError, match="reinstall some-package"):
        check(tmp_path / "model", "0" * 64, "some-package")


def test_missing_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"Cannot read .*gone"):
        check(tmp_path / "gone", "0" * 64, "some-package")
