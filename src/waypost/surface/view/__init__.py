"""A map as a page to look at: a map's folder in, a page on loopback, or one self-contained file, out."""

from waypost.surface.view.export import exported
from waypost.surface.view.http import serve_view
from waypost.surface.view.viewer import Viewer

__all__ = ["Viewer", "exported", "serve_view"]
