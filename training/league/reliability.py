"""Reliability of a value: expected shares compared with final shares over saved games.

    python -m training.league.reliability VALUE GAMES [--limit N] [--json]

VALUE is a file of a learnt value, or ``prospect``. GAMES are saved games on the standard map, of people, of
engines or of self-play (`training.league.export`). Every movement phase of a game that reached 1905 or a
solo counts. For each interval of expected shares the table has their number, their mean, and the mean of
the final shares. For a calibrated value the two means are equal.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import numpy as np

from bordeaux import Game, Map
from bordeaux._ext.value.prospect import Prospect
from bordeaux._ext.value.value_net import ValueNet
from bordeaux.board.errors import BordeauxError
from bordeaux.cli.options import json_option, whole
from bordeaux.formats.games import read_games
from training.command import Command, summary_of
from training.league.games import value_of
from training.prospect_examples import ending, last_orders

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


@click.command(cls=Command, help=summary_of(__doc__))
@click.argument("value", metavar="VALUE")
@click.argument("games", type=Path, metavar="GAMES")
@click.option(
    "--limit", type=whole(1, 10**9), metavar="N", help="The first N games alone, 1 or more; by default all."
)
@json_option
def main(value: str, games: Path, limit: int | None, as_json: bool) -> None:
    """Compare what a VALUE, a file or prospect, expects in saved GAMES with what came."""
    judge = value_of(value)
    if not isinstance(judge, Prospect | ValueNet):
        raise BordeauxError(f"{value} expects points, not shares")
    measured = reliability(judge, read_games(games), limit)
    if as_json:
        print(json.dumps(measured))
        return
    print(f"{measured['games']} games, {measured['phases']} phases, Brier score {measured['brier']}")
    print("| expected | powers | mean | came |\n|---|---:|---:|---:|")
    for span in measured["spans"]:
        title = f"{span['from']:.2f} to {span['to']:.2f}"
        print(f"| {title} | {span['powers']} | {span['expected']:.3f} | {span['came']:.3f} |")


if __name__ == "__main__":
    sys.exit(main())
