"""Rank correlations of the accuracy of reviews with the results of recorded games.

A sample is drawn from a file of recorded games. In these games all seven powers sent orders, and the game
lasted six years or more. A few movement phases of each, evenly spread, are judged as in a review. The
results are kept, one line a game, in a folder outside the repository, so an interrupted run continues::

    python tools/review_results.py games.jsonl.gz --folder ../accuracy --games 200 --phases 4

It prints Spearman's rank correlation of the accuracy with the final score: over all powers of all games, in
the mean game, and for every power by itself. The score is the share of the sum of squares, and all of it
for a solo. It also prints the correlation of the same phases without knowledge of peace.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import click

from bordeaux import Limit
from bordeaux.board.errors import FormatError
from bordeaux.cli.options import MOST_NODES, MOST_SEED, whole
from bordeaux.cli.program import Script
from bordeaux.formats.games import Game, read_games
from bordeaux.review.accuracy import accuracy
from bordeaux.review.judge import judge_phase
from bordeaux.review.opening import opening_of
from bordeaux.review.peace import Peaces, agreed_peace
from bordeaux.review.record import GameRecord, read_record
from bordeaux.review.result import Judged
from bordeaux.review.running import jobs_of
from bordeaux.review.words import listen

SHORTEST = 13
"""Movement phases that a game must have."""
SENT = 0.85
"""Part of its movement phases in which every power must have sent orders."""
FREE: Peaces = {}


def lively(record: GameRecord) -> bool:
    """Whether a game is long enough and all powers gave orders while they had units."""
    moves = record.movements()
    owed: dict[str, list[bool]] = defaultdict(list)
    for turn in moves:
        for power in turn.before.orderable():
            owed[power].append(bool(turn.orders.get(power)))
    played = all(fmean(sent) >= SENT for sent in owed.values())
    return len(moves) >= SHORTEST and len(owed) == len(record.map.powers) and played


def fits(game: Game) -> bool:
    """Whether a game can be reviewed and is lively."""
    try:
        return lively(read_record(game))
    except FormatError:
        return False


def spread(numbers: Sequence[int], count: int) -> set[int]:
    """A number of some numbers, evenly spread."""
    return {numbers[int((index + 0.5) * len(numbers) / count)] for index in range(count)}


def judged(record: GameRecord, game: Game, numbers: set[int], nodes: int) -> dict[str, Any]:
    """The review of some phases of a game, with and without knowledge of peace."""
    said = listen(game, record)
    results: dict[str, Any] = {"id": game.id, "scores": scores(record)}
    for name, bound in (("peace", agreed_peace(record, said)), ("free", FREE)):
        jobs = jobs_of(record, opening_of(record), bound, record.map.powers, Limit(nodes=nodes), 0)
        rows = [pair for job in jobs if job.number in numbers for pair in judge_phase(job)]
        results[name] = [[power, row._asdict()] for power, row in rows]
    return results


def scores(record: GameRecord) -> dict[str, float]:
    """The final score of every power."""
    counts = {power: record.last.owners.count(power) for power in record.map.powers}
    victor, squares = record.last.victor, sum(count**2 for count in counts.values())
    if victor is not None:
        return {power: float(power == victor) for power in counts}
    return {power: count**2 / squares for power, count in counts.items()}


def ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 0; equal values share their mean."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks_by_place = [0.0] * len(values)
    begin = 0
    while begin < len(order):
        end = begin
        while end < len(order) and values[order[end]] == values[order[begin]]:
            end += 1
        for place in order[begin:end]:
            ranks_by_place[place] = (begin + end - 1) / 2
        begin = end
    return ranks_by_place


def spearman(one: Sequence[float], other: Sequence[float]) -> float | None:
    """The rank correlation; None if all values on one side are equal."""
    first, second = ranks(one), ranks(other)
    mean = (len(first) - 1) / 2
    spans = [sum((place - mean) ** 2 for place in rank) for rank in (first, second)]
    if not len(first) or not all(spans):
        return None
    together = sum((a - mean) * (b - mean) for a, b in zip(first, second, strict=True))
    return float(together / (spans[0] * spans[1]) ** 0.5)


def report(kept: Sequence[dict[str, Any]], name: str, measure: Callable[[list[Judged]], float | None]) -> str:
    """A line on the correlation of a measure with the scores of the stored games."""
    pairs: list[tuple[str, float, float]] = []
    within = []
    for game in kept:
        by_power: dict[str, list[Judged]] = defaultdict(list)
        for power, fields in game[name]:
            by_power[power].append(Judged(**fields))
        own = [
            (power, value, game["scores"][power])
            for power, phases in by_power.items()
            if (value := measure(phases)) is not None
        ]
        pairs += own
        within.append(spearman([row[1] for row in own], [row[2] for row in own]))
    powers = sorted({power for power, *_ in pairs})
    parts = [f"{name}: all {_of(pairs)}", f"in a game {_mean(within)}"]
    parts += [f"{power} {_of([pair for pair in pairs if pair[0] == power])}" for power in powers]
    return ", ".join(parts)


def _of(pairs: Sequence[tuple[str, float, float]]) -> str:
    value = spearman([pair[1] for pair in pairs], [pair[2] for pair in pairs])
    return "-" if value is None else f"{value:+.2f}"


def _mean(values: Sequence[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{fmean(known):+.2f}" if known else "-"


def chosen(path: str, count: int, seed: int) -> Iterator[tuple[Game, GameRecord]]:
    """A reproducible sample of the games of a file, in the order of the file."""
    fitting = [game.id for game in read_games(path) if fits(game)]
    random.Random(seed).shuffle(fitting)
    wanted = set(fitting[:count])
    return ((game, read_record(game)) for game in read_games(path) if game.id in wanted)


@click.command(cls=Script)
@click.argument("file")
@click.option("--folder", type=Path, required=True, metavar="FOLDER", help="Where what is judged is kept.")
@click.option("--games", type=whole(1, 10**9), default=200, metavar="N", help="Games of the sample.")
@click.option("--phases", type=whole(1, 1000), default=4, metavar="N", help="Movement phases of a game.")
@click.option(
    "--nodes", type=whole(1, MOST_NODES), default=1500, metavar="N", help="Of a power's search in a phase."
)
@click.option("--seed", type=whole(0, MOST_SEED), default=27, metavar="N", help="Draws another sample.")
def main(file: str, folder: Path, games: int, phases: int, nodes: int, seed: int) -> None:
    """Judge what is not judged yet of a file of games, and print the correlations."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / f"judged-{phases}-{nodes}.jsonl"
    kept = [json.loads(line) for line in log.open()] if log.exists() else []
    done = {kept_game["id"] for kept_game in kept}
    for game, record in chosen(file, games, seed):
        if game.id in done:
            continue
        moves = [turn.number for turn in record.movements()]
        kept.append(judged(record, game, spread(moves, phases), nodes))
        with log.open("a") as kept_in:
            kept_in.write(json.dumps(kept[-1]) + "\n")
        print(f"{len(kept)} of {games}: {game.id}", flush=True)
    for name in ("free", "peace"):
        print(report(kept, name, accuracy))


if __name__ == "__main__":
    main()
