"""One phase of a game judged: what the engine would have played for each power, and what that was worth."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from bordeaux.board.code import as_bytes, codes_in
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.engine import Engine, Limit, Request
from bordeaux.jobs import note
from bordeaux.review.comparison import Comparison
from bordeaux.review.forced import forced_captures, stops
from bordeaux.review.result import Judged
from bordeaux.search.paper.adjustments import AdjustmentSearch
from bordeaux.search.agreements import Agreement
from bordeaux.search.answer import texts
from bordeaux.search.beliefs import Beliefs
from bordeaux.search.budget import Budget
from bordeaux.search.paper.movement import MovementSearch
from bordeaux.search.seeds import from_orders, in_full

__all__ = ["PhaseJob", "judge_phase"]

LINES = 3
"""Sets of a search that the orders given are compared with."""
HINDSIGHT, BRIEF = 0.5, 0.25
"""Parts of the limit that a search with all others known gets, and one of retreats or adjustments."""
SPRING, WINTER = 1, 2
"""Movement phases played on after movements and retreats, and after adjustments, whose worth shows late."""
KEYED = 0.02
"""Losses from which on the order that mattered most is looked for."""


class PhaseJob(NamedTuple):
    """A phase to be judged for some powers.

    `orders` are those of all that owed some, `beliefs` what its past told of the powers, `agreements` what
    each of them had agreed to. `booked` are powers whose orders are of an opening book. `winner` is the power
    whose victory the phase brought about, or empty. `limit` is for each power, `seed` for all chance.
    """

    number: int
    position: Position
    orders: Mapping[str, tuple[Order, ...]]
    beliefs: Beliefs
    agreements: Mapping[str, tuple[Agreement, ...]]
    powers: tuple[str, ...]
    booked: frozenset[str]
    winner: str
    limit: Limit
    seed: int


def judge_phase(job: PhaseJob) -> list[tuple[str, Judged]]:
    """What is found of every power of a job that owed orders."""
    note(str(job.position.phase))
    with Engine(seed=job.seed) as engine:
        return [(power, _judge(engine, job, power)) for power in job.powers]


def _judge(engine: Engine, job: PhaseJob, power: str) -> Judged:
    position, given = job.position, job.orders[power]
    judged = Judged(str(position.phase), job.number, tuple(map(str, given)), bool(given), power in job.booked)
    if not given:
        return judged
    played = _set(position, power, given)
    known = _Seen(engine, job, power, played, hindsight=False)
    found = known.compared
    judged = judged._replace(
        played=texts(position.map, played),
        best=texts(position.map, known.best),
        expected=found.expected,
        loss=found.loss,
        doubt=found.doubt,
        key=known.key() if found.loss >= KEYED else None,
    )
    if position.phase.kind == "M":
        after = _Seen(engine, job, power, played, hindsight=True)
        judged = judged._replace(
            hindsight=texts(position.map, after.best),
            hindsight_loss=after.compared.loss,
            hindsight_doubt=after.compared.doubt,
        )
        if position.phase.season == "F":
            forced, by = forced_captures(position, power, played)
            judged = judged._replace(forced=forced, forced_by=by)
            if job.winner not in ("", power):
                sets = [*known.candidates, *after.candidates]
                judged = judged._replace(stop=stops(position, power, job.winner, job.orders, sets))
    return judged


class _Seen:
    """The orders of a power as seen by one search, with or without knowledge of what the others did."""

    def __init__(self, engine: Engine, job: PhaseJob, power: str, played: bytes, *, hindsight: bool) -> None:
        self.position, self.power, self.played = job.position, power, played
        others = {other: orders for other, orders in job.orders.items() if other != power}
        moves = job.position.phase.kind == "M"
        request = Request(
            job.position,
            (power,),
            seeds=[job.orders[power]] if moves else (),
            given=others if hindsight else None,
            agreements=() if hindsight else job.agreements.get(power, ()),
        )
        part = HINDSIGHT if hindsight else 1.0 if moves else BRIEF
        search = engine.task(request)._replace(beliefs=job.beliefs).search()
        deque(search.run((power,), _budget(job.limit, part)), maxlen=0)
        self.candidates = self._candidates(search)
        seed = f"{job.seed} {job.number} {power} {hindsight}"
        self.comparison = Comparison(
            job.position, power, search.sampler, SPRING if job.position.phase.kind != "A" else WINTER, seed
        )
        self.compared = self.comparison.run(self.candidates)

    @property
    def best(self) -> bytes:
        """The best of the candidates."""
        return self.candidates[self.compared.best]

    def _candidates(self, search: MovementSearch | AdjustmentSearch) -> list[bytes]:
        """The best sets of a search, best first, and what was played."""
        lines = [orders for orders, _ in search.lines(self.power, LINES)]
        if self.position.phase.kind == "M":
            lines = [as_bytes(in_full(self.position, self.power, each).values()) for each in lines]
        return [each for each in dict.fromkeys(lines) if each != self.played] + [self.played]

    def key(self) -> tuple[str, str] | None:
        """The order of the best set without which most would be lost, and the one that was played in its
        place; None outside of movement phases, where orders do not stand side by side."""
        if self.position.phase.kind != "M":
            return None
        best, played = codes_in(self.best), codes_in(self.played)
        places = [place for place, code in enumerate(best) if code != played[place]]
        without = [as_bytes((*best[:k], played[k], *best[k + 1 :])) for k in places]
        rows = self.comparison.shares(without)
        worst = min(range(len(rows)), key=lambda each: (fmean(rows[each]), each))
        place = places[worst]
        (new,), (old,) = (texts(self.position.map, as_bytes([each[place]])) for each in (best, played))
        return new, old


def _set(position: Position, power: str, given: Sequence[Order]) -> bytes:
    """The legal ones of some orders as codes; in a movement phase one for every unit."""
    codes = from_orders(position, power, given)
    return as_bytes(in_full(position, power, codes).values()) if position.phase.kind == "M" else codes


def _budget(limit: Limit, part: float) -> Budget:
    time = None if limit.time is None else limit.time * part
    return Budget(time, None if limit.nodes is None else max(1, round(limit.nodes * part)))
