"""A device and a map's folder in; each step that a person takes done, seen and put on the map, out.

One thread owns map and device, whoever asks. A step is written when the next one is taken, so that the last
one can be forgotten.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any, TypeVar

from waypost.errors import UsageError
from waypost.exploration import StartRecipe
from waypost.guidance import describe
from waypost.mapping import settled
from waypost.model import (
    Action,
    NodeId,
    Observation,
    PageKind,
    Press,
    Tap,
    TreeQuality,
    TypeText,
)
from waypost.parts import correcting
from waypost.parts.devices import DeviceOptions, app_version, open_device, parse_device
from waypost.parts.face import Map
from waypost.parts.folders import map_folder
from waypost.parts.origin import Origin, write_origin
from waypost.parts.started import Started
from waypost.parts.stores import made_store, opened_store
from waypost.protocols import Device
from waypost.surface.hops import seen_hop
from waypost.surface.record.screen import drawn

__all__ = ["RecordRequest", "Recorder"]

T = TypeVar("T")
_TRAIL = 40


@dataclass(frozen=True, slots=True)
class RecordRequest:
    device: str
    map: str
    options: DeviceOptions = DeviceOptions()
    recipe: StartRecipe | None = None
    """Brings an app behind a login to its start state."""
    stay: bool = False
    """Begin on the page that shows, instead of starting the app afresh."""


class Recorder:
    """Answers in JSON values what the page shows; `close` writes the records and says what was made."""

    def __init__(self, request: RecordRequest) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="waypost-record")
        self._device: Device | None = None
        self._map: Map | None = None
        self._said = ""
        self._trail: list[dict[str, str]] = []
        self._new = False
        self._pending: dict[str, str] | None = None
        self._result: dict[str, Any] | None = None
        self._closing = Lock()
        try:
            self._ask(lambda: self._begin(request))
        except BaseException:
            self._ask(self._let_go)
            self._pool.shutdown()
            raise

    def state(self) -> dict[str, Any]:
        """Return what shows now: the screen with its elements, the page, and the steps so far."""
        return self._ask(self._state)

    def do(self, did: str, said: dict[str, Any]) -> dict[str, Any]:
        """Do what a person asks for, and return what shows then. Raises UsageError or DeviceError."""

        def deed() -> dict[str, Any]:
            self._said = ""
            match did:
                case "name":
                    self._name(str(said.get("name", "")))
                case "forget":
                    self._forget()
                case "look":
                    self._enter(self._look())
                case "restart":
                    self._restart()
                case _:
                    self._step(did, said)
            return self._state()

        return self._ask(deed)

    def close(self) -> dict[str, Any]:
        """Write what was recorded, let go of map and device, and say what was made; twice is once."""
        with self._closing:
            if self._result is None:
                try:
                    made = self._ask(self._finish)
                finally:
                    self._ask(self._let_go)
                    self._pool.shutdown()
                self._result = made
            return self._result

    # On the thread that owns map and device

    def _ask(self, what: Callable[[], T]) -> T:
        try:
            asked = self._pool.submit(what)
        except RuntimeError as e:  # What the pool says once it is shut.
            raise UsageError("The recording is finished") from e
        return asked.result()

    def _begin(self, request: RecordRequest) -> None:
        spec = parse_device(request.device)
        opened = open_device(spec, request.options)
        self._device = Started(opened, request.recipe) if request.recipe else opened
        if not request.stay:
            self._device.restart()
        first = self._look()
        app = "com.pocket" if str(spec) == "pocket" else first.screen.app
        folder = map_folder(request.map)
        size = f"{first.screen.size[0]}x{first.screen.size[1]}"
        profile = str(getattr(opened, "profile", size))
        store = made_store(folder, app, app_version(opened, app), profile)
        try:
            self._map = Map(folder, store)
        except BaseException:
            store.close()
            raise
        if self._map.graph.app != app:
            made_of = self._map.graph.app
            raise UsageError(
                f"{folder.name!r} is a map of {made_of}, and the device shows {app}; give another --map"
            )
        self._map.meet(opened)
        write_origin(folder, Origin(spec, request.options))
        self._enter(first)

    def _look(self) -> Observation:
        assert self._device is not None
        return settled(self._device, pixels=True)

    def _enter(self, look: Observation) -> None:
        """Stand where a look is taken, without a step that led there."""
        known = self._known()
        before = len(known.graph.nodes)
        self._at, self._seen = known.mapper.enter(look), look
        self._new = len(known.graph.nodes) > before
        self._keep()

    def _restart(self) -> None:
        assert self._device is not None
        self._device.restart()
        self._enter(self._look())

    def _step(self, did: str, said: dict[str, Any]) -> None:
        known, device = self._known(), self._device
        assert device is not None
        action, key = self._action(did, said)
        hazard = getattr(getattr(action, "target", None), "hazard", "")
        if hazard and said.get("sure") is not True:
            raise UsageError(
                f"This may do harm ({hazard}): {describe(action)}. Do it again to do it all the same"
            )
        words = str(said.get("text", ""))
        done = replace(action, text=words) if isinstance(action, TypeText) else action
        device.perform(done)
        after = self._look()
        self._keep()
        before, source = len(known.graph.nodes), self._at
        step = known.mapper.extend(source, action, key, after, before=self._seen)
        self._new = len(known.graph.nodes) > before
        self._at, self._seen = step.target, after
        self._pending = {
            "from": known.graph.nodes[step.source].name,
            "did": describe(action).replace('type "" into', "type into"),
        }

    def _action(self, did: str, said: dict[str, Any]) -> tuple[Action, str]:
        """Find what is meant on the screen that shows; `x` and `y` are shares of it, 0 to 1."""
        screen = self._seen.screen
        target = ""
        if did in ("tap", "long_press", "type"):
            x, y = _share(said, "x"), _share(said, "y")
            at = (int(x * (screen.size[0] - 1)), int(y * (screen.size[1] - 1)))
            if did == "tap" and screen.quality is TreeQuality.NONE:
                return Tap(at), f"tap:{at[0]},{at[1]}"
            target = f"{at[0]},{at[1]}"
        try:
            return seen_hop(did, target, screen, self._known().graph.app)
        except UsageError as e:
            if not target:
                raise
            raise UsageError(f"There is nothing to {did.replace('_', ' ')} there") from e

    def _name(self, name: str) -> None:
        known = self._known()
        self._keep()
        done = correcting.rename(known, self._at, name)
        self._at = known.mapper.resolve(self._at)
        self._said = done.said

    def _forget(self) -> None:
        """Take the last step off the map, go back, and stand where that leads."""
        if self._pending is None:
            raise UsageError("There is no step to forget: only the last one can be, and once")
        known, device = self._known(), self._device
        assert device is not None
        folder = known.folder
        known.close()
        self._pending = None
        # What was not written is gone with the map that held it.
        self._map = Map(folder, opened_store(folder))
        device.perform(Press("back"))
        self._enter(self._look())
        self._said = "forgotten"

    def _keep(self) -> None:
        """Write the step before: from now on it can no longer be forgotten."""
        if self._pending is not None:
            self._trail = [*self._trail, self._pending][-_TRAIL:]
            self._pending = None
        self._known().mapper.commit()

    def _known(self) -> Map:
        assert self._map is not None
        return self._map

    def _state(self) -> dict[str, Any]:
        known = self._known()
        node = known.graph.nodes[self._here()]
        return {
            "map": known.folder.name,
            "page": {
                "id": node.id,
                "name": node.name,
                "new": self._new,
                "side": node.kind is not PageKind.PAGE,
            },
            "pages": sum(1 for _ in known.graph.pages()),
            "steps": known.graph.steps,
            "trail": [*self._trail, *([self._pending] if self._pending else [])],
            "said": self._said,
            "forgettable": self._pending is not None,
            **drawn(self._seen),
        }

    def _here(self) -> NodeId:
        return self._known().mapper.resolve(self._at)

    def _finish(self) -> dict[str, Any]:
        self._keep()
        known = self._known()
        known.name_choosers()
        records = len(known.remember().records) if known.graph.root is not None else 0
        pages = sum(1 for _ in known.graph.pages())
        ways = len(known.graph.transitions)
        return {"map": str(known.folder), "pages": pages, "transitions": ways, "records": records}

    def _let_go(self) -> None:
        if self._map is not None:
            self._map.close()
        if self._device is not None:
            self._device.close()
        self._map = self._device = None


def _share(said: dict[str, Any], name: str) -> float:
    value = said.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise UsageError(f"{name!r} is a share of the screen, 0 to 1")
    return float(value)
