"""An APK file in, a `StaticApp` out: manifest, resources and code, read by androguard."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from waypost.adapters.apk.app import Activity, Control, Leads, StaticApp
from waypost.adapters.apk.code import Code, home
from waypost.adapters.bounded import no_bomb
from waypost.errors import UsageError

__all__ = ["read_apk"]

_ANDROID = "{http://schemas.android.com/apk/res/android}"
_LAUNCHED = ("android.intent.category.LAUNCHER", "android.intent.category.DEFAULT")


def read_apk(path: Path) -> StaticApp:
    """Read an APK; takes seconds. Raises UsageError where it is none, or where the extra is missing."""
    if find_spec("androguard") is None:
        raise UsageError('Reading packages needs androguard: pip install "waypost[static]"')
    if not path.is_file():
        raise UsageError(f"There is no file {str(path)!r}")
    no_bomb(path)
    from loguru import logger

    logger.disable("androguard")  # It tells its every step on the terminal.
    from androguard.core.apk import APK
    from androguard.core.dex import DEX

    try:
        package = APK(str(path))
        valid = package.is_valid_APK()
    except Exception as e:  # androguard raises whatever its parsers stumble over
        raise UsageError(f"{str(path)!r} is no Android package ({e}); give an APK file") from e
    if not valid:
        raise UsageError(f"{str(path)!r} is no Android package; give an APK file")
    resources = _Resources(package)
    activities = tuple(_activities(package, resources))
    names = {a.name for a in activities}
    categories = frozenset(c for a in activities for c in a.listed)
    code = Code(frozenset(names))
    wanted = _roots(names, str(package.get_package()))
    for data in package.get_all_dex():
        code.read(DEX(data).get_classes(), wanted)
    layouts, menus = dict(resources.layouts()), dict(resources.menus())
    return StaticApp(
        package=str(package.get_package()),
        version=str(package.get_androidversion_name() or ""),
        launcher=str(package.get_main_activity() or ""),
        activities=activities,
        layouts=layouts,
        shown=_by_activity(code, code.layouts, names, resources, "layout"),
        menus=menus,
        opened=_by_activity(code, code.menus, names, resources, "menu"),
        leads=tuple(sorted(set(_leads(code, names)), key=lambda x: (x.source, x.target, x.view, x.method))),
        asks={owner: categories & code.texts.get(owner, set()) for owner in sorted(code.asks & names)},
        counts={
            "strings": resources.strings,
            "layout_files": resources.files,
            "layouts": len(layouts),
            "menus": len(menus),
            "click_handlers": code.handlers,
            "start_activity_sites": code.starts,
        },
    )


def _roots(names: set[str], package: str) -> tuple[str, ...]:
    """Name the packages that the app's own code lies in: those of its activities, libraries' left out."""
    own = {n for n in names if n.startswith(package)} or names
    tops = {".".join(n.split(".")[:3]) for n in own}
    return tuple(sorted(tops)) or (package,)


def _activities(package: Any, resources: "_Resources") -> Iterator[Activity]:
    manifest, name = package.get_android_manifest_xml(), str(package.get_package())
    for tag in ("activity", "activity-alias"):
        for found in manifest.iter(tag):
            categories = {
                str(c.get(f"{_ANDROID}name")) for f in found.iter("intent-filter") for c in f.iter("category")
            }
            yield Activity(
                _full(name, found.get(f"{_ANDROID}name", "")),
                resources.text(found.get(f"{_ANDROID}label", "")),
                _full(name, found.get(f"{_ANDROID}targetActivity", "")),
                tuple(sorted(categories - set(_LAUNCHED))),
            )


def _full(package: str, name: str) -> str:
    """Return the full name of a class that a manifest may write short.

    >>> _full("org.mail", ".Main"), _full("org.mail", "Main"), _full("org.mail", "com.ads.Ad")
    ('org.mail.Main', 'org.mail.Main', 'com.ads.Ad')
    """
    if not name or ("." in name and not name.startswith(".")):
        return name
    return f"{package}.{name.removeprefix('.')}"


def _by_activity(
    code: Code, found: dict[str, set[int]], names: set[str], resources: "_Resources", kind: str
) -> dict[str, tuple[str, ...]]:
    told = {
        owner: tuple(sorted(n for n in (resources.named(kind, i) for i in code.inherited(found, owner)) if n))
        for owner in sorted(names)
    }
    return {owner: shown for owner, shown in told.items() if shown}


def _leads(code: Code, names: set[str]) -> Iterator[Leads]:
    views: dict[str, set[tuple[str, int]]] = {}
    for owner, view, listener in code.listens:
        views.setdefault(listener, set()).add((owner, view))
    for owner, method, target in code.opens:
        source = home(owner, code.activities)
        if target not in names or source not in names:
            continue
        heard = views.get(owner, set()) if method == "onClick" else set()
        for _, view in sorted(heard) or [("", 0)]:
            yield Leads(source, target, view, method)


class _Resources:
    """Texts, layouts and menus of a package, by number and by name."""

    def __init__(self, package: Any) -> None:
        self._package, self._table = package, package.get_android_resources()
        self._names: dict[int, tuple[str, str]] = {}
        table = self._table
        spoken = table.get_resolved_strings() if table is not None else {}
        self.strings = sum(len(texts.get("DEFAULT", ())) for texts in spoken.values())
        self.files = sum(f.startswith("res/layout") and f.endswith(".xml") for f in package.get_files())

    def named(self, kind: str, number: int) -> str:
        """Return the name of a resource of a kind; empty where there is no such."""
        found = self._table.get_resource_xml_name(number) if self._table is not None else None
        told, _, name = str(found or "").removeprefix("@").rpartition("/")
        return name if told.rpartition(":")[2] == kind else ""

    def text(self, value: str) -> str:
        """Return what is shown for an attribute: itself, or the text that it names."""
        number = _reference(value)
        if number is None or self._table is None:
            return value
        found = self._table.get_resolved_res_configs(number)
        return str(found[0][1]) if found and isinstance(found[0][1], str) else ""

    def layouts(self) -> Iterator[tuple[str, tuple[Control, ...]]]:
        for name, root in self._xml("layout"):
            yield name, tuple(self._control(view) for view in root.iter() if isinstance(view.tag, str))

    def menus(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        for name, root in self._xml("menu"):
            titles = (self.text(i.get(f"{_ANDROID}title", "")) for i in root.iter("item"))
            yield name, tuple(t for t in titles if t)

    def _xml(self, kind: str) -> Iterator[tuple[str, Any]]:
        """Yield the files of a kind, each name once; those for special screens come after the plain ones."""
        from androguard.core.axml import AXMLPrinter

        done: set[str] = set()
        folders = sorted(f for f in self._package.get_files() if f.startswith(f"res/{kind}"))
        for file in sorted(folders, key=lambda f: not f.startswith(f"res/{kind}/")):
            name = Path(file).stem
            if name not in done and file.endswith(".xml"):
                done.add(name)
                yield name, AXMLPrinter(self._package.get_file(file)).get_xml_obj()

    def _control(self, view: Any) -> Control:
        number = _reference(view.get(f"{_ANDROID}id", "")) or 0
        label = view.get(f"{_ANDROID}text") or view.get(f"{_ANDROID}contentDescription") or ""
        return Control(
            number,
            self.named("id", number) if number else "",
            self.text(label),
            str(view.tag).rpartition(".")[2],
            str(view.get(f"{_ANDROID}onClick", "")),
        )


def _reference(value: str | None) -> int | None:
    """Return the number that a reference names.

    >>> _reference("@7F0F0074"), _reference("Save")
    (2131689588, None)
    """
    if not value or not value.startswith("@"):
        return None
    try:
        return int(value[1:], 16)
    except ValueError:
        return None
