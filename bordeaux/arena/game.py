"""Plays one game from its first position to its end, and its saved form phase by phase. Uses only players
and rules."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from time import perf_counter
from types import MappingProxyType
from typing import Any

from bordeaux.arena import player_specs
from bordeaux.arena.guard import Create, Guard, Notice, Sent
from bordeaux.arena.job import CAP, DRAW, SOLO, STALE, Fault, Job, Result
from bordeaux.arena.talks import talk
from bordeaux.board.errors import BordeauxError, ReadingNote
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.players.base import Turn
from bordeaux.press.language.english.writer import sentence
from bordeaux.press.language.json_form import to_json
from bordeaux.press.language.letter import Letter
from bordeaux.rules import adjudicate
from bordeaux.rules.outcome import survivors

Watch = Callable[[dict[str, Any]], None]
"""Called after every phase, with it in the form of a saved game."""

RULES = ["NO_PRESS"]


class Recorder:
    """Records a game while it is played; `watch` is called for every phase.

    Invalid orders are recorded after the valid ones, and are ``void``; unreadable ones are omitted. At a
    level above 0 every phase also has ``messages``, one for each letter and recipient. ``time_sent`` numbers
    them through the game. ``letter`` holds the message as a value (`bordeaux.press.language.json_form`), with
    all its recipients.
    """

    def __init__(self, job: Job, map: Map, watch: Watch | None = None) -> None:
        self._job = job
        self._map = map
        self._watch = watch
        self._phases: list[dict[str, Any]] = []
        self._messages = 0

    def add(self, position: Position, sent: Mapping[str, Sent], letters: Sequence[Letter] = ()) -> None:
        """Record a phase that has been played."""
        orders = {power: (*submission.orders, *submission.void) for power, submission in sent.items()}
        phase = {
            "name": str(position.phase),
            "state": position.to_json(),
            "orders": {power: [str(order) for order in given] for power, given in orders.items()},
            "results": adjudicate(position, orders).results,
            **self._said(position, letters),
        }
        self._phases.append(phase)
        if self._watch is not None:
            self._watch(phase)

    def game(self, last: Position, end: str, letters: Sequence[Letter] = ()) -> dict[str, Any]:
        """The saved game with its last position, and the letters of an ending without orders. `players`,
        `seed` and `end` are our own fields; other programs ignore them."""
        final = {
            "name": str(last.phase),
            "state": last.to_json(),
            "orders": {},
            "results": {},
            **self._said(last, letters),
        }
        return {
            "id": f"{self._job.index}-{self._job.seed}",
            "map": self._map.name,
            "rules": [] if self._job.level else RULES,
            "phases": [*self._phases, final],
            "players": dict(zip(self._map.powers, self._job.seats, strict=True)),
            "seed": self._job.seed,
            "end": end,
        }

    def _said(self, position: Position, letters: Sequence[Letter]) -> dict[str, Any]:
        """The messages of a phase; the field is missing without talks."""
        if not self._job.level:
            return {}
        messages = messages_of(letters, position, self._messages)
        self._messages += len(messages)
        return {"messages": messages}


def messages_of(letters: Sequence[Letter], position: Position, sent: int = 0) -> list[dict[str, Any]]:
    """The letters of a phase in the form of a saved game; `sent` messages were sent before."""
    messages: list[dict[str, Any]] = []
    for letter in letters:
        text = sentence(letter, position.map)
        value = {"to": list(letter.to), "message": to_json(letter.message)}
        for power in letter.to:
            messages.append(
                {
                    "sender": letter.sender,
                    "recipient": power,
                    "phase": str(position.phase),
                    "message": text,
                    "time_sent": sent + len(messages) + 1,
                    "letter": value,
                }
            )
    return messages


def play(
    job: Job,
    create: Create = player_specs.create,
    *,
    watch: Watch | None = None,
    notice: Notice | None = None,
    lost: Iterable[Fault] = (),
) -> Result:
    """Play a game from the first position of the map, or from ``job.start``.

    In a job with a level, players talk before every phase; see `talk`. The game ends with a solo, with a draw
    that all survivors accept, or after Winter of the year ``job.until``. It also ends after
    ``job.stale_years`` without a change of owner or a first capture (Håård 2004, section 3.3). Faults of
    players are contained; see `Guard`. `create` makes the players. `watch` is called for every phase if the
    game is kept, `notice` before every call of a player. `lost` names players that ended the process of this
    game in earlier attempts.

    Raises BordeauxError for a job that cannot be played, whatever the players do.
    """
    begun = perf_counter()
    with warnings.catch_warnings():
        # What is to be noted of the map, whoever made the job has been told.
        warnings.simplefilter("ignore", ReadingNote)
        map = Map.load(job.map)
    position = Position.start(map) if job.start is None else Position.from_json(job.start, map)
    if len(job.seats) != len(map.powers):
        raise BordeauxError(f"map {map.name} seats {len(map.powers)} players, not {len(job.seats)}")
    if job.until < position.phase.year:
        raise BordeauxError(f"a game on map {map.name} begins in {position.phase.year}, after {job.until}")
    if position.phase.kind == "-":
        raise BordeauxError("the start of a game is the end of another; give an earlier position")
    recorder = Recorder(job, map, watch) if job.keep else None
    years = Years(position)
    letters = Counter[str]()
    end = ""
    with Guard(job, map, create, notice, lost) as guard:
        while not end:
            before = position
            guard.begin(str(before.phase))
            said = talk(guard, before, job.level)
            letters.update(letter.sender for letter in said.letters)
            if said.draw:
                years.close(before.phase.year, before)
                end = DRAW
                break
            sent = {map.powers[seat]: guard.ask(seat, before) for seat in owing(before)}
            position = following(before, sent)
            if recorder is not None:
                recorder.add(before, sent, said.letters)
            guard.tell(Turn(before, as_ordered(sent), position))
            if position.phase.year != before.phase.year:
                years.close(before.phase.year, position)
                end = years.end(job, before.phase.year, position)
    victor = position.victor if end == SOLO else None
    game = None
    if recorder is not None:
        game = recorder.game(position, end, said.letters if end == DRAW else ())
    return Result(
        index=job.index,
        seats=job.seats,
        seed=job.seed,
        end=end,
        phase=guard.phase,
        winner=None if victor is None else map.powers.index(victor),
        centres=tuple(years.centres),
        alive=tuple(power in years.alive for power in map.powers),
        eliminated=tuple(years.eliminated.get(power) for power in map.powers),
        faults=tuple(guard.faults),
        seconds=tuple(guard.seconds),
        orders=tuple(guard.given),
        total=perf_counter() - begun,
        pair=job.pair,
        game=game,
        level=job.level,
        letters=tuple(letters[power] for power in map.powers) if job.level else None,
    )


def owing(position: Position) -> list[int]:
    """The numbers of the powers that must give orders."""
    powers = position.map.powers
    if position.phase.kind == "A":
        return [number for number, power in enumerate(powers) if position.adjustments(power)]
    if position.phase.kind == "R":
        present = {dislodged.unit.power for dislodged in position.dislodged}
    else:
        present = {unit.power for unit in position.units}
    return [number for number, power in enumerate(powers) if power in present]


def following(position: Position, sent: Mapping[str, Sent]) -> Position:
    """The position after the valid orders."""
    number = position.map.powers.index
    codes = [(number(power), code) for power, submission in sent.items() for code in submission.codes]
    return Position.from_packed(position.map, position.packed.adjudicate(codes)[0])


def as_ordered(sent: Mapping[str, Sent]) -> Mapping[str, tuple[Order, ...]]:
    """The valid orders, as all players are told them. Invalid input of one player must not break another."""
    return MappingProxyType({power: tuple(submission.orders) for power, submission in sent.items()})


class Years:
    """Centres and survivors, year by year, from the first position of the game."""

    def __init__(self, start: Position) -> None:
        self._powers = start.map.powers
        self._owners = start.owners
        self._unchanged = 0
        self.centres = [self._count(start)]
        self.alive = set(survivors(start))
        self.eliminated: dict[str, int] = {}

    def close(self, year: int, after: Position) -> None:
        """Close a year; `after` is the first position that no longer belongs to it."""
        self._unchanged = self._unchanged + 1 if after.owners == self._owners else 0
        self._owners = after.owners
        self.centres.append(self._count(after))
        left = set(survivors(after))
        for power in self.alive - left:
            self.eliminated[power] = year
        self.alive = left

    def end(self, job: Job, year: int, after: Position) -> str:
        """The kind of end that the year brings, or "" if the game continues."""
        if after.phase.kind == "-":
            return SOLO
        if job.stale_years is not None and self._unchanged >= job.stale_years:
            return STALE
        return CAP if year >= job.until else ""

    def _count(self, position: Position) -> tuple[int, ...]:
        return tuple(position.owners.count(power) for power in self._powers)
