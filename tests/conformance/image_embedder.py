"""What every image embedder must do. Subclass, and provide the fixture `embedder`."""

import io

import numpy as np
import pytest
from PIL import Image, ImageDraw

from waypost.protocols import ImageEmbedder

__all__ = ["ImageEmbedderSuite", "picture"]


def picture(*boxes: tuple[int, int, int, int], dark: bool = False, form: str = "PNG") -> bytes:
    """Draw outlines of boxes, as PNG or what `form` says."""
    ground, ink = (20, 235) if dark else (235, 20)
    image = Image.new("RGB", (540, 1200), (ground,) * 3)
    for box in boxes:
        ImageDraw.Draw(image).rectangle(box, outline=(ink,) * 3, width=4)
    out = io.BytesIO()
    image.save(out, form)
    return out.getvalue()


_LIST = [(20, 100 + 120 * i, 520, 200 + 120 * i) for i in range(8)]
_FORM = [(60, 300, 480, 360), (60, 420, 480, 480), (180, 900, 360, 980)]


class ImageEmbedderSuite:
    def test_a_row_is_one_picture_of_unit_length(self, embedder: ImageEmbedder) -> None:
        rows = embedder.embed([picture(*_LIST), picture(*_FORM, form="JPEG"), picture(form="WEBP")])
        assert rows.shape == (3, embedder.dimension)
        assert rows.dtype == np.float32
        assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-4)

    def test_no_pictures_give_no_rows(self, embedder: ImageEmbedder) -> None:
        assert embedder.embed([]).shape == (0, embedder.dimension)

    def test_a_row_does_not_depend_on_the_company(self, embedder: ImageEmbedder) -> None:
        both = [picture(*_LIST), picture(*_FORM)]
        together = embedder.embed(both)
        assert np.allclose(together, np.concatenate([embedder.embed([p]) for p in both]), atol=1e-4)

    def test_what_is_arranged_alike_is_nearer(self, embedder: ImageEmbedder) -> None:
        first, shorter, other = embedder.embed([picture(*_LIST), picture(*_LIST[:7]), picture(*_FORM)])
        assert first @ shorter > first @ other

    def test_what_is_no_picture_is_refused(self, embedder: ImageEmbedder) -> None:
        for broken in (b"", b"no picture", picture()[:60]):
            with pytest.raises(ValueError, match="picture"):
                embedder.embed([broken])

    def test_the_id_names_the_model(self, embedder: ImageEmbedder) -> None:
        assert embedder.id
        assert embedder.id == embedder.id.strip()
