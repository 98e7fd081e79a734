"""What a model's reply asks for: text in a model's own grammar in, a `Said` or an `Unreadable` out."""

from waypost.actors.replies.agentcpm import agentcpm
from waypost.actors.replies.listed import listed
from waypost.actors.replies.qwen import qwen
from waypost.actors.replies.said import Do, Drag, Mark, Move, Said, Spot, Touch, Unreadable, Write
from waypost.actors.replies.uitars import uitars

__all__ = [
    "Do",
    "Drag",
    "Mark",
    "Move",
    "Said",
    "Spot",
    "Touch",
    "Unreadable",
    "Write",
    "agentcpm",
    "listed",
    "qwen",
    "uitars",
]
