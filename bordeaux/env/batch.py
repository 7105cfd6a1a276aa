"""Many games at once: observations, legal orders and steps as arrays."""

from __future__ import annotations

import functools
import itertools
import os
import threading
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeAlias, TypeVar, cast
from weakref import WeakSet

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bordeaux._ext.rules.games import Games
from bordeaux.board.errors import BordeauxError, OrderError, flag, of_kind, quote, whole
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.board.submission import decode, submit
from bordeaux.env.opponents import Opponents
from bordeaux.env.order_table import OrderTable, order_table
from bordeaux.players.base import Limit
from bordeaux.rules.rulesets import DATC, RuleSet, rules_named

SCORINGS = ("squares", "draw", "solo")
"""How the end of a game is shared out: a solo is 1 for its winner in all of them. Else ``squares`` gives each
power the square of its centres in the squares of all, ``draw`` equal parts to the powers that are alive, and
``solo`` nothing."""

MOST_GAMES = 1 << 24
MOST_THREADS = 256
LAST_YEAR = 9999
FIRST, SPARE = 400, 4096
"""Room for legal orders: of a game at first, and beyond what was needed last."""

Texts: TypeAlias = Mapping[str, Iterable[str | Order]]
Given: TypeAlias = ArrayLike | Sequence[Texts]
Snapshot: TypeAlias = tuple[bytes, bytes, bytes, bytes, bytes, bytes]
ALL_THE_TIME = Limit()
UNCOPIED = ("_core", "_hands", "_legal", "_stale", "_room", "table")
T = TypeVar("T")
P = ParamSpec("P")


def _alone(method: Callable[Concatenate[Batch, P], T]) -> Callable[Concatenate[Batch, P], T]:
    """The method for one thread of Python at a time: the core moves its memory between steps."""

    @functools.wraps(method)
    def alone(self: Batch, /, *given: P.args, **named: P.kwargs) -> T:
        return self._hands.whole(functools.partial(method, self, *given, **named))

    return alone


class Hands:
    """The threads of a batch. Work is done to its end, whatever signal comes meanwhile: with several threads
    none of them may be left behind that still writes into the games. So one thread leads, and the caller
    waits for a bare lock: a signal in a `Condition` can leave the lock of that to nobody."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.renew()
        OPEN.add(self)

    def renew(self) -> None:
        """Begin without threads and locks, as in a child after a fork, which has none of its parent's."""
        self._lock = threading.RLock()
        self._jobs: SimpleQueue[Callable[[], None] | None] | None = None
        self._crew = ThreadPoolExecutor(self.threads, "bordeaux") if self.threads > 1 else None
        self._leads = threading.local()

    def whole(self, work: Callable[[], T]) -> T:
        """Do work alone."""
        if self._crew is None or getattr(self._leads, "now", False):
            with self._lock:
                return work()
        begun: list[bool] = []
        over: list[tuple[T | None, BaseException | None]] = []
        ended = threading.Lock()
        ended.acquire()

        def lead() -> None:
            if begun:
                return
            begun.append(True)
            self._leads.now = True
            try:
                over.append((work(), None))
            except BaseException as error:
                over.append((None, error))
            ended.release()

        caught: BaseException | None = None
        while not over:
            try:
                # Given again after a signal, which may have come before or behind the first time.
                self._led().put(lead)
                ended.acquire()
            except BaseException as error:
                caught = error
        answer, fault = over[0]
        if (raised := caught or fault) is not None:
            raise raised
        return answer  # type: ignore[return-value]  # None only where that is the answer

    def _led(self) -> SimpleQueue[Callable[[], None] | None]:
        """The jobs of the leading thread, which ends with this object."""
        with self._lock:
            if self._jobs is None:
                jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
                threading.Thread(target=_leading, args=(jobs,), name="bordeaux", daemon=True).start()
                weakref.finalize(self, jobs.put, None)
                self._jobs = jobs
            return self._jobs

    def each(self, work: Callable[[int, int], T], ranges: list[tuple[int, int]]) -> list[T]:
        """Do a part of the work for each range of games."""
        if self._crew is None:
            return [work(*bounds) for bounds in ranges]
        return list(self._crew.map(lambda bounds: work(*bounds), ranges))


def _leading(jobs: SimpleQueue[Callable[[], None] | None]) -> None:
    while (job := jobs.get()) is not None:
        job()
        del job


OPEN: WeakSet[Hands] = WeakSet()


def _renew_all() -> None:
    for hands in OPEN:
        hands.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_all)


class Observation(NamedTuple):
    """What stands on the boards of N games with P provinces, numbered as in `Batch.provinces` and
    `Batch.powers`; -1 is nobody, or no order (`docs/environment.md`). New games have no last orders."""

    units: NDArray[np.int8]  # [N, P, 3]: kind (0 none, 1 army, 2 fleet), power, coast (0, or from 1 on)
    dislodged: NDArray[np.int8]  # [N, P, 3]: the same of dislodged units, in retreats
    owners: NDArray[np.int8]  # [N, P]: the power that owns the centre
    years: NDArray[np.int16]  # [N]
    phases: NDArray[np.int8]  # [N, 2]: Spring, Fall, Winter; movement, retreats, adjustments, over
    due: NDArray[np.int8]  # [N, powers]: in Winter builds, at most the open homes, or removals (negative)
    centres: NDArray[np.int8]  # [N, powers]: how many centres each power owns
    last_orders: NDArray[np.int32]  # [N, P]: in the table, by the province of the ordered unit or the build
    last_powers: NDArray[np.int8]  # [N, P]: whose unit stood there (dislodged, in retreats) or was built
    last_results: NDArray[np.uint8]  # [N, P], bits: `rules.adjudication.OUTCOMES`, 0 for success


class Legal(NamedTuple):
    """The legal orders of N games in compressed rows. A row is what is ordered by one order: a unit, a
    dislodged unit, or one of the builds or removals that are due. Games that are over have none.

    All rows of a power's builds list all that it may build, and ``WAIVE``; those of removals all its units.
    If two rows choose the same, the first counts: the other build is waived, and civil disorder chooses the
    other removal. The arrays are read-only.
    """

    rows: NDArray[np.int64]  # [N * powers + 1]: of power p in game g from [g * powers + p] up to the next
    provinces: NDArray[np.uint8]  # [R]: where the unit stands, or stood; 255 for builds and removals
    starts: NDArray[np.int64]  # [R + 1]: the orders of row r are orders[starts[r]:starts[r + 1]]
    orders: NDArray[np.int32]  # [K]: numbers in the table of orders


class Step(NamedTuple):
    """What a step has ended: `scores` float32[N, powers] of the games that are over since this step, 0 for
    all others, and `ended` bool[N], which games these are."""

    scores: NDArray[np.float32]
    ended: NDArray[np.bool_]


class Batch:
    """N games at once, by the rules of `bordeaux.rules`: units without an order hold, disband, or fall under
    civil disorder; builds without one are waived.

    `map` is a map or its name, `rules` a rule set or its name; only its option `land_first` can be had here.
    Games begin at `start`, a position on the map (default: the first). They end with a solo, after the year
    `until` (None: never), or with a draw, and are shared out by `scoring` (`SCORINGS`). With `autoreset` a
    game that ends begins anew within the same step. `seed` determines `random`. `threads` share the games out
    by number, which changes no result. Threads of the caller take turns.

    `opponents` are the specs of players by power, or one for all powers that are not your `own`; `time`
    (seconds) and `nodes` limit them for a phase. Whatever `step` is given for their powers does not count.
    DumbBot and Hold order in the core, for all games at once; other players suit few games.

    Batches can be copied and pickled, with their last orders; of opponents only those in the core can.

    Raises BordeauxError for what does not fit.
    """

    def __init__(
        self,
        games: int,
        map: Map | str = "standard",
        rules: RuleSet | str = DATC,
        seed: int = 0,
        until: int | None = None,
        scoring: str = "squares",
        *,
        start: Position | None = None,
        autoreset: bool = False,
        threads: int = 1,
        opponents: str | Mapping[str, str] = {},
        own: Iterable[str] = (),
        time: float | None = None,
        nodes: int | None = None,
    ) -> None:
        games = whole("games", games, 1, MOST_GAMES)
        threads = whole("threads", threads, 1, MOST_THREADS)
        if of_kind("scoring", scoring, str, "a name") not in SCORINGS:
            raise BordeauxError(f"no scoring {quote(scoring)} ({', '.join(SCORINGS)})")
        if start is not None and map == "standard":
            map = of_kind("start", start, Position, "a Position").map
        self.map = Map.load(map)
        self.games = games
        self.scoring = scoring
        self.autoreset = flag("autoreset", autoreset)
        self.threads = min(threads, games)
        self.powers = self.map.powers
        self.provinces = tuple(province.name for province in self.map.provinces)
        self.table: OrderTable = order_table(self.map)
        self._start = Position.start(self.map) if start is None else self._on_map(start)
        year = self._start.phase.year
        self.until = LAST_YEAR if until is None else whole("until", until, year, LAST_YEAR)
        self._rules = rules
        self._begin()
        self._own: NDArray[np.bool_] = np.ones((games, len(self.powers)), bool)
        self._opponents: Opponents | None = None
        self.seed(seed)
        specs = opponents if isinstance(opponents, Mapping) else dict.fromkeys(self.powers, opponents)
        limit = Limit(time, nodes).checked()
        if specs:
            self.seat(specs, own=own, limit=limit, seed=seed)
        elif list(of_kind("own", own, Iterable, "a list of powers")):
            raise BordeauxError("own names your powers beside opponents: name those too")

    def seat(
        self,
        opponents: Mapping[str, str],
        *,
        own: Iterable[str] = (),
        limit: Limit = ALL_THE_TIME,
        seed: int = 0,
    ) -> None:
        """Let players order for powers in all games from now on. Powers in `own` are yours all the same; the
        array `own`, bool[N, powers], can be changed for each game. Raises BordeauxError."""
        self.close()
        self._opponents = Opponents(self.map, opponents, limit, whole("seed", seed, 0, 2**64 - 1))
        seated = [number for number, power in enumerate(self.powers) if number in self._opponents.specs]
        self.own[:] = True
        self.own[:, seated] = False
        mine = [own] if isinstance(own, str) else of_kind("own", own, Iterable, "a list of powers")
        for power in mine:
            self.own[:, self.powers.index(self.map.power(power))] = True

    @property
    def own(self) -> NDArray[np.bool_]:
        """Which powers are yours in each game, bool[N, powers]."""
        return self._own

    @own.setter
    def own(self, flags: ArrayLike) -> None:
        given = array_of("own powers", flags)
        self._own = self._flags("own powers", given, (self.games, len(self.powers)), True).view(bool).copy()

    def close(self) -> None:
        """Close the players of all games; others come with the next step."""
        if self._opponents is not None:
            self._opponents.leave()

    def _begin(self) -> None:
        """Make what is not copied with a batch."""
        self._hands = Hands(self.threads)
        self._core = Games(self.table.core, self._start.packed, self.games, _bits(self._rules))
        self._legal: Legal | None = None
        self._stale = False
        self._room = FIRST * -(-self.games // self.threads) + SPARE

    @_alone
    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in vars(self).items() if name not in UNCOPIED}
        return {**state, "core": self._core.save()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        core = state.pop("core")
        vars(self).update(state)
        self.table = order_table(self.map)
        self._begin()
        self.restore(core)

    @_alone
    def snapshot(self) -> Snapshot:
        """The state of all games, with their last orders and results and the chance of `random`."""
        return self._core.save()

    @_alone
    def restore(self, snapshot: Snapshot) -> None:
        """Put all games into the state of a snapshot of a batch of as many games on the same map."""
        self._legal = None
        try:
            self._core.load(*snapshot)
        except (TypeError, ValueError) as error:
            raise BordeauxError(
                f"this is no snapshot of {self.games} games on map {self.map.name}: {error}"
            ) from None

    @_alone
    def seed(self, seed: int) -> None:
        """Begin the random choices of `random` anew. Those of a game depend on the seed and its number."""
        self._core.seed(whole("seed", seed, 0, 2**64 - 1))

    @_alone
    def reset(self, indices: ArrayLike | None = None, position: Position | None = None) -> None:
        """Put the games of these numbers (all if None) back to the start, or to a position on the map of the
        batch. A position that is over makes a game that is over."""
        if indices is None:
            chosen = np.arange(self.games)
        else:
            chosen = array_of("games to reset", indices)
            if chosen.dtype == bool and chosen.shape == (self.games,):
                chosen = np.flatnonzero(chosen)
            chosen = whole_numbers("games to reset", chosen)
            if chosen.ndim > 1:
                raise BordeauxError(f"games to reset are whole numbers in one row, not {_shown(chosen)}")
        packed = None if position is None else self._on_map(position).packed
        try:
            self._core.reset(np.ascontiguousarray(chosen, np.int64).reshape(-1), packed)
        except ValueError as error:
            raise BordeauxError(str(error)) from None
        self._legal = None
        if self._opponents is not None:
            self._opponents.leave(chosen.reshape(-1).tolist())

    @_alone
    def position(self, game: int) -> Position:
        """The position of a game, as a value."""
        whole("game", game, 0, self.games - 1)
        return Position.from_packed(self.map, self._core.packed(game))

    @_alone
    def observe(self) -> Observation:
        """The boards of all games, in new arrays."""
        n, places, powers = self.games, len(self.provinces), len(self.powers)
        seen = Observation(
            np.empty((n, places, 3), np.int8),
            np.empty((n, places, 3), np.int8),
            np.empty((n, places), np.int8),
            np.empty(n, np.int16),
            np.empty((n, 2), np.int8),
            np.empty((n, powers), np.int8),
            np.empty((n, powers), np.int8),
            np.empty((n, places), np.int32),
            np.empty((n, places), np.int8),
            np.empty((n, places), np.uint8),
        )
        self._each(lambda low, high: self._core.observe(low, high, *seen))
        return seen

    @_alone
    def legal(self) -> Legal:
        """The legal orders of all games, until the next step or reset."""
        if self._legal is None:
            rows = self.rows()
            provinces = np.empty(rows[-1], np.uint8)
            starts = np.zeros(rows[-1] + 1, np.int64)
            parts = self._each(lambda low, high: self._list(low, high, provinces, starts[1:]))
            begun = 0
            for (low, high), part in zip(self._ranges(), parts, strict=True):
                if begun:
                    starts[rows[low * len(self.powers)] + 1 : rows[high * len(self.powers)] + 1] += begun
                begun += len(part)
            self._room = max(len(part) for part in parts) * 9 // 8 + SPARE
            orders = parts[0] if len(parts) == 1 else np.concatenate(parts)
            self._legal = Legal(rows, provinces, starts, orders)
            for array in self._legal:
                array.flags.writeable = False
        return self._legal

    @_alone
    def rows(self) -> NDArray[np.int64]:
        """`Legal.rows` without the orders, which takes a hundredth of the time: what every power owes."""
        if self._stale:
            self._core.renew()
            self._stale = False
        rows = np.empty(self.games * len(self.powers) + 1, np.int64)
        self._core.first_rows(rows)
        return rows

    def _list(
        self, low: int, high: int, provinces: NDArray[np.uint8], ends: NDArray[np.int64]
    ) -> NDArray[np.int32]:
        """The legal orders of some games."""
        orders = np.empty(self._room, np.int32)
        used = 0
        while True:
            low, used = self._core.legal(low, high, provinces, ends, orders, used)
            # What is not needed goes back to the system.
            orders.resize(used if low == high else 2 * len(orders), refcheck=False)
            if low == high:
                return orders

    @_alone
    def random(self) -> NDArray[np.int64]:
        """A legal order for every row, all with the same chance: an index into each row of `legal`, as `step`
        takes them."""
        legal = self.legal()
        choices = np.empty(len(legal.provinces), np.int64)
        self._each(lambda low, high: self._core.draw(low, high, legal.starts, choices))
        return choices

    @_alone
    def step(
        self, orders: Given | None = None, draws: ArrayLike | None = None, only: ArrayLike | None = None
    ) -> Step:
        """Adjudicate the phase of every game that is not over. `orders` are one of these:

        - indices, whole numbers [R]: for each row of `legal` which of its orders is given, -1 for none;
        - numbers in the table, whole numbers [N, powers, M]: in any sequence, -1 for none;
        - codes, uint64 [N, powers, M] (`bordeaux.board.code`): in any sequence, 0 for none;
        - texts, for each game a mapping of powers to their orders, as text or `Order`;
        - None: nobody orders anything.

        `draws` bool[N, powers] are votes for a draw: where all powers that are alive vote, the game ends as
        it stands, and the orders in it do not count. With `only`, bool[N], the other games stay as they are.
        Raises OrderError for an order that cannot be given and BordeauxError for a wrong shape; then no game
        has changed.
        """
        votes = self._flags("votes for a draw", draws, (self.games, len(self.powers)), False)
        waits = 1 - self._flags("games to step", only, (self.games,), True)
        self.rows()
        self._give(orders)
        scores = np.empty((self.games, len(self.powers)), np.float32)
        ended = np.empty(self.games, np.bool_)
        ends = ended.view(np.uint8)
        how = self.until, SCORINGS.index(self.scoring), self.autoreset, scores, ends
        going = waits == 0
        if self._opponents is not None:
            self._with_opponents(orders, going)
        self._legal, self._stale = None, True
        self._each(lambda low, high: self._core.step(low, high, votes, waits, *how))
        if self._opponents is not None:
            self._opponents.observe(ended, self.position)
        return Step(scores, ended)

    def _with_opponents(self, orders: Given | None, going: NDArray[np.bool_]) -> None:
        """Give the orders of the powers that are one's own, as `_give` took them, and those of the others."""
        assert self._opponents is not None
        rows = self.rows()
        counts = np.diff(rows)
        codes = np.zeros((self.games * len(self.powers), max(1, int(counts.max(initial=0)))), np.uint64)
        owner = np.repeat(np.arange(len(counts)), counts)
        given = np.empty(rows[-1], np.uint64)
        self._core.given_rows(given)
        codes[owner, np.arange(rows[-1]) - rows[owner]] = given
        out = codes.reshape(self.games, len(self.powers), -1)
        self._opponents.order(self._core, self.own, out, self.position, going)
        self._take(out)

    def _flags(
        self, what: str, given: ArrayLike | None, wanted: tuple[int, ...], default: bool
    ) -> NDArray[np.uint8]:
        flags = np.full(wanted, default) if given is None else array_of(what, given)
        if flags.shape != wanted or flags.dtype != bool:
            raise BordeauxError(f"{what} are bool{list(wanted)}, not {_shown(flags)}")
        return np.ascontiguousarray(flags).view(np.uint8)

    def _give(self, orders: Given | None) -> None:
        """Check the orders and hand them to the core."""
        if orders is None:
            self._take(np.zeros((self.games, len(self.powers), 1), np.uint64))
            return
        if isinstance(orders, Sequence) and any(isinstance(entry, Mapping) for entry in orders):
            self._take(self._codes(cast(Sequence[Texts], orders)))
            return
        if isinstance(orders, Mapping):
            raise OrderError("orders as text are a list with a mapping of powers to orders for each game")
        given = array_of("orders", orders)
        codes = given.dtype == np.uint64 and given.ndim == 3
        given = given if codes else whole_numbers("orders", given)
        if given.ndim == 1:
            self._choose(given)
        elif given.ndim == 3 and given.shape[:2] == (self.games, len(self.powers)):
            if not codes:
                if given.size and not (given.min() >= -1 and given.max() < len(self.table)):
                    at = tuple(int(i) for i in np.argwhere((given < -1) | (given >= len(self.table)))[0])
                    raise OrderError(
                        f"{self._who(*at[:2])}: no order {given[at]} in a table of {len(self.table)}"
                    )
                given = np.append(self.table.codes, np.uint64(0))[given]
            self._take(np.ascontiguousarray(given))
        else:
            wanted = f"one index a row, [{self.games}, {len(self.powers)}, M] numbers or codes, or texts"
            raise OrderError(f"orders are {wanted}, not {_shown(given)}")

    def _choose(self, given: NDArray[np.int64]) -> None:
        legal = self.legal()
        if len(given) != len(legal.provinces):
            raise OrderError(f"{len(given)} indices for {len(legal.provinces)} rows of legal orders")
        row = self._core.choose(legal.starts, legal.orders, np.ascontiguousarray(given))
        if row >= 0:
            game, power = divmod(int(np.searchsorted(legal.rows, row, "right")) - 1, len(self.powers))
            count = int(legal.starts[row + 1] - legal.starts[row])
            raise OrderError(
                f"{self._who(game, power)}: row {row} has no order {given[row]}; "
                f"it has 0 to {count - 1}, and -1 for none"
            )

    def _take(self, codes: NDArray[np.uint64]) -> None:
        fault = self._core.take(codes)
        if fault is not None:
            game, power, place, why = fault
            raise OrderError(
                f"{self._who(game, power)}: {self._text(int(codes[game, power, place]))} {REASONS[why]}"
            )

    def _codes(self, orders: Sequence[Texts]) -> NDArray[np.uint64]:
        """Orders as text in codes. Raises OrderError for one that is illegal."""
        if len(orders) != self.games:
            raise OrderError(f"orders of {len(orders)} games, and there are {self.games}")
        listed: dict[tuple[int, int], list[int]] = {}
        for game, given in enumerate(orders):
            if not given:
                continue
            try:
                submission = submit(self.position(game), given)
            except BordeauxError as error:
                raise OrderError(f"game {game}: {error}") from None
            for item in submission.orders:
                power = self.powers.index(item.power)
                if item.fault:
                    raise OrderError(f"{self._who(game, power)}: {item.order}: {item.fault}")
                listed.setdefault((game, power), []).append(item.code)
        codes = np.zeros((self.games, len(self.powers), max(map(len, listed.values()), default=1)), np.uint64)
        for (game, power), taken in listed.items():
            codes[game, power, : len(taken)] = taken
        return codes

    def _text(self, code: int) -> str:
        try:
            return str(decode(self.map, code))
        except (IndexError, ValueError):
            return f"order {code:#x}"

    def _who(self, game: int, power: int) -> str:
        return f"game {game}, {self.powers[power]}"

    def _on_map(self, position: Position) -> Position:
        if (
            of_kind("position", position, Position, "a Position").map is not self.map
            and position.map.name != self.map.name
        ):
            raise BordeauxError(
                f"a position on map {position.map.name}, and the games are on {self.map.name}"
            )
        if position.map is not self.map:
            return Position(self.map, position.phase, position.units, position.centres, position.dislodged)
        return position

    def _ranges(self) -> list[tuple[int, int]]:
        """The games of each thread."""
        bounds = [self.games * thread // self.threads for thread in range(self.threads + 1)]
        return list(itertools.pairwise(bounds))

    def _each(self, work: Callable[[int, int], T]) -> list[T]:
        """Do work on all ranges of games."""
        return self._hands.each(work, self._ranges())

    def __repr__(self) -> str:
        return f"<Batch of {self.games} games on map {self.map.name}>"


REASONS = {
    1: "names nothing that is on the map",
    2: "is for a game that is over",
    3: "is for no unit of the power that can be ordered in this phase",
    4: "is a second order for its unit",
    5: "is one more than the builds or removals that are due",
    6: "is not legal",
}


def _bits(rules: RuleSet | str) -> int:
    """The rules as the core has them. Raises BordeauxError for what goes beyond them."""
    chosen = rules_named(rules)
    if chosen.given_routes or chosen.land_route or chosen.keep_dislodged:
        raise BordeauxError(f"rules {chosen.name} cannot be had in a batch of games: take datc")
    return chosen.bits


def array_of(what: str, given: Any) -> NDArray[Any]:
    """What is given as an array. Raises OrderError for what is none."""
    try:
        return np.asarray(given)
    except ValueError:
        raise OrderError(f"{what} are no array: their lists are of uneven length") from None


def whole_numbers(what: str, given: ArrayLike) -> NDArray[np.int64]:
    """An array of whole numbers, in the type in which they are counted here. Raises OrderError for others."""
    array = array_of(what, given)
    if array.size and array.dtype.kind not in "iu":
        raise OrderError(f"{what} are whole numbers, not {_shown(array)}")
    if array.dtype == np.uint64:
        # What is too large must not become negative.
        array = np.minimum(array, np.uint64(2**63 - 1))
    return array.astype(np.int64)


def _shown(array: NDArray[np.generic]) -> str:
    return f"{array.dtype}{list(array.shape)}"
