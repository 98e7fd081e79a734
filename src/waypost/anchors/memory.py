"""Facts inside one task: made, revised, struck with what hangs on them, recalled. Plain values in and out."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from waypost.anchors.relevance import ranked
from waypost.model import Anchor, AnchorId, AnchorKind, AnchorStatus, Link, Proof, Relation

__all__ = ["AnchorConfig", "AnchorMemory", "Draft"]

_EARLIER = "Earlier: "
_LONGEST = 2_000
"""Letters of a summary."""
_HANGS = (Relation.PREREQUISITE, Relation.RESULT_OF, Relation.ENABLES)


@dataclass(frozen=True, slots=True)
class AnchorConfig:
    capacity: int = 60
    """Valid anchors; beyond them the facts of sub-goals that are done are folded into one each."""
    recalled: int = 12
    """Most anchors of one recall."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An anchor that is to be made."""

    kind: AnchorKind
    content: str
    proof: Proof
    name: str = ""
    value: str = ""
    links: tuple[Link, ...] = ()
    doubted: bool = False


class AnchorMemory:
    """AndroTMem's ASM with what the paper leaves open: ranking, contradiction, strikes and a capacity.

    Everything that was ever noted stays in `anchors`, with what ended it; only what is valid is recalled.
    """

    def __init__(self, anchors: Iterable[Anchor] = (), *, config: AnchorConfig | None = None) -> None:
        self._config = config or AnchorConfig()
        self._all: dict[AnchorId, Anchor] = {a.id: a for a in anchors}
        self._made = max((int(a.id[1:]) for a in self._all.values()), default=0)
        open_ = [a.id for a in self.valid() if a.kind is AnchorKind.SUBGOAL and not a.verified]
        self._subgoal: AnchorId | None = open_[0] if open_ else None

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        """Every anchor in the order of making: what is kept with the episode and resumes it."""
        return tuple(self._all.values())

    @property
    def subgoal(self) -> Anchor | None:
        """The sub-goal that is being worked on."""
        return self._all[self._subgoal] if self._subgoal else None

    def valid(self) -> list[Anchor]:
        return [a for a in self._all.values() if a.status is AnchorStatus.VALID]

    def add(self, draft: Draft) -> Anchor:
        """Note something. A value that contradicts an earlier one of the same thing takes its place.

        What is known already is not noted twice. Raises ValueError for a link to what is not there.
        """
        unknown = [link.to for link in draft.links if link.to not in self._all]
        if unknown:
            raise ValueError(f"there is no anchor {unknown[0]!r} to link to")
        rival = self._same_thing(draft)
        if rival is not None and _says(rival, draft):
            return rival
        self._made += 1
        new = Anchor(
            AnchorId(f"a{self._made}"), draft.kind, draft.content, draft.proof, draft.name, draft.value,
            draft.links, self._subgoal, doubted=draft.doubted,
        )  # fmt: skip
        if rival is not None and not draft.doubted:
            ended = self._end(rival, AnchorStatus.SUPERSEDED, f"{new.id} says {draft.value!r}")
            # It was seen, whatever it was thought to hang on.
            new = replace(new, links=tuple(k for k in new.links if k.to not in ended))
        self._all[new.id] = new
        if draft.kind is AnchorKind.SUBGOAL and self._subgoal is None:
            self._subgoal = new.id
        self._fold()
        return new

    def revise(self, id: AnchorId, *, value: str, proof: Proof) -> Anchor:
        """Correct how a value was read: same anchor, same links, no longer doubted."""
        old = self._valid(id)
        content = old.content.replace(old.value, value) if old.value else old.content
        new = replace(old, value=value, content=content, proof=proof, doubted=False)
        self._all[id] = new
        return new

    def strike(self, id: AnchorId, why: str) -> tuple[AnchorId, ...]:
        """Drop an anchor, and with it every anchor that hangs on it; return all that were dropped."""
        return self._end(self._valid(id), AnchorStatus.STRUCK, why)

    def complete(self, id: AnchorId, proof: Proof | None) -> bool:
        """Record a sub-goal as done, if there is a look that shows it; say whether it was recorded."""
        goal = self._valid(id)
        if goal.kind is not AnchorKind.SUBGOAL:
            raise ValueError(f"{id} is no sub-goal")
        if proof is None or not proof.quote:
            return False
        self._all[id] = replace(goal, verified=True, proof=proof)
        if self._subgoal == id:
            waiting = (a.id for a in self.valid() if a.kind is AnchorKind.SUBGOAL and not a.verified)
            self._subgoal = next(waiting, None)
        return True

    def recall(self, wanted: str, *, most: int | None = None) -> list[Anchor]:
        """Return what bears on `wanted`, best first: by its words, its sub-goal, its links and its age."""
        return ranked(self.valid(), wanted, self._subgoal)[: most or self._config.recalled]

    def _valid(self, id: AnchorId) -> Anchor:
        found = self._all.get(id)
        if found is None or found.status is not AnchorStatus.VALID:
            raise ValueError(f"there is no valid anchor {id!r}")
        return found

    def _same_thing(self, draft: Draft) -> Anchor | None:
        """Return the valid anchor that is about the same thing: by name and page, or word for word."""
        for anchor in reversed(self.valid()):
            same_page = anchor.proof.page == draft.proof.page
            if draft.name and anchor.name == draft.name and same_page and not anchor.doubted:
                return anchor
            if anchor.kind is draft.kind and anchor.content == draft.content and same_page:
                return anchor
        return None

    def _end(self, anchor: Anchor, status: AnchorStatus, why: str) -> tuple[AnchorId, ...]:
        """End an anchor, and strike what hangs on it, however far."""
        self._all[anchor.id] = replace(anchor, status=status, why=why)
        ended = [anchor.id]
        for other in self.valid():
            # Ended meanwhile, by way of another.
            if self._all[other.id].status is not AnchorStatus.VALID:
                continue
            if any(link.to == anchor.id and link.relation in _HANGS for link in other.links):
                ended += self._end(other, AnchorStatus.STRUCK, f"it hung on {anchor.id}, which was {status}")
        return tuple(ended)

    def _fold(self) -> None:
        """Over capacity, put the facts of the oldest sub-goal that is done into one sentence.

        Values are kept word for word. Where no sub-goal is done, the oldest facts go: first those without a
        value, then those that nothing said would be needed.
        """
        while len(self.valid()) > self._config.capacity:
            done = [a for a in self.valid() if a.kind is AnchorKind.SUBGOAL and a.verified]
            group = next((g for goal in done if (g := self._of(goal.id))), None) or self._oldest()
            self._made += 1
            id = AnchorId(f"a{self._made}")
            words = "; ".join(dict.fromkeys(w for a in group if (w := _in_short(a))))
            for anchor in group:
                self._all[anchor.id] = replace(anchor, status=AnchorStatus.FOLDED, why=f"part of {id}")
            content = f"{_EARLIER}{words[:_LONGEST] or 'nothing of use'}"
            first = group[0]
            self._all[id] = Anchor(id, AnchorKind.CONTEXT_INFO, content, first.proof, subgoal=first.subgoal)

    def _of(self, subgoal: AnchorId) -> list[Anchor]:
        facts = [a for a in self.valid() if a.subgoal == subgoal and a.kind is not AnchorKind.SUBGOAL]
        return facts if len(facts) > 1 else []

    def _oldest(self) -> list[Anchor]:
        facts = [a for a in self.valid() if a.kind is not AnchorKind.SUBGOAL]
        plain = [a for a in facts if not a.value and not a.content.startswith(_EARLIER)]
        spare = [a for a in facts if a.kind is AnchorKind.CONTEXT_INFO]
        least = next((group for group in (plain, spare) if len(group) > 1), facts)
        return least[: max(2, self._config.capacity // 4)]


def _in_short(anchor: Anchor) -> str:
    if anchor.content.startswith(_EARLIER):
        return anchor.content.removeprefix(_EARLIER)
    return f"{anchor.name}: {anchor.value}" if anchor.value else ""


def _says(known: Anchor, draft: Draft) -> bool:
    """Whether an anchor says already what a draft says; also where the draft was cut short."""
    if draft.doubted and draft.value.endswith("…") and not known.doubted:
        return known.value.startswith(draft.value[:-1])
    return known.value == draft.value and known.doubted == draft.doubted
