"""Games on a Dask cluster: the same jobs, played by as many machines as the cluster has.

Dask hands out the jobs, plays those of a dead machine again elsewhere and keeps every result until it
has been fetched; nothing of that is done here. On a machine of the cluster a game is played as
`bordeaux.arena.runner` plays it, in a process of its own, so that a player that crashes or does not come
back harms nothing but its game.

The extra ``dask`` installs what is needed here, and every machine of the cluster needs bordeaux.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from itertools import islice
from typing import Any

from bordeaux.arena.job import Job, Result
from bordeaux.arena.runner import run
from bordeaux.arena.worker import CREATE
from bordeaux.board.errors import BordeauxError, quote

__all__ = ["run_on_dask"]

WINDOW = 1000
"""Jobs that the cluster has at most, waiting ones included."""
PATIENCE = 30.0
"""Seconds to wait for a scheduler to answer and for its first worker."""
IDLE = 10.0
"""Seconds after which a process that plays games on the cluster ends if no game comes."""


def run_on_dask(
    jobs: Iterable[Job], address: str, *, create: str = CREATE, patience: float = PATIENCE
) -> Generator[Result]:
    """Play jobs on the cluster whose scheduler has this address, ``tcp://HOST:PORT`` or ``HOST:PORT``,
    and give each result once, as soon as it is there.

    `create` names what makes the players, as for `run`. Workers may come and go meanwhile. Closing the
    iterator takes back what has not been begun.

    Raises BordeauxError where Dask is not installed, no scheduler or worker answers within `patience`
    seconds, the scheduler is lost, or a job cannot be played.
    """
    distributed = dask()
    with connect(distributed, address, patience) as client:
        stream = iter(jobs)
        asked: dict[str, tuple[Any, Job]] = {}

        arriving = distributed.as_completed(loop=client.loop)

        def submit(count: int) -> None:
            for job in islice(stream, count):
                # pure=False: two equal jobs are two games.
                future = client.submit(play_here, job, create, pure=False)
                asked[future.key] = future, job
                arriving.add(future)

        try:
            submit(WINDOW)
            for future in arriving:
                job = asked.pop(future.key)[1]
                result: Result = fetch(future, f"game {job.index}", address)
                submit(1)
                yield result
        finally:
            if client.status == "running":
                client.cancel([future for future, _ in asked.values()])


def dask() -> Any:
    """The package ``distributed``. Raises BordeauxError where it is not installed."""
    try:
        import distributed
    except ImportError:
        raise BordeauxError("a Dask cluster needs more packages: pip install 'bordeaux[dask]'") from None
    return distributed


def connect(distributed: Any, address: str, patience: float) -> Any:
    """A client of the scheduler at an address that has a worker. Raises BordeauxError."""
    fault = call(distributed, address, patience)
    if fault:
        raise BordeauxError(
            f"no Dask scheduler answers at {quote(address)}: {fault}; start one with 'dask scheduler'"
        )
    client = distributed.Client(address, timeout=patience, set_as_default=False)
    try:
        client.wait_for_workers(1, timeout=patience)
    except TimeoutError:
        client.close()
        raise BordeauxError(
            f"the Dask scheduler at {address} has no workers; start some with 'dask worker {address}'"
        ) from None
    return client


def call(distributed: Any, address: str, patience: float) -> str:
    """What keeps us from speaking with a scheduler, empty if nothing does.

    A client that finds none writes tracebacks when it is let go of, so it is not tried before this.
    """

    async def greet() -> None:
        secured = distributed.Security().get_connection_args("client")
        line = await distributed.comm.connect(address, timeout=patience, **secured)
        line.abort()

    async def greet_in_time() -> None:
        # What listens there may be something else, which Dask would wait for without an end.
        await asyncio.wait_for(greet(), patience + 1)

    try:
        # A thread has a loop to itself, also where the caller runs one, as notebooks do.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, greet_in_time()).result()
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        return " ".join(str(error).split()) or "what listens there is no scheduler"
    return ""


def fetch(future: Any, what: str, address: str) -> Any:
    """The result of work that is over; `what` names it (``game 3``). Raises BordeauxError in place of
    what went wrong."""
    try:
        return future.result()
    except BordeauxError:
        raise
    except Exception as error:
        told = " ".join(f"{type(error).__name__}: {error}".split())
        if future.status == "cancelled":
            raise BordeauxError(f"the Dask scheduler at {address} is gone ({told})") from None
        raise BordeauxError(
            f"{what} failed on the cluster: {told};"
            f" does every machine of it have bordeaux {version('bordeaux')}?"
        ) from None


class Hand:
    """A runner with one process that stays for the next job of its thread, for a while."""

    def __init__(self, create: str) -> None:
        self._lock = threading.Lock()
        self._job: Job | None = None
        self._results: Iterator[Result] | None = None
        self._create = create
        self._leave: threading.Timer | None = None

    def play(self, job: Job) -> Result:
        """Play a job; raises what `run` raises."""
        with self._lock:
            if self._leave is not None:
                self._leave.cancel()
            if self._results is None:
                self._results = run(self._feed(), create=self._create)
            self._job = job
            try:
                result = next(self._results)
            except BaseException:
                self._results = None
                raise
            self._leave = threading.Timer(IDLE, self._close, [job])
            self._leave.daemon = True
            self._leave.start()
            return result

    def _feed(self) -> Iterator[Job]:
        while True:
            assert self._job is not None
            yield self._job

    def _close(self, last: Job) -> None:
        """End the process, unless another job has come since `last`."""
        with self._lock:
            if self._job is last and isinstance(self._results, Generator):
                self._results.close()
                self._results = None


HANDS = threading.local()


def play_here(job: Job, create: str) -> Result:
    """Play a job on the machine that this is called on: what the cluster is asked to do."""
    hands: dict[str, Hand] = HANDS.__dict__
    hand = hands.get(create)
    if hand is None:
        hand = hands[create] = Hand(create)
    return hand.play(job)
