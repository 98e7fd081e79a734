"""Who acts: `follower`, `vision:MODEL` and the like in, a fresh actor for every episode out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from waypost.actors import (
    DIALECTS,
    Dialect,
    Dual,
    Follower,
    HandOver,
    Lexical,
    LoopBreaker,
    Noisy,
    NoisyConfig,
    Remembering,
    StepBudget,
    StopGate,
    Vision,
    criteria_of,
    dialect_of,
)
from waypost.adapters.discreet import Discreet
from waypost.adapters.llm import EpisodeCache
from waypost.anchors import Anchored, tree_look
from waypost.errors import UsageError
from waypost.exploration import StartRecipe
from waypost.guidance import Replanning, Rewritten, block, fixed, silent
from waypost.library import Answer
from waypost.mapping import regrounded
from waypost.model import Action, NodeId, Observation, Record, Screen, Task
from waypost.navigate import NavigateConfig, arrival, navigate, not_on_map
from waypost.parts.devices import DeviceOptions
from waypost.parts.face import Map
from waypost.parts.foreign import foreign_actor
from waypost.parts.models import ModelOptions, OpenModel, open_model
from waypost.parts.outcome import Outcome, outcome
from waypost.parts.parting import Parting
from waypost.parts.plugins import named
from waypost.parts.started import Started
from waypost.planning import AskedSubtasks
from waypost.protocols import LLM, Actor, Device, Guide, Planner

__all__ = ["Acting", "ActorChoice", "GuideMode", "How", "acted", "guide_for", "parse_actor", "went"]

GuideMode = Literal["closed", "open", "edit", "none"]
_FORMS = "follower, lexical, noisy[:SLIP], vision:MODEL, dual:MODEL or handover:MODEL"
_SURE = 0.5


@dataclass(frozen=True, slots=True)
class ActorChoice:
    """What a user says of the actor."""

    kind: Literal["follower", "lexical", "noisy", "vision", "dual", "handover", "plugin"] = "follower"
    model: ModelOptions = ModelOptions()
    dialect: Dialect | None = None
    """None for actors without a model."""
    wrapped: bool = True
    """Give an actor with a model its gate, its breaker of loops and its memory."""
    allowed: frozenset[str] = frozenset()
    """Hazards that an actor with a model may do."""
    seed: int = 0
    plugin: Callable[[], Actor] | None = None
    """Makes an actor of another package."""
    slip: float = NoisyConfig().slip
    """How often the noisy one slips, 0 to 1."""


def parse_actor(
    text: str,
    model: ModelOptions,
    *,
    dialect: str = "",
    wrapped: bool = True,
    allowed: Sequence[str] = (),
    seed: int = 0,
) -> ActorChoice:
    """Read what was asked for. Raises UsageError that names the forms.

    >>> parse_actor("vision:qwen3-vl-plus", ModelOptions()).dialect.name
    'qwen'
    """
    kind, _, name = text.partition(":")
    match kind:
        case "follower" | "lexical" if not name:
            return ActorChoice(kind, seed=seed)
        case "noisy":
            return ActorChoice("noisy", seed=seed, slip=_share(name, text))
        case "vision" | "dual" | "handover":
            told = replace(model, model=name or model.model)
            if not told.model:
                raise UsageError(f"Say which model acts: {kind}:MODEL, or set WAYPOST_LLM_MODEL")
            if dialect and dialect not in DIALECTS:
                raise UsageError(f"There is no dialect {dialect!r}; there are {', '.join(sorted(DIALECTS))}")
            spoken = DIALECTS[dialect] if dialect else dialect_of(told.model, images=told.images)
            return ActorChoice(kind, told, spoken, wrapped, frozenset(allowed))
    theirs = foreign_actor(kind, name)
    if theirs is not None:
        return ActorChoice("plugin", seed=seed, plugin=theirs)
    also = "".join(f", {n}" for n in named("actor"))
    raise UsageError(f"There is no actor {text!r}; there are {_FORMS}{also}")


def _share(text: str, whole: str) -> float:
    try:
        share = float(text or NoisyConfig().slip)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise UsageError(f"{whole!r}: a slip is a share from 0 to 1, such as noisy:0.2")
    return share


class Acting:
    """Makes a fresh actor for every episode; all of them ask one model, and share its ledger."""

    def __init__(self, choice: ActorChoice, *, opened: OpenModel | None = None) -> None:
        self.choice = choice
        self._opened = opened

    @property
    def pixels(self) -> bool:
        """Whether the actor needs a screenshot with every look."""
        return self.choice.kind == "plugin" or bool(self.choice.dialect and self.choice.dialect.eyes)

    def spent(self) -> dict[str, Any] | None:
        """Return what its model has cost; None for an actor without one, or one that never asked."""
        return self._opened.spent() if self._opened else None

    def actor(self, limit: int, *, known: Map | None = None, goal: NodeId | None = None) -> Actor:
        """Make one for at most `limit` actions; a map gives it exits and the truth about arrivals."""
        if self.choice.plugin is not None:
            return self.choice.plugin()
        if self.choice.kind == "lexical":
            return Lexical(seed=self.choice.seed)
        if self.choice.kind == "noisy":
            config = NoisyConfig(slip=self.choice.slip)
            return Noisy(Lexical(seed=self.choice.seed), seed=self.choice.seed, config=config)
        if self.choice.kind == "follower":
            if known is None or goal is None:
                raise UsageError("The follower goes by a map; name one, or choose another actor")
            return Follower(known.mapper, known.planner, goal)
        return self._modelled(StepBudget(limit), known, goal)

    def _modelled(self, budget: StepBudget, known: Map | None, goal: NodeId | None) -> Actor:
        """Make one that asks a model: bare, or in its breaker of loops, its memory and its gate."""
        llm = EpisodeCache(self._model().llm)
        inner = self._dual(llm, known) if self.choice.kind == "dual" else self._vision(llm)
        if self.choice.wrapped:
            if self.choice.kind != "dual":
                memory, screens = _looking_back()
                inner = Remembering(inner, memory, screens=screens)
            inner = LoopBreaker(inner, budget, exits=_Exits(known) if known else None)
        if self.choice.kind == "handover":
            inner = _lent(inner, known, goal)
        if not self.choice.wrapped:
            return inner
        if known is not None and goal is not None:
            return StopGate(inner, budget, arrived=arrival(known.mapper, goal))
        return StopGate(inner, budget, criteria=criteria_of(llm))

    def _vision(self, llm: LLM) -> Actor:
        from waypost.actors import VisionConfig
        from waypost.adapters.marking import marked

        assert self.choice.dialect is not None
        return Vision(llm, self.choice.dialect, draw=marked, config=VisionConfig(allowed=self.choice.allowed))

    def _dual(self, llm: LLM, known: Map | None) -> Actor:
        """Make MapAgent's two voices, with its plan: parts by the model, a way for each by the map."""
        from waypost.adapters.marking import marked

        assert self.choice.dialect is not None
        memory, screens = _looking_back()
        return Dual(
            self._vision(llm),
            llm,
            plan=Parting(AskedSubtasks(llm), known),
            draw=marked if self.choice.dialect.eyes else None,
            memory=memory,
            screens=screens,
        )

    def _model(self) -> OpenModel:
        if self._opened is None:
            self._opened = open_model(self.choice.model)
        return self._opened


def _looking_back() -> tuple[Anchored, dict[int, Screen]]:
    """Return a memory that reads again what it doubts, and where the screens that it reads are to be kept."""
    screens: dict[int, Screen] = {}
    return Anchored(look=tree_look(screens)), screens


def _lent(actor: Actor, known: Map | None, goal: NodeId | None) -> Actor:
    """Go by the map, and lend the run to `actor` from the first hop that misses until the map is met."""
    if known is None or goal is None:
        raise UsageError("Handing over wants a map to go by first; name one, or choose vision:MODEL")
    return HandOver(lambda: Follower(known.mapper, known.planner, goal), actor, known.mapper)


class _Exits:
    """The ways on that a map knows from the page that shows, the most reliable first, as actions on it."""

    def __init__(self, known: Map) -> None:
        self._known = known

    def __call__(self, observation: Observation) -> list[Action]:
        mapper = self._known.mapper
        found = mapper.locate(observation)
        if found is None or found.confidence < _SURE:
            return []
        here = mapper.resolve(found.node)
        ways = [t for t in mapper.graph.leaving(here) if t.target != here and not t.hazard]
        ways.sort(key=lambda t: (-t.reliability, t.key))
        actions = (regrounded(t.action, observation.screen) for t in ways)
        return [a for a in actions if a is not None]


def guide_for(
    known: Map, sentence: str, record: Record, mode: GuideMode, *, planner: Planner | None = None
) -> Guide:
    """Make what tells an actor the way: at each step, once, anew where it is confused, or not at all."""
    if mode == "none":
        return silent
    planner = planner or known.planner
    anew = Replanning(sentence, known.mapper, planner, record)
    if mode == "closed":
        return anew
    assert known.graph.root is not None
    plan = planner.plan(known.graph, known.graph.root, known.mapper.resolve(record.node))
    text = block(sentence, record, plan, known.graph)
    return fixed(text) if mode == "open" else Rewritten(text, anew, known.mapper)


def went(  # noqa: PLR0913 - a map, a wish, who acts and where are four things
    known: Map,
    sentence: str,
    acting: Acting,
    device: str | Device | None = None,
    *,
    options: DeviceOptions | None = None,
    start: StartRecipe | None = None,
    limit: int = 40,
    stay: bool = False,
    mode: GuideMode = "closed",
) -> Outcome:
    """Have any actor go to the page that a sentence means, told the way by `mode`; verify the arrival."""
    answer = known.find(sentence)
    task = Task("go", "", sentence.strip())
    if answer.record is None:
        return outcome(not_on_map(task), known.graph, answer)
    opened = known.opened(device, options) if device is None or isinstance(device, str) else device
    try:
        known.meet(opened)
        shown = Discreet.over(opened)
        driven = Started(shown, start) if start else shown
        return acted(known, task, answer, driven, acting, How(limit, stay, mode))
    finally:
        if opened is not device:
            opened.close()


@dataclass(frozen=True, slots=True)
class How:
    limit: int = 40
    stay: bool = False
    mode: GuideMode = "closed"
    last_pixels: bool = False


def acted(known: Map, task: Task, answer: Answer, device: Device, acting: Acting, how: How) -> Outcome:
    """Run one episode towards the page that `answer` found, which must be one."""
    assert answer.record is not None
    mapper = known.mapper
    goal = mapper.resolve(answer.record.node)

    def locate(observation: Observation) -> NodeId | None:
        found = mapper.locate(observation)
        return found.node if found else None

    episode = navigate(
        task,
        device,
        acting.actor(how.limit, known=known, goal=goal),
        guide_for(known, task.instruction, answer.record, how.mode),
        verify=arrival(mapper, goal),
        locate=locate,
        limit=how.limit,
        config=NavigateConfig(not how.stay, acting.pixels, how.last_pixels),
    )
    mapper.commit()
    return outcome(replace(episode, goal=goal), known.graph, answer)
