"""Class names of Android, roles and tags of the web in, roles out: shared by the adapters."""

import re

from waypost.model import Role

__all__ = ["ARIA", "role_of", "web_role_of"]

ARIA: dict[str, Role] = {
    "button": Role.BUTTON,
    "link": Role.LINK,
    "text": Role.TEXT,
    "heading": Role.HEADING,
    "img": Role.IMAGE,
    "image": Role.IMAGE,
    "textbox": Role.FIELD,
    "searchbox": Role.FIELD,
    "spinbutton": Role.FIELD,
    "checkbox": Role.CHECKBOX,
    "menuitemcheckbox": Role.CHECKBOX,
    "switch": Role.SWITCH,
    "radio": Role.RADIO,
    "menuitemradio": Role.RADIO,
    "slider": Role.SLIDER,
    "combobox": Role.PICKER,
    "tab": Role.TAB,
    "tablist": Role.TABLIST,
    "list": Role.LIST,
    "grid": Role.LIST,
    "treegrid": Role.LIST,
    "table": Role.LIST,
    "tree": Role.LIST,
    "feed": Role.LIST,
    "listitem": Role.ITEM,
    "row": Role.ITEM,
    "treeitem": Role.ITEM,
    "article": Role.ITEM,
    "listbox": Role.LIST,
    "option": Role.ITEM,
    "menu": Role.MENU,
    "menubar": Role.TOOLBAR,
    "menuitem": Role.MENUITEM,
    "dialog": Role.DIALOG,
    "alertdialog": Role.DIALOG,
    "popover": Role.MENU,
    "navigation": Role.NAVIGATION,
    "toolbar": Role.TOOLBAR,
    "banner": Role.TOOLBAR,
    "progressbar": Role.PROGRESS,
    "iframe": Role.WEB,
}
"""What the web calls a role, and what our walk of a page reports."""

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


_TAGS = {
    "a": Role.LINK,
    "summary": Role.BUTTON,
    "textarea": Role.FIELD,
    "nav": Role.NAVIGATION,
    "ul": Role.LIST,
    "ol": Role.LIST,
    "dl": Role.LIST,
    "li": Role.ITEM,
    "tr": Role.ITEM,
    **{f"h{n}": Role.HEADING for n in range(1, 7)},
    "svg": Role.IMAGE,
    "canvas": Role.IMAGE,
    "video": Role.IMAGE,
    "progress": Role.PROGRESS,
    "meter": Role.PROGRESS,
    "header": Role.TOOLBAR,
    "select": Role.PICKER,
    "input": Role.FIELD,
    "html": Role.WEB,
}
_INPUTS = {
    **dict.fromkeys(("button", "submit", "reset", "image", "file", "color"), Role.BUTTON),
    "checkbox": Role.CHECKBOX,
    "radio": Role.RADIO,
    "range": Role.SLIDER,
    "hidden": Role.GROUP,
}
_TAG = re.compile(r"([a-z][\w-]*)(?::([\w-]+)|\[type=[\"']?([\w-]+)[\"']?\])?", re.IGNORECASE)


def web_role_of(name: str) -> Role:
    """Translate a tag, with its type where it is an input, or an ARIA role.

    >>> [web_role_of(n).value for n in ("input:checkbox", "input[type=submit]", "H2", "tab", "div.card")]
    ['checkbox', 'button', 'heading', 'tab', 'group']
    """
    found = _TAG.match(name)
    if found is None:
        return Role.GROUP
    tag, kind = found[1].lower(), (found[2] or found[3] or "").lower()
    if tag == "input" and kind in _INPUTS:
        return _INPUTS[kind]
    return _TAGS.get(tag) or ARIA.get(tag, Role.GROUP)
