"""Reliability of a value: expected shares compared with final shares over saved games.

    python -m training.league.reliability VALUE GAMES [--limit N] [--json]

VALUE is a file of a learnt value, or ``prospect``. GAMES are saved games on the standard map, of people, of
engines or of self-play (`training.league.export`). Every movement phase of a game that reached 1905 or a
solo counts. For each interval of expected shares the table has their number, their mean, and the mean of
the final shares. For a calibrated value the two means are equal.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from bordeaux import Game, Map
from bordeaux._ext.prospect import Prospect
from bordeaux._ext.value_net import ValueNet
from bordeaux.board.errors import BordeauxError
from bordeaux.formats.games import read_games
from training.league.values import value_of
from training.prospect_examples import ending, last_orders

__all__ = ["reliability"]

MAP = Map.standard()
SPANS = (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 0.95, 1.01)
"""Limits of the spans of expected shares."""


def reliability(
    value: Prospect | ValueNet, games: Iterable[Game], limit: int | None = None
) -> dict[str, Any]:
    """``spans`` with ``from``, ``to``, ``powers``, ``expected`` and ``came``; also ``phases``, ``games`` and
    ``brier``, the mean squared error of shares, summed over powers."""
    expected: list[list[float]] = []
    came: list[list[float]] = []
    seen = 0
    for game in games:
        end = ending(game) if game.map == MAP.name else None
        if end is None:
            continue
        if seen == limit:
            break
        seen += 1
        for number, phase in enumerate(game.phases[: max(last_orders(game)) + 1]):
            if phase.name.endswith("M"):
                expected.append(value.shares(game.position(number).packed))
                came.append(list(end.shares))
    if not expected:
        raise BordeauxError("there are no games that came to something")
    said, shares = np.array(expected), np.array(came)
    living = said > 0
    spans = []
    for low, high in pairwise(SPANS):
        inside = living & (said >= low) & (said < high)
        if inside.any():
            spans.append(
                {
                    "from": low,
                    "to": min(high, 1.0),
                    "powers": int(inside.sum()),
                    "expected": round(float(said[inside].mean()), 4),
                    "came": round(float(shares[inside].mean()), 4),
                }
            )
    return {
        "games": seen,
        "phases": len(said),
        "brier": round(float(((said - shares) ** 2).sum(1).mean()), 4),
        "spans": spans,
    }


def main(arguments: list[str] | None = None) -> int:
    """The command; returns the exit code: 0 done, 2 bad input with one line on standard error."""
    parser = argparse.ArgumentParser(
        "python -m training.league.reliability", description=__doc__.split("\n")[0]
    )
    parser.add_argument("value", help="a file of a learnt value, or prospect")
    parser.add_argument("games", type=Path, help="a file of saved games")
    parser.add_argument("--limit", type=int, metavar="N", help="the first so many games alone")
    parser.add_argument("--json", action="store_true", help="print JSON for programs")
    asked = parser.parse_args(arguments)
    try:
        value = value_of(asked.value)
        if not isinstance(value, Prospect | ValueNet):
            raise BordeauxError(f"{asked.value} expects points, not shares")
        measured = reliability(value, read_games(asked.games), asked.limit)
    except (BordeauxError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if asked.json:
        print(json.dumps(measured))
        return 0
    print(f"{measured['games']} games, {measured['phases']} phases, Brier score {measured['brier']}")
    print("| expected | powers | mean | came |\n|---|---:|---:|---:|")
    for span in measured["spans"]:
        title = f"{span['from']:.2f} to {span['to']:.2f}"
        print(f"| {title} | {span['powers']} | {span['expected']:.3f} | {span['came']:.3f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
