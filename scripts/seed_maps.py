"""Explore the embedded phone's apps to their end, and pack their maps as the package ships them.

python -m scripts.seed_maps [FOLDER]     # FOLDER: maps that were made before are packed as they are
"""

import json
import sys
import tempfile
from pathlib import Path

from waypost.adapters.pocket import apps
from waypost.parts.exploring import ExploreRequest, explored
from waypost.parts.face import open_map
from waypost.parts.seeds import pack

_PLACE = Path(__file__).parent.parent / "src" / "waypost" / "parts" / "seed_maps"


def _made(folder: Path) -> None:
    for app in apps():
        target = folder / f"pocket-{app}"
        if not (target / "map.sqlite").is_file():
            explored(f"pocket:{app}", target, ExploreRequest())


def main() -> None:
    with tempfile.TemporaryDirectory() as aside:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(aside)
        _made(folder)
        index = {}
        for app in apps():
            name = f"pocket-{app}"
            with open_map(folder / name) as known:
                known.records()
                pages = len(known.pages())
            about = f"the embedded phone's {app} app, explored to its end"
            index[name] = {"about": about, "pages": pages}
            packed = pack(folder / name)
            (_PLACE / f"{name}.zip").write_bytes(packed)
            print(f"{name}: {pages} pages, {len(packed)} bytes")
    text = json.dumps(index, indent=1, sort_keys=True) + "\n"
    (_PLACE / "index.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
