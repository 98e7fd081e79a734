"""Tags of WebDriverAgent's page source in, nodes out; points become pixels by `scale`."""

from waypost.adapters.trees.markup import Tag
from waypost.adapters.trees.node import Box, Dialect, Node, Reading
from waypost.model import Role

__all__ = ["read_ios"]

_KIND = "XCUIElementType"
_ROLES = {
    "ActivityIndicator": Role.PROGRESS,
    "Alert": Role.DIALOG,
    "Button": Role.BUTTON,
    "Cell": Role.ITEM,
    "CheckBox": Role.CHECKBOX,
    "CollectionView": Role.LIST,
    "ComboBox": Role.PICKER,
    "DatePicker": Role.PICKER,
    "Icon": Role.BUTTON,
    "Image": Role.IMAGE,
    "Link": Role.LINK,
    "Menu": Role.MENU,
    "MenuItem": Role.MENUITEM,
    "NavigationBar": Role.TOOLBAR,
    "Picker": Role.PICKER,
    "PickerWheel": Role.PICKER,
    "PopUpButton": Role.PICKER,
    "ProgressIndicator": Role.PROGRESS,
    "RadioButton": Role.RADIO,
    "SearchField": Role.FIELD,
    "SecureTextField": Role.FIELD,
    "SegmentedControl": Role.TABLIST,
    "Sheet": Role.DIALOG,
    "Slider": Role.SLIDER,
    "StaticText": Role.TEXT,
    "Stepper": Role.SLIDER,
    "Switch": Role.SWITCH,
    "Tab": Role.TAB,
    "TabBar": Role.NAVIGATION,
    "Table": Role.LIST,
    "TextField": Role.FIELD,
    "TextView": Role.FIELD,
    "Toggle": Role.SWITCH,
    "Toolbar": Role.TOOLBAR,
    "WebView": Role.WEB,
}
_TOUCHED = (
    Role.BUTTON,
    Role.LINK,
    Role.ITEM,
    Role.SWITCH,
    Role.CHECKBOX,
    Role.RADIO,
    Role.TAB,
    Role.MENUITEM,
    Role.FIELD,
    Role.SLIDER,
    Role.PICKER,
)
_SCROLLED = ("ScrollView", "Table", "CollectionView", "WebView", "TextView")
_CHOICES = (Role.SWITCH, Role.CHECKBOX, Role.RADIO)


def read_ios(tags: list[Tag], scale: float = 1.0) -> Reading:
    """Read an application and what it holds; the keyboard is marked, not left out."""
    reading = Reading(Dialect.WDA)
    # Appium wraps the application in a tag of its own.
    tops = [c for t in tags for c in (t.children if t.name == "AppiumAUT" else [t])]
    for top in tops:
        reading.roots.append(_tree(top, scale))
        if _kind(top) == "Application":
            box = _box(top, scale)
            if box and box[2] > box[0] and box[3] > box[1]:
                reading.size = (box[2] - box[0], box[3] - box[1])
            reading.app = top.attributes.get("bundleId") or top.attributes.get("name", "")
    return reading


def _kind(tag: Tag) -> str:
    return (tag.attributes.get("type") or tag.name).removeprefix(_KIND)


def _box(tag: Tag, scale: float) -> Box | None:
    try:
        x, y, width, height = (
            float(tag.attributes.get(k, "")[:12]) * scale for k in ("x", "y", "width", "height")
        )
        return round(x), round(y), round(x + width), round(y + height)
    except (ValueError, OverflowError):
        return None


def _tree(root: Tag, scale: float) -> Node:
    top = _node(root, "", scale)
    stack = [(root, top)]
    while stack:
        tag, node = stack.pop()
        for child in tag.children:
            made = _node(child, _kind(tag), scale)
            node.children.append(made)
            stack.append((child, made))
    return top


def _node(tag: Tag, within: str, scale: float) -> Node:
    said, kind = tag.attributes, _kind(tag)
    role = _ROLES.get(kind, Role.GROUP)
    if role is Role.BUTTON and within in ("TabBar", "SegmentedControl"):
        role = Role.TAB
    label, value, name = said.get("label", ""), said.get("value", ""), said.get("name", "")
    hint = said.get("placeholderValue", "")
    field = role is Role.FIELD
    text = value if field else label or (value if role is Role.TEXT else "")
    if field and text == hint:
        text = ""
    enabled, shown = said.get("enabled") != "false", said.get("visible") != "false"
    return Node(
        role=role,
        class_name=tag.name if tag.name.startswith(_KIND) else f"{_KIND}{kind}",
        text=text if role is not Role.IMAGE else "",
        description=label if field or role is Role.IMAGE else "",
        hint=hint,
        # A name that only repeats the label identifies nothing.
        resource_id=name if name not in (label, value) else "",
        box=_box(tag, scale),
        clickable=role in _TOUCHED and enabled,
        scrollable=kind in _SCROLLED,
        checkable=role in _CHOICES,
        checked=role in _CHOICES and value in ("1", "true"),
        selected=said.get("selected") == "true" or (role is Role.TAB and value == "1"),
        focused=said.get("focused") == "true" or said.get("hasFocus") == "true",
        enabled=enabled,
        password=kind == "SecureTextField",
        shown=shown,
        keys=kind == "Keyboard",
    )
