"""A small app in two builds, and maps of it: texts of app files in, explored maps out."""

from pathlib import Path

from waypost.adapters.pocket import PocketDevice
from waypost.adapters.pocket.load import parse
from waypost.adapters.pocket.spec import Spec
from waypost.exploration import ExploreConfig
from waypost.parts.exploring import surveyed
from waypost.parts.face import Map

__all__ = ["FIRST", "SECOND", "device", "explored", "german", "spec"]

FIRST = """
app: small
version: "1"
package: com.pocket.small
start: home
state: {loud: false, query: ""}
data:
  notes:
    count: 9
    fields: {name: [Milk, Ferry, Kiln, Boots], body: [Two litres., At nine., On Friday.]}
pages:
  home:
    title: Small
    actions: [{icon: more, id: overflow, go: menu}]
    body:
      - {row: Notes, icon: note, go: notes}
      - {row: Options, icon: gear, go: options}
    overlays:
      menu:
        kind: menu
        items: [{label: About, go: about}, {label: Erase, hazard: delete, do: {toast: Gone}}]
  notes:
    title: All notes
    body: [{list: notes, as: {row: "{row.name}", sub: "{row.n}", go: note}}]
  note:
    title: " "
    item: notes
    body: [{text: "{item.name}", size: big}, {text: "{item.body}"}, {button: Show details, go: details}]
  details:
    title: Details
    body: [{text: Written in pencil.}, {row: Length, sub: Two words}, {switch: Underlined, bind: loud}]
  options:
    title: Options
    body: [{switch: Loud, bind: loud}, {row: Sounds, go: sounds}, {row: Backup, go: backup}]
  sounds:
    title: Sounds
    body: [{text: Choose what you hear.}, {switch: Clicks, bind: loud}, {switch: Bells, bind: loud}]
  backup:
    title: Backup
    body: [{text: Nothing was copied yet., align: center}, {button: Copy now, do: {toast: No network}}]
  about:
    title: About
    body: [{text: A small app for tests.}, {text: Made by nobody.}]
"""

SECOND = (
    FIRST.replace('version: "1"', 'version: "2"')
    .replace("{row: Backup, go: backup}]", "{row: Themes, go: themes}]")  # Backup moves to the menu ...
    .replace("{label: About, go: about}", "{label: About, go: about}, {label: Backup, go: backup}")
    .replace("title: Sounds", "title: Noises")  # ... Sounds is titled otherwise ...
    .replace(
        "  about:",
        "  themes:\n    title: Themes\n"
        "    body: [{text: Which colours?}, {radio: Day, bind: query, value: d}]\n  about:",
    )
    .replace("{button: Show details, go: details}", "{button: Print this note, do: {toast: No printer}}")
)  # ... Themes is new, and nothing leads to Details any more.


_GERMAN = {
    "title: Small": "title: Klein",
    "row: Notes,": "row: Zettel,",
    "row: Options,": "row: Auswahl,",
    "label: About,": "label: Herkunft,",
    "label: Erase,": "label: Löschen,",
    "title: All notes": "title: Alle Zettel",
    "[Milk, Ferry, Kiln, Boots]": "[Milch, Fähre, Ofen, Stiefel]",
    "[Two litres., At nine., On Friday.]": "[Zwei Liter., Um neun., Am Freitag.]",
    "button: Show details": "button: Mehr zeigen",
    "title: Details": "title: Einzelheiten",
    "text: Written in pencil.": "text: Mit Bleistift geschrieben.",
    "row: Length, sub: Two words": "row: Länge, sub: Zwei Wörter",
    "switch: Underlined": "switch: Unterstrichen",
    "title: Options": "title: Auswahl",
    "switch: Loud": "switch: Laut",
    "row: Sounds": "row: Klänge",
    "row: Backup": "row: Sicherung",
    "title: Sounds": "title: Klänge",
    "text: Choose what you hear.": "text: Wähle was du hörst.",
    "switch: Clicks": "switch: Klicken",
    "switch: Bells": "switch: Glocken",
    "title: Backup": "title: Sicherung",
    "text: Nothing was copied yet.": "text: Noch wurde nichts kopiert.",
    "button: Copy now": "button: Jetzt kopieren",
    "title: About": "title: Herkunft",
    "text: A small app for tests.": "text: Eine kleine App zum Prüfen.",
    "text: Made by nobody.": "text: Von niemandem gemacht.",
}


def german() -> str:
    """Give the first build in another language."""
    text = FIRST
    for word, other in _GERMAN.items():
        assert word in text, word
        text = text.replace(word, other)
    return text


def spec(text: str = FIRST) -> Spec:
    return parse(text, "small.yaml")


def device(text: str = FIRST) -> PocketDevice:
    return PocketDevice("small", specs=[spec(text)])


def explored(folder: Path, text: str = FIRST, *, phone: PocketDevice | None = None) -> Map:
    """Explore the app into a folder; the map is open for writing."""
    return surveyed(phone or device(text), folder, ExploreConfig())
