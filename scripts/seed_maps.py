"""Explore the embedded phone's apps to their end, and pack maps as the package ships them.

python -m scripts.seed_maps [FOLDER]     # FOLDER: maps that were made before are packed as they are

Maps of web apps are made by hand first, as `worlds/README.md` says, into FOLDER under the names of WORLDS;
those that are not there stay as they are packed already.
"""

import json
import sys
import tempfile
from pathlib import Path

from waypost.adapters.pocket import apps
from waypost.adapters.pocket.known import gate_recipe
from waypost.exploration import StartRecipe
from waypost.parts.exploring import ExploreRequest, explored
from waypost.parts.face import open_map
from waypost.parts.seeds import pack

_PLACE = Path(__file__).parent.parent / "src" / "waypost" / "parts" / "seed_maps"
WORLDS = {
    "ihatemoney": "I Hate Money 7.2.1 (BSD), a web app for shared expenses, explored in Chromium",
    "actual": "Actual Budget 25.6.0 (MIT), a web app for budgets, explored in Chromium for some minutes",
}
"""Web apps under open licences whose maps may be shipped, and what is said of each."""


def _made(folder: Path) -> None:
    for app in apps():
        target = folder / f"pocket-{app}"
        if not (target / "map.sqlite").is_file():
            # Behind a login lies half of some apps.
            lines = gate_recipe(app)
            recipe = StartRecipe.parse(list(lines), {}) if lines else None
            explored(f"pocket:{app}", target, ExploreRequest(recipe=recipe))


def _strangers(folder: Path) -> None:
    """Leave out of a map what is of this machine alone: paths of files that its device was given."""
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    meta["device"]["options"] = {}
    (folder / "meta.json").write_text(json.dumps(meta, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def main() -> None:
    index_file = _PLACE / "index.json"
    index = json.loads(index_file.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as aside:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(aside)
        _made(folder)
        about = {f"pocket-{app}": f"the embedded phone's {app} app, explored to its end" for app in apps()}
        for name, words in {**about, **WORLDS}.items():
            if not (folder / name / "map.sqlite").is_file():
                continue
            _strangers(folder / name)
            with open_map(folder / name) as known:
                known.records()
                index[name] = {"about": words, "pages": len(known.pages())}
            packed = pack(folder / name)
            (_PLACE / f"{name}.zip").write_bytes(packed)
            print(f"{name}: {index[name]['pages']} pages, {len(packed)} bytes")
    index_file.write_text(json.dumps(index, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
