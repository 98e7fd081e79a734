"""Waypost: a map of the app for mobile GUI agents."""

__all__ = ["__version__"]

__version__ = "0.1.0"
