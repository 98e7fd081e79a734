"""Android class names in, roles out: shared by every adapter that reads an Android dialect."""

from waypost.model import Role

__all__ = ["role_of"]

# By the last part of the class name; the first that it ends with wins, so longer names come first.
_ENDINGS: tuple[tuple[str, Role], ...] = (
    ("AutoCompleteTextView", Role.FIELD),
    ("EditText", Role.FIELD),
    ("SearchView", Role.GROUP),
    ("CheckedTextView", Role.CHECKBOX),
    ("CheckBox", Role.CHECKBOX),
    ("RadioButton", Role.RADIO),
    ("ToggleButton", Role.SWITCH),
    ("SwitchCompat", Role.SWITCH),
    ("Switch", Role.SWITCH),
    ("FloatingActionButton", Role.BUTTON),
    ("ImageButton", Role.BUTTON),
    ("Button", Role.BUTTON),
    ("Chip", Role.BUTTON),
    ("SeekBar", Role.SLIDER),
    ("RatingBar", Role.SLIDER),
    ("Spinner", Role.PICKER),
    ("ProgressBar", Role.PROGRESS),
    ("TabWidget", Role.TABLIST),
    ("TabLayout", Role.TABLIST),
    ("TabView", Role.TAB),
    ("ActionBar$Tab", Role.TAB),
    ("BottomNavigationView", Role.NAVIGATION),
    ("NavigationView", Role.NAVIGATION),
    ("NavigationRailView", Role.NAVIGATION),
    ("BottomNavigationItemView", Role.TAB),
    ("Toolbar", Role.TOOLBAR),
    ("ActionBar", Role.TOOLBAR),
    ("MenuDropDownListView", Role.MENU),
    ("DropDownListView", Role.MENU),
    ("ListMenuItemView", Role.MENUITEM),
    ("RecyclerView", Role.LIST),
    ("ListView", Role.LIST),
    ("GridView", Role.LIST),
    ("WebView", Role.WEB),
    ("ImageView", Role.IMAGE),
    ("Image", Role.IMAGE),
    ("TextView", Role.TEXT),
    ("TextClock", Role.TEXT),
    ("Chronometer", Role.TEXT),
)


def role_of(class_name: str) -> Role:
    """Translate an Android class name, its own or a subclass's by the usual naming.

    >>> role_of("androidx.appcompat.widget.SwitchCompat").value
    'switch'
    >>> role_of("android.view.View").value
    'group'
    """
    last = class_name.rpartition(".")[2]
    return next((role for ending, role in _ENDINGS if last.endswith(ending)), Role.GROUP)
