"""Random play in a batch beside `adjudicate`."""

from __future__ import annotations

import numpy as np

from bordeaux import Position, adjudicate
from bordeaux.env import Batch, Observation
from bordeaux.rules import Resolution, legal_orders
from bordeaux.rules.adjudication import OUTCOMES

__all__ = ["chosen", "differences"]


def chosen(batch: Batch, choices: np.ndarray, game: int) -> dict[str, list[str]]:
    """The orders of a game as text, by power."""
    legal = batch.legal()
    first = legal.rows[game * len(batch.powers) :]
    return {
        power: [
            batch.table.texts[legal.orders[legal.starts[row] + choices[row]]]
            for row in range(first[number], first[number + 1])
            if choices[row] >= 0
        ]
        for number, power in enumerate(batch.powers)
    }


def differences(batch: Batch, absent: int = 0) -> tuple[int, list[str]]:
    """Play a phase of every game by random orders, of which so many in a hundred are left out. Returns the
    number of phases, and where the batch and the package do not say the same."""
    before = [batch.position(game) for game in range(batch.games)]
    choices = batch.random()
    dropped = np.random.default_rng(len(choices) * 131 + int(choices.sum())).random(len(choices))
    choices[dropped * 100 < absent] = -1
    orders = [chosen(batch, choices, game) for game in range(batch.games)]
    found = [line for game in range(batch.games) for line in _legal(batch, game, before[game])]
    seen = batch.observe()
    for game, position in enumerate(before):
        found += [f"game {game}: {line}" for line in _observed(batch, seen, game, position)]
    step = batch.step(choices)
    after = batch.observe()
    for game, position in enumerate(before):
        resolution = adjudicate(position, orders[game])
        if step.ended[game]:
            continue
        if batch.position(game) != resolution.after:
            found.append(f"game {game}: {batch.position(game)} is not {resolution.after}, by {orders[game]}")
        found += [f"game {game}: {line}" for line in _results(batch, after, game, position, resolution)]
    return batch.games, found


def _legal(batch: Batch, game: int, position: Position) -> list[str]:
    """Where the legal orders differ."""
    legal, table = batch.legal(), batch.table
    first = legal.rows[game * len(batch.powers) :]
    found = []
    for number, power in enumerate(batch.powers):
        wanted = [sorted(texts) for texts in legal_orders(position, power).values()]
        rows = [
            sorted(table.texts[order] for order in legal.orders[legal.starts[row] : legal.starts[row + 1]])
            for row in range(first[number], first[number + 1])
        ]
        if position.phase.kind == "A":
            every = sorted({text for texts in wanted for text in texts})
            wanted = [every] * abs(position.adjustments(power))
        if sorted(rows) != sorted(wanted):
            found.append(f"game {game}, {power}: {rows} and not {wanted} are legal")
    return found


def _observed(batch: Batch, seen: Observation, game: int, position: Position) -> list[str]:
    """Where an observation differs from the position."""
    map, powers = batch.map, batch.powers
    found = []
    for array, standing in (
        (seen.units, position.units),
        (seen.dislodged, [unit for unit, _ in position.dislodged]),
    ):
        expected = np.tile(np.array([0, -1, 0], np.int8), (len(map.provinces), 1))
        for unit in standing:
            province = map.province(unit.province)
            coasts = [location.name for location in map.locations_in("F", province.name)]
            coast = coasts.index(unit.location) + 1 if unit.kind == "F" and len(coasts) > 1 else 0
            expected[province.index] = 1 + (unit.kind == "F"), powers.index(unit.power), coast
        if (array[game] != expected).any():
            found.append(f"units {array[game].tolist()}, not {expected.tolist()}")
    owners = [-1] * len(map.provinces)
    for power, centres in position.centres.items():
        for centre in centres:
            owners[map.province(centre).index] = powers.index(power)
    told = {
        "owners": (seen.owners[game].tolist(), owners),
        "phase": (
            ["SFW"[seen.phases[game, 0]], int(seen.years[game]), "MRA-"[seen.phases[game, 1]]],
            [position.phase.season, position.phase.year, position.phase.kind],
        ),
        "due": (seen.due[game].tolist(), [position.adjustments(power) for power in powers]),
        "centres": (seen.centres[game].tolist(), [len(position.centres.get(power, ())) for power in powers]),
    }
    return found + [f"{name} {one}, not {other}" for name, (one, other) in told.items() if one != other]


def _results(
    batch: Batch, after: Observation, game: int, before: Position, resolution: Resolution
) -> list[str]:
    """Where the last orders and their results differ."""
    found = []
    for number, province in enumerate(batch.map.provinces):
        bits, order = int(after.last_results[game, number]), int(after.last_orders[game, number])
        told = {
            name: result
            for name, result in resolution.results.items()
            if name.partition(" ")[2].partition("/")[0] == province.name
        }
        words = [word for bit, word in OUTCOMES if bits & bit]
        if order < 0 and not told and not bits:
            continue
        if words not in [list(result) for result in told.values()] and not (not told and not words):
            found.append(f"{province.name}: {words}, not {told}")
        given = {str(one) for listed in resolution.orders.values() for one in listed}
        if order >= 0 and batch.table.texts[order] not in given:
            found.append(f"{province.name}: the last order is {batch.table.texts[order]}, of {given}")
    return found
