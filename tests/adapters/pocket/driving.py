"""Tapping by label on a pocket phone, and one small app with everything that tests need."""

from waypost.adapters.pocket import Faults, PocketDevice
from waypost.adapters.pocket.load import parse
from waypost.adapters.pocket.spec import Spec
from waypost.model import Element, Press, Screen, Tap, Wait

__all__ = ["APP", "find", "phone", "settle", "small", "tap"]

APP = """
app: small
package: org.example.small
name: Small
icon: star
activity: .Main
start: home
splash: 2
state:
  {power: false, name: "", query: "", level: 20, language: en, user: "", signed: false}
volatile: [query]
data:
  people:
    count: 60
    fields: {who: [Ann, Bob, 李雷], role: ["Guide {n}", "Cook {n}"]}
  pets: []
bars:
  main: [{label: Home, icon: home, go: home}, {label: People, icon: person, go: people}]
  sorts: [{label: Old, go: old}, {label: New, go: new}]
overlays:
  side:
    kind: drawer
    title: Small
    body: [{row: People, root: people}, {row: Home, root: home}]
pages:
  home:
    title: {en: Home page, zh: 首页}
    nav: side
    bottom: main
    actions: [{icon: more, id: overflow, go: menu}]
    body:
      - {switch: Power, bind: power}
      - {row: Powered, when: power, go: powered}
      - {row: Form, go: form}
      - {row: Sort, go: old}
      - {row: Map, go: map}
      - {row: Slow, go: slow}
      - {row: Vault, go: vault}
      - {row: Secret, go: secret}
      - {row: Browser, do: {external: {title: Web, text: Hello}}}
      - {row: Break, do: {crash: true}}
      - {slider: Level, bind: level}
      - {row: Pets, go: pets}
    overlays:
      menu:
        kind: menu
        items:
          - {label: Ask, go: ask}
          - {label: Chinese, do: {set: {language: zh}}}
          - {label: Send all, hazard: send, do: {toast: Sent}}
      ask:
        kind: dialog
        title: Sure?
        buttons: [{label: Cancel}, {label: Go on, go: powered}]
  powered: {title: Powered, body: [{text: Running}]}
  people:
    title: People
    bottom: main
    body:
      - {search: Find, bind: query}
      - list: people
        search: query
        as: {row: "{row.who}", sub: "{row.role}", avatar: true, go: person, long: {go: held}}
        empty: [{text: Nobody}]
    overlays:
      held:
        kind: sheet
        title: Person
        body: [{row: Delete, hazard: delete, do: {remove: people}}]
  person:
    title: "{item.who}"
    item: people
    body: [{text: "{item.role}"}, {button: Call, hazard: call}]
  form:
    title: Form
    nav: close
    back: {if: "name != ''", then: {go: discard}, else: {back: 1}}
    body:
      - {field: Name, bind: name, hint: Your name}
      - {space: 500}
      - {button: Save, hazard: save, do: {back: 1}}
    overlays:
      discard:
        kind: dialog
        title: Discard?
        cancelable: false
        buttons: [{label: Keep}, {label: Discard, do: [{set: {name: ""}}, {back: 2}]}]
  old: {title: Sort, tabs: sorts, bar_item: old, body: [{text: Old ones}]}
  new: {title: Sort, tabs: sorts, bar_item: old, body: [{text: New ones}]}
  map: {title: Map, permission: location, body: [{text: "{clock} {looks}"}]}
  slow: {title: Slow, loading: 2, body: [{text: Here}]}
  vault:
    title: Vault
    requires: {unless: signed, page: login}
    body: [{text: Gold}]
  login:
    title: Sign in
    body:
      - {field: User, bind: user}
      - button: Enter
        do: {if: "user == 'ann'", then: [{set: {signed: true}}, {proceed: true}], else: {toast: Wrong}}
  secret: {title: Secret, secure: true, body: [{text: Hush}]}
  pets:
    title: Pets
    body:
      - list: pets
        as: {row: "{row.name}"}
        empty: [{text: No pets}]
"""


def small() -> Spec:
    """The small app."""
    return parse(APP, "small.yaml")


def phone(*, faults: Faults | None = None, seed: int = 0) -> PocketDevice:
    """A phone with the small app, its splash over."""
    device = PocketDevice("small", seed=seed, faults=faults, specs=[small()])
    settle(device)
    return device


def settle(device: PocketDevice) -> Screen:
    """Look until no splash and no spinner is left."""
    while device.where() == "side:splash" or device.session().loading:
        device.perform(Wait(1.0))
    return device.observe().screen


def find(device: PocketDevice, label: str) -> Element:
    """The first visible element with this text or description."""
    screen = device.observe().screen
    for element in screen.visible():
        if label in (element.text, element.description, element.hint):
            return element
    raise AssertionError(f"No {label!r} among {[e.label for e in screen.visible() if e.label]}")


def tap(device: PocketDevice, *labels: str) -> str:
    """Tap what has each label, one after the other; returns the true page reached."""
    for label in labels:
        if label == "<":
            device.perform(Press("back"))
        else:
            device.perform(Tap(find(device, label).bounds.center))
    return device.where()
