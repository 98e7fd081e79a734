"""How long a text is to a model: text in, a number of word pieces out, by a vocabulary that is at hand."""

from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["word_pieces"]

_VOCABULARY = Path(__file__).with_name("bert_vocab.txt")


def word_pieces(text: str) -> int:
    """Count the word pieces of BERT's uncased vocabulary, which chat models' tokens are about as many as.

    >>> word_pieces("tap button Settings"), word_pieces("")
    (3, 0)
    """
    return len(_tokenizer().encode(text, add_special_tokens=False).ids)


@cache
def _tokenizer() -> Any:
    from tokenizers import BertWordPieceTokenizer

    return BertWordPieceTokenizer(str(_VOCABULARY), lowercase=True)
