"""Jobs on a Dask cluster: the same outcomes, on all machines of the cluster.

Dask distributes the jobs, repeats those of a dead machine elsewhere and keeps every outcome until it has
been fetched. On a machine of the cluster a job runs in a `Pool` of one process, so a job that crashes or
hangs affects only itself.

The extra ``dask`` installs the dependencies. Every machine of the cluster needs bordeaux.
"""

from __future__ import annotations

import asyncio
import pickle
import threading
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from itertools import islice
from typing import Any, TypeVar

from bordeaux.board.errors import BordeauxError, quote
from bordeaux.jobs.pool import Died, JobOutcome, Pool, again

JobT = TypeVar("JobT")
Answer = TypeVar("Answer")

WINDOW = 1000
"""The maximum number of jobs on the cluster, including waiting ones."""
PATIENCE = 30.0
"""Seconds to wait for an answer of the scheduler and for its first worker."""
IDLE = 10.0
"""Seconds without a job after which a process on the cluster ends."""


def run_on_dask(
    function: Callable[[JobT], Answer],
    jobs: Iterable[JobT],
    address: str,
    *,
    died: Died = again,
    patience: float = PATIENCE,
) -> Generator[JobOutcome[JobT, Answer]]:
    """Apply a function to jobs on the cluster whose scheduler has this address, ``tcp://HOST:PORT`` or
    ``HOST:PORT``, and yield each outcome once, as soon as it is there.

    `died` is as for a `Pool`. Workers may come and go meanwhile. Closing the iterator cancels jobs that have
    not begun.

    Raises BordeauxError if Dask is not installed, no scheduler or worker answers within `patience` seconds,
    or the scheduler is lost.
    """
    distributed = dask()
    work = pickle.dumps((function, died))
    with connect(distributed, address, patience) as client:
        stream = iter(jobs)
        asked: dict[str, tuple[Any, JobT]] = {}

        arriving = distributed.as_completed(loop=client.loop)

        def submit(count: int) -> None:
            for job in islice(stream, count):
                # pure=False: two equal jobs are two jobs.
                future = client.submit(do_here, work, job, pure=False)
                asked[future.key] = future, job
                arriving.add(future)

        try:
            submit(WINDOW)
            for future in arriving:
                job = asked.pop(future.key)[1]
                outcome = fetch(future, job, address)
                submit(1)
                yield outcome
        finally:
            if client.status == "running":
                client.cancel([future for future, _ in asked.values()])


def dask() -> Any:
    """The package ``distributed``. Raises BordeauxError if it is not installed."""
    try:
        import distributed
    except ImportError:
        raise BordeauxError(
            "a Dask cluster needs more packages: pip install 'bordeaux-diplomacy[dask]'"
        ) from None
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
    """The reason why a scheduler cannot be reached, "" if it can.

    A client without a scheduler writes tracebacks when it is freed, so none is made before this check.
    """

    async def greet() -> None:
        secured = distributed.Security().get_connection_args("client")
        line = await distributed.comm.connect(address, timeout=patience, **secured)
        line.abort()

    async def greet_in_time() -> None:
        # Another program may listen there, and Dask would wait for it without an end.
        await asyncio.wait_for(greet(), patience + 1)

    try:
        # A thread has a loop to itself, also where the caller runs one, as notebooks do.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, greet_in_time()).result()
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        return " ".join(str(error).split()) or "what listens there is no scheduler"
    return ""


def fetch(future: Any, job: JobT, address: str) -> JobOutcome[JobT, Any]:
    """The outcome of a finished job. Raises BordeauxError if the scheduler is lost."""
    try:
        outcome: JobOutcome[JobT, Any] = future.result()
        return outcome._replace(job=job)
    except Exception as error:
        message = " ".join(f"{type(error).__name__}: {error}".split())
        if future.status == "cancelled":
            raise BordeauxError(f"the Dask scheduler at {address} is gone ({message})") from None
        fault = BordeauxError(
            f"a job failed on the cluster: {message};"
            f" does every machine of it have bordeaux {version('bordeaux-diplomacy')}?"
        )
        return JobOutcome(job, error=fault)


POOLS = threading.local()


def do_here(work: bytes, job: Any) -> JobOutcome[Any, Any]:
    """Do a job on this machine, as a task of the cluster. Each thread has a process for it, which is kept for
    the next job for a while."""
    pools: dict[Any, Pool[Any, Any]] = POOLS.__dict__
    if work not in pools:
        function, died = pickle.loads(work)
        pools[work] = Pool(function, 1, died=died, idle=IDLE)
    pools[work].submit(job)
    while not (outcomes := pools[work].outcomes()):
        pass
    # The caller has the job.
    return outcomes[0]._replace(job=None)
