"""Walk an app until its map is good enough: a device and a mapper in, the reason to stop out."""

from collections.abc import Callable

from waypost.errors import DeviceError, UsageError
from waypost.exploration.auto_bfs import AutoBfs
from waypost.exploration.config import ExploreConfig, Progress
from waypost.exploration.frontier import Frontier
from waypost.exploration.moves import Here, Policy
from waypost.exploration.random_walk import RandomWalk
from waypost.exploration.recipe import StartRecipe
from waypost.exploration.session import Session
from waypost.exploration.state_dfs import StateDfs
from waypost.mapping.controls import controls
from waypost.mapping.mapper import Mapper
from waypost.model import ExploreStop, NodeId, Observation, Skipped, Swipe, TypeText
from waypost.protocols import Device

__all__ = ["POLICIES", "explore", "preview"]

POLICIES: dict[str, Callable[[ExploreConfig, Session], Policy]] = {
    "auto_bfs": lambda config, session: AutoBfs(config, session.ledger),
    "frontier": Frontier,
    "random": lambda config, _: RandomWalk(config),
    "state_dfs": lambda config, session: StateDfs(config, session.ledger),
}


def explore(
    device: Device,
    mapper: Mapper,
    config: ExploreConfig,
    *,
    start: StartRecipe | None = None,
    progress: Callable[[Progress], None] | None = None,
    clock: Callable[[], float],
) -> ExploreStop:
    """Explore until nothing is left, a budget is spent, or the device is gone; the map is whole at any time.

    A map that holds something already is explored further. `clock` gives seconds, rising.
    Raises UsageError for an unknown policy.
    """
    if config.policy not in POLICIES:
        raise UsageError(f"No policy {config.policy!r}; there are {', '.join(sorted(POLICIES))}")
    session = Session(device, mapper, config, start=start, clock=clock)
    mapper.stop(ExploreStop.RUNNING)
    try:
        stop = _run(session, POLICIES[config.policy](config, session), config, progress)
    except KeyboardInterrupt:
        stop = ExploreStop.INTERRUPTED
    mapper.stop(stop)
    mapper.commit()
    return stop


def _run(
    session: Session, policy: Policy, config: ExploreConfig, progress: Callable[[Progress], None] | None
) -> ExploreStop:
    try:
        here = _first(session)
    except DeviceError:
        return ExploreStop.DEVICE_LOST
    moves = policy.moves(here)
    try:
        move = next(moves)
        while True:
            spent = _spent(session, config)
            if spent is not None:
                moves.close()
                return spent
            try:
                here = session.do(move)
            except DeviceError:
                here = session.relaunch()  # One attempt: a second failure ends the exploration.
            if progress is not None:
                progress(session.progress())
            move = moves.send(here)
    except StopIteration as end:
        return ExploreStop(end.value)
    except DeviceError:
        return ExploreStop.DEVICE_LOST


def _first(session: Session) -> Here:
    try:
        return session.begin()
    except DeviceError:
        return session.relaunch()


def _spent(session: Session, config: ExploreConfig) -> ExploreStop | None:
    if config.actions is not None and session.actions >= config.actions:
        return ExploreStop.OUT_OF_ACTIONS
    if config.minutes is not None and session.elapsed >= config.minutes * 60:
        return ExploreStop.OUT_OF_TIME
    return None


def preview(observation: Observation) -> list[Skipped]:
    """List what the guard would leave alone on this look, and why; touches nothing."""
    return [
        Skipped(NodeId(""), c.action, f"hazard: {target.hazard}")
        for c in controls(observation.screen)
        if not isinstance(c.action, (Swipe, TypeText))
        and (target := getattr(c.action, "target", None)) is not None
        and target.hazard
    ]
