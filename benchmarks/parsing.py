"""What one look costs: dumps in, milliseconds of parsing, fingerprint and controls out, beside their floors.

    python -m benchmarks.parsing [--looks 100] [--json]

`floor` of parsing is the stock parser alone (lxml where it is installed, else expat by way of ElementTree);
`floor` of the fingerprint is one walk over the elements.
"""

import argparse
import json
from importlib.util import find_spec
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

from benchmarks.locating import App
from benchmarks.made_up import english
from benchmarks.timing import each, spread

from waypost.adapters.trees import parse
from waypost.mapping import Mapper, controls
from waypost.mapping.signature import signature
from waypost.matchers import (
    ClassTextMatcher,
    CollapsedScrollMatcher,
    IdSetMatcher,
    KeyMatcher,
    StateStringMatcher,
)
from waypost.model import AppGraph, Element, NodeId, Observation, Role, Screen, Tap

__all__ = ["looking", "match_or_add"]

_CLASSES = {Role.TEXT: "TextView", Role.BUTTON: "Button", Role.SWITCH: "Switch", Role.IMAGE: "ImageView"}
_RECIPES: dict[str, KeyMatcher] = {
    "DroidBot (state string)": StateStringMatcher(),
    "mcp-devices (class and text)": ClassTextMatcher(),
    "app-automating (ids)": IdSetMatcher(activity=False),
    "auto-mobile (collapsed scroll)": CollapsedScrollMatcher(),
}


def looking(looks: int = 100, seed: int = 3) -> dict[str, Any]:
    """Time what is done with every look, on looks of as many pages."""
    app = App(looks, seed, english())
    screens = [app.look(p, 0) for p in range(looks)]
    dumps = [_dump(screen) for screen in screens]
    parsed = [parse(dump).screen for dump in dumps]
    return {
        "elements": round(sum(1 for s in parsed for _ in s.walk()) / looks, 1),
        "bytes": round(sum(map(len, dumps)) / looks),
        "parse": {**spread(each(parse, dumps)), "floor": spread(each(_stock(), dumps))},
        "fingerprint": {
            **spread(each(signature, parsed)),
            "floor": spread(each(lambda s: sum(1 for _ in s.walk()), parsed)),
            "rivals": {name: spread(each(m.key, parsed)) for name, m in _RECIPES.items()},
        },
        "controls": spread(each(controls, parsed)),
    }


def match_or_add(pages: int = 200, looks: int = 3, seed: int = 4) -> dict[str, Any]:
    """Time a step that is put on a map: recognised, or founded as a page, counted, and its depth found."""
    app, mapper = App(pages, seed, english()), Mapper(AppGraph(app="made.up"))
    at = mapper.enter(Observation(app.look(0, 0), seen_at=1.0))
    cases = [(p, n) for n in range(looks) for p in range(pages)]

    def step(case: tuple[int, int]) -> None:
        nonlocal at
        page, n = case
        seen = Observation(app.look(page, n), seen_at=2.0 + n * pages + page)
        at = mapper.extend(NodeId(at), Tap((1, 1)), f"tap:{page % 7}", seen).target

    took = spread(each(step, cases))
    return {**took, "pages": pages, "founded": len(mapper.graph.nodes)}


def _stock() -> Any:
    """Return the parser that there is: bytes in, a tree out."""
    if find_spec("lxml") is not None:
        from lxml import etree

        return lambda dump: etree.fromstring(dump.encode())
    return lambda dump: ElementTree.fromstring(dump)


def _dump(screen: Screen) -> str:
    """Write a screen as uiautomator does."""
    body = "".join(_node(e, screen.app) for e in (screen.root,))
    return f"<?xml version='1.0' encoding='UTF-8'?><hierarchy rotation=\"0\">{body}</hierarchy>"


def _node(e: Element, app: str) -> str:
    b = e.bounds
    said = {
        "text": e.text, "resource-id": f"{app}:id/{e.resource_id}" if e.resource_id else "",
        "class": f"android.widget.{_CLASSES.get(e.role, 'FrameLayout')}", "package": app,
        "content-desc": e.description, "clickable": e.clickable, "checkable": e.checkable,
        "scrollable": e.scrollable, "selected": e.selected, "enabled": True, "checked": e.checked,
        "bounds": f"[{b.left},{b.top}][{b.right},{b.bottom}]",
    }  # fmt: skip
    told = " ".join(f"{k}={quoteattr(str(v).lower() if isinstance(v, bool) else v)}" for k, v in said.items())
    return f"<node {told}>{''.join(_node(c, app) for c in e.children)}</node>"


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--looks", type=int, default=100)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    told = {"look": looking(asked.looks), "match_or_add": match_or_add()}
    print(json.dumps(told, indent=None if asked.json else 1))


if __name__ == "__main__":
    main()
