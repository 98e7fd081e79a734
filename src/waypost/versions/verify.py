"""Walk a map's steps again on the app as it is now: a device and a map in, how each step stands out."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from waypost.errors import DeviceError, UnknownOutcome
from waypost.mapping.controls import controls
from waypost.mapping.grounding import regrounded
from waypost.mapping.layers import active_layer
from waypost.mapping.mapper import Mapper
from waypost.mapping.overlays import dismissal, side_state
from waypost.mapping.settle import LAUNCH, settled
from waypost.mapping.standing import forward
from waypost.model import (
    Action,
    Direction,
    NodeId,
    Observation,
    PageKind,
    Press,
    Role,
    Screen,
    Standing,
    Swipe,
    Tap,
    Transition,
)
from waypost.planning import returning
from waypost.protocols import Device
from waypost.versions.align import retitled
from waypost.versions.edges import content_rows, template
from waypost.versions.entries import Offers
from waypost.versions.walk import Leg, Walk

__all__ = ["Checked", "Verification", "VerifyConfig", "VerifyStop", "to_verify", "verify"]


class VerifyStop(StrEnum):
    """Why a verification ended."""

    COMPLETE = "complete"
    """Every step was walked, or cannot be reached any more."""
    OUT_OF_ACTIONS = "out_of_actions"
    DEVICE_LOST = "device_lost"


@dataclass(frozen=True, slots=True)
class VerifyConfig:
    actions: int | None = None
    """Actions that the device may perform in all, launches among them; None: no limit."""
    scrolls: int = 12
    """Drags in search of a control that is not on the screen."""
    tries: int = 2
    """Landings elsewhere from which a step is held to be stale."""
    patience: int = 40
    """Moves without a verdict from which a step is left alone."""
    recoveries: int = 3
    """Times that a device that was lost is started again."""
    layers: int = 4
    """Side states that are dismissed one after the other."""


@dataclass(frozen=True, slots=True)
class Checked:
    """One step of the map, and what came of it."""

    step: Transition
    standing: Standing
    why: str = ""


@dataclass(frozen=True, slots=True)
class Verification:
    checked: tuple[Checked, ...]
    actions: int
    stop: VerifyStop = VerifyStop.COMPLETE

    def count(self, standing: Standing) -> int:
        return sum(c.standing is standing for c in self.checked)


_Key = tuple[NodeId, str, NodeId]


def to_verify(mapper: Mapper, *, unverified: bool = False) -> list[Transition]:
    """List the steps worth walking: harmless ones from page to page, no way up, nothing that an item happens
    to hold, and of the rows of a list that lead to one page only one; with `unverified`, only those that are
    not known to be live.
    """
    found: list[Transition] = []
    lists: set[tuple[NodeId, str, NodeId]] = set()
    back, offers = returning(mapper.graph.transitions.values()), Offers(mapper.graph)
    for t in forward(mapper.graph):
        if t.key in back:
            continue
        if offers.is_row(t):
            at = (t.source, template(t), t.target)
            if at in lists:
                continue
            lists.add(at)
        elif not offers.lasts(t):
            continue
        if not unverified or t.standing is not Standing.LIVE:
            found.append(t)
    return found


def verify(
    device: Device,
    mapper: Mapper,
    steps: Iterable[Transition],
    config: VerifyConfig | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Verification:
    """Walk the steps, the nearest first, and take down on the map how each stands.

    A step whose control is not on its page, or that leads elsewhere, is stale; one whose page could not be
    reached is unknown. Hazards are never taken. What is passed on the way is verified as well.
    """
    run = _Run(device, mapper, list(steps), config or VerifyConfig())
    stop = run.walk(progress)
    run.settle_rest()
    if stop is VerifyStop.COMPLETE:
        mapper.settle_version()
    mapper.commit()
    return Verification(tuple(run.report()), run.actions, stop)


@dataclass
class _Run:
    device: Device
    mapper: Mapper
    wanted: list[Transition]
    config: VerifyConfig
    actions: int = 0
    checked: dict[_Key, Checked] = field(default_factory=dict)
    missed: dict[_Key, int] = field(default_factory=dict)
    recovered: int = 0
    seen: set[NodeId] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._walk = Walk(self.mapper.graph)
        self._look: Observation | None = None
        self._here: NodeId | None = None

    def walk(self, progress: Callable[[int, int], None] | None) -> VerifyStop:
        idle = before = 0
        try:
            self._relaunch()
            while True:
                left = self._left()
                idle = idle + 1 if len(left) == before else 0
                before = len(left)
                if idle >= self.config.patience:
                    self._walk.give_up()
                    idle = 0
                if progress is not None:
                    progress(len(self.wanted) - len(left), len(self.wanted))
                if not left:
                    return VerifyStop.COMPLETE
                if self.config.actions is not None and self.actions >= self.config.actions:
                    return VerifyStop.OUT_OF_ACTIONS
                leg = self._walk.next(self._here, left)
                if leg is None:
                    return VerifyStop.COMPLETE
                self._recovering(leg)
        except DeviceError:
            return VerifyStop.DEVICE_LOST

    def settle_rest(self) -> None:
        """Let what was not looked for stand as its likes do: other rows of a list, ways back from a page."""
        wanted = {(t.source, t.key, t.target) for t in self.wanted}
        lists = {
            (c.step.source, template(c.step), c.step.target): c.standing
            for c in self.checked.values()
            if template(c.step)
        }
        for at, t in list(self.mapper.graph.transitions.items()):
            if t.standing is Standing.LIVE or at in wanted:
                continue
            seen = Standing.LIVE if t.source in self.seen else t.standing
            standing = lists.get((t.source, template(t), t.target), seen)
            if standing is not t.standing:
                self.mapper.verify(t, standing)

    def report(self) -> Iterable[Checked]:
        for t in self.wanted:
            at = (t.source, t.key, t.target)
            never = "its page could not be reached" if not self.missed.get(at) else "it led elsewhere once"
            yield self.checked.get(at, Checked(t, Standing.UNKNOWN, never))

    def _left(self) -> list[Transition]:
        return [t for t in self.wanted if (t.source, t.key, t.target) not in self.checked]

    # One move

    def _recovering(self, leg: Leg) -> None:
        """Make a move; where the device is lost on it, start it again, a few times in all."""
        try:
            self._go(leg)
        except DeviceError:
            self.recovered += 1
            if self.recovered > self.config.recoveries:
                raise
            self._relaunch()

    def _go(self, leg: Leg) -> None:
        """Do the next move towards a step, or the step itself."""
        if leg.step is None:
            if leg.back:
                self._back()
            else:
                self._relaunch()
            return
        assert self._look is not None
        step = leg.step
        aimed = self._aimed(step)
        if aimed is None:
            if self._varies(step):
                self._judge(step, Standing.UNKNOWN, "its page shows another item than the one it was done on")
            else:
                self._judge(step, Standing.STALE, "its control is not there")
            return
        try:
            self.device.perform(aimed)
        except UnknownOutcome:
            self._judge(step, Standing.UNKNOWN, "not in the recording")
            return
        self.actions += 1
        modal = active_layer(self._look.screen).modal
        self._arrive(settled(self.device))
        self._landed(step, modal=modal)

    def _landed(self, step: Transition, *, modal: bool) -> None:
        target, why = self.mapper.resolve(step.target), ""
        if self._here is None and self._look is not None and retitled(self.mapper, target, self._look):
            self.mapper.adopt(target, self._look)
            self._here, why = target, "its page looks otherwise now"
        if self._here == target:
            self._walk.went(step, modal=modal)
            self._judge(step, Standing.LIVE, why)
            return
        others = {t.target for t in self.mapper.graph.outcomes(step.source, step.key)}
        if self._here is not None and (self._here in others or self._closes(step, target, self._here)):
            self._walk.strayed(step)
            self._judge(step, Standing.LIVE, "where it leads depends on where one came from")
            return
        at = (step.source, step.key, step.target)
        self.missed[at] = self.missed.get(at, 0) + 1
        self._walk.strayed(step)
        if self.missed[at] >= self.config.tries:
            graph = self.mapper.graph
            where = repr(graph.nodes[self._here].name) if self._here else "a page that is not on the map"
            self._judge(step, Standing.STALE, f"leads to {where}")
        if self._here is None:
            self._relaunch()

    def _closes(self, step: Transition, target: NodeId, here: NodeId) -> bool:
        """Whether a step goes up to where one came from, which was another page when it was mapped."""
        trail = self._walk.trail
        leads_on = any(t.target == step.source for t in self.mapper.graph.leaving(target))
        # What led to several pages before leads further up than to the last one.
        several = len(self.mapper.graph.outcomes(step.source, step.key)) > 1
        return here in (trail if several else trail[-1:]) and (several or leads_on)

    def _judge(self, step: Transition, standing: Standing, why: str) -> None:
        at = (step.source, step.key, step.target)
        if standing is not Standing.LIVE:
            self._walk.bar(step)
        # Counted for the page that was seen: another known outcome is no arrival at this one.
        arrived = standing is Standing.LIVE and self._here == self.mapper.resolve(step.target)
        taken = self._look.seen_at if arrived and self._look is not None else 0.0
        self.mapper.verify(step, standing, at=taken)
        self.mapper.commit()
        self.checked[at] = Checked(self.mapper.graph.transitions.get(at, step), standing, why)

    def _back(self) -> None:
        self.device.perform(Press("back"))
        self.actions += 1
        self._arrive(settled(self.device))
        self._walk.returned(self._here)

    def _relaunch(self) -> None:
        """Start the app afresh. Raises DeviceError where it does not come to the front."""
        self.device.restart()
        self.actions += 1
        self._arrive(settled(self.device, patience=LAUNCH))
        self._walk.launched(self._here)
        if self._here is None:
            raise DeviceError("The app does not start on a page of this map; is it the same app?")

    def _arrive(self, look: Observation) -> None:
        """Take in where we are, once nothing lies over it."""
        app = self.mapper.graph.app
        for _ in range(self.config.layers):
            side = side_state(look.screen, app)
            if side is None:
                break
            out = dismissal(look.screen) if side.kind is PageKind.OVERLAY else None
            self.device.perform(out or Press("back"))
            self.actions += 1
            look = settled(self.device)
        found = self.mapper.locate(look)
        self._look = look
        self._here = found.node if found is not None and self._is_page(found.node) else None
        if self._here is not None:
            self.seen.add(self._here)

    def _is_page(self, node: NodeId) -> bool:
        return self.mapper.graph.nodes[node].kind is PageKind.PAGE

    # The control of a step

    def _aimed(self, step: Transition) -> Action | None:
        """Find a step's control on its page, further down too; None where it is not there."""
        assert self._look is not None
        row = content_rows(self.mapper.graph, step.source).get(step.key, False)
        # What was scrolled before may still be: down to the end, then all the way up.
        for direction in (Direction.UP, Direction.DOWN):
            for _ in range(self.config.scrolls):
                aimed = regrounded(step.action, self._look.screen) or (self._like(step) if row else None)
                if aimed is not None:
                    return aimed
                if not self._scrolled(direction, step.source):
                    break
        return None

    def _varies(self, step: Transition) -> bool:
        """Whether it is an item that the page was also seen without: a message has its own sender's row."""
        looks = self.mapper.graph.nodes[step.source].looks
        item = getattr(getattr(step.action, "target", None), "role", None) is Role.ITEM
        return item and any(regrounded(step.action, look.observation.screen) is None for look in looks)

    def _scrolled(self, direction: Direction, page: NodeId) -> bool:
        """Drag what scrolls on a page; False where nothing moved, or where that led away."""
        assert self._look is not None
        before = self._look.screen
        drags = [c.action for c in controls(before) if isinstance(c.action, Swipe) and c.action.end]
        up = next((a for a in drags if isinstance(a, Swipe) and a.direction is Direction.UP), None)
        if up is None:
            return False
        turned = direction is Direction.DOWN
        drag = replace(up, direction=direction, start=up.end, end=up.start) if turned else up
        self.device.perform(drag)
        self.actions += 1
        self._arrive(settled(self.device))
        return self._here == page and _labels(self._look.screen) != _labels(before)

    def _like(self, step: Transition) -> Action | None:
        """Take another row of the list: what it holds now need not be what it held then."""
        assert self._look is not None
        rows = [c for c in controls(self._look.screen) if c.template == template(step)]
        same = [c.action for c in rows if type(c.action) is type(step.action) and isinstance(c.action, Tap)]
        return next((a for a in same if a.target is not None and not a.target.hazard), None)


def _labels(screen: Screen) -> list[tuple[str, int]]:
    return [(e.label, e.bounds.top) for e in screen.visible() if e.label]
