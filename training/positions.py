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

import math
import random
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import click

from bordeaux import Engine
from bordeaux.board.code import codes_in
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind
from bordeaux.board.submission import decode
from bordeaux.cli.options import MOST_NODES, seconds, whole
from bordeaux.engine import Found, Limit
from training.cases import ADJUSTMENT, Asked, Key, choices, key_of, place_of, sampled
from training.command import Command, Several, seed_option, summary_of
from training.foretellers import FORETELLERS, Forecast, Foreteller, create, orders_of

#: The minimum number of units of a power, and the numbers of listed orders and sets.
UNITS, LIKELIER, SETS = 4, 3, 3
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
    yield f"The engine plays ({answer.nodes:,} nodes), shares of the result lost without each order:"
    yield ""
    for effect in answer.effects:
        yield f"    {'; '.join(effect.orders):24s} {effect.lost:9.1%}"
    for line in answer.lines[1:SETS]:
        yield f"    next ({line.value - answer.value:+.1%}): {'; '.join(line.orders)}"


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


@click.command(cls=Command, help=summary_of(__doc__))
@click.option("--games", cls=Several, required=True, metavar="FILE...", help="Saved games, one a line.")
@click.option("--count", type=whole(1, 10**6), default=len(SLOTS), metavar="N", help="Positions, 1 or more.")
@seed_option(0)
@click.option("--what", type=click.Choice(list(FORETELLERS)), default="people", help="Who foretells.")
@click.option(
    "--nodes",
    type=whole(1, MOST_NODES),
    default=20_000,
    metavar="N",
    help="Nodes of the engine's search, 1 or more.",
)
@click.option("--time", "span", type=seconds, metavar="S", help="Seconds of it, above 0, in place of nodes.")
@click.option("--weights", metavar="FILE", help="Weights of the net, in place of those that are shipped.")
def main(
    games: tuple[str, ...],
    count: int,
    seed: int,
    what: str,
    nodes: int,
    span: float | None,
    weights: str | None,
) -> None:
    """Print positions with what is foretold."""
    limit = Limit(span, nodes if span is None else None)
    options = {"nodes": nodes, "weights": weights, "astray": None}
    with create(what, Map.standard(), seed, options) as teller, Engine(seed=seed, explain=True) as engine:
        for phase, power in chosen(games, count, seed):
            for line in position_text(phase, power, teller, engine, limit):
                print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
