"""A table of our players in a process of its own: their messages and their orders.

Every question contains all earlier phases and messages. So a new process, after a crash or a restart of the
server, creates the players again and passes all of it to them. A process that knows the game passes only the
new part.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import NamedTuple

from bordeaux.arena.guard import Guard
from bordeaux.arena.job import Fault, Job
from bordeaux.arena.talks import Talks
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.jobs import gentle
from bordeaux.jobs.process import note, tell
from bordeaux.players import registry
from bordeaux.players.base import Chair, Limit, Player, Seat, Turn
from bordeaux.press.language.letter import Letter

YOU = "you"
"""The name of the person among the players."""
TABLES = 4
"""Tables that are kept set up."""
NICENESS = 5
FOREVER = 9999


class Sitting(NamedTuple):
    """The players in the order of the powers, `YOU` for a person's. `game` identifies the table."""

    game: str
    map: Map
    seats: tuple[str, ...]
    seed: int
    limit: Limit
    level: int


class Past(NamedTuple):
    """A phase that has been played, and its messages."""

    turn: Turn
    letters: tuple[Letter, ...]


class Question(NamedTuple):
    """A question to the players in a phase: to open its talks, for answers to a new `letter` (if the talks
    are `opened` and these letters were `said`), or for their `orders`. `draw` are the persons' powers that
    accept a draw."""

    sitting: Sitting
    past: tuple[Past, ...]
    position: Position
    opened: bool = False
    said: tuple[Letter, ...] = ()
    letter: Letter | None = None
    orders: bool = False
    draw: tuple[str, ...] = ()


class Answer(NamedTuple):
    """The messages beyond the letters of the question, a new one first; the orders of players by power;
    whether all accept a draw; and the faults of players."""

    letters: tuple[Letter, ...]
    orders: dict[str, tuple[Order, ...]]
    draw: bool
    faults: tuple[Fault, ...]


class You(Chair):
    """The person's seat: it sends nothing by itself, and is not asked for orders."""

    agrees = False

    def open_talks(self, position: Position, level: int) -> Iterable[Letter]:
        """Nothing."""
        return ()

    def hear(self, letter: Letter) -> Iterable[Letter]:
        """Nothing."""
        return ()

    def quiet(self) -> Iterable[Letter]:
        """Nothing."""
        return ()

    def draw(self) -> tuple[str, ...] | None:
        """A draw of all, if the person has accepted one."""
        return () if self.agrees else None

    def orders(self, position: Position, limit: Limit) -> tuple[Order, ...]:
        """None."""
        return ()


def seated(spec: str, seat: Seat) -> Player:
    """The player of a spec, or the person's seat. Raises BordeauxError for what not all may ask for."""
    return You(seat) if spec == YOU else registry.create(registry.admitted(spec), seat)


class PlayTable:
    """The players of a game, and the part of the game that they know."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        _, map, seats, seed, limit, level = sitting
        job = Job(0, seats, seed, limit, FOREVER, map.name, level=level)
        self._guard = Guard(job, sitting.map, seated, self._notice)
        self._guard.__enter__()
        self._told = 0
        self._position: Position | None = None
        self._talks: Talks | None = None

    def _notice(self, seat: int, phase: str, ends: float) -> None:
        """Record who is called and until when: the process ends if the alarm does not stop a player."""
        note("" if seat < 0 else self.sitting.map.powers[seat], ends)

    def knows(self, question: Question) -> bool:
        """Whether the table can answer a question from its present state."""
        same = self.sitting == question.sitting and self._told <= len(question.past)
        if not same or self._position != question.position or self._talks is None:
            return same
        return question.opened and tuple(self._talks.letters) == question.said

    def answer(self, question: Question) -> Answer:
        """The players' messages and orders."""
        known = len(self._guard.faults)
        for past in question.past[self._told :]:
            # With orders given meanwhile, the talks of that phase have been held here.
            if self._position != past.turn.before:
                self._begin(past.turn.before, past.letters)
            self._guard.tell(past.turn)
            self._told += 1
        new = self._talk(question)
        orders: dict[str, tuple[Order, ...]] = {}
        agreed = False
        if question.orders:
            for player, power in zip(self._guard.players, self.sitting.map.powers, strict=True):
                if isinstance(player, You):
                    player.agrees = power in question.draw
            owing = question.position.orderable()
            asked = [
                (seat, power)
                for seat, power in enumerate(self.sitting.map.powers)
                if power in owing and not isinstance(self._guard.players[seat], You)
            ]
            for number, (seat, power) in enumerate(asked):
                # Report the progress to the page, which waits for the orders.
                tell((number, len(asked), power))
                orders[power] = tuple(self._guard.ask(seat, question.position).orders)
            agreed = bool(question.draw and self._talks is not None and self._talks.draw())
        self._guard.rest()
        return Answer(new, orders, agreed, tuple(self._guard.faults[known:]))

    def close(self) -> None:
        """Close the players."""
        self._guard.close()

    def _begin(self, position: Position, letters: tuple[Letter, ...] | None) -> None:
        """Begin a phase: hold its talks, or repeat those with the given letters."""
        self._guard.begin(str(position.phase))
        self._position = position
        if not self.sitting.level:
            return
        self._talks = Talks(self._guard, position, self.sitting.level)
        if letters is None:
            self._talks.hold()
        else:
            self._talks.hold_again(letters)

    def _talk(self, question: Question) -> tuple[Letter, ...]:
        """The messages of a phase beyond the letters of the question."""
        if self._position != question.position:
            self._begin(question.position, question.said if question.opened else None)
        if self._talks is None:
            return ()
        if question.letter is not None:
            self._guard.begin(str(question.position.phase))
            self._talks.go_on(question.letter)
        return tuple(self._talks.letters[len(question.said) :])


_tables: OrderedDict[str, PlayTable] = OrderedDict()


def answer(question: Question) -> Answer:
    """Answer a question in this process, with a table that is kept for the next one."""
    gentle(NICENESS)
    name = question.sitting.game
    table = _tables.pop(name, None)
    if table is not None and not table.knows(question):
        table.close()
        table = None
    _tables[name] = table = table or PlayTable(question.sitting)
    while len(_tables) > TABLES:
        _tables.popitem(last=False)[1].close()
    return table.answer(question)
