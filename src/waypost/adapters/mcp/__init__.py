"""A map's tools over the Model Context Protocol: a `Toolbox` in, a server on stdio or loopback HTTP out.

`server` and `running` bring the SDK with them, so they are imported where a server is made.
"""

from waypost.adapters.mcp.desk import Desk
from waypost.adapters.mcp.toolbox import Note, Toolbox, Tree

__all__ = ["Desk", "Note", "Toolbox", "Tree"]
