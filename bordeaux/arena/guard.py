"""Calls the players of one game and contains their faults, so that the game continues."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterable
from itertools import islice
from time import monotonic, perf_counter
from types import FrameType, TracebackType
from typing import Any, NamedTuple, TypeVar

from bordeaux.arena import player_specs
from bordeaux.arena.job import CRASH, ILLEGAL, STALL, Fault, Job
from bordeaux.board.errors import BordeauxError, quote
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase, order_of_play
from bordeaux.board.position import Position
from bordeaux.board.submission import check, decode
from bordeaux.jobs import ALARMS
from bordeaux.players.base import Guest, Limit, Player, Seat, Turn
from bordeaux.players.python_class import in_words

MOST_READ = 512
"""Entries that are read of one player and phase; no power owes as many."""


class Sent(NamedTuple):
    """The orders that one power sent for one phase.

    `codes` and `orders` are the valid orders, for the core and for people. `void` are other readable orders.
    `illegal` gives the reason for each invalid order, readable or not.
    """

    codes: list[int]
    orders: list[Order]
    void: list[Order]
    illegal: list[str]


def read(position: Position, number: int, given: Iterable[object]) -> Sent:
    """Read the orders of the power `number` for a position: orders or texts, possibly invalid.

    Of several orders for a unit, or for a home to build in, the first legal one counts. A repeated order is
    not a fault. Never raises.
    """
    power = position.map.powers[number]
    winter = position.phase.kind == "A"
    due = abs(position.adjustments(power)) if winter else MOST_READ
    sent = Sent([], [], [], [])
    taken: dict[str, int] = {}
    for count, entry in enumerate(given):
        if count == MOST_READ:
            sent.illegal.append(f"more than {MOST_READ} orders; the rest is not read")
            break
        try:
            order = entry if type(entry) is Order else to_order(entry, position)
            _, _, code, fault = check(position, power, order)
            place = order.location.partition("/")[0]
        except BordeauxError as error:
            sent.illegal.append(str(error))
            continue
        except Exception as error:
            # Something with the type of an order and the contents of none.
            sent.illegal.append(f"{quote(repr(entry))} is no order: {type(error).__name__}: {error}")
            continue
        if not fault and place in taken:
            if taken[place] == code:
                continue
            fault = f"{place} has an order already, and the first one counts"
        elif not fault and len(sent.codes) == due:
            fault = "one order too many"
        if fault:
            sent.void.append(order)
            sent.illegal.append(f"{order}: {fault}")
            continue
        if place:
            taken[place] = code
        sent.codes.append(code)
        sent.orders.append(decode(position.map, code))
    return sent


def to_order(entry: object, position: Position) -> Order:
    """The order that an entry of a list denotes. Raises BordeauxError."""
    if isinstance(entry, str):
        return parse_order(entry, position.map, position)
    raise BordeauxError(f"{quote(repr(entry))} is no order; give texts like 'A PAR - BUR', or Order values")


Create = Callable[[str, Seat], Player]
Notice = Callable[[int, str, float], None]
"""Called before a player is called, with its seat (-1: nobody's turn), the phase, and the time of its
deadline on the clock ``time.monotonic``."""
Answer = TypeVar("Answer")

GRACE = 1.0
"""Seconds that a player may take beyond its limit, or as much as the limit if that is more."""
UNLIMITED = 60.0
"""Seconds for a phase without a time limit, besides `NODE` for each node."""
NODE = 0.001
AGAIN = 0.5
"""Seconds after which the alarm is repeated for a player that ignores it."""
MOST_STALLS = 3
"""Stalls after which a player is not asked again."""
MOST_SAID = 256
"""The number of letters that are read from one answer of a player."""
LEAST = 0.001
"""Seconds for a player that has used up its time for talks; the alarm cannot be set to zero."""
SHOWN = 3
"""Illegal orders of a phase that are quoted."""
LONGEST = 300
"""Characters of a fault's text."""


class Overrun(BaseException):
    """Raised inside a player that exceeds its patience. Not an Exception, as players may catch those."""


def patience(limit: Limit) -> float:
    """The seconds after which a player counts as stalled: twice the limit, and at least a second more than
    the limit. Without a limit in time, a minute plus a second for every 1000 nodes."""
    if limit.time is not None:
        return limit.time + max(GRACE, limit.time)
    return UNLIMITED + NODE * (limit.nodes or 0)


class Guard:
    """The players of a job, with every call guarded; a context manager.

    An exception, an overrun or an illegal order of a player becomes a `Fault`, and the units concerned get no
    orders. A TimeoutError raised by a player counts as an overrun. A `Guest` that fails is fetched again, and
    asked again in the same phase. A player that cannot be created, a guest that does not come, and a player
    that stalls three times are out: they are not called again.

    In the main thread an alarm interrupts a player that exceeds its limit, except in compiled code; in other
    threads the overrun is noticed when the player returns. In both cases its answer is discarded. `lost` are
    the players that ended the process of this game in earlier attempts; each is out from the named phase on.
    """

    def __init__(
        self, job: Job, map: Map, create: Create, notice: Notice | None = None, lost: Iterable[Fault] = ()
    ) -> None:
        self.job = job
        self.map = map
        self.create = create
        self.notice = notice
        self._lost = list(lost)
        self._out: set[int] = set()
        count = len(job.seats)
        self.players: list[Player | None] = [None] * count
        self.seconds = [0.0] * count
        self.given = [0] * count
        self.faults: list[Fault] = []
        self.phase = ""
        self._patience = patience(job.limit)
        self._talked = [0.0] * count
        self._ends = 0.0
        self._inside = False
        self._alarm = ALARMS and threading.current_thread() is threading.main_thread()
        self._before: Any = None

    def __enter__(self) -> Guard:
        if self._alarm:
            self._before = signal.signal(signal.SIGALRM, self._ring)
        try:
            self.begin("")
            for number, (spec, power) in enumerate(zip(self.job.seats, self.map.powers, strict=True)):
                if number not in self._out:
                    self._wind(max(UNLIMITED, player_specs.startup(spec)))
                    seat = Seat(power, self.map, self.job.seed)
                    self.players[number] = self._call(number, self.create, spec, seat)
            # All have been started by now, so nobody waits for one after the other.
            for number in range(len(self.players)):
                self._fetch(number)
        except BaseException:
            self._quiet()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close every player and restore the alarm."""
        try:
            for seat in range(len(self.players)):
                self._dismiss(seat)
        finally:
            self._quiet()

    def rest(self) -> None:
        """Stop the alarm until the next call of a player."""
        if self._alarm:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if self.notice is not None:
            self.notice(-1, self.phase, 0.0)

    def begin(self, phase: str) -> None:
        """Begin a phase: later faults belong to it."""
        self.phase = phase
        self._talked = [0.0] * len(self.players)
        for fault in [fault for fault in self._lost if moment(fault.phase) <= moment(phase)]:
            self._lost.remove(fault)
            self._out.add(fault.seat)
            self.faults.append(fault)
            self._dismiss(fault.seat)

    def ask(self, seat: int, position: Position) -> Sent:
        """The orders of a seat for a position, read and checked; none if the player fails."""
        self._fetch(seat)
        given = self._ordered(seat, position)
        if given is None and self._fetch(seat):
            given = self._ordered(seat, position)
        if given is None:
            return Sent([], [], [], [])
        sent = read(position, seat, given)
        self.given[seat] += len(given)
        if sent.illegal:
            quoted = "; ".join(sent.illegal[:SHOWN])
            more = len(sent.illegal) - SHOWN
            self.blame(seat, ILLEGAL, quoted + (f"; and {more} more" if more > 0 else ""), len(sent.illegal))
        return sent

    def _ordered(self, seat: int, position: Position) -> tuple[object, ...] | None:
        """What a player gives for a position; None if it fails or is out."""
        player = self.players[seat]
        if player is None:
            return None
        self._wind(self._patience)
        return self._call(seat, orders_of, player, position, self.job.limit)

    def say(self, seat: int, answer: Callable[..., Iterable[object]], *args: object) -> list[object] | None:
        """The messages of a player from one of its methods as a `Talker`, at most `MOST_SAID`; None if it
        fails. The time of all its talks in a phase is added up, and limited by the patience of one call for
        orders."""
        before = self.seconds[seat]
        self._wind(max(LEAST, self._patience - self._talked[seat]))
        said = self._call(seat, lambda: list(islice(answer(*args), MOST_SAID)))
        self._talked[seat] += self.seconds[seat] - before
        return said

    def blame(self, seat: int, kind: str, text: str, count: int = 1) -> None:
        """Record a fault of a player in this phase."""
        line = " ".join(text.split())
        line = line if len(line) <= LONGEST else line[:LONGEST] + "..."
        self.faults.append(Fault(seat, kind, self.phase, line, count))

    def tell(self, turn: Turn) -> None:
        """Inform every player of a phase that has been played."""
        self._wind(self._patience)
        for seat, player in enumerate(self.players):
            if player is not None:
                self._call(seat, player.observe, turn)

    def _call(self, seat: int, method: Callable[..., Answer], *args: object) -> Answer | None:
        """Call a player; None if that fails."""
        if self.notice is not None:
            self.notice(seat, self.phase, self._ends)
        answer: Answer | None = None
        late: str | None = None
        begun = perf_counter()
        try:
            try:
                self._inside = True
                answer = method(*args)
            finally:
                self._inside = False
        except Overrun:
            late = ""
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if isinstance(error, TimeoutError):
                late = f": {error}"
            else:
                self.blame(seat, CRASH, in_words(error))
        seconds = perf_counter() - begun
        self.seconds[seat] += seconds
        if late is not None or monotonic() > self._ends:
            answer = None
            self._stalled(seat, f"took {seconds:.1f} s{late or ''}")
        return answer

    def _fetch(self, seat: int) -> bool:
        """Wait for a guest, which may be asked then; false for other players. A guest that does not come is
        out."""
        player = self.players[seat]
        if not isinstance(player, Guest):
            return False
        self._wind(max(UNLIMITED, player_specs.startup(self.job.seats[seat])))
        before = len(self.faults)
        self._call(seat, player.arrive)
        if len(self.faults) == before:
            return True
        self._dismiss(seat)
        return False

    def _stalled(self, seat: int, text: str) -> None:
        """Record a stall; after the third the player is out."""
        self.blame(seat, STALL, text)
        self._wind(self._patience)
        stalls = sum(1 for fault in self.faults if fault.seat == seat and fault.kind == STALL)
        if stalls == MOST_STALLS:
            self._dismiss(seat)

    def _dismiss(self, seat: int) -> None:
        """Close a player, if it exists, and do not call it again."""
        player, self.players[seat] = self.players[seat], None
        if player is not None:
            self._wind(self._patience)
            self._call(seat, player.close)

    def _wind(self, seconds: float) -> None:
        """Set the alarm for the next player."""
        self._ends = monotonic() + seconds
        if self._alarm:
            signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        if self._inside:
            raise Overrun

    def _quiet(self) -> None:
        self.rest()
        if self._alarm:
            signal.signal(signal.SIGALRM, self._before)


def orders_of(player: Player, position: Position, limit: Limit) -> tuple[object, ...]:
    """The entries of a player's answer, taken from its container while the player's time is counted."""
    given: object = player.orders(position, limit)
    return (given,) if isinstance(given, str) else tuple(islice(given, MOST_READ + 1))  # type: ignore[call-overload]


def moment(phase: str) -> tuple[int, int, int]:
    """A key that sorts phases by time; the time before the first phase has the name ""."""
    return order_of_play(Phase.parse(phase)) if phase else (0, 0, 0)
