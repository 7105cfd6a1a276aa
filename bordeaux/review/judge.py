"""Judges one phase of a game: the engine's orders for each power, and the loss of the played orders against
them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from bordeaux.board.code import as_bytes, codes_in, unit_of
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.board.submission import submit, texts
from bordeaux.engine import Engine, Limit, Request
from bordeaux.jobs.process import note
from bordeaux.review.peace import Pacts
from bordeaux.review.record import owned_after
from bordeaux.review.result import Judged
from bordeaux.search.agreements import Agreement
from bordeaux.search.analysis import Analysis, complete
from bordeaux.search.beliefs import Beliefs
from bordeaux.search.forcing import Planner
from bordeaux.search.proof import Goal
from bordeaux.search.sets import from_orders, in_full

ALLOWED = 60_000
"""Replies that are tried for one power in one phase: some hundredths of a second."""
PLANNED, COMPLETED = 0.5, 4
"""Part of that for plans, and the plans that are completed."""


def forced_captures(position: Position, power: str, played: bytes) -> tuple[int, tuple[str, ...]]:
    """The largest number of centres that a power can certainly own after a Fall movement, whatever all others
    order, if it exceeds the present number; and the orders that force it. 0 and no orders if none is found.
    Units that are not needed keep their orders of the `played` set, unless these reduce the result."""
    owned = position.owners.count(power)
    planner = Planner(position, power, Goal(power, True, owned + 1))
    planner.prover.allow(PLANNED * ALLOWED)
    plans = list(islice(planner.plans(), COMPLETED))
    province_of = planner.prover.field.province_of
    rest = {province_of[unit_of(code)]: code for code in codes_in(played)}
    most, by = owned, played
    for start in plans:
        planner.prover.allow((1 - PLANNED) * ALLOWED / len(plans))
        orders, _ = planner.complete(start)
        planner.prover.allow(ALLOWED / len(plans))
        orders = planner.filled(orders, start, rest)
        more = most
        while more < len(planner.prover.stakes(orders)) and planner.prover.judge(orders, more + 1).holds:
            more += 1
        if more > most:
            most, by = more, as_bytes(orders.values())
    if most == owned:
        return 0, ()
    return most, texts(position.map, as_bytes(in_full(position, power, by).values()))


def stops(
    position: Position,
    power: str,
    winner: str,
    orders: Mapping[str, Sequence[Order]],
    sets: Iterable[bytes],
) -> tuple[str, ...]:
    """Orders of a power that would have prevented another's victory, given the actual orders of all others,
    with as few changes as the search finds. It tries other orders of one unit, all defences of one centre,
    the orders of a proof, and the first of some other sets. None if nothing is found, or if what was played
    prevents it as well: then there is nothing to change."""
    map = position.map
    need = map.majority
    planner = Planner(position, power, Goal(winner, False, need - 1, against=winner))
    planner.prover.allow(ALLOWED)
    province_of = planner.prover.field.province_of
    given = in_full(position, power, from_orders(position, power, orders[power])).values()
    played = {province_of[unit_of(code)]: code for code in given}

    def stopped(tried: Mapping[int, int]) -> bool:
        after = position.next({**orders, power: texts(map, as_bytes(tried.values()))})
        return len(owned_after(after, winner)) < need

    if stopped(played):
        # By our rules nobody won: there was nothing to stop.
        return ()
    for changed in _defences(planner, winner, position.next(orders), sets):
        tried = played | changed
        if not stopped(tried):
            continue
        # Orders that need no change stay as they were.
        for place, code in played.items():
            spared = tried | {place: code}
            if stopped(spared):
                tried = spared
        return texts(map, as_bytes(tried.values()))
    return ()


def _defences(
    planner: Planner, winner: str, after: Position, sets: Iterable[bytes]
) -> Iterator[dict[int, int]]:
    """The possible defences of a planner's units against a victory, by province, the simplest first."""
    for place in planner.units:
        for _, code in planner.legal[place]:
            yield {place: code}
    map = planner.position.map
    for centre in sorted(map.province(tag).index for tag in owned_after(after, winner)):
        for part, code in planner.moves_to(centre):
            yield {part.unit: code, **planner.helps(part)}
    for plan in islice(planner.plans(), COMPLETED):
        yield planner.complete(plan)[0]
    province_of = planner.prover.field.province_of
    for defence in sets:
        yield {province_of[unit_of(code)]: code for code in codes_in(defence)}


HINDSIGHT, OTHERWISE, BRIEF = 0.5, 0.5, 0.25
"""Shares of the limit for a search with known orders of the others, for one with the opposite choice between
peace and a stab, and for one of retreats or adjustments."""
KEYED = 0.02
"""Losses from which on the key order is determined."""


class PhaseJob(NamedTuple):
    """A phase to be judged for some powers.

    `orders` are those of all powers that had to give some. `beliefs` are the beliefs about the powers from
    earlier phases. `agreements` bind each power, by words and by deeds. `booked` are powers with orders from
    an opening book. `winner` is the power that won with this phase, or "". `limit` is for each power, `seed`
    for all random choices.
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
    """The results for every power of a job that had to give orders."""
    note(str(job.position.phase))
    with Engine(seed=job.seed, beliefs=job.beliefs) as engine:
        return [(power, _judge(engine, job, power)) for power in job.powers]


def _judge(engine: Engine, job: PhaseJob, power: str) -> Judged:
    position, given = job.position, job.orders[power]
    judged = Judged(str(position.phase), job.number, tuple(map(str, given)), bool(given), power in job.booked)
    if not given:
        return judged
    # The legal orders, in a movement phase one for every unit.
    played = complete(position, power, codes_in(from_orders(position, power, given)))
    pacts = Pacts(position, power, job.agreements.get(power, ()), played)
    known = _Seen(engine, job, power, played, pacts, hindsight=False)
    key = known.key() if known.loss >= KEYED else None
    judged = judged._replace(
        played=texts(position.map, played),
        best=texts(position.map, known.best),
        expected=known.expected,
        loss=known.loss,
        doubt=known.doubt,
        key=key,
        foreseen=None if key is None else engine.foreseen(position, power, [key[0]])[key[0]],
        peace=pacts.partners(),
        broke=pacts.victims(played),
    )
    if position.phase.kind != "M":
        return judged
    judged = _otherwise(engine, job, judged, known, pacts)
    after = _Seen(engine, job, power, played, pacts, hindsight=True)
    judged = judged._replace(
        hindsight=texts(position.map, after.best),
        hindsight_expected=after.expected,
        hindsight_loss=after.loss,
        hindsight_doubt=after.doubt,
    )
    if position.phase.season == "F":
        forced, by = forced_captures(position, power, played)
        # A power that kept the peace missed nothing that only a breach would have gained, except a victory.
        breaks = set(pacts.victims(from_orders(position, power, by))) & set(pacts.partners())
        if forced >= position.map.majority or not breaks:
            judged = judged._replace(forced=forced, forced_by=by)
        if job.winner not in ("", power):
            sets = [*known.candidates, *after.candidates]
            judged = judged._replace(stop=stops(position, power, job.winner, job.orders, sets))
    return judged


def _otherwise(engine: Engine, job: PhaseJob, judged: Judged, known: _Seen, pacts: Pacts) -> Judged:
    """The value of the other choice between peace and a stab; without one the judgement is unchanged."""
    agreements = pacts.otherwise()
    if not agreements:
        return judged
    analysis = _examined(engine, job, known.power, agreements, OTHERWISE)
    found = (line.codes for line in analysis.answers[known.power].lines)
    others = [orders for orders in found if pacts.is_other(orders)]
    if not others:
        return judged
    other = known.measure.lines(others)[0].codes
    broke = bool(pacts.broke)
    # A stab is held against the best that keeps the peace, and what was let be against the best of peace.
    stab, peace = (known.played, other) if broke else (other, known.best)
    lines = {line.codes: line for line in known.measure.lines([stab, peace])}
    return judged._replace(
        otherwise=texts(job.position.map, other),
        victims=pacts.victims(known.played if broke else other),
        stab_worth=round(lines[stab].value - lines[peace].value, 4),
        stab_doubt=max(lines[stab].doubt, lines[peace].doubt),
    )


class _Seen:
    """The orders of a power in one search, with or without knowledge of the others' orders. The search keeps
    the peace that the given orders kept, and is not bound by what they broke."""

    def __init__(
        self, engine: Engine, job: PhaseJob, power: str, played: bytes, pacts: Pacts, *, hindsight: bool
    ) -> None:
        self.position, self.power, self.played = job.position, power, played
        moves = job.position.phase.kind == "M"
        others = {other: orders for other, orders in job.orders.items() if other != power}
        part = HINDSIGHT if hindsight else 1.0 if moves else BRIEF
        given = others if hindsight else None
        analysis = _examined(engine, job, power, pacts.chosen(), part, given)
        lines = [line.codes for line in analysis.answers[power].lines]
        self.candidates = [*(codes for codes in lines if codes != played), played]
        self.measure = analysis.measure(power)
        compared = self.measure.lines(self.candidates)
        own = next(line for line in compared if line.codes == played)
        best = compared[0] if own.behind else own
        self.best, self.expected = best.codes, best.value
        self.loss, self.doubt = own.behind, own.doubt

    def key(self) -> tuple[str, str] | None:
        """The order of the best set without which the loss is largest, and the order that was played in its
        place. None outside movement phases, where orders are not independent."""
        if self.position.phase.kind != "M":
            return None
        best, played = codes_in(self.best), codes_in(self.played)
        places = [place for place, code in enumerate(best) if code != played[place]]
        without = [as_bytes((*best[:k], played[k], *best[k + 1 :])) for k in places]
        values = {line.codes: line.value for line in self.measure.lines(without)}
        worst = min(range(len(without)), key=lambda index: (values[without[index]], index))
        place = places[worst]
        (new,), (old,) = (texts(self.position.map, as_bytes([codes[place]])) for codes in (best, played))
        return new, old


def _examined(
    engine: Engine,
    job: PhaseJob,
    power: str,
    agreements: Sequence[Agreement],
    part: float,
    given: Mapping[str, tuple[Order, ...]] | None = None,
) -> Analysis:
    """The analysis of a power for a part of the limit; of `given` orders void ones bind nobody."""
    time, nodes = job.limit
    limit = Limit(
        None if time is None else time * part, None if nodes is None else max(1, round(nodes * part))
    )
    seeds = [job.orders[power]] if job.position.phase.kind == "M" else ()
    known: dict[str, list[Order]] = {other: [] for other in given or {}}
    for submitted in submit(job.position, given or {}).orders:
        if not submitted.fault:
            known[submitted.power].append(submitted.order)
    request = Request(job.position, (power,), limit, seeds=seeds, given=known, agreements=agreements)
    return engine.examine(request)
