"""Dumps to test with: a small way to write one, and Hypothesis strategies that make many."""

from typing import Any
from xml.sax.saxutils import quoteattr

from hypothesis import strategies as st

__all__ = ["accessibility", "dump", "hierarchies", "mutated", "node", "views"]

_FLAGS = ("clickable", "scrollable", "checked", "focused", "enabled", "password", "visible-to-user", "NAF")
_CLASSES = (
    "android.widget.Button",
    "android.app.ActionBar$Tab",
    "android.widget.EditText",
    "android.webkit.WebView",
    "",
    "x",
)


def node(*children: str, tag: str = "node", **attributes: str) -> str:
    """Write one node; `_` in a name stands for `-`."""
    said = {"bounds": "[0,0][100,100]", "class": "android.view.View", "package": "org.app", **attributes}
    written = " ".join(f"{k.replace('_', '-')}={quoteattr(v)}" for k, v in said.items())
    return f"<{tag} {written}>{''.join(children)}</{tag}>" if children else f"<{tag} {written} />"


def dump(*roots: str, **attributes: str) -> str:
    """Write a whole dump as the command prints it."""
    said = " ".join(f"{k}={quoteattr(v)}" for k, v in {"rotation": "0", **attributes}.items())
    head = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
    return f"{head}<hierarchy {said}>{''.join(roots)}</hierarchy>"


_words = st.text(max_size=12)
_coordinate = st.integers(-3000, 5000) | st.sampled_from([0, 1080, 2400])
_place = st.tuples(_coordinate, _coordinate, _coordinate, _coordinate).map(
    lambda b: "[{},{}][{},{}]".format(*b)
)


_sound = st.text(
    st.characters(min_codepoint=32, max_codepoint=0x1F9FF, exclude_categories=("Cs", "Cn")), max_size=8
)
_leaf = st.builds(
    lambda text, place, name, flags: {"text": text, "bounds": place, "class": name, **dict(flags)},
    _sound,
    _place,
    st.sampled_from(_CLASSES),
    st.lists(st.tuples(st.sampled_from(_FLAGS), st.sampled_from(["true", "false"])), max_size=2),
)
_nodes = st.recursive(
    _leaf.map(lambda said: node(**said)),
    lambda inner: st.builds(lambda said, kids: node(*kids, **said), _leaf, st.lists(inner, max_size=3)),
    max_leaves=8,
)
hierarchies = st.lists(_nodes, min_size=1, max_size=2).map(lambda roots: dump(*roots))
"""Well-formed dumps."""

_bites = st.sampled_from(
    [
        "<",
        ">",
        "/>",
        '"',
        "'",
        "&",
        "&#0;",
        "&#55357;",
        "&#x110000;",
        "</node>",
        "<?xml",
        "]]>",
        "<!--",
        "Killed",
        "\x00",
        "\ud83d",
        "ERROR: could not get idle state.",
        "<XCUIElementTypeCell/>",
        "<hierarchy",
        "=",
        "[-9,",
        "{",
    ]
)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A dump that something was done to: cut, doubled, with signs put in or taken out."""
    text = draw(hierarchies)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        match draw(st.integers(0, 4)):
            case 0:
                text = text[:at]
            case 1:
                text = text[:at] + draw(_bites | st.text(max_size=5)) + text[at:]
            case 2:
                text = text[:at] + text[at + draw(st.integers(1, 30)) :]
            case 3:
                text = text[:at] + text
            case _:
                text = draw(st.text(max_size=40)) + text
    return text


_anything: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
_view = st.fixed_dictionaries(
    {},
    optional={
        "class": st.sampled_from(_CLASSES) | _anything,
        "bounds": st.tuples(st.tuples(_coordinate, _coordinate), st.tuples(_coordinate, _coordinate))
        | _anything,
        "children": st.lists(st.integers(-1, 9), max_size=4) | _anything,
        "text": _words | _anything,
        "visible": st.booleans() | _anything,
    },
)
views = st.fixed_dictionaries(
    {"views": st.lists(_view | _anything, max_size=9)},
    optional={"activity": _words | _anything, "width": _anything, "height": _anything},
)
"""DroidBot states, some of them broken."""
_plain = st.fixed_dictionaries(
    {},
    optional={
        "x1": _coordinate | _anything,
        "x2": _coordinate | _anything,
        "y2": _anything,
        "text": _anything,
    },
)
_full = st.fixed_dictionaries(
    {},
    optional={
        "bounds": st.dictionaries(st.sampled_from(["left", "top", "right", "bottom"]), _coordinate)
        | _anything,
        "driverDetail": st.dictionaries(
            st.sampled_from(["className", "text", "actions", "resourceId", "packageName"]), _anything
        )
        | _anything,
    },
)


def _nested(leaf: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.recursive(
        leaf,
        lambda inner: st.builds(
            lambda row, kids: {**row, "children": kids}, leaf, st.lists(inner | leaf, max_size=3)
        ),
        max_leaves=10,
    )


accessibility = st.builds(lambda t: {"viewHierarchy": t}, _nested(_plain) | _anything) | st.builds(
    lambda t: {"trailblazeNodeTree": t}, _nested(_full) | _anything
)
"""Looks of trailblaze's, some of them broken."""
