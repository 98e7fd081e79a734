"""A map of the app for mobile GUI agents: explore, remember, find, go, verified.

`explore(device, map=...)` makes a map; `open(map)` opens one to `find`, `route` and `go`;
`guide(map, sentence)` tells an agent with a loop of its own the way.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from waypost.parts.exploring import explore
    from waypost.parts.face import Map
    from waypost.parts.face import open_map as open
    from waypost.parts.guiding import guide

__all__ = ["Map", "__version__", "explore", "guide", "open"]

__version__ = "0.1.0"

_FACE = {
    "explore": ("waypost.parts.exploring", "explore"),
    "open": ("waypost.parts.face", "open_map"),
    "guide": ("waypost.parts.guiding", "guide"),
    "Map": ("waypost.parts.face", "Map"),
}


def __getattr__(name: str) -> Any:
    """Load the face when it is first used, so that importing the package costs next to nothing."""
    if name not in _FACE:
        raise AttributeError(f"module 'waypost' has no attribute {name!r}")
    from importlib import import_module

    module, attribute = _FACE[name]
    return getattr(import_module(module), attribute)
