"""A map of the app for mobile GUI agents: explore, remember, find, go, verified.

`explore(device, map=...)` makes a map; `open(map)` opens one to `find`, `route` and `go`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from waypost.parts.exploring import explore
    from waypost.parts.face import Map
    from waypost.parts.face import open_map as open

__all__ = ["Map", "__version__", "explore", "open"]

__version__ = "0.1.0"

_FACE = {
    "explore": ("waypost.parts.exploring", "explore"),
    "open": ("waypost.parts.face", "open_map"),
    "Map": ("waypost.parts.face", "Map"),
}


def __getattr__(name: str) -> Any:
    """Load the face when it is first used, so that importing the package costs next to nothing."""
    if name not in _FACE:
        raise AttributeError(f"module 'waypost' has no attribute {name!r}")
    from importlib import import_module

    module, attribute = _FACE[name]
    return getattr(import_module(module), attribute)
