"""The paper's search in several processes (Hall and Loeb 1995, section 3.3): a process for each power, which
exchange their best sets by messages, and a game master who passes them on.

The *caller* is the process of the engine. It searches as process number 0 and depends on no other. It holds
the best set so far, takes what others have sent by now, and searches the powers of those that are silent.
The *game master* is a process of the engine's own, started as the workers of `bordeaux.jobs` are. It forks
the *workers* with the package ``multiprocess``, waits at their pipes and sentinels, and replaces a worker
that dies or hangs.

A user's script needs no ``if __name__ == "__main__"``. The main module of the game master is this one, and a
fork imports none. The game master has one thread, so that the caller may have many, and forks are sound.

Every process reports its nodes and its news, and reports again only when the answer has come. So no pipe
fills up, and nobody waits for anybody. Messages are pickled tuples: a kind, the number of a search, and the
content.
"""

from __future__ import annotations

import contextlib
import ctypes
import io
import logging
import math
import os
import pickle
import signal
import subprocess
import sys
import threading
import traceback
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import monotonic, sleep
from typing import Any

from multiprocess import Pipe, get_context
from multiprocess.connection import Connection, wait

from bordeaux.board.map import Map
from bordeaux.jobs.process import started
from bordeaux.search.paper import paper_search
from bordeaux.search.paper.power_search import PowerSearch
from bordeaux.search.paper.state import Best, Rendezvous
from bordeaux.search.task import Budget, SearchTask

log = logging.getLogger(__name__)

#: Sets of a power that a process sends at most, and that one takes which also searches for the power.
SETS, OFFERED = 6, 3
#: Seconds after the end of a search within which a worker, and the game master, must notice it. Nobody waits
#: for it. On a machine under load one that only waits for the processor should not be restarted.
GRACE, INDULGENCE = 0.25, 2.0
#: Seconds in which the game master must get ready, and in which a killed process disappears.
PATIENCE, FAREWELL = 10.0, 0.05
#: Bytes of a job that always fit into an empty pipe. Where it is longer the caller searches alone.
LONGEST = 1 << 16
#: Seconds without news of a worker's nodes after which the caller takes over its share for the time being.
SILENCE = 0.25
#: Seconds between two reports of a process, except after a turn.
PULSE = 0.02
#: Seconds after which a process that waits checks that its parent is still running.
WATCH = 1.0
#: Bytes of sets from which on an answer is long enough. Messages up to 16 KiB arrive in one piece.
ROOM = 12_000
#: By this much a worker is nicer than the caller, which keeps the deadline.
COURTESY = 5
#: The minimum duration of a worker's search in seconds, even if it is late.
LEAST = 1e-3
#: PR_SET_PDEATHSIG of Linux's prctl.
SET_PARENT_DEATH_SIGNAL = 1

#: From the caller, and by the game master to all workers: a search begins, with its job, or is over.
BEGIN, OVER = "begin", "over"
#: A process reports its nodes, a power and its sets. The answer has the nodes of all, and the others' sets.
REPORT, NEWS = "report", "news"
#: A process has noticed the end of a search, or has failed. The process ids of the workers.
DONE, FAILED, STAFF = "done", "failed", "staff"

Message = tuple[Any, ...]
Job = tuple[SearchTask, list[str], tuple[frozenset[str], ...], float | None, int | None]
"""A search for workers: the task, the wanted powers, the powers of each process, and the limits: a time on
the clock ``time.monotonic``, and the nodes of all processes together."""


def deal(
    wanted: Sequence[str], others: Sequence[str], units: Mapping[str, int], processes: int
) -> tuple[frozenset[str], ...]:
    """The powers that each process searches; with as many processes as powers, each has its own.

    `wanted` are the powers whose orders are wanted, `others` those of their background; `units` gives their
    sizes. With fewer processes than wanted powers these are dealt out, with the load measured in units. With
    more, every process has one of them, so several search for the same power with different random seeds. The
    others are dealt out in either case.
    """
    shares: list[set[str]] = [set() for _ in range(processes)]
    rest = [*others]
    if len(wanted) >= processes:
        rest = [*wanted, *rest]
    elif wanted:
        for number, share in enumerate(shares):
            share.add(wanted[number % len(wanted)])
    # Wanted ones first: they have a turn in every round.
    for power in sorted(rest, key=lambda power: (power not in wanted, -units[power])):
        least = min(range(processes), key=lambda number: sum(units[power] for power in shares[number]))
        shares[least].add(power)
    return tuple(frozenset(share) for share in shares)


def pack(job: Job, map: Map) -> bytes:
    """A job as bytes, without the map, which the workers have."""
    stream = io.BytesIO()
    pickler = pickle.Pickler(stream, pickle.HIGHEST_PROTOCOL)
    pickler.persistent_id = lambda value: 0 if value is map else None  # type: ignore[method-assign]
    pickler.dump(job)
    return stream.getvalue()


def unpack(content: bytes, map: Map) -> Job:
    """The job from bytes of `pack`."""
    unpickler = pickle.Unpickler(io.BytesIO(content))
    unpickler.persistent_load = lambda _: map  # type: ignore[method-assign]
    job: Job = unpickler.load()
    return job


class PipeEnd:
    """One end of a pipe at which nobody waits. It is `broken` for good when the other end is closed, or
    takes no more."""

    def __init__(self, connection: Connection, blocking: bool = False) -> None:
        self.connection = connection
        self.broken = False
        os.set_blocking(connection.fileno(), blocking)

    def send(self, *message: Any) -> None:
        """Send a message, unless the line is broken."""
        if not self.broken:
            try:
                self.connection.send_bytes(pickle.dumps(message))
            except OSError:
                # Half a message may lie in it.
                self.broken = True

    def heard(self) -> Iterator[Message]:
        """The messages that have arrived."""
        try:
            while not self.broken and self.connection.poll():
                yield pickle.loads(self.connection.recv_bytes())
        except (EOFError, OSError):
            self.broken = True


class ProcessRendezvous(Rendezvous):
    """Process number `process` at the rendezvous of search number `search`, with its `line` to the game
    master.

    `powers` are those of the map, `shares` the powers that each process searches. Only the caller takes over
    the powers of silent processes. All messages but news of this search go to `beside`.
    """

    def __init__(
        self,
        line: PipeEnd,
        process: int,
        search: int,
        powers: Sequence[str],
        shares: Sequence[frozenset[str]],
        beside: Callable[[Message], None],
    ) -> None:
        self.line, self.process, self.search = line, process, search
        self.powers, self.shares, self.beside = powers, shares, beside
        self.over = False
        self._mine = shares[process]
        self._published: dict[str, list[tuple[bytes, float]]] = {}
        self._unsent: dict[str, bytes] = {}
        self._theirs: dict[tuple[int, str], list[tuple[bytes, float]]] = {}
        self._news: set[str] = set()
        self._nodes = [0] * len(shares)
        self._changed = [-math.inf] * len(shares)
        # The game master's first word to the caller is that the search has begun.
        self._own, self._asked, self._next = 0, process == 0, 0.0

    def share(self, powers: list[str]) -> list[str]:
        """The powers among some that this process searches now, the caller also those of silent processes."""
        mine = set(self.shares[self.process])
        if self.process == 0:
            self.meet()
            since = monotonic() - SILENCE
            for share, changed in zip(self.shares[1:], self._changed[1:], strict=True):
                if self.line.broken or changed < since:
                    mine |= share
        self._mine = frozenset(mine)
        return [power for power in powers if power in mine]

    def count(self, nodes: int) -> int:
        """Report the nodes of this process now and then; returns those of all processes together."""
        self._own = nodes
        if monotonic() >= self._next:
            self.meet()
        return nodes + sum(self._nodes) - self._nodes[self.process]

    def meet(self) -> None:
        """Take what has arrived, and report, if the last report has been answered."""
        self._next = monotonic() + PULSE
        for message in self.line.heard():
            if message[:2] == (NEWS, self.search):
                self._asked = False
                self._hear(*message[2:])
            else:
                self.over |= message == (OVER, self.search)
                self.beside(message)
        if not self._asked:
            power = next(iter(self._unsent), "")
            self.line.send(REPORT, self.search, self._own, power, self._unsent.pop(power, b""))
            self._asked = True

    def _hear(self, nodes: list[int], news: Sequence[tuple[int, str, bytes]]) -> None:
        for process, number in enumerate(nodes):
            if number != self._nodes[process]:
                self._changed[process] = monotonic()
        self._nodes = nodes
        for process, power, content in news:
            self._theirs[process, power] = pickle.loads(content)
            self._news.add(power)

    def exchange(self, sides: Mapping[str, PowerSearch], best: Best, power: str | None = None) -> list[str]:
        """Send the best sets of a power after its turn, and take those of the others.

        A power that only others search is taken over completely. If several processes search for it, the best
        few sets of the others are offered to this search, which judges them itself.
        """
        if power is not None and (sets := best(power, SETS)) and sets != self._published.get(power):
            self._published[power] = sets
            self._unsent[power] = pickle.dumps(sets)
        self.meet()
        changed = []
        for name in self.powers:
            if name in sides and name in self._news:
                self._news.discard(name)
                side = sides[name]
                before = side.best
                self._take(name, side)
                if side.best != before:
                    changed.append(name)
        return changed

    def _take(self, power: str, side: PowerSearch) -> None:
        theirs = [sets for (_, name), sets in self._theirs.items() if name == power]
        if power in self._mine:
            for sets in theirs:
                for orders, value in sets[:OFFERED]:
                    side.offer(orders, value)
            return
        # This process searched for the power while another was silent. It keeps its sets if they are better.
        ours = [self._published[power]] if power in self._published else []
        side.take(max((*ours, *theirs), key=lambda sets: sets[0][1]))


class WorkerPool:
    """The caller's view of the game master and its workers, for searches on a map in `processes` processes.

    `close` ends them. They also end with the caller, in any case, and with the last reference to the pool.
    """

    def __init__(self, map: Map, processes: int) -> None:
        self.map, self.processes, self.owner = map, processes, os.getpid()
        self._searches = 0
        self._busy = threading.Lock()
        self._line: PipeEnd | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._end: weakref.finalize[..., WorkerPool] | None = None
        self._staff: tuple[int, ...] = ()
        #: When the game master is late, with getting ready or with noticing the end of a search.
        self._due = math.inf
        #: A search that begins when there are workers.
        self._waiting: Message = ()

    @property
    def process_ids(self) -> tuple[int, ...]:
        """The workers' process ids in the system, as of the last search or `wait`."""
        return self._staff

    def wait(self) -> None:
        """Start what is missing, and wait until the workers are ready or have failed."""
        if self._busy.acquire(blocking=False):
            try:
                self._hire()
                while self._usable() and not self._staff:
                    sleep(0.002)
            finally:
                self._busy.release()

    def close(self) -> None:
        """End the game master and the workers."""
        if self._end is not None:
            self._end()
        self._line = self._process = self._end = None
        self._staff = ()

    @contextlib.contextmanager
    def meet(self, task: SearchTask, powers: Sequence[str], budget: Budget) -> Iterator[Rendezvous]:
        """Let the workers join a search; gives the caller's rendezvous with them.

        `powers` are those whose orders are wanted. During one search another one, for example in a second
        thread, runs without the workers. On leaving, the search is over for all of them, without waiting
        until they have noticed.
        """
        units = {power: len(task.position.units_of(power)) for power in self.map.powers}
        wanted = [power for power in powers if units[power]]
        if not wanted or not self._busy.acquire(blocking=False):
            yield Rendezvous()
            return
        try:
            self._hire()
            others = [power for power in self.map.powers if units[power] and power not in wanted]
            shares = deal(wanted, others, units, self.processes)
            left = None if budget.time is None else monotonic() + budget.time - budget.seconds()
            job = pack(
                (task, wanted, shares, left, None if budget.nodes is None else int(budget.nodes)), self.map
            )
            line = self._line
            if line is None or len(job) > LONGEST:
                yield Rendezvous()
                return
            self._searches += 1
            search = self._searches
            waiting: Message = (BEGIN, search, job)
            self._waiting = waiting
            self._begin(line)
            try:
                yield ProcessRendezvous(line, 0, search, self.map.powers, shares, self._note)
            finally:
                if not self._waiting:
                    line.send(OVER, search)
                    self._due = min(self._due, monotonic() + INDULGENCE)
                self._waiting = ()
        finally:
            self._busy.release()

    def _begin(self, line: PipeEnd) -> None:
        """Begin the search that waits, if there are workers."""
        if self._waiting and self._staff:
            line.send(*self._waiting)
            self._waiting = ()

    def _hire(self) -> None:
        """Start the game master, unless there is one that works."""
        if self._usable():
            return
        if self._process is not None:
            log.info("process %d is no use any more and is replaced", self._process.pid)
        self.close()
        ours, theirs = Pipe()
        # The caller may go on without any other thread, and so must the others.
        tied = threading.current_thread() is threading.main_thread()
        try:
            with theirs:
                words = (theirs.fileno(), os.getpid(), int(tied))
                self._process = started(__name__, words, [theirs.fileno()])
        except OSError as error:
            # The caller does all the work until there is room for others again.
            log.warning("the workers of a search cannot be started: %s", error)
            ours.close()
            return
        self._end = weakref.finalize(self, end, self._process, ours, self.owner)
        # One that has died by now is noticed later.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            ours.send_bytes(pickle.dumps((self.processes, self.map)))
        self._line = PipeEnd(ours)
        self._due = monotonic() + PATIENCE

    def _usable(self) -> bool:
        """Whether the game master lives and has noticed the ends of searches in time."""
        if self._line is None or self._process is None or self._process.poll() is not None:
            return False
        for message in self._line.heard():
            self._note(message)
        return not self._line.broken and monotonic() < self._due

    def _note(self, message: Message) -> None:
        """Take a message that is about no search under way."""
        kind, number, *content = message
        if kind == STAFF:
            if not self._staff and content[0]:
                self._due = math.inf
            self._staff = content[0]
            if self._line is not None:
                self._begin(self._line)
        elif kind == DONE:
            self._due = math.inf
        elif kind == FAILED:
            log.error("worker %d has failed: %s", number, content[0].splitlines()[-1])
            log.debug("%s", content[0])


def end(process: subprocess.Popen[bytes], connection: Connection, owner: int) -> None:
    """End a game master and its workers, unless this process was forked from its caller."""
    if os.getpid() != owner:
        return
    connection.close()
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    # Killed for certain, but one in the hands of the system may take its time: do not wait for it.
    try:
        process.wait(FAREWELL)
    except subprocess.TimeoutExpired:
        # Where the interpreter is about to end nobody has to take notice of it any more.
        with contextlib.suppress(RuntimeError):
            threading.Thread(target=process.wait, daemon=True).start()


class PaperWorker:
    """A worker as the game master sees it."""

    def __init__(self, number: int, board: Map, held: Sequence[Connection]) -> None:
        ours, theirs = Pipe()
        self.process = get_context("fork").Process(
            target=serve, args=(number, board, theirs, [*held, ours], os.getpid())
        )
        self.process.start()
        theirs.close()
        self.line = PipeEnd(ours)

    def dismiss(self) -> None:
        """Kill the process, which holds nothing that could be lost."""
        self.process.kill()
        self.process.join(FAREWELL)
        self.line.connection.close()


class GameMaster:
    """Passes messages between the caller and `processes` - 1 workers, which it starts and replaces."""

    def __init__(self, caller: PipeEnd, processes: int, board: Map) -> None:
        self.caller, self.processes, self.board = caller, processes, board
        self.workers: dict[int, PaperWorker] = {}
        self.search = 0
        #: When the search ended whose end a worker has not noticed yet.
        self.owed: dict[int, float] = {}
        self.nodes = [0] * processes
        self.unheard: list[dict[tuple[int, str], bytes]] = [{} for _ in range(processes)]

    def run(self, parent: int) -> None:
        """Work until the caller has closed its line, or is not the parent any more."""
        self._replace()
        while os.getppid() == parent and not self.caller.broken:
            lines = {worker.line.connection: number for number, worker in self.workers.items()}
            sentinels = [worker.process.sentinel for worker in self.workers.values()]
            ready = wait([self.caller.connection, *lines, *sentinels], WATCH)
            for number in [lines[connection] for connection in ready if connection in lines]:
                for message in self.workers[number].line.heard():
                    self.hear(number, message)
            if self.caller.connection in ready:
                for message in self.caller.heard():
                    self.hear(0, message)
            if any(
                worker.line.broken or worker.process.sentinel in ready for worker in self.workers.values()
            ):
                self._replace()

    def hear(self, number: int, message: Message) -> None:
        """Take a message of a process."""
        kind, search, *content = message
        if kind == REPORT and search == self.search:
            self._answer(number, *content)
        elif kind == BEGIN:
            self._replace()
            self.search, self.nodes = search, [0] * self.processes
            self.caller.send(NEWS, search, self.nodes, [])
            for waiting in self.unheard:
                waiting.clear()
            for worker in self.workers.values():
                worker.line.send(*message)
        elif kind == OVER:
            self.search = 0
            for other, worker in self.workers.items():
                worker.line.send(*message)
                self.owed.setdefault(other, monotonic())
            self.caller.send(DONE, search)
        elif kind == DONE:
            self.owed.pop(number, None)
        elif kind == FAILED:
            self.caller.send(*message)

    def _answer(self, number: int, nodes: int, power: str, sets: bytes) -> None:
        """Take a process's report; the answer tells it the nodes of all, and sets that it has not heard."""
        self.nodes[number] = nodes
        for other, waiting in enumerate(self.unheard):
            if power and other != number:
                waiting[number, power] = sets
        news, size, waiting = [], 0, self.unheard[number]
        while waiting and size < ROOM:
            (process, name), content = waiting.popitem()
            news.append((process, name, content))
            size += len(content)
        line = self.workers[number].line if number else self.caller
        line.send(NEWS, self.search, self.nodes, news)

    def _replace(self) -> None:
        """Start missing workers, and new ones for those that are dead or stuck. A new one joins the next
        search."""
        changed = False
        for number in range(1, self.processes):
            worker = self.workers.get(number)
            if worker is not None:
                late = monotonic() > self.owed.get(number, math.inf) + GRACE
                if worker.process.is_alive() and not worker.line.broken and not late:
                    continue
                # Its last words, which may have come since the lines were looked at.
                for message in worker.line.heard():
                    self.hear(number, message)
                self.workers.pop(number).dismiss()
                self.owed.pop(number, None)
            changed = True
            held = [self.caller.connection, *(other.line.connection for other in self.workers.values())]
            with contextlib.suppress(OSError):
                self.workers[number] = PaperWorker(number, self.board, held)
        if changed:
            self.caller.send(STAFF, 0, tuple(worker.process.pid for worker in self.workers.values()))


def serve(number: int, board: Map, connection: Connection, held: Sequence[Connection], parent: int) -> None:
    """Work as process `number` of searches until the game master is gone; `held` are the ends of pipes that
    are not this process's own."""
    for other in held:
        other.close()
    os.nice(COURTESY)
    die_with_parent()
    line, inbox = PipeEnd(connection, blocking=True), deque[Message]()
    while os.getppid() == parent and not line.broken:
        if not inbox and connection.poll(WATCH):
            inbox.extend(line.heard())
        while inbox:
            kind, search, *content = inbox.popleft()
            if kind == OVER:
                line.send(DONE, search)
            elif kind == BEGIN and (OVER, search) not in inbox:
                try:
                    work(unpack(content[0], board), number, search, line, inbox, parent)
                except Exception:
                    line.send(FAILED, number, traceback.format_exc()[-ROOM:])
                    return


def work(job: Job, process: int, search: int, line: PipeEnd, inbox: deque[Message], parent: int) -> None:
    """Search until the job's limit, until the search is over, or until the game master is dead."""
    task, powers, shares, deadline, nodes = job
    rendezvous = ProcessRendezvous(line, process, search, task.position.map.powers, shares, inbox.append)

    def over() -> bool:
        return rendezvous.over or line.broken or os.getppid() != parent

    rendezvous.meet()
    time = None if deadline is None else max(deadline - monotonic(), LEAST)
    if not over():
        for _ in paper_search(task, rendezvous, process).run(powers, Budget(time, nodes, over)):
            pass


def die_with_parent() -> None:
    """Ask the system to kill this process when its parent dies, even if it is stopped; not all systems
    can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_PARENT_DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0)


def main() -> None:
    """Be the game master of the caller that the command line names: the descriptor of the line, the caller's
    process id, and 1 if the system is to end this process with the thread that started it, else 0."""
    connection, caller, tied = map(int, sys.argv[1:])
    # A search is over when the caller says so: Ctrl-C in a terminal is the caller's.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if tied:
        die_with_parent()
    line = PipeEnd(Connection(connection), blocking=True)
    with contextlib.suppress(EOFError, OSError):
        processes, board = pickle.loads(line.connection.recv_bytes())
        GameMaster(line, processes, board).run(caller)
    # With all workers, also those that are stopped.
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()
