"""A map's tools over the Model Context Protocol: a `Toolbox` in, a server on stdio or loopback HTTP out."""

from waypost.adapters.mcp.desk import Desk
from waypost.adapters.mcp.running import run_http, run_stdio, tools_list
from waypost.adapters.mcp.server import server
from waypost.adapters.mcp.toolbox import Note, Toolbox, Tree

__all__ = ["Desk", "Note", "Toolbox", "Tree", "run_http", "run_stdio", "server", "tools_list"]
