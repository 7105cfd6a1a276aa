"""The engine as a player."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bordeaux.board.code import codes_in
from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.engine import Engine
from bordeaux.openings.book import Book
from bordeaux.players.base import Chair, Limit, Seat, Turn, decoded
from bordeaux.players.limits import FULL, tightest
from bordeaux.players.limits import level as level_of
from bordeaux.players.people import person_of
from bordeaux.press.diplomat.cabinet.headquarters import Briefing
from bordeaux.press.diplomat.diplomat import Diplomat
from bordeaux.press.diplomat.payoffs import character as character_of
from bordeaux.press.language.letter import Letter
from bordeaux.press.language.levels import LEVELS
from bordeaux.search.agreements import Bonds, agreed
from bordeaux.search.analysis import Found
from bordeaux.search.config import PAPER, SearchConfig
from bordeaux.search.sets import from_orders

#: Nodes for a phase without a limit.
NODES = 20_000
MOST_SEED = 2**63 - 1
NO_BOOK = "none"
#: Ideas that are not in sections 3 to 4.2 of the paper, or go beyond it.
BEYOND = "beliefs+equilibrium+policy+people+league+metamap+fronts"


class Bordeaux(Chair):
    """The engine, with the orders of the last movement phase as seeds (Hall and Loeb 1995, section 3.4).

    Every setting of the search is an option (`bordeaux.search.config.SearchConfig`), such as `evaluation`,
    `without` or `search`. `book` is ``standard`` for the bundled book, a file, or ``none``, and
    `book_phases` the number of phases for which it is used. With `draw` it is harder to foresee: it draws
    among orders that are as good. `level` is the level of strength, from 1 to 8,
    the full engine (`bordeaux.players.limits`). Up to level 5 it draws its orders from the net of people,
    without a search, and changes those that break what its diplomat has agreed to. `press` is the highest
    level of press that it uses (0: none), and `character` the character of the diplomat
    (`bordeaux.press.diplomat.payoffs`). `threads` and `processes` are those of the engine. `seed`
    determines the random numbers of `draw`, of a book and of the paper's search; by default it comes from
    the seat's seed and power. If the table has a limit of the same kind, the
    lower one applies; without any limit it is `NODES` nodes. With a limit in nodes only, the same seat and
    turns give the same orders. Raises BordeauxError for invalid values.

    `engine` is the engine, `answer` its last answer (None before the first), `previous` the orders of all
    powers in the last movement phase seen.
    """

    settings: Mapping[str, object] = SearchConfig.types()
    """The settings that are options too, with their types."""

    def __init__(
        self,
        seat: Seat,
        *,
        threads: int = 1,
        processes: int = 1,
        book: str = NO_BOOK,
        book_phases: int | None = None,
        draw: bool = False,
        press: int = 0,
        character: str = "honest",
        level: int = FULL,
        seed: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
        **settings: object,
    ) -> None:
        super().__init__(seat)
        nature = character_of(character)
        if press not in LEVELS:
            raise BordeauxError(f"press must be one of {', '.join(map(str, LEVELS))}, not {press}")
        if seed is not None and not 0 <= seed <= MOST_SEED:
            raise BordeauxError(f"seed must be from 0 to {MOST_SEED}, not {seed}")
        strength = level_of(level)
        self._own = Limit(time, strength.capped(nodes)).checked()
        self._person = person_of(strength, seat)
        self.previous: Mapping[str, Sequence[Order]] = {}
        self.answer: Found | None = None
        self.engine = Engine(
            seed=self.chance.getrandbits(32) if seed is None else seed,
            threads=threads,
            processes=processes,
            config=SearchConfig().changed(settings),
            map=seat.map,
            book=_book(book, seat.map),
            book_phases=book_phases,
            draw=draw,
        )
        self.diplomat: Diplomat | None = None
        if press:
            self.diplomat = Diplomat(seat.map, self.seat.power, self.engine, level=press, nature=nature)

    def open_talks(self, position: Position, level: int) -> Iterable[Letter]:
        """The first messages of its diplomat; none without one."""
        return () if self.diplomat is None else self.diplomat.open_talks(position, level)

    def hear(self, letter: Letter) -> Iterable[Letter]:
        """The answers of its diplomat."""
        return () if self.diplomat is None else self.diplomat.hear(letter)

    def quiet(self) -> Iterable[Letter]:
        """The messages of its diplomat when no letter is waiting."""
        return () if self.diplomat is None else self.diplomat.quiet()

    def draw(self) -> tuple[str, ...] | None:
        """The draw that its diplomat wants, if any."""
        return None if self.diplomat is None else self.diplomat.draw()

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """The best orders that the engine finds within the limit."""
        briefing = Briefing(()) if self.diplomat is None else self.diplomat.briefing(position)
        if self._person is not None:
            drawn = self._person.orders(position, limit)
            return self._kept(position, drawn, briefing) if briefing.agreements else drawn
        time, nodes = self.limit(limit)
        self.answer = self.engine.search(
            position,
            self.seat.power,
            time=time,
            nodes=nodes,
            previous=self.previous,
            agreements=briefing.agreements,
            seeds=briefing.seeds,
        )
        return self.answer.orders

    def _kept(self, position: Position, drawn: Sequence[Order], briefing: Briefing) -> Sequence[Order]:
        """Orders changed so that they keep our agreements."""
        power = self.seat.power
        bonds = Bonds(position, agreed(position, briefing.agreements))
        kept = bonds.kept(from_orders(position, power, drawn), bonds.own(power))
        return decoded(position.map, codes_in(kept))

    def limit(self, given: Limit) -> Limit:
        """The limit for a phase, from those of the table and the player."""
        lower = tightest(given, self._own)
        return lower if any(lower) else Limit(None, NODES)

    def observe(self, turn: Turn) -> None:
        """Store the orders of a movement phase: units that did not move may repeat theirs, and the orders of
        others update the beliefs. The diplomat compares them with the messages."""
        if self._person is not None:
            self._person.observe(turn)
        orders = turn.read()
        if self.diplomat is not None:
            self.diplomat.observe(turn.before, orders, turn.after)
        if self._person is None and turn.before.phase.kind == "M":
            self.previous = orders
            self.engine.observe(turn.before, self.previous)

    def close(self) -> None:
        """Close the engine."""
        self.engine.close()


class BordeauxPaper(Bordeaux):
    """The engine of Hall and Loeb (1995) only: its search with all its maxims, and the evaluation of its
    section 4.1, without regional goals. Options as for `Bordeaux`, except the evaluation, the maxims and the
    ideas left out."""

    settings: Mapping[str, object] = {}

    def __init__(
        self,
        seat: Seat,
        *,
        processes: int = 1,
        seed: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
    ) -> None:
        super().__init__(
            seat,
            search=PAPER,
            evaluation="paper",
            without=BEYOND,
            processes=processes,
            seed=seed,
            time=time,
            nodes=nodes,
        )


def _book(name: str, map: Map) -> Book | None:
    """The book of a name; None for a book of another map."""
    if name == NO_BOOK:
        return None
    book = Book.named(name)
    return book if book.map is map else None
