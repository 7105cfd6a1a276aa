"""Runs a whole review: every phase is a job for the pool, and the results are combined."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from pathlib import Path
from typing import NamedTuple

from bordeaux.board.errors import whole
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.evaluation.prospect import expected_shares
from bordeaux.formats.games import Game
from bordeaux.jobs import available_cores
from bordeaux.jobs.pool import run
from bordeaux.openings.book import standard_book
from bordeaux.openings.canonical import canonical
from bordeaux.openings.names import alliances_of, name_of
from bordeaux.review.journal import Journal, game_hash
from bordeaux.review.judge import PhaseJob, judge_phase
from bordeaux.review.peace import Peaces, agreed_peace, listen
from bordeaux.review.record import GameRecord, RecordedPhase, read_record
from bordeaux.review.result import Judged, LeftBook, Moment, PowerReview, Review, accuracy
from bordeaux.review.turning import turning_points
from bordeaux.search.beliefs import Beliefs
from bordeaux.search.task import Limit

DEFAULT = Limit(nodes=15_000)
"""Nodes of the search of one power in one phase, so that a review does not depend on the machine."""

DIGITS = 4

Progress = Callable[[int, int], None]
"""Called with the numbers of finished phases and of all phases."""


def review_game(
    game: Game,
    *,
    limit: Limit,
    powers: Sequence[str] | None = None,
    processes: int | None = None,
    progress: Progress | None = None,
    seed: int = 0,
    map: Map | None = None,
    journal: str | Path | None = None,
) -> Review:
    """Review a saved game.

    `limit` is the limit of the search for one power in one phase; all work for it takes about twice as much.
    `powers` are those to be judged, by default all. `processes` work beside this one, by default one for each
    core. `progress` is called for every phase; an exception from it ends the review. A limit in nodes and the
    same `seed` give the same review. `map` is the board if the game does not name a bundled one. `journal` is
    a file that keeps finished phases, from which the same call goes on; the caller removes it.

    Raises FormatError for an unreadable game and for a file that is no journal, MapError for an unknown
    power, and BordeauxError for an invalid limit and for the journal of another review.
    """
    limit.check()
    record = read_record(game, map)
    wanted = [record.map.power(name) for name in powers or record.map.powers]
    asked = [power for power in record.map.powers if power in wanted]
    opening, said = opening_of(record), listen(game, record)
    jobs = list(_jobs_of(record, opening, agreed_peace(record, said), asked, limit, seed))
    if processes is not None:
        whole("processes", processes, 1)
    report = progress or (lambda done, all: None)
    setup = {
        "game": game_hash(game),
        "map": record.map.name,
        "time": limit.time,
        "nodes": limit.nodes,
        "seed": seed,
        "powers": asked,
    }
    with Journal(journal, setup) if journal is not None else nullcontext() as kept:
        done: dict[int, list[tuple[str, Judged]]] = dict(kept.done) if kept is not None else {}
        left = [job for job in jobs if job.number not in done]
        report(len(done), len(jobs))
        most = max(1, min(processes or available_cores(), len(left)))
        with closing(run(judge_phase, left, processes=most)) as outcomes:
            for outcome in outcomes:
                done[outcome.job.number] = judged_now = outcome.result()
                if kept is not None:
                    kept.add(outcome.job.number, judged_now)
                report(len(done), len(jobs))
    judged = [judgement for turn in record.turns for judgement in done.get(turn.number, ())]
    reviews = {}
    for power in asked:
        phases = tuple(judgement for name, judgement in judged if name == power)
        reviews[power] = PowerReview(accuracy(phases), phases, opening.left[power])
    moments = [_moment(turn.number, turn.before) for turn in record.turns]
    moments.append(_moment(len(game.phases), record.last))
    return Review(
        game,
        record.map,
        limit,
        seed,
        reviews,
        tuple(moments),
        tuple(turning_points(record, reviews, moments, said.broken)),
        opening.alliances,
        record.skipped,
        (said.heard, said.all),
    )


def _jobs_of(
    record: GameRecord, opening: GameOpening, bound: Peaces, asked: Sequence[str], limit: Limit, seed: int
) -> Iterator[PhaseJob]:
    """The phases to be judged, in order, each with what was known before it."""
    beliefs = Beliefs(record.map)
    for turn in record.turns:
        owing = tuple(power for power in asked if power in turn.orders)
        if owing:
            yield PhaseJob(
                turn.number,
                turn.before,
                turn.orders,
                _copied(beliefs),
                bound.get(turn.number, {}),
                owing,
                opening.booked.get(turn.number, frozenset()),
                _winner(record, turn),
                limit,
                seed,
            )
        beliefs.observe(turn.before, turn.orders)


def _copied(beliefs: Beliefs) -> Beliefs:
    """The present beliefs as a copy, while the original continues to change."""
    copy = Beliefs(beliefs.map, net=beliefs.net)
    copy.shares = {power: dict(shares) for power, shares in beliefs.shares.items()}
    copy.reason = dict(beliefs.reason)
    copy.seen = {power: dict(seen) for power, seen in beliefs.seen.items()}
    return copy


def _winner(record: GameRecord, turn: RecordedPhase) -> str:
    """The power that won the game with a Fall movement, or ""."""
    phase = turn.before.phase
    if (phase.season, phase.kind) != ("F", "M") or turn is not record.movements()[-1]:
        return ""
    return record.last.victor or ""


def _moment(index: int, position: Position) -> Moment:
    shares = {power: round(share, DIGITS) for power, share in expected_shares(position).items()}
    owned = {power: position.owners.count(power) for power in position.map.powers}
    return Moment(str(position.phase), index, shares, owned)


class GameOpening(NamedTuple):
    """The opening of a game: where each power `left` the book, and the powers whose units the book knows, by
    phase number: its range. Also the names of the first orders of several powers together."""

    left: Mapping[str, LeftBook]
    booked: Mapping[int, frozenset[str]]
    alliances: tuple[str, ...]


def opening_of(record: GameRecord) -> GameOpening:
    """Compare the turns of a game with the bundled book. Other maps have no openings."""
    powers = record.map.powers
    if record.map is not Map.standard():
        return GameOpening(dict.fromkeys(powers, LeftBook("", "", False)), {}, ())
    given = next((turn.orders for turn in record.turns if str(turn.before.phase) == "S1901M"), {})
    sent = {power: tuple(map(str, orders)) for power, orders in given.items() if orders}
    left, booked = {}, dict[int, frozenset[str]]()
    for power in powers:
        name = name_of(power, sent[power]) if power in sent else None
        known, phase, entered = _follow(record, power)
        left[power] = LeftBook(name or "", phase, entered)
        for index in known:
            booked[index] = booked.get(index, frozenset()) | {power}
    return GameOpening(left, booked, tuple(alliances_of(sent)))


def _follow(record: GameRecord, power: str) -> tuple[list[int], str, bool]:
    """The numbers of the phases in which the book has sets for a power, the first of them whose orders were
    not among these ("" if the book ended first), and whether any were."""
    known: list[int] = []
    left, entered = "", False
    for turn in record.turns:
        if power not in turn.orders:
            continue
        entries = standard_book().entries(turn.before, power)
        if not entries:
            break
        known.append(turn.number)
        played = canonical(turn.before, power, turn.orders[power])
        if not left and any(entry.orders == played and entry.weight > 0 for entry in entries):
            entered = True
        else:
            left = left or str(turn.before.phase)
    return known, left, entered
