"""The loop of TAG-Nav, Alg. 2: look, guide, act, perform, until it ends; then a fresh look at the truth."""

from collections.abc import Callable
from dataclasses import dataclass, field

from waypost.errors import DeviceError, ModelError, UnknownOutcome
from waypost.mapping import settled
from waypost.mapping.settle import LAUNCH
from waypost.model import Action, Episode, Finish, Launch, NodeId, Observation, Step, StopReason, Task
from waypost.navigate.guard import LoopGuard
from waypost.protocols import Actor, Device, Guide, Verifier

__all__ = ["NavigateConfig", "navigate", "not_on_map"]


@dataclass(frozen=True, slots=True)
class NavigateConfig:
    restart: bool = True
    """Start the app afresh first; otherwise go from where it stands."""
    pixels: bool = False
    """Take a screenshot with every look."""
    last_pixels: bool = False
    """Take a screenshot of the last look."""
    repeats: int = 3
    """How often the same action on the same screen may be done."""


@dataclass
class _Run:
    """What has happened so far, so that a fault loses none of it."""

    task: Task
    steps: list[Step] = field(default_factory=list)
    final: Observation | None = None
    claimed: bool = False
    verified: bool = False
    note: str = ""


def navigate(  # noqa: PLR0913 - who acts, who tells, who checks and who locates are four different parts
    task: Task,
    device: Device,
    actor: Actor,
    guide: Guide,
    *,
    verify: Verifier | None = None,
    locate: Callable[[Observation], NodeId | None] | None = None,
    limit: int = 30,
    config: NavigateConfig | None = None,
) -> Episode:
    """Run `actor` on `task` for at most `limit` actions.

    A claim is checked by a fresh look: ARRIVED only where `verify` says yes, FALSE_CLAIM where it
    says no, UNVERIFIED where it cannot tell. A lost device or an unusable reply is never a success.
    """
    config = config or NavigateConfig()
    run = _Run(task)
    try:
        stop = _run(run, device, _Parts(actor, guide, verify, locate), limit, config)
    except UnknownOutcome as e:
        stop, run.note = StopReason.UNKNOWN, str(e)
    except DeviceError as e:
        stop, run.note = StopReason.DEVICE_LOST, str(e)
    except ModelError as e:
        stop, run.note = StopReason.REPLY_BROKEN, str(e)
    page = locate(run.final) if locate and run.final else None
    calls = getattr(actor, "model_calls", 0)
    steps = tuple(run.steps)
    anchors = tuple(getattr(actor, "anchors", ()))
    return Episode(
        task, steps, run.final, stop, run.claimed, run.verified, page, calls, run.note, anchors=anchors
    )


def not_on_map(task: Task, note: str = "") -> Episode:
    """Return the episode of a task that the memory knows no page for: nothing was done.

    >>> not_on_map(Task("t1", "app", "Fly me to the moon")).stop.value
    'not_on_map'
    """
    return Episode(task, (), None, StopReason.NOT_ON_MAP, note=note)


@dataclass(frozen=True, slots=True)
class _Parts:
    actor: Actor
    guide: Guide
    verify: Verifier | None
    locate: Callable[[Observation], NodeId | None] | None


def _run(run: _Run, device: Device, parts: _Parts, limit: int, config: NavigateConfig) -> StopReason:
    guard = LoopGuard(repeats=config.repeats)
    if config.restart:
        device.restart(run.task.app)
    done, started = 0, config.restart
    while True:
        seen = run.final = settled(device, pixels=config.pixels, patience=LAUNCH if started else 12)
        decision = parts.actor.act(run.task.instruction, seen, parts.guide(seen))
        at = parts.locate(seen) if parts.locate else None
        if isinstance(decision.action, Finish):
            run.steps.append(Step(seen, decision, at))
            return _close(run, device, parts, decision.action, config)
        if done >= limit:
            run.note = f"{limit} actions were not enough"
            return StopReason.OUT_OF_STEPS
        if guard.looping(seen.screen, decision.action):
            run.note = "the same actions came round again"
            return StopReason.LOOP
        run.steps.append(Step(seen, decision, at))
        _perform(device, decision.action)
        started = isinstance(decision.action, Launch)
        done += 1


def _perform(device: Device, action: Action) -> None:
    match action:
        case Launch(app=app, fresh=True):
            device.restart(app)
        case _:
            device.perform(action)


def _close(run: _Run, device: Device, parts: _Parts, finish: Finish, config: NavigateConfig) -> StopReason:
    """Take the actor at its word only as far as a fresh look bears it out."""
    run.claimed = finish.arrived
    run.note = finish.answer
    if finish.arrived or config.last_pixels:
        run.final = settled(device, pixels=config.pixels or config.last_pixels)
    if not finish.arrived:
        return StopReason.GAVE_UP
    truth = parts.verify(run.final) if parts.verify and run.final else None
    if truth is None:
        return StopReason.UNVERIFIED
    run.verified = truth
    return StopReason.ARRIVED if truth else StopReason.FALSE_CLAIM
