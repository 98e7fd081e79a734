"""The hands of an exploration: a move in, a page of the app (and a step on the map) out."""

import dataclasses
from collections.abc import Callable

from waypost.errors import DeviceError, UnknownOutcome
from waypost.exploration.config import ExploreConfig, Progress
from waypost.exploration.ledger import Ledger
from waypost.exploration.moves import Do, Here, Move, Relaunch
from waypost.exploration.recipe import StartRecipe
from waypost.mapping.controls import Control, action_key, controls
from waypost.mapping.layers import active_layer
from waypost.mapping.mapper import Mapper
from waypost.mapping.overlays import dismissal
from waypost.mapping.settle import LAUNCH, Blanks, settled
from waypost.model import (
    Action,
    Launch,
    NodeId,
    Observation,
    PageKind,
    Press,
    Screen,
    Swipe,
    Transition,
    TypeText,
)
from waypost.protocols import Device

__all__ = ["Session"]

_LAYERS = 4
"""Side states that are dismissed one after the other before the app is launched afresh."""
_LAUNCHES = 3
_TRAIL = 12
_GATES = 3
"""Times that a gate met on the way is opened."""
_GATE = 2
"""Pages: where no more are known, a form may be the gate of the app."""


class Session:
    """Performs moves, deals with side states, and writes every step on the map, one commit a step."""

    def __init__(
        self,
        device: Device,
        mapper: Mapper,
        config: ExploreConfig,
        *,
        start: StartRecipe | None = None,
        clock: Callable[[], float],
    ) -> None:
        self.ledger = Ledger(mapper)
        self.actions = 0
        self.trail: list[NodeId] = []
        """Pages that Back is expected to return to, the nearest last."""
        self.start: NodeId | None = None
        """The page that a launch leads to."""
        self._device, self._mapper, self._config = device, mapper, config
        self._recipe, self._clock = start, clock
        self._began = clock()
        self._gates = _GATES
        self._blanks = Blanks()
        self._here = Here(NodeId(""), Observation(Screen()), ())

    # Moves

    def begin(self) -> Here:
        """Take the app as it stands; launch it where something else is in front."""
        here = self._arrive(self._look(LAUNCH))
        if here is None:
            return self.relaunch()
        # Taken for the start page until a launch shows another.
        self.start = here.node
        return here

    def do(self, move: Move) -> Here:
        """Perform a move from the page that the last one led to."""
        match move:
            case Relaunch():
                return self.relaunch()
            case Do(action=action, key=key):
                return self._act(action, key)

    def relaunch(self) -> Here:
        """Stop the app, start it afresh, and bring it to its start page. Raises DeviceError."""
        self.trail.clear()
        for _ in range(_LAUNCHES):
            self._device.restart()
            self.actions += 1
            here = self._arrive(self._look(LAUNCH))
            if here is not None:
                self.start = here.node
                return here
        raise DeviceError("The app does not come to the front; launch it by hand and look")

    def _act(self, action: Action, key: str) -> Here:
        source, before = self._here.node, self._here.observation
        began = self._clock()
        try:
            self._device.perform(action)
        except UnknownOutcome:
            self._mapper.skip(source, action, key, "not in the recording")
            self.ledger.refresh(source)
            self._mapper.commit()
            self._here = dataclasses.replace(self._here, step=None, direct=False)
            return self._here
        self.actions += 1
        after = self._look()
        transition = self._count(source, action, key, after, self._clock() - began)
        kind = self._kind(transition.target)
        if kind is PageKind.PAGE:
            return self._land(after, transition, action)
        if kind is PageKind.EXTERNAL:
            self._mapper.skip(source, action, key, "leaves the app")
            return self._return(transition)
        return self._uncover(before, after, transition)

    def _land(self, after: Observation, transition: Transition, action: Action) -> Here:
        source, target = self._mapper.resolve(transition.source), self._mapper.resolve(transition.target)
        self._follow(self._here.observation, source, target, action)
        here = self._settle_on(target, after, transition, direct=True)
        return self._pass_gate(here, transition) if self._at_gate(after) else here

    def _at_gate(self, observation: Observation) -> bool:
        """Whether a gate that asks for text came up on the way, and the recipe may still open it."""
        recipe = self._recipe
        return (
            recipe is not None
            and self._gates > 0
            and recipe.steps[:1] != ()
            and recipe.steps[0].verb == "type"
            and recipe.shows(observation.screen)
        )

    def _pass_gate(self, here: Here, transition: Transition) -> Here:
        assert self._recipe is not None
        self._gates -= 1
        after = self._through_gate(self._recipe, here.observation)
        if self._recipe.shows(after.screen):
            self._gates = 0  # It did not open: the recipe does not fit, or the secret is wrong.
        self.trail.clear()
        beyond = self._arrive(after)
        return self._relanded(beyond if beyond is not None else self.relaunch(), transition)

    def _follow(self, before: Observation, source: NodeId, target: NodeId, action: Action) -> None:
        """Keep the trail: forward steps lengthen it, Back shortens it, anything else is not relied on."""
        if isinstance(action, Press):
            expected = self.trail.pop() if self.trail else None
            if expected is not None and target == source:
                self.trail.append(expected)
            elif expected is None or self._mapper.resolve(expected) != target:
                self.trail.clear()
        elif target != source:
            if target in self.trail[-3:]:
                del self.trail[len(self.trail) - 1 - self.trail[::-1].index(target) :]
            elif not active_layer(before.screen).modal:
                # A menu or a drawer is gone once it has led on: Back never shows it again.
                self.trail.append(source)
                del self.trail[:-_TRAIL]

    # Side states

    def _uncover(self, before: Observation, after: Observation, transition: Transition) -> Here:
        """Dismiss what came up over the landing page; the step then counts as leading to the page below."""
        crashed = self._mapper.graph.nodes[transition.target].overlay == "crash"
        at = transition.target
        for _ in range(_LAYERS):
            if self._kind(at) is not PageKind.OVERLAY:
                break
            action = dismissal(after.screen) or Press("back")
            self._perform(action)
            after = self._look()
            at = self._count(at, action, action_key(action), after, 0.0).target
        source, key = self._mapper.resolve(transition.source), transition.key
        if crashed:
            self._mapper.skip(source, transition.action, key, "crashes the app")
        if crashed or self._kind(at) is PageKind.OVERLAY:
            return self._relanded(self.relaunch(), transition)
        if self._kind(at) is PageKind.EXTERNAL:
            return self._return(transition)
        revealed = self._mapper.extend(
            source, transition.action, key, after, before=before, latency=transition.latency
        )
        self.ledger.count(revealed)
        self._follow(before, source, revealed.target, transition.action)
        return self._settle_on(revealed.target, after, revealed, direct=False)

    def _return(self, transition: Transition) -> Here:
        """Come back from another app: by Back, by the launcher, at last by a fresh start."""
        self._mapper.commit()
        at = transition.target
        ways: list[Action] = [Press("back"), Launch(self._mapper.graph.app)]
        if isinstance(transition.action, Press):
            ways.pop(0)  # Back led out: further back does not lead in.
        for action in ways:
            self._perform(action)
            after = self._look()
            at = self._count(at, action, action_key(action), after, 0.0).target
            if self._kind(at) is PageKind.PAGE:
                if isinstance(action, Launch):
                    self.trail.clear()
                return self._settle_on(at, after, transition, direct=False)
        return self._relanded(self.relaunch(), transition)

    def _relanded(self, here: Here, transition: Transition) -> Here:
        self._here = dataclasses.replace(here, step=transition, direct=False)
        return self._here

    def _arrive(self, observation: Observation) -> Here | None:
        """Take a look without a step before it for where we are, once nothing lies over it; None outside."""
        gates = 1 if self._recipe is not None else 0
        for _ in range(2 * _LAYERS):
            if gates and self._recipe is not None and self._recipe.shows(observation.screen):
                gates -= 1
                observation = self._through_gate(self._recipe, observation)
                continue
            node = self._mapper.enter(observation)
            kind = self._kind(node)
            if kind is PageKind.PAGE:
                return self._settle_on(node, observation, None, direct=False)
            if kind is PageKind.EXTERNAL:
                break
            self._perform(dismissal(observation.screen) or Press("back"))
            observation = self._look()
        self._mapper.commit()
        return None

    def _through_gate(self, recipe: StartRecipe, observation: Observation) -> Observation:
        """Run the start recipe. None of it goes onto the map: it may hold secrets."""
        for step in range(len(recipe.steps)):
            action = recipe.action(step, observation.screen)
            if action is None:
                break
            self._perform(action)
            # Never kept: what was typed may stand in the fields.
            observation = settled(self._device)
        return observation

    def _kind(self, node: NodeId) -> PageKind:
        return self._mapper.graph.nodes[self._mapper.resolve(node)].kind

    # Looks and counts

    def _perform(self, action: Action) -> None:
        self._device.perform(action)
        self.actions += 1

    def _look(self, patience: int = 12) -> Observation:
        # What was just launched may be a splash, however rarely other pages are.
        blanks = None if patience == LAUNCH else self._blanks
        observation = settled(self._device, patience=patience, blanks=blanks)
        if self._config.pictures and self._mapper.locate(observation) is None:
            return self._device.observe(pixels=True)
        return observation

    def _count(
        self, source: NodeId, action: Action, key: str, after: Observation, latency: float
    ) -> Transition:
        transition = self._mapper.extend(source, action, key, after, latency=latency)
        self.ledger.count(transition)
        return transition

    def _settle_on(
        self, node: NodeId, observation: Observation, step: Transition | None, *, direct: bool
    ) -> Here:
        node = self._mapper.resolve(node)
        offered = self._allowed(node, controls(observation.screen))
        self.ledger.note(node, offered, observation.screen)
        if step is not None and self._mapper.resolve(step.source) != node:
            self.ledger.refresh(self._mapper.resolve(step.source))
        self._mapper.commit()
        self._here = Here(node, observation, offered, step, direct)
        return self._here

    def _allowed(self, node: NodeId, offered: tuple[Control, ...]) -> tuple[Control, ...]:
        """Leave out what the guard forbids, and take down why."""
        free = []
        # What saves a form is left alone, unless the form is all there is: then it bars the way.
        gate = sum(1 for _ in self._mapper.graph.pages()) <= _GATE
        for control in offered:
            match control.action:
                case Swipe() | TypeText():
                    free.append(control)
                case action if (
                    (target := getattr(action, "target", None)) is not None
                    and target.hazard
                    and not (gate and target.hazard == "save")
                ):
                    self._mapper.skip(node, action, control.key, f"hazard: {target.hazard}")
                case _:
                    reason = self._mapper.graph.skipped.get((node, control.key))
                    if reason is None:
                        free.append(control)
        return tuple(free)

    def progress(self) -> Progress:
        graph = self._mapper.graph
        tried, untried = self.ledger.figures()
        elapsed = self._clock() - self._began
        page = graph.nodes[self._here.node].name
        pages = sum(1 for _ in graph.pages())
        return Progress(
            pages, len(graph.transitions), self.actions, tried, untried, elapsed, self._eta(elapsed), page
        )

    def _eta(self, elapsed: float) -> float | None:
        left = []
        if self._config.actions is not None and self.actions:
            left.append(elapsed / self.actions * max(0, self._config.actions - self.actions))
        if self._config.minutes is not None:
            left.append(max(0.0, self._config.minutes * 60 - elapsed))
        return min(left) if left else None

    @property
    def elapsed(self) -> float:
        """Seconds since the session began."""
        return self._clock() - self._began
