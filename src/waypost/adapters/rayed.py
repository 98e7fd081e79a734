"""Workers in processes of a Ray cluster: what each holds and is to do in, results as they come out."""

import os
import queue
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from threading import Lock
from typing import Any

from waypost.errors import DeviceError, UsageError

__all__ = ["RayWorkers", "joined_to"]


@contextmanager
def joined_to(address: str) -> Iterator[Any]:
    """Join this process to a Ray cluster, or to one of this machine's own; where it is joined, it stays so.

    Raises UsageError where Ray is not installed or does not answer.
    """
    if find_spec("ray") is None:
        raise UsageError('Work on several machines needs Ray: pip install "waypost[fleet]"')
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray

    own = not ray.is_initialized()
    if own:
        try:
            ray.init(address=address or None, log_to_driver=False, include_dashboard=False)
        except (ConnectionError, RuntimeError, ValueError) as e:
            raise UsageError(f"No Ray cluster answers at {address!r}: {e}") from e
    try:
        yield ray
    finally:
        if own:
            ray.shutdown()


_NOBODY = -1


class RayWorkers:
    """One actor a worker; an actor that dies with its process, or whose device fails, is gone for good.

    Work is handed out in one of two ways: `begin` and `next` by who knows the workers, `do` by who does not.
    """

    def __init__(self, makers: Sequence[Callable[[], Any]], address: str = "") -> None:
        """Each maker makes, in the worker's own process, what its jobs are done with.

        Without an address the cluster that this process is joined to is used, else one of this machine's own.
        Raises UsageError where Ray is not installed or does not answer.
        """
        self._joined = joined_to(address)
        ray = self._ray = self._joined.__enter__()
        actor = ray.remote(max_restarts=0, num_cpus=0)(_Holding)
        self._actors: list[Any] = [actor.remote(make) for make in makers]
        self._waiting: dict[Any, int] = {}
        self._idle: queue.SimpleQueue[int] = queue.SimpleQueue()
        for worker in range(len(self._actors)):
            self._idle.put(worker)
        self._left, self._counting = len(self._actors), Lock()

    def __len__(self) -> int:
        return len(self._actors)

    def pid(self, worker: int) -> int:
        """Return the process of a worker."""
        return int(self._ray.get(self._actors[worker].pid.remote()))

    def begin(self, worker: int, work: Callable[..., Any], *given: Any) -> None:
        """Let a worker do something with what it holds; returns at once."""
        self._waiting[self._actors[worker].do.remote(work, *given)] = worker

    def next(self) -> tuple[int, Any]:
        """Wait for a worker to be done; None where it is gone."""
        ready, _ = self._ray.wait(list(self._waiting), num_returns=1)
        worker = self._waiting.pop(ready[0])
        try:
            return worker, self._ray.get(ready[0])
        except self._ray.exceptions.RayActorError:
            return worker, None
        except self._ray.exceptions.RayTaskError as e:
            if isinstance(e.as_instanceof_cause(), DeviceError):
                return worker, None
            raise

    def do(self, work: Callable[..., Any], *given: Any) -> Any:
        """Have whichever worker is free do something, and wait for it; may be called from several threads.

        What a worker was at when it died is done by another. Raises UsageError where none is left, else
        whatever the work raises.
        """
        while True:
            worker = self._idle.get()
            if worker == _NOBODY:
                self._idle.put(_NOBODY)
                raise UsageError("Every worker of the cluster is gone; look at the machines, and start anew")
            try:
                done = self._ray.get(self._actors[worker].do.remote(work, *given))
            except self._ray.exceptions.RayActorError:
                with self._counting:
                    self._left -= 1
                    if not self._left:
                        self._idle.put(_NOBODY)
                continue
            except self._ray.exceptions.RayTaskError as e:
                self._idle.put(worker)
                raise e.cause from e
            self._idle.put(worker)
            return done

    def close(self) -> None:
        for actor in self._actors:
            self._ray.kill(actor)
        self._joined.__exit__(None, None, None)


class _Holding:
    """Lives in the worker's process."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._held = make()

    def pid(self) -> int:
        return os.getpid()

    def do(self, work: Callable[..., Any], *given: Any) -> Any:
        return work(self._held, *given)
