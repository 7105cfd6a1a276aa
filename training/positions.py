"""Positions of held-out games for reading: people's orders, the predictions, and the engine's orders.

    python -m training.positions --games GAMES... [--seed 0] [--count 10] [--nodes 20000 | --time S]

Positions are drawn from games that the net was not trained on, one of each game, spread over years and
kinds of phases. The power has four units or more and ordered them all. The output for each position has
these parts:

- people's orders with the probability of each and its rank among all orders of the unit;
- the more probable orders;
- the most probable whole sets;
- the engine's orders with the purpose of each.

``--what dumbbot`` uses DumbBot instead of the net.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from bordeaux import Engine
from bordeaux.board.code import codes_in
from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind
from bordeaux.board.submission import decode
from bordeaux.engine import Found, Limit
from training.cases import ADJUSTMENT, Asked, Key, choices, key_of, place_of, sampled
from training.foretellers import FORETELLERS, Forecast, Foreteller, create, orders_of

__all__ = ["Slot", "chosen", "main", "position_text"]

#: The minimum number of units of a power, and the numbers of listed orders and sets.
UNITS, LIKELIER, SETS = 4, 3, 3
#: Terms of the evaluation that are listed.
TERMS = 4
SEASONS = "SFW"


class Slot(NamedTuple):
    """A kind of phase and a range of years for a position."""

    kind: str
    first: int
    last: int


SLOTS = (
    Slot("M", 1902, 1902),
    Slot("M", 1903, 1903),
    Slot("A", 1903, 1905),
    Slot("M", 1904, 1904),
    Slot("M", 1905, 1905),
    Slot("R", 1903, 1908),
    Slot("M", 1906, 1906),
    Slot("M", 1907, 1907),
    Slot("A", 1906, 1908),
    Slot("M", 1908, 1910),
)
"""The kinds of positions to find, in turn."""


def chosen(paths: Sequence[str], count: int, seed: int, part: str = "test") -> list[tuple[Asked, str]]:
    """Positions with the selected powers, drawn by a seed, at most the wanted number. Raises FormatError for
    files without games."""
    chance = random.Random(seed)
    phases = list(sampled(paths, 40 * count, seed, part=part))
    chance.shuffle(phases)
    phases_chosen: list[tuple[Asked, str]] = []
    for number in range(count):
        slot = SLOTS[number % len(SLOTS)]
        for phase in phases:
            when = phase.position.phase
            if when.kind != slot.kind or not slot.first <= when.year <= slot.last:
                continue
            if phase.game in (phase_chosen.game for phase_chosen, _ in phases_chosen):
                continue
            powers = [power for power in sorted(phase.orders) if worth_reading(phase, power)]
            if powers:
                phases_chosen.append((phase, chance.choice(powers)))
                break
    return sorted(
        phases_chosen,
        key=lambda pair: (pair[0].position.phase.year, SEASONS.index(pair[0].position.phase.season)),
    )


def worth_reading(phase: Asked, power: str) -> bool:
    """Whether a power has enough units, and ordered all of them or has more than two possible retreats."""
    position = phase.position
    if len(position.units_of(power)) < UNITS:
        return False
    if position.phase.kind == "R":
        return any(len(options) > 2 for options in choices(position, power).values())
    return position.phase.kind != "M" or len(phase.sent[power]) == len(position.units_of(power))


def position_text(
    phase: Asked, power: str, teller: Foreteller, engine: Engine, limit: Limit
) -> Iterator[str]:
    """The text for one position, line by line."""
    position = phase.position
    yield f"## {position.phase}, {power} (game {phase.game})"
    yield ""
    yield from (f"    {line}" for line in str(position).splitlines()[1:])
    yield ""
    if phase.history:
        before = phase.history[-1]
        yield f"The movement phase before, {before.position.phase}:"
        yield ""
        for name, given in orders_of(before).items():
            if given:
                yield f"    {name}: {'; '.join(str(order) for order in given)}"
        yield ""
    teller.begin(phase)
    yield from people(phase, power, teller.foretell(phase, power))
    yield ""
    engine.forget()
    for before in phase.history:
        engine.observe(before.position, orders_of(before))
    previous = orders_of(phase.history[-1]) if phase.history else None
    yield from engines(engine.search(position, power, previous=previous, time=limit.time, nodes=limit.nodes))
    yield ""


def people(phase: Asked, power: str, forecast: Forecast) -> Iterator[str]:
    """People's orders, and the predictions."""
    position = phase.position
    map = position.map
    texts = _texts(phase, power)
    yield "People played (probability foretold, rank; what was likelier):"
    yield ""
    for code in codes_in(phase.orders[power]):
        key = key_of(map, code)
        place = place_of(position, key)
        ranked = sorted(forecast.units.get(place, {}).items(), key=lambda option: -option[1])
        if not ranked:
            yield f"    {decode(map, code)!s:24s} forced"
            continue
        rank = next((number for number, (option, _) in enumerate(ranked, 1) if option == key), len(ranked))
        share = dict(ranked).get(key, 0.0)
        others = ", ".join(
            f"{texts[option]} {chance:.0%}" for option, chance in ranked[: LIKELIER + 1] if option != key
        )
        yield f"    {decode(map, code)!s:24s} {share:4.0%}  {rank:2d} of {len(ranked):2d}   {others}"
    if forecast.log_probability is not None:
        yield f"    the whole set            {math.exp(forecast.log_probability):.2%}"
    yield ""
    yield "Likeliest whole sets:"
    yield ""
    for keys in forecast.sets[:SETS]:
        yield f"    {'; '.join(texts[key] for key in keys)}"


def engines(answer: Found) -> Iterator[str]:
    """The engine's orders, and their purpose."""
    yield f"The engine plays ({answer.nodes:,} nodes), points lost on average without each order:"
    yield ""
    for order in answer.orders:
        yield f"    {order:24s} {answer.marginals.get(order, 0.0):9.2f}"
    moved = sorted(answer.terms.items(), key=lambda term: -abs(term[1][1] - term[1][0]))[:TERMS]
    yield "    terms: " + ", ".join(f"{name} {after - before:+.1f}" for name, (before, after) in moved)
    for line in answer.lines[1:SETS]:
        yield f"    next ({line.value - answer.value:+.1f}): {'; '.join(line.orders)}"


def _texts(phase: Asked, power: str) -> dict[Key, str]:
    """The legal orders of a power as text, by key."""
    position = phase.position
    number = position.map.powers.index(power)
    waives = [key for key in choices(position, power).get(ADJUSTMENT, ()) if key[0] == OrderKind.WAIVE]
    texts = dict.fromkeys(waives, "WAIVE")
    for codes in position.packed.legal().get(number, {}).values():
        for code in codes:
            texts.setdefault(key_of(position.map, code), str(decode(position.map, code)))
    return texts


def parsed(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.positions", description=(__doc__ or "").partition("\n")[0]
    )
    add = parser.add_argument
    add("--games", nargs="+", required=True, metavar="FILE", help="saved games, one a line")
    add("--count", type=int, default=len(SLOTS), help=f"positions ({len(SLOTS)})")
    add("--seed", type=int, default=0, help="of all chance (0)")
    add("--what", choices=FORETELLERS, default="people", help="who foretells (people)")
    add("--nodes", type=int, default=20_000, help="nodes of the engine's search (20000)")
    add("--time", type=float, help="seconds of it, in place of nodes")
    add("--weights", help="weights of the net, in place of those that are shipped")
    return parser.parse_args(argv)


def report(args: argparse.Namespace) -> Iterable[str]:
    """All positions, line by line."""
    if args.count < 1 or args.nodes < 1:
        raise BordeauxError("--count and --nodes must be positive numbers")
    map = Map.standard()
    limit = Limit(args.time, args.nodes if args.time is None else None)
    options = {"nodes": args.nodes, "weights": args.weights, "astray": None}
    with create(args.what, map, args.seed, options) as teller, Engine(seed=args.seed, explain=True) as engine:
        for phase, power in chosen(args.games, args.count, args.seed):
            yield from position_text(phase, power, teller, engine, limit)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; its exit code."""
    args = parsed(argv)
    try:
        for line in report(args):
            print(line, flush=True)
    except (BordeauxError, OSError) as error:
        print(f"positions: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
