"""What a node carries beside Android's fixed attributes in, one attribute's text out, and back.

`AccessibilityNodeInfo` has a bundle of extras for it. Chromium puts its own role and a link's target there,
under the names used here; Appium's page source writes the bundle as `extras="name=value;name=value"`.
"""

import re
from collections.abc import Mapping

from waypost.model import Role

__all__ = ["CLASS", "ROLE", "TARGET", "chrome_role", "joined", "role_named", "split"]

ROLE = "AccessibilityNodeInfo.chromeRole"
TARGET = "AccessibilityNodeInfo.targetUrl"
CLASS = "waypost.class"
"""What a device that is no Android's calls the element's class: the tag of a web page."""

_CHROME = {
    Role.BUTTON: "button",
    Role.LINK: "link",
    Role.TEXT: "staticText",
    Role.HEADING: "heading",
    Role.IMAGE: "image",
    Role.FIELD: "textField",
    Role.CHECKBOX: "checkBox",
    Role.SWITCH: "switch",
    Role.RADIO: "radioButton",
    Role.SLIDER: "slider",
    Role.PICKER: "comboBoxSelect",
    Role.TAB: "tab",
    Role.TABLIST: "tabList",
    Role.LIST: "list",
    Role.ITEM: "listItem",
    Role.MENU: "menu",
    Role.MENUITEM: "menuItem",
    Role.DIALOG: "dialog",
    Role.NAVIGATION: "navigation",
    Role.TOOLBAR: "toolbar",
    Role.PROGRESS: "progressIndicator",
    Role.WEB: "rootWebArea",
    Role.GROUP: "genericContainer",
}
_ROLES = {name: role for role, name in _CHROME.items()} | {
    "alertDialog": Role.DIALOG,
    "iframe": Role.WEB,
    "listBox": Role.LIST,
    "listBoxOption": Role.ITEM,
    "menuItemCheckBox": Role.CHECKBOX,
    "menuItemRadio": Role.RADIO,
    "popUpButton": Role.PICKER,
    "row": Role.ITEM,
    "searchBox": Role.FIELD,
    "spinButton": Role.FIELD,
    "table": Role.LIST,
    "textFieldWithComboBox": Role.FIELD,
    "treeItem": Role.ITEM,
}


def chrome_role(role: Role) -> str:
    """Return Chromium's name for a role.

    >>> chrome_role(Role.ITEM), role_named("listItem").value
    ('listItem', 'item')
    """
    return _CHROME[role]


def role_named(name: str) -> Role | None:
    """Return the role that Chromium's name stands for; None for those that say nothing here."""
    return _ROLES.get(name)


def joined(extras: Mapping[str, str]) -> str:
    r"""Write extras as one text.

    >>> joined({"a": "1;2", "b": "x\\y"})
    'a=1\\;2;b=x\\\\y'
    """
    return ";".join(k + "=" + re.sub(r"([;\\])", r"\\\1", v) for k, v in extras.items())


def split(text: str) -> dict[str, str]:
    r"""Read extras again; what is no pair is left out.

    >>> split(joined({"a": "1;2", "b": "x\\y="})) == {"a": "1;2", "b": "x\\y="}
    True
    """
    found = {}
    for part in re.findall(r"(?:[^;\\]|\\.)+", text, re.DOTALL):
        name, sign, value = part.partition("=")
        if sign:
            found[name.strip()] = re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL)
    return found
