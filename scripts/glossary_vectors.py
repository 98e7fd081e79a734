"""Embed the glossary once for the default embedder: writes `src/waypost/library/glossary.npz`.

    python scripts/glossary_vectors.py

To be run after a change of `glossary.txt`; a file that is not up to date is ignored, at two seconds a map.
"""

import numpy as np

from waypost.adapters.embedders import MiniLmEmbedder, MultilingualEmbedder, RoutedEmbedder
from waypost.library.glossary import VECTORS, digest, kinds

embedder = RoutedEmbedder(MiniLmEmbedder(), MultilingualEmbedder())
rows = embedder.embed(kinds()).astype(np.float16)
np.savez_compressed(VECTORS, model=embedder.id, digest=digest(), rows=rows)
print(f"{VECTORS.name}: {len(rows)} lines, {VECTORS.stat().st_size // 1024} KiB")
