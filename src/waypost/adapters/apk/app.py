"""What a package says of an app, as plain values."""

from dataclasses import dataclass, field

__all__ = ["Activity", "Control", "Leads", "StaticApp"]


@dataclass(frozen=True, slots=True)
class Activity:
    name: str
    """Full class name; aliases have one of their own."""
    label: str = ""
    target: str = ""
    """For an alias, the activity that it stands for."""
    listed: tuple[str, ...] = ()
    """Categories under which a menu of the app may list it; the launcher's are not among them."""


@dataclass(frozen=True, slots=True)
class Control:
    """A view of a layout that can be told by what it shows or is called."""

    id: int
    name: str = ""
    """Resource id without its package."""
    label: str = ""
    kind: str = ""
    """Class of the view: `Button`, `CheckBox`."""
    on_click: str = ""
    """Method that the layout names for a tap."""


@dataclass(frozen=True, slots=True)
class Leads:
    """Code of one activity that opens another, and the view it hangs on where that is known."""

    source: str
    target: str
    view: int = 0
    method: str = ""


@dataclass(frozen=True, slots=True)
class StaticApp:
    package: str
    version: str
    launcher: str
    """The activity that the launcher opens; empty where there is none."""
    activities: tuple[Activity, ...]
    layouts: dict[str, tuple[Control, ...]]
    """Controls by name of the layout."""
    shown: dict[str, tuple[str, ...]]
    """By activity, the layouts that its code shows."""
    menus: dict[str, tuple[str, ...]]
    """Titles of entries by name of the menu."""
    opened: dict[str, tuple[str, ...]]
    """By activity, the menus that its code opens."""
    leads: tuple[Leads, ...]
    asks: dict[str, frozenset[str]] = field(default_factory=dict)
    """Activities whose code asks the system which others there are, with the categories it names."""
    counts: dict[str, int] = field(default_factory=dict)
    """`strings`, `layout_files`, `click_handlers`, `start_activity_sites` and the like."""
