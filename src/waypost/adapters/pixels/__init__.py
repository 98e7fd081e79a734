"""Screens without a usable tree: a picture in, elements out."""

from waypost.adapters.pixels.arranging import arranged
from waypost.adapters.pixels.asking import AskedFinder, Listed, Sighted
from waypost.adapters.pixels.device import Pictured, opaque
from waypost.adapters.pixels.joined import JoinedFinder
from waypost.adapters.pixels.reading import OcrFinder

__all__ = [
    "AskedFinder",
    "JoinedFinder",
    "Listed",
    "OcrFinder",
    "Pictured",
    "Sighted",
    "arranged",
    "opaque",
]
