"""Prove every stalemate line of the data again, and play the assaults out.

    python tools/proofs/verify_stalemates.py [--storms 200] [--seed 0] [--json]

For each line there are four checks:

- the proof of `tools/proofs/fortress.py` against any attackers, and against those without fleets where the
  line allows none;
- the orders that break it, played on the board;
- every assault of `tools/proofs/siege.py`;
- storms, in which a unit stands in every province outside and all of them follow random legal orders,
  convoys among them.

Exit code 1 if the data says something else.
"""

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import click

from bordeaux import Map, Order, Position, Unit
from bordeaux.board.code import destination_of, target_of
from bordeaux.board.submission import decode
from bordeaux.cli.options import MOST_SEED, json_option, whole
from bordeaux.cli.program import Script
from bordeaux.evaluation import StalemateLine, barred, stalemate_lines
from fortress import outside, verify
from siege import besiege


def stands(map: Map, line: StalemateLine, units: list[Unit], orders: Sequence[Order | str]) -> bool:
    """Whether a line survives one phase of attackers' units and orders."""
    holder, attacker = map.powers[:2]
    kinds = dict(zip(line.held, line.units, strict=True))
    own = [Unit(holder, *unit.split(" ")) for unit in line.units]
    hold = [
        f"{unit} S {kinds[line.supports[place]]}" if place in line.supports else f"{unit} H"
        for place, unit in kinds.items()
    ]
    after = Position(map, "S1901M", own + units, {}).next({holder: hold, attacker: list(orders)})
    entered = any(unit.power == attacker and unit.province in line.sheltered for unit in after.units)
    sailed = any(
        unit.power == attacker and barred(line, map.location(unit.kind, unit.location))
        for unit in after.units
    )
    return not entered and not sailed and all(unit in after.units for unit in own)


def broken(map: Map, line: StalemateLine, orders: tuple[str, ...]) -> bool:
    """Whether attackers' orders actually break a line."""
    units = [Unit(map.powers[1], *order.split(" ")[:2]) for order in orders]
    return not stands(map, replace(line, no_fleets=()), units, orders)


def storm(map: Map, line: StalemateLine, rng: random.Random) -> bool:
    """Whether a line survives random legal orders of units in every province outside."""
    units = []
    for province in outside(map, line):
        places = [
            location
            for kind in "AF"
            for location in map.locations_in(kind, province)
            if not barred(line, location)
        ]
        if places:
            stormed = rng.choice(places)
            units.append(Unit(map.powers[1], stormed.kind, stormed.name))
    own = [Unit(map.powers[0], *unit.split(" ")) for unit in line.units]
    legal = Position(map, "S1901M", own + units, {}).packed.legal()[1]
    near = {map.province(place).index for place in (*line.held, *line.sheltered)}
    orders = []
    for options in legal.values():
        aimed = [code for code in options if map.locations[target_of(code)].province in near]
        aimed += [code for code in options if map.locations[destination_of(code)].province in near]
        orders.append(decode(map, rng.choice(aimed if aimed and rng.random() < 0.8 else options)))
    return stands(map, line, units, orders)


def examine(map: Map, line: StalemateLine, storms: int, rng: random.Random) -> dict[str, Any]:
    """All results for a line."""
    anybody = verify(map, replace(line, no_fleets=()))
    assumed = verify(map, line)
    siege = besiege(map, line)
    proved = "any" if anybody.unbreakable else "no fleets" if assumed.unbreakable else "refuted"
    breaks_stand_up = all(broken(map, line, orders_breaking.orders) for orders_breaking in anybody.breaks)
    lasting = all(storm(map, line, rng) for _ in range(storms))
    broken_as_told = not line.broken_by or broken(map, line, line.broken_by)
    agree = breaks_stand_up and broken_as_told and lasting and not siege.fallen
    return {
        "line": line.name,
        "centres": len(line.centres),
        "units": len(line.units),
        "verified": proved,
        "assaults": siege.assaults,
        "breaks": [list(orders_breaking.orders) for orders_breaking in anybody.breaks[:1]],
        "agrees": proved == ("no fleets" if line.no_fleets else "any") and agree,
    }


@click.command(cls=Script)
@click.option("--storms", type=whole(0, 10**9), default=200, metavar="N", help="Random phases for a line.")
@click.option("--seed", type=whole(0, MOST_SEED), default=0, metavar="N", help="The chance of the storms.")
@json_option
def main(storms: int, seed: int, as_json: bool) -> int:
    """Prove every stalemate line of the data again. Exit code 1 where the data is wrong."""
    map, rng = Map.standard(), random.Random(seed)
    rows = [examine(map, line, storms, rng) for line in stalemate_lines(map)]
    if as_json:
        print(json.dumps(rows))
    else:
        for row in rows:
            ways = "; ".join(", ".join(orders) for orders in row["breaks"])
            print(
                f"{row['line']:45} {row['centres']:2} centres {row['units']:2} units  {row['verified']:9} "
                f"{row['assaults']:6} assaults {'' if row['agrees'] else 'NOT AS THE DATA SAYS '}{ways}"
            )
    return 0 if all(row["agrees"] for row in rows) else 1


if __name__ == "__main__":
    main()
