"""What a device shows: a `Screen` is the parsed content, an `Observation` one look at it."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Bounds", "Element", "ImageStatus", "Observation", "Role", "Screen", "TreeQuality"]


@dataclass(frozen=True, slots=True)
class Bounds:
    """A rectangle in device pixels, right and bottom exclusive. May be empty; never inverted."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def width(self) -> int:
        return max(0, self.right - self.left)

    @property
    def height(self) -> int:
        return max(0, self.bottom - self.top)

    @property
    def area(self) -> int:
        # Written out: this is asked more often than anything else of a screen.
        if self.right <= self.left or self.bottom <= self.top:
            return 0
        return (self.right - self.left) * (self.bottom - self.top)

    @property
    def center(self) -> tuple[int, int]:
        return (self.left + self.right) // 2, (self.top + self.bottom) // 2

    def contains(self, x: int, y: int) -> bool:
        return self.left <= x < self.right and self.top <= y < self.bottom

    def clip(self, other: "Bounds") -> "Bounds":
        """Return the part inside `other`; empty, on its edge, where they do not meet.

        >>> Bounds(0, 0, 10, 10).clip(Bounds(5, 5, 20, 20))
        Bounds(left=5, top=5, right=10, bottom=10)
        >>> Bounds(0, 0, 4, 4).clip(Bounds(5, 5, 20, 20)).area
        0
        """
        left, right = (min(max(x, other.left), other.right) for x in (self.left, self.right))
        top, bottom = (min(max(y, other.top), other.bottom) for y in (self.top, self.bottom))
        return Bounds(left, top, max(left, right), max(top, bottom))


class Role(StrEnum):
    """What an element is, in one vocabulary for every dialect. Adapters translate into it."""

    BUTTON = "button"
    LINK = "link"
    TEXT = "text"
    HEADING = "heading"
    IMAGE = "image"
    FIELD = "field"
    CHECKBOX = "checkbox"
    SWITCH = "switch"
    RADIO = "radio"
    SLIDER = "slider"
    PICKER = "picker"
    """A combo box or spinner that opens a list of choices."""
    TAB = "tab"
    TABLIST = "tablist"
    LIST = "list"
    ITEM = "item"
    MENU = "menu"
    MENUITEM = "menuitem"
    DIALOG = "dialog"
    """A modal layer: alert, dialog, bottom sheet."""
    NAVIGATION = "navigation"
    """A drawer, rail, bottom bar or other landmark that holds ways around the app."""
    TOOLBAR = "toolbar"
    PROGRESS = "progress"
    """A spinner, progress bar, skeleton: something is being loaded."""
    WEB = "web"
    GROUP = "group"


@dataclass(frozen=True, slots=True)
class Element:
    """One thing on a screen, with what it holds."""

    role: Role = Role.GROUP
    class_name: str = ""
    """The dialect's own name: `android.widget.Button`, `button`."""
    text: str = ""
    description: str = ""
    """Content description, aria-label, alt text."""
    hint: str = ""
    """Placeholder of an empty field."""
    resource_id: str = ""
    bounds: Bounds = Bounds(0, 0, 0, 0)
    """The visible part, clipped to the screen; empty where nothing of it can be seen."""
    clickable: bool = False
    long_clickable: bool = False
    scrollable: bool = False
    checkable: bool = False
    checked: bool = False
    selected: bool = False
    focused: bool = False
    enabled: bool = True
    password: bool = False
    visible: bool = True
    """False for what is in the tree but cannot be seen or touched: off-screen, covered, transparent."""
    href: str = ""
    """Where a link says that it leads, as the document states it."""
    children: tuple["Element", ...] = ()

    @property
    def label(self) -> str:
        """What a person would call it: its own text, else its description, else its hint.

        A text without a letter gives way to a description that has some.

        >>> Element(text="12.50", description="Price of tea").label, Element(text="7").label
        ('Price of tea', '7')
        """
        if self.text and self.description and not _says(self.text) and _says(self.description):
            return self.description
        return self.text or self.description or self.hint

    def walk(self) -> Iterator["Element"]:
        """Yield the element and all that it holds, in tree order."""
        stack = [self]
        while stack:
            element = stack.pop()
            yield element
            if element.children:  # Most hold nothing.
                stack += element.children[::-1]


def _says(text: str) -> bool:
    return any(map(str.isalpha, text))


class TreeQuality(StrEnum):
    FULL = "full"
    PARTIAL = "partial"
    """Truncated, stale, or with opaque parts."""
    NONE = "none"
    """No tree could be had: the screen is visual only."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Screen:
    """The parsed content of one look: no pixels, no clock, equal when the content is equal."""

    root: Element = Element()
    app: str = ""
    """Package of the foreground window, or origin of the page."""
    activity: str = ""
    """Activity name, or the page's path with query and fragment."""
    title: str = ""
    """Window or document title where the platform gives one."""
    size: tuple[int, int] = (1080, 2400)
    """Width and height in device pixels."""
    rotation: int = 0
    """Quarter turns clockwise."""
    keyboard: bool = False
    """Whether a soft keyboard is up. Its own keys are never part of `root`."""
    overlay: str = ""
    """Owner of a window in front that is not the app's (permission controller, system dialog)."""
    quality: TreeQuality = TreeQuality.FULL

    def walk(self) -> Iterator[Element]:
        return self.root.walk()

    def visible(self) -> Iterator[Element]:
        """Yield the elements that can be seen."""
        return (e for e in self.root.walk() if e.visible and e.bounds.area)


class ImageStatus(StrEnum):
    """Three outcomes of a screenshot, and the case that none was asked for."""

    NOT_ASKED = "not_asked"
    SHOWN = "shown"
    SECURE = "secure"
    """The system blanks the picture on purpose."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Observation:
    """One look at the device."""

    screen: Screen
    image: bytes = b""
    """Screenshot as PNG; empty unless `image_status` is SHOWN."""
    image_status: ImageStatus = ImageStatus.NOT_ASKED
    seen_at: float = 0.0
    """Seconds since the epoch by the device's clock; strictly increasing on one device."""
