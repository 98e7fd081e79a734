"""Words for a record: a page of the survey in, its name, summary, intents and hints out. Extractive only."""

import re
from collections.abc import Iterable, Sequence

from waypost.library.reading import Item, Reading
from waypost.library.survey import EMPTY, Page, label_of, target_of
from waypost.library.words import clean, fold
from waypost.mapping import LayerKind
from waypost.model import (
    Action,
    Evidence,
    Launch,
    LongPress,
    NodeId,
    Plan,
    Press,
    Role,
    Swipe,
    Transition,
    TypeText,
    Wait,
)

__all__ = [
    "BARS",
    "bare",
    "called",
    "cue",
    "doing",
    "entry_labels",
    "heading",
    "hints",
    "intents",
    "kind_of",
    "row_of",
    "says_nothing",
    "summary",
]

_TOGGLES = (Role.SWITCH, Role.CHECKBOX)
_MOST_INTENTS = 28
_MOST_LABELS = 14
_LAYER = re.compile(r" \((dialog|menu|sheet|drawer)\)( \d+)?$")
_DAY = re.compile(r"(\d{1,2})(?:$|[ .,]\D)")
_CLOCK = re.compile(r"\b\d{1,2}:\d\d\b")
BARS = ("bottom bar", "tabs", "navigation")
"""Places that hold ways around the app: whatever stands there is no doing of the page itself."""


def kind_of(page: Page) -> str:
    """Name the kind of page in plain words."""
    items = page.items
    if picker := _picker(page.reading):
        return picker
    if page.reading.layer is not LayerKind.PAGE:
        return {"sheet": "bottom sheet", "drawer": "navigation drawer"}.get(
            page.reading.layer.value, page.reading.layer.value
        )
    fields = sum(1 for i in items if i.role is Role.FIELD)
    toggles = sum(1 for i in items if i.role in _TOGGLES)
    if fields >= 2:
        return "form"
    if toggles >= 2:
        return "settings page"
    if page.lists or page.level:
        return "list"
    if sum(1 for i in items if i.active) >= 4:
        return "page"
    return "page"


def _picker(reading: Reading) -> str:
    """Name what picks a day or an hour; empty for any other page."""
    if reading.layer is LayerKind.PAGE:
        return ""
    labels = [i.label.casefold() for i in reading.items]
    days = {match.group(1) for label in labels if (match := _DAY.match(label))}
    if len(days) >= 20:
        return "date picker, calendar to choose a day"
    if any(label in ("am", "pm") for label in labels) or {"hour", "minute"} <= set(labels):
        return "time picker, clock to choose the hour"
    return ""


def bare(name: str) -> str:
    """Return a name without the kind of layer that tells it apart from its page.

    >>> bare("Sort by (dialog)"), bare("Inbox")
    ('Sort by', 'Inbox')
    """
    return _LAYER.sub("", name) or name


def says_nothing(name: str) -> bool:
    """Whether a name is empty, a mere sign, or a reading of the moment rather than a name.

    >>> [says_nothing(n) for n in ("…", "Close", "Next train at 06:30. Two stops.", "3 days", "Sort by")]
    [True, True, True, False, False]
    """
    if fold(name) in EMPTY or not any(c.isalpha() for c in name):
        return True
    return bool(_CLOCK.search(name)) or (". " in name and len(name.split()) > 4)


def heading(page: Page, name: str) -> str:
    """Return the first short text of a page that is not its name; empty where it has none."""
    texts = [*page.reading.headings, *(i.label for i in page.items if not i.active)]
    return next((t for t in texts if 3 < len(t) <= 40 and fold(t) != fold(name) and not says_nothing(t)), "")


def entry_labels(page: Page, depth: dict[NodeId, int]) -> list[str]:
    """Return what the ways in are called, the shallowest first; labels of content rows are left out."""
    found: dict[str, str] = {}
    rows: dict[str, set[str]] = {}
    for step in page.entries:
        target = target_of(step.action)
        if target and target.template:
            rows.setdefault(target.template, set()).add(fold(target.label))
    for step in sorted(page.entries, key=lambda t: (depth.get(t.source, 99), t.key)):
        target, label = target_of(step.action), label_of(step)
        folded = fold(label)
        if not folded or folded in EMPTY or folded in found or folded.startswith(("close ", "dismiss ")):
            continue
        if target and target.template and len(rows[target.template]) > 1:
            continue
        if depth.get(step.source, 99) > depth.get(page.node, 99) and folded != fold(page.reading.title):
            continue
        found[folded] = label
    return list(found.values())


def row_of(
    page: Page, pages: dict[NodeId, Page], names: dict[NodeId, str], depth: dict[NodeId, int]
) -> list[str]:
    """Return the names of the pages above that list this one among their content; empty where none does."""
    found: dict[str, None] = {}
    for step in page.entries:
        target = target_of(step.action)
        if target and target.template and (source := pages.get(step.source)) and step.source in names:
            if depth[step.source] >= depth[page.node]:
                continue
            fixed = {fold(i.label) for i in source.items}
            if fold(label_of(step)) not in fixed:
                found.setdefault(bare(names[step.source]))
    return list(found)[:2]


def called(page: Page, entries: Sequence[str], app: str) -> str:
    """Return what a person would call the page: its title, else the selected tab, else its way in."""
    title = page.reading.title
    if page.reading.layer is LayerKind.PAGE and page.reading.tab and fold(title) in ("", fold(app)):
        title = page.reading.tab
    if title and len(title) <= 60 and not (says_nothing(title) and entries):
        return title
    if entries:
        return entries[0]
    first = next((i.label for i in page.items if not i.active and len(i.label) <= 40), "")
    way_in = next((label for step in page.entries if (label := label_of(step))), "")
    return title or first or way_in or next((i.label for i in page.items), kind_of(page).capitalize())


def summary(page: Page, name: str, entries: Sequence[str], lists: Sequence[str] = ()) -> str:
    """Say in a few sentences what the page is and what stands on it; `lists` are those it is a row of."""
    base = bare(name)
    headings = [h for h in page.reading.headings if fold(h) != fold(base)][:8]
    said = {fold(base)}
    parts = [f"{base} ({kind_of(page)})"]
    others = list({fold(e): e for e in entries if fold(e) not in said}.values())[:3]
    if others:
        parts.append("also called " + ", ".join(others))
        said.update(fold(o) for o in others)
    if lists:
        parts.append("one of " + ", ".join(lists))
    if page.reading.tab and fold(page.reading.tab) not in said:
        parts.append(f"tab {page.reading.tab}")
    if headings:
        parts.append("sections: " + ", ".join(headings))
        said.update(fold(h) for h in headings)
    labels = _labels((i for i in page.items if i.active and i.where not in BARS), said, _MOST_LABELS)
    if labels:
        parts.append("with " + ", ".join(labels))
    texts = _labels((i for i in page.items if not i.active), said, 4)
    if texts:
        parts.append("shows " + "; ".join(texts))
    if page.lists:
        parts.append("a list of entries" + (f" such as {page.lists[0][0]}" if page.lists[0] else ""))
    return clean(". ".join(parts), 480)


def _labels(items: Iterable[Item], said: set[str], most: int) -> list[str]:
    found: list[str] = []
    for item in items:
        folded = fold(item.label)
        if folded and folded not in said and len(found) < most:
            said.add(folded)
            found.append(item.label)
    return found


def intents(page: Page, name: str, entries: Sequence[str]) -> tuple[str, ...]:
    """List what can be done directly here: what leads on to another page of the map is that page's own."""
    base = bare(name)
    found: dict[str, str] = {}
    for label in [base, *entries]:
        found.setdefault(fold(label), label)
    for item in page.items:
        if fold(item.label) not in page.links and item.where not in BARS:
            words = _intent(item, base)
            found.setdefault(fold(words), words)
    return tuple(found.values())[:_MOST_INTENTS]


def _intent(item: Item, name: str) -> str:
    context = item.section or name
    match item.role:
        case Role.SWITCH | Role.CHECKBOX:
            return f"turn on or off {item.label}"
        case Role.FIELD:
            return f"enter {item.label}" if fold(item.label) != fold(name) else item.label
        case Role.RADIO | Role.TAB:
            return f"{context}: {item.label}"
        case Role.SLIDER:
            return f"adjust {item.label}"
        case Role.PICKER:
            return f"choose {item.label}"
    return item.label if item.active else clean(item.label, 60)


def hints(plan: Plan, pages: dict[NodeId, Page], names: dict[NodeId, str]) -> tuple[str, ...]:
    """Word the visible cue of each step; where its label stands twice on the page, say which one."""
    found = []
    for step in plan.steps:
        here, there = names.get(step.source, ""), names.get(step.target, "")
        found.append(f"{here} → {there}: {cue(step, pages.get(step.source))}")
    return tuple(found)


def cue(step: Transition, page: Page | None) -> str:
    """Word how one step is done, by its visible cue; `page` is the one that it is done on."""
    return doing(step.action, page)


def doing(action: Action, page: Page | None = None) -> str:
    """Word an action by the visible cue that it is done on."""
    target = target_of(action)
    match action:
        case Press(key=key):
            return f"press {key}"
        case Swipe(direction=direction):
            return f"swipe {direction.value}"
        case Launch():
            return "open the app again"
        case Wait():
            return "wait"
        case LongPress():
            verb = "hold"
        case TypeText():
            verb = "type into"
        case _:
            verb = "tap"
    if target is None:
        return verb
    return f"{verb} {_named(target, page)}"


def _named(target: Evidence, page: Page | None) -> str:
    label = clean(target.label.split("\n")[0], 60)
    role = _ROLE_WORDS.get(target.role, target.role.value)
    words = f"“{label}”" if label else _unlabelled(target)
    twins = [i for i in page.reading.items if label and i.label == label] if page else []
    here = next((i for i in twins if i.bounds == target.bounds), twins[0] if len(twins) == 1 else None)
    if here is not None and here.where:
        words += f" ({role}, {here.where})"
    elif role:
        words += f" ({role})"
    if here is not None and here.section:
        words += f" under “{here.section}”"
    if target.of > 1:
        words += f", number {target.index + 1} of {target.of} alike"
    elif len(twins) > 1:
        others = sorted({i.where or i.section for i in twins if i is not here} - {""})
        words += f", not the one in {others[0]}" if others and here is not None else ""
    return words


def _unlabelled(target: Evidence) -> str:
    name = target.resource_id.rsplit("/", 1)[-1].replace("_", " ").strip()
    return f"the unlabelled {name}" if name else "the unlabelled control"


_ROLE_WORDS = {Role.GROUP: "", Role.ITEM: "row", Role.MENUITEM: "menu entry", Role.TEXT: "text"}
