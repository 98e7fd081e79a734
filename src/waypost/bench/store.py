"""Episodes of a comparison on disk: whatever was run in, and back, so that a kill costs one episode at most.

`episodes.jsonl` holds a line an episode, `verdicts.jsonl` a line a judgement, `looks/` each screen once by
its content, `pictures/` each screenshot once by its content. A line that was cut off by a kill is passed over
and its episode run again. Nothing here needs a device: verdicts are added later as often as wanted.
"""

import gzip
import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from waypost.errors import UsageError
from waypost.model import Episode, ImageStatus, Observation, Screen, StopReason, Task, Verdict
from waypost.model.codec import decode, encode

__all__ = ["EpisodeStore", "Key", "Memory", "Run"]

_FORMAT = 1
_EMPTY = Episode(Task("", "", ""), (), None, StopReason.UNKNOWN)


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """What was run: one task, under one arm, by one actor, with one seed."""

    suite: str
    task: str
    arm: str
    actor: str
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Memory:
    """What the arm's memory held for the task, found out without acting; nothing of it reached the actor."""

    covered: bool | None = None
    """Some page of the map is a target; None where the arm has no map."""
    retrieved: bool | None = None
    """The page that the sentence was taken to mean is a target; None where it was not asked."""
    refused: bool = False
    """The memory said that the page is not on its map."""
    path: bool | None = None
    """A way leads from the start to the page that was retrieved."""
    page: str = ""
    """Name of the page that was retrieved."""
    waypoints: int = 0
    """Pages on the way that was told, the destination among them."""
    hints: int = 0
    """Hints that the record tells."""
    confidence: float = 0.0
    near: tuple[str, ...] = ()
    """Ids of pages one step from a target on this map."""
    target: tuple[str, ...] = ()
    """Ids of the pages of this map that are targets."""


@dataclass(frozen=True, slots=True)
class Run:
    """One episode with all that scoring needs beside it."""

    key: Key
    episode: Episode
    device: str = ""
    map: str = ""
    """Fingerprint of the map that was used; empty where there was none."""
    seconds: float = 0.0
    """Time from the opening of the device to the last look."""
    label: str = ""
    """The true page of the last look, where the world knows it."""
    as_named: bool = True
    """The last look truly is the page that the actor set out for."""
    shortest: int = 0
    memory: Memory = Memory()
    told: tuple[str, ...] = ()
    """What the actor was told by its memory, each text once."""
    tokens: int = 0
    """Tokens sent to and received from models."""
    cost: float = 0.0
    """Money that the models took, in the currency of their prices."""
    told_tokens: int = 0
    """Word pieces that the memory told, over all looks of the episode."""
    told_looks: int = 0
    """Looks at which it was asked."""
    fault: str = ""
    """What broke outside of the episode; it counts as missed."""
    verdicts: tuple[Verdict, ...] = field(default=(), compare=False)


class EpisodeStore:
    """A folder of episodes. One process writes; what it wrote stays."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._have: set[str] = set()

    def open(self) -> "EpisodeStore":
        """Make the folder, or check that it is one of these. Raises UsageError."""
        mark = self.folder / "bench.json"
        try:
            if mark.is_file():
                known = json.loads(mark.read_text(encoding="utf-8")).get("format")
                if known != _FORMAT:
                    raise UsageError(
                        f"{str(self.folder)!r} has format {known!r}, this version knows {_FORMAT}"
                    )
            elif self.folder.exists() and any(p.name != "maps" for p in self.folder.iterdir()):
                raise UsageError(f"{str(self.folder)!r} holds something else; give another folder")
            else:
                self.folder.mkdir(parents=True, exist_ok=True)
                mark.write_text(json.dumps({"format": _FORMAT}) + "\n", encoding="utf-8")
        except (OSError, ValueError, AttributeError) as e:
            raise UsageError(f"Cannot keep episodes in {str(self.folder)!r}: {e}") from e
        return self

    def keys(self) -> set[Key]:
        """Return what was run already."""
        return {Key(**row["key"]) for row in _lines(self.folder / "episodes.jsonl")}

    def add(self, run: Run) -> None:
        """Keep an episode: its looks and pictures first, so that what the line names is there."""
        told = replace(run, episode=_EMPTY, verdicts=())
        row = {k: v for k, v in encode(told).items() if k not in ("episode", "verdicts")}
        row["key"] = asdict(run.key)
        steps = [self._look(s.observation) for s in run.episode.steps]
        final = self._look(run.episode.final) if run.episode.final else None
        row |= {"episode": encode(_bare(run.episode)), "looks": steps, "final": final}
        self._append("episodes.jsonl", row)
        for verdict in run.verdicts:
            self.judge(run.key, verdict)

    def judge(self, key: Key, verdict: Verdict) -> None:
        """Add what a judge says; of the same judge the last word counts."""
        self._append("verdicts.jsonl", {"key": asdict(key), **encode(verdict)})

    def runs(self, *, screens: bool = True) -> Iterator[Run]:
        """Read every episode with its verdicts; without `screens`, of all looks only the last address."""
        said: dict[Key, dict[str, Verdict]] = {}
        for row in _lines(self.folder / "verdicts.jsonl"):
            key = Key(**row.pop("key"))
            verdict = decode(Verdict, row)
            said.setdefault(key, {})[verdict.judge] = verdict
        seen: set[Key] = set()
        for row in _lines(self.folder / "episodes.jsonl"):
            key = Key(**row.pop("key"))
            if key not in seen:
                seen.add(key)
                yield replace(
                    self._run(key, row, screens=screens), verdicts=tuple(said.get(key, {}).values())
                )

    def picture(self, name: str) -> bytes:
        """Return a picture by its hash; empty where it is gone."""
        path = self.folder / "pictures" / f"{name}.png"
        return path.read_bytes() if name.isalnum() and path.is_file() else b""

    def all_pictures(self) -> dict[Key, list[str]]:
        """Return the hashes of every episode's pictures, look by look, empty where a look has none."""
        return {
            Key(**row["key"]): [
                str(look.get("picture", "")) for look in (*row["looks"], row["final"]) if look is not None
            ]
            for row in _lines(self.folder / "episodes.jsonl")
        }

    def _run(self, key: Key, row: dict[str, Any], *, screens: bool) -> Run:
        episode = decode(Episode, row.pop("episode"))
        looks, final = row.pop("looks"), row.pop("final")
        if screens:
            steps = tuple(
                replace(s, observation=self._seen(k)) for s, k in zip(episode.steps, looks, strict=True)
            )
            episode = replace(episode, steps=steps, final=self._seen(final) if final else None)
        elif final:
            blank = Observation(Screen(activity=final.get("at", "")), seen_at=final["seen_at"])
            episode = replace(episode, final=blank)
        return _run(key, row, episode)

    def _look(self, look: Observation) -> dict[str, Any]:
        body = json.dumps(encode(look.screen), ensure_ascii=False, sort_keys=True).encode()
        name = hashlib.sha256(body).hexdigest()
        self._put(self.folder / "looks" / name[:2] / f"{name}.json.gz", gzip.compress(body, 5, mtime=0))
        told: dict[str, Any] = {"screen": name, "seen_at": look.seen_at, "at": look.screen.activity}
        if look.image:
            told["picture"] = hashlib.sha256(look.image).hexdigest()
            self._put(self.folder / "pictures" / f"{told['picture']}.png", look.image)
        return told

    def _put(self, path: Path, body: bytes) -> None:
        if path.name in self._have or path.is_file():
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = path.with_name(path.name + ".part")
        aside.write_bytes(body)
        aside.replace(path)
        self._have.add(path.name)

    def _seen(self, told: dict[str, Any]) -> Observation:
        name = str(told["screen"])
        body = gzip.decompress((self.folder / "looks" / name[:2] / f"{name}.json.gz").read_bytes())
        screen = decode(Screen, json.loads(body))
        image = self.picture(str(told.get("picture", "")))
        status = ImageStatus.SHOWN if image else ImageStatus.NOT_ASKED
        return Observation(screen, image, status, told["seen_at"])

    def _append(self, file: str, row: dict[str, Any]) -> None:
        line = json.dumps(row, ensure_ascii=False).encode() + b"\n"
        path = self.folder / file
        with path.open("ab+") as out:
            # A kill may have cut the last line: what follows must not be glued to it.
            if out.tell() and not _whole(path):
                out.write(b"\n")
            out.write(line)


def _whole(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, 2)
        return file.read(1) == b"\n"


def _run(key: Key, row: dict[str, Any], episode: Episode) -> Run:
    memory = decode(Memory, row.pop("memory", {}))
    told = tuple(row.pop("told", ()))
    return Run(key=key, episode=episode, memory=memory, told=told, **row)


def _bare(episode: Episode) -> Episode:
    blank = Observation(Screen())
    steps = tuple(replace(s, observation=blank) for s in episode.steps)
    return replace(episode, steps=steps, final=None)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the whole lines of a file; one that a kill cut off is left out."""
    if not path.is_file():
        return
    with path.open("rb") as file:
        for line in file:
            try:
                row = json.loads(line)
            except ValueError:
                continue
            if isinstance(row, dict):
                yield row
