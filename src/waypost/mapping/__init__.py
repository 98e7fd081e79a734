"""Recognising pages: looks in, places on a map out; what can be done there; and the map's home on disk."""

from waypost.mapping.cluster import blank, cluster
from waypost.mapping.controls import Control, ControlKind, action_key, controls
from waypost.mapping.explain import Explanation, explain_look, explain_pages, page_called
from waypost.mapping.grounding import Grounded, evidence, ground, regrounded
from waypost.mapping.hazards import hazard
from waypost.mapping.layers import Layer, LayerKind, active_layer, foreground
from waypost.mapping.mapper import Location, Mapper, StepSeen
from waypost.mapping.match import EvidenceMatcher
from waypost.mapping.overlays import SideState, dismissal, side_state
from waypost.mapping.reconcile import Claim, Reconciled, full_activity, reconciled, worth_trying
from waypost.mapping.settle import loading, settled
from waypost.mapping.store import MapStore

__all__ = [
    "Claim",
    "Control",
    "ControlKind",
    "EvidenceMatcher",
    "Explanation",
    "Grounded",
    "Layer",
    "LayerKind",
    "Location",
    "MapStore",
    "Mapper",
    "Reconciled",
    "SideState",
    "StepSeen",
    "action_key",
    "active_layer",
    "blank",
    "cluster",
    "controls",
    "dismissal",
    "evidence",
    "explain_look",
    "explain_pages",
    "foreground",
    "full_activity",
    "ground",
    "hazard",
    "loading",
    "page_called",
    "reconciled",
    "regrounded",
    "settled",
    "side_state",
    "worth_trying",
]
