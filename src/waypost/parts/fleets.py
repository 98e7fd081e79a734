"""Several apps explored by one fleet: device names and a map's name in, one map an app out."""

import re
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from waypost.errors import UsageError
from waypost.mapping.settle import settled
from waypost.parts.devices import DeviceOptions, open_device, parse_device
from waypost.parts.fleet import Crew, Fleeted, FleetProgress, FleetRequest, fleet
from waypost.protocols import Device

__all__ = ["Fleets", "fleets"]

_ONE_AT_A_TIME = ("adb", "wda", "framework")
"""Kinds of device that are one screen, whatever app a name asks for."""
MakeCrew = Callable[[Sequence[str | Device]], Crew]


@dataclass(frozen=True, slots=True)
class Fleets:
    """What a fleet left behind of each app, in the order in which the apps were named."""

    maps: tuple[Fleeted, ...]

    @property
    def lost(self) -> int:
        return sum(m.lost for m in self.maps)

    def as_json(self) -> dict[str, Any]:
        told = [m.as_json() for m in self.maps]
        sums = ("devices", "lost", "pages", "transitions", "actions", "frontier", "shares")
        return {name: sum(row[name] for row in told) for name in sums} | {"maps": told}


@dataclass(frozen=True, slots=True)
class _Group:
    """The devices that show one app."""

    app: str
    map: str | Path
    devices: tuple[str | Device, ...]
    phones: frozenset[str]
    """Those among them that show one thing at a time, by address."""


def fleets(
    devices: Sequence[str | Device],
    map: str | Path,
    request: FleetRequest,
    *,
    options: DeviceOptions | None = None,
    crew: MakeCrew | None = None,
    progress: Callable[[FleetProgress], None] | None = None,
) -> Fleets:
    """Explore every app that the devices show, all at once, each into a map of its own.

    One app goes into `map`; of several, each into `MAP-APP`. A phone that is named with several apps does one
    after the other. `request.actions` is of all together. Raises as `fleet` does.
    """
    if not devices:
        raise UsageError("A fleet needs a device: waypost fleet DEVICE DEVICE ... --map MAP")
    groups = _groups(devices, map, options)
    if len(groups) == 1:
        return Fleets((fleet(devices, map, request, options=options, crew=crew, progress=progress),))
    halt, whole = threading.Event(), _Whole(progress)
    share = None if request.actions is None else max(1, request.actions // len(groups))
    asked = replace(request, actions=share, halted=lambda: halt.is_set() or request.halted())

    def explored(group: _Group) -> Fleeted:
        heard = whole.of(group.app)
        return fleet(group.devices, group.map, asked, options=options, crew=crew, progress=heard)

    return Fleets(_in_turn(groups, explored, halt))


def _in_turn(
    groups: Sequence[_Group], explored: Callable[[_Group], Fleeted], halt: threading.Event
) -> tuple[Fleeted, ...]:
    """Explore all groups side by side, but no two that need one phone."""
    waiting, under_way = list(groups), dict[Future[Fleeted], _Group]()
    done: dict[str, Fleeted] = {}
    with ThreadPoolExecutor(len(groups), "waypost-fleets") as pool:
        try:
            while waiting or under_way:
                for group in list(waiting):
                    taken = frozenset().union(*(g.phones for g in under_way.values()))
                    if not halt.is_set() and not group.phones & taken:
                        waiting.remove(group)
                        under_way[pool.submit(explored, group)] = group
                if not under_way:
                    break
                for future in _first(under_way, halt):
                    done[under_way.pop(future).app] = future.result()
        except BaseException:
            halt.set()  # The others hand out no more, and write what they have.
            raise
    return tuple(done[group.app] for group in groups if group.app in done)


def _first(under_way: dict[Future[Fleeted], _Group], halt: threading.Event) -> set[Future[Fleeted]]:
    try:
        return wait(under_way, return_when=FIRST_COMPLETED).done
    except KeyboardInterrupt:
        halt.set()
        return wait(under_way).done


class _Whole:
    """Adds up how the fleets of all apps are doing."""

    def __init__(self, told: Callable[[FleetProgress], None] | None) -> None:
        self._told, self._lock = told, threading.Lock()
        self._last: dict[str, FleetProgress] = {}

    def of(self, app: str) -> Callable[[FleetProgress], None] | None:
        """Return what hears of one app."""
        return None if self._told is None else lambda now: self._heard(app, now)

    def _heard(self, app: str, now: FleetProgress) -> None:
        assert self._told is not None
        with self._lock:
            self._last[app] = now
            rows = [asdict(p) for p in self._last.values()]
            self._told(FleetProgress(**{name: sum(row[name] for row in rows) for name in rows[0]}))


def _groups(devices: Sequence[str | Device], map: str | Path, options: DeviceOptions | None) -> list[_Group]:
    """Sort devices by the app that each shows; equal names show the same, and are looked at once."""
    if len({d for d in devices if isinstance(d, str)}) == 1 and all(isinstance(d, str) for d in devices):
        return [_Group("", map, tuple(devices), frozenset())]
    shown: dict[str, str] = {}
    by_app: dict[str, list[str | Device]] = {}
    for device in devices:
        if not isinstance(device, str):
            app = settled(device).screen.app
        elif (app := shown.get(device, "")) == "":
            app = shown[device] = _shown(device, options)
        by_app.setdefault(app, []).append(device)
    names = _names(list(by_app))
    return [
        _Group(
            app, _beside(map, names[app]), tuple(found), frozenset(filter(None, (_phone(d) for d in found)))
        )
        for app, found in by_app.items()
    ]


def _shown(device: str, options: DeviceOptions | None) -> str:
    opened = open_device(parse_device(device), options)
    try:
        return settled(opened).screen.app
    finally:
        opened.close()


def _names(apps: Sequence[str]) -> dict[str, str]:
    """Call each app by the last part of its package, or by all of it where two would be called the same.

    >>> _names(["com.pocket.mail", "com.pocket.chat"])
    {'com.pocket.mail': 'mail', 'com.pocket.chat': 'chat'}
    >>> _names(["com.one.mail", "org.two.mail"])
    {'com.one.mail': 'com_one_mail', 'org.two.mail': 'org_two_mail'}
    >>> _names(["127.0.0.1:5106", "127.0.0.1:5107"])
    {'127.0.0.1:5106': '1_5106', '127.0.0.1:5107': '1_5107'}
    """
    short = {app: app.rpartition(".")[2] for app in apps}
    twice = len(set(short.values())) < len(apps)
    return {app: re.sub(r"\W+", "_", app if twice else short[app]).lower() for app in apps}


def _beside(map: str | Path, name: str) -> str | Path:
    """Return the map of one app among several; in a shared map's name there is no dash."""
    if isinstance(map, Path):
        return map.with_name(f"{map.name}-{name}")
    return f"{map}_{name}" if "#" in map else f"{map}-{name}"


def _phone(device: str | Device) -> str:
    """Return the address of what shows one thing at a time; empty for what is opened anew each time."""
    if not isinstance(device, str):
        return ""
    spec = parse_device(device)
    address = spec.address.partition("#")[0] if spec.kind == "wda" else spec.address.partition("/")[0]
    return f"{spec.kind}:{address}" if spec.kind in _ONE_AT_A_TIME else ""
