"""Weights from records of games and the engine's values.

The weight of a set is the exponential of a sum, normalised over all sets of its power. The sum has four
terms:

- the logarithm of its popularity;
- its results above the mean of its like;
- the share of the result that it lies behind the best;
- the logarithm of its share in the engine's answer.

Results are shrunk to the mean as if some more games had the mean result, so a few lucky games have little
effect.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bordeaux.board.position import Position
from bordeaux.openings.canonical import canonical
from bordeaux.openings.entry import NOTHING, SOURCES, Entry, Orders, Record, by_weight
from bordeaux.openings.making.rules import Rules

Candidate = tuple[Sequence[str], float, float]
"""What the engine says of a set: orders, expected share of the result, share in its answer."""
Searched = Mapping[str, Sequence[Candidate]]
"""What the engine says for every power, the best set first."""


class JudgedSet(NamedTuple):
    """The engine's judgement on a set: the expected share of the result, the set's share in its answer."""

    value: float
    probability: float


def judge(position: Position, searched: Searched) -> dict[str, dict[Orders, JudgedSet]]:
    """The engine's judgement by sets in canonical form: of those that are one, the higher value, and the sum
    of the shares."""
    verdicts: dict[str, dict[Orders, JudgedSet]] = {}
    for power, lines in searched.items():
        said = verdicts.setdefault(power, {})
        for given, value, share in lines:
            orders = canonical(position, power, given)
            known = said.get(orders, JudgedSet(value, 0.0))
            said[orders] = JudgedSet(max(known.value, value), known.probability + share)
    return verdicts


Records = Mapping[Orders, Mapping[str, Record]]


def entries_of(
    records: Records,
    judged: Mapping[Orders, JudgedSet],
    rules: Rules,
    *,
    min_games: int = 1,
    wider: Records | None = None,
    unlisted: int = 0,
    listed: int = 0,
) -> tuple[Entry, ...]:
    """The entries of a power at a position or in a view, with weights that sum to 1.

    `records` and `judged` give by orders the results of games and engine; a set played in fewer than
    `min_games` games is kept only if the engine plays it. With `wider`, popularity and results are taken from
    these records of the view instead, and its sets are candidates as well. Published counts list only the
    most frequent sets; their `unlisted` games are distributed over the other sets in the proportions of the
    recorded games.

    Sets below the minimum weight are dropped, except the most played ones, which are added with weight 0
    until there are `listed`. The book does not play them, but people do, and a reader can study them.
    """
    played = records if wider is None else wider
    counted = {
        orders: sum(record.games for record in by_source.values()) for orders, by_source in played.items()
    }
    candidates = {orders for orders, games in counted.items() if games >= min_games}
    candidates |= {orders for orders, verdict in judged.items() if verdict.probability > 0}
    if not candidates:
        return ()
    among = {orders: played.get(orders, {}) for orders in candidates}
    liking = _liking(among, judged, rules, _shared_out(played, unlisted))
    chosen = _shares(liking)
    kept = sorted(chosen, key=lambda orders: (-chosen[orders], orders))[: int(rules.sets)]
    kept = [orders for orders in kept if chosen[orders] >= rules.weight] or kept[:1]
    total = sum(chosen[orders] for orders in kept)
    weights = _to_one({orders: chosen[orders] / total for orders in kept})
    others = sorted(candidates - weights.keys(), key=lambda orders: (-counted.get(orders, 0), orders))
    weights |= dict.fromkeys(others[: max(listed - len(weights), 0)], 0.0)
    return by_weight(
        Entry(
            orders,
            weight,
            {source: records[orders][source] for source in SOURCES if source in records.get(orders, {})},
            judged[orders].value if orders in judged else None,
            judged[orders].probability if orders in judged else None,
        )
        for orders, weight in weights.items()
    )


def _shared_out(records: Records, unlisted: int) -> dict[Orders, float]:
    """The part of each set in games of published counts without a listed set."""
    others = {
        orders: by_source["human"].games
        for orders, by_source in records.items()
        if "human" in by_source and "statistics" not in by_source
    }
    total = sum(others.values())
    return {orders: unlisted * games / total for orders, games in others.items()}


def _liking(
    records: Records, judged: Mapping[Orders, JudgedSet], rules: Rules, shared_out: Mapping[Orders, float]
) -> dict[Orders, float]:
    """The sum whose exponential is a set's weight."""
    trusted = {
        orders: sum(rules.trust[source] * record.games for source, record in by_source.items())
        + rules.trust["statistics"] * shared_out.get(orders, 0.0)
        for orders, by_source in records.items()
    }
    total = sum(trusted.values()) + rules.unplayed * len(records)
    results = _results(records, rules)
    known = [judged[orders].value for orders in records if orders in judged]
    best, worst = (max(known), min(known)) if known else (0.0, 0.0)
    liking = {}
    for orders in records:
        share = (trusted[orders] + rules.unplayed) / total if total else 1.0
        sum_ = rules.popularity * math.log(max(share, 1e-9)) + rules.result * results[orders]
        if known:
            verdict = judged.get(orders, JudgedSet(worst, 0.0))
            sum_ += rules.value * (verdict.value - best)
            sum_ += rules.probability * math.log(max(verdict.probability, rules.least))
        liking[orders] = sum_
    return liking


def _results(records: Records, rules: Rules) -> dict[Orders, float]:
    """Each set's result above the mean of its like, shrunk towards 0 if games are few."""
    sums = dict.fromkeys(records, 0.0)
    games = dict.fromkeys(records, 0.0)
    for source in SOURCES:
        known = {}
        for orders, by_source in records.items():
            record = by_source.get(source, NOTHING)
            result = record.wins if source == "statistics" else record.score
            if record.games and result is not None:
                known[orders] = (record.games, result)
        total = sum(count for count, _ in known.values())
        if not total:
            continue
        mean = sum(count * result for count, result in known.values()) / total
        for orders, (count, result) in known.items():
            sums[orders] += rules.trust[source] * count * (result - mean)
            games[orders] += rules.trust[source] * count
    doubt = max(rules.doubt, 1e-9)
    return {orders: sums[orders] / (games[orders] + doubt) for orders in records}


def _shares(liking: Mapping[Orders, float]) -> dict[Orders, float]:
    top = max(liking.values())
    raw = {orders: math.exp(value - top) for orders, value in liking.items()}
    total = sum(raw.values())
    return {orders: value / total for orders, value in raw.items()}


def _to_one(weights: Mapping[Orders, float]) -> dict[Orders, float]:
    """Weights with the four decimals of a book whose sum is still exactly 1: the largest gets the rest."""
    units = {orders: round(weight * 10_000) for orders, weight in weights.items()}
    first = max(units, key=lambda orders: (units[orders], orders))
    units[first] += 10_000 - sum(units.values())
    return {orders: count / 10_000 for orders, count in units.items()}
