"""An Android package read without a phone: a file in, a map of what its code and resources claim out."""

from waypost.adapters.apk.app import StaticApp
from waypost.adapters.apk.graph import static_graph
from waypost.adapters.apk.package import read_apk

__all__ = ["StaticApp", "read_apk", "static_graph"]
