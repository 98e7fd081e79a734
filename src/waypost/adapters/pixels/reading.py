"""Text off a picture by optical character recognition: a picture in, one element a line of text out."""

import re
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from waypost.adapters.pixels.pictures import opened
from waypost.errors import UsageError
from waypost.model import Bounds, Element, Role

__all__ = ["OcrFinder", "cleaned"]

_SURE = 0.5
"""Score below which a line is noise: the engine's own default."""
_SURE_GLYPH = 0.8
"""A single sign is more often an icon than a word: what is read less surely keeps its place, and no text."""
_SCALE = 2
"""Half size reads as well as full size, in two thirds of the time."""
_GRID = 4
"""Pixels that boxes are rounded to: the same line is found at the same place in two pictures."""


class OcrFinder:
    """Reads with RapidOCR (PP-OCRv6, English and Chinese), on one thread; loads at the first look."""

    def __init__(self) -> None:
        if find_spec("rapidocr") is None:
            raise UsageError('Reading text off pictures needs rapidocr: pip install "waypost[ocr]"')
        self._engine: Any = None

    @property
    def id(self) -> str:
        return "ocr"

    def find(self, picture: bytes, size: tuple[int, int]) -> tuple[Element, ...]:
        import numpy as np

        image = opened(picture)
        across, down = size[0] / image.width, size[1] / image.height
        shrink = _SCALE if min(image.width, image.height) >= 320 * _SCALE else 1
        small = image.resize((image.width // shrink, image.height // shrink))
        self._engine = self._engine or _engine()
        read = self._engine(np.asarray(small)[:, :, ::-1])  # The engine takes blue first.
        if read.boxes is None:
            return ()
        lines = zip(read.boxes, read.txts, read.scores, strict=True)
        return tuple(_elements(lines, across * image.width / small.width, down * image.height / small.height))


def _engine() -> Any:
    from rapidocr import RapidOCR

    engine = "EngineConfig.onnxruntime"
    return RapidOCR(
        params={
            "Global.log_level": "error",
            "Global.use_cls": False,  # Screens are upright.
            f"{engine}.intra_op_num_threads": 1,
            f"{engine}.inter_op_num_threads": 1,
        }
    )


def _elements(lines: Any, across: float, down: float) -> Iterator[Element]:
    for box, text, score in lines:
        said = cleaned(text)
        if not said or score < _SURE:
            continue
        left, top = float(box[:, 0].min()) * across, float(box[:, 1].min()) * down
        right, bottom = float(box[:, 0].max()) * across, float(box[:, 1].max()) * down
        bounds = Bounds(_round(left), _round(top), _round(right), _round(bottom))
        glyph = len(said) == 1 or (len(said) == 2 and not said.isalnum())
        if glyph and score < _SURE_GLYPH:
            yield Element(Role.IMAGE, "ocr", bounds=bounds)
        else:
            yield Element(Role.TEXT, "ocr", said, bounds=bounds)


def _round(value: float) -> int:
    return max(0, round(value / _GRID) * _GRID)


def cleaned(text: str) -> str:
    """Write a line as people do: one kind of space, one kind of ellipsis, no stray marks around it.

    >>> cleaned("  Fern &  Sons.. "), cleaned("| Inbox ·"), cleaned("...")
    ('Fern & Sons…', 'Inbox', '')
    """
    said = re.sub(r"(?:\.{2,}|…)+$", "…", " ".join(text.split()))
    said = re.sub(r"^[|·•_~`^]+\s*|\s*[|·•_~`^]+$", "", said)
    return said if any(c not in "….。" for c in said) else ""
