"""What every dialect is read into before it becomes a screen: nodes as they were written down, unjudged."""

from dataclasses import dataclass, field
from enum import StrEnum

from waypost.model import Role

__all__ = ["Box", "Dialect", "Node", "Reading"]

Box = tuple[int, int, int, int]
"""Left, top, right, bottom as the dump says it: may be negative, inverted or empty."""


class Dialect(StrEnum):
    UIAUTOMATOR = "uiautomator"
    APPIUM = "appium"
    """The class is the tag."""
    DROIDBOT = "droidbot"
    """A flat list of views that name their children by number."""
    ACCESSIBILITY = "accessibility"
    """Nested JSON, in the plainer or the fuller of trailblaze's two forms."""
    WDA = "wda"
    """WebDriverAgent's page source, in points."""
    NEUTRAL = "neutral"
    """Nested JSON of nodes with class, text, id and bounds, as anybody may write it."""
    UNKNOWN = "unknown"
    """Nothing that could be read."""


@dataclass(slots=True, eq=False)
class Node:
    """One element as its dialect describes it."""

    role: Role = Role.GROUP
    class_name: str = ""
    text: str = ""
    description: str = ""
    hint: str = ""
    resource_id: str = ""
    package: str = ""
    box: Box | None = None
    clickable: bool = False
    long_clickable: bool = False
    scrollable: bool = False
    checkable: bool = False
    checked: bool = False
    selected: bool = False
    focused: bool = False
    enabled: bool = True
    password: bool = False
    href: str = ""
    shown: bool = True
    """What the dialect itself says of the node's visibility."""
    keys: bool = False
    """The window of an input method, or its like: kept apart from the screen."""
    front: bool = False
    """The window that has the focus."""
    children: list["Node"] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Reading:
    """A dump in one dialect, read."""

    dialect: Dialect
    roots: list[Node] = field(default_factory=list)
    size: tuple[int, int] | None = None
    """Width and height in pixels, where the dump says them."""
    rotation: int = 0
    app: str | None = None
    """The package in front; None leaves it to be told from the windows."""
    activity: str = ""
    partial: bool = False
    notes: list[str] = field(default_factory=list)
