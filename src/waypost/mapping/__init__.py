"""Recognising pages: looks in, places on a map out; and the map's home on disk."""

from waypost.mapping.layers import Layer, LayerKind, active_layer, foreground
from waypost.mapping.mapper import Location, Mapper, StepSeen
from waypost.mapping.match import EvidenceMatcher
from waypost.mapping.overlays import SideState, dismissal, side_state
from waypost.mapping.store import MapStore

__all__ = [
    "EvidenceMatcher",
    "Layer",
    "LayerKind",
    "Location",
    "MapStore",
    "Mapper",
    "SideState",
    "StepSeen",
    "active_layer",
    "dismissal",
    "foreground",
    "side_state",
]
