"""How others tell pages apart, made anew from their descriptions: screens in, comparisons and pages out.

They are the yardsticks beside `mapping.EvidenceMatcher`; each says where its rule was described.
"""

from waypost.matchers.activity import ActivityMatcher
from waypost.matchers.class_texts import ClassTextMatcher
from waypost.matchers.collapsed import CollapsedScrollMatcher
from waypost.matchers.droidbot import StateStringMatcher, StructureStringMatcher
from waypost.matchers.grouping import KeyMatcher, Pages, grouped, match_or_add
from waypost.matchers.id_sets import IdSetMatcher
from waypost.matchers.tagnav import Similarity, TagNavMatcher, both_reach
from waypost.matchers.text_embedding import TextEmbeddingMatcher
from waypost.matchers.weighted_sets import WeightedSetMatcher

__all__ = [
    "ActivityMatcher",
    "ClassTextMatcher",
    "CollapsedScrollMatcher",
    "IdSetMatcher",
    "KeyMatcher",
    "Pages",
    "Similarity",
    "StateStringMatcher",
    "StructureStringMatcher",
    "TagNavMatcher",
    "TextEmbeddingMatcher",
    "WeightedSetMatcher",
    "both_reach",
    "grouped",
    "match_or_add",
]
