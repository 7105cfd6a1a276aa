"""DumbBot's orders fit together, and its values are those of its description."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bordeaux import Map, Order, Position, Unit
from bordeaux._ext.net.dumbbot import DumbBotPolicy
from bordeaux.board.order import OrderKind
from bordeaux.players.base import Seat
from bordeaux.players.dumbbot import DumbBot, WeakDumbBot
from bordeaux.policy.dumbbot import DUMBBOT
from tests.players.playing import FREE, STRIP, faults, human_positions, position

MAP = Map.standard()


def orders(where: Position, power: str, seed: int = 0, kind: type[DumbBot] = DumbBot) -> list[Order]:
    """A player's orders, which must be sound."""
    given = kind(Seat(power, where.map, seed)).orders(where, FREE)
    assert faults(where, power, given) == []
    return [order for order in given if isinstance(order, Order)]


def texts(where: Position, power: str, seed: int = 0, kind: type[DumbBot] = DumbBot) -> list[str]:
    """A player's orders as text, sorted."""
    return sorted(str(order) for order in orders(where, power, seed, kind))


def values(where: Position, power: str) -> dict[tuple[str, str], int]:
    """DumbBot's values of all locations."""
    player = DumbBot(Seat(power, where.map))
    values = player.policy.survey(where.packed, player.number)["values"]
    places = [(location.kind, location.name) for location in where.map.locations]
    return dict(zip(places, values, strict=True))


def test_orders_of_a_power_fit_together(recorded_games: Path) -> None:
    seen: Counter[OrderKind] = Counter()
    for number, where in enumerate(human_positions(recorded_games, 3)):
        if where.phase.kind != "M":
            continue
        for power in where.orderable():
            given = orders(where, power, number)
            seen.update(order.kind for order in given)
            assert_fitting(where, power, given)
    assert {OrderKind.HOLD, OrderKind.MOVE, OrderKind.SUPPORT_HOLD, OrderKind.SUPPORT_MOVE} == set(seen)


def assert_fitting(where: Position, power: str, given: list[Order]) -> None:
    """What holds of every set of DumbBot's movement orders, by its rules."""
    by_place = {order.location.partition("/")[0]: order for order in given}
    moves = {order.destination.partition("/")[0]: order for order in given if order.kind == OrderKind.MOVE}
    assert len(moves) == sum(order.kind == OrderKind.MOVE for order in given)
    player = DumbBot(Seat(power, where.map))
    contested = player.policy.survey(where.packed, player.number)["competition"]
    worth = values(where, power)
    for goal in moves:
        assert goal not in by_place or by_place[goal].kind == OrderKind.MOVE
    for order in given:
        if order.kind == OrderKind.SUPPORT_MOVE:
            goal = order.destination.partition("/")[0]
            assert (moves[goal].location, moves[goal].destination) == (order.target, order.destination)
            assert contested[where.map.province(goal).index] > 0
        elif order.kind == OrderKind.SUPPORT_HOLD:
            target = order.target.partition("/")[0]
            assert by_place[target].kind != OrderKind.MOVE
            assert contested[where.map.province(target).index] > 1
        elif order.kind == OrderKind.HOLD:
            # No hold is wasted: there is nothing beside it that is worth supporting.
            for name in where.map.adjacent(order.unit, order.location):
                tag = name.partition("/")[0]
                rivals = contested[where.map.province(tag).index]
                standing = tag in by_place and by_place[tag].kind != OrderKind.MOVE
                needs = rivals > 0 if tag in moves else standing and rivals > 1
                assert not needs or worth[order.unit, name] <= 0


def test_removals_depart_from_the_worst_by_the_first_draw_alone() -> None:
    units = [Unit("FRANCE", "A", place) for place in ("BUR", "SYR")]
    where = Position(MAP, "W1901A", units, {"FRANCE": ["PAR"], "GERMANY": ["MUN"]})
    worth = values(where, "FRANCE")
    assert worth["A", "BUR"] > 2 * worth["A", "SYR"]
    drawn = Counter(texts(where, "FRANCE", seed)[0] for seed in range(400))
    assert 150 < drawn["A BUR D"] < 250
    weak = {texts(where, "FRANCE", seed, WeakDumbBot)[0] for seed in range(50)}
    assert weak == {"A SYR D"}


#: Seed and numbers of the choice, which its values do not depend on.
WALK = (0, 0, 0, (0, 0, 0), 0)
SHORT = (
    (700, 300, 1000, 1000, 0, (100, 1000, 30)),
    (600, 400, 1000, 1000, 0, (1000, 100)),
    (700, 300, 0, 0, 1000, (1000, 100)),
)


def survey(
    where: Position, power: str, neutral: int = -1, weak_variant: bool = False, **regard: Any
) -> dict[str, dict[str, Any]]:
    """What the core works out, by names: locations as ``A BBB``, provinces and powers as they are."""
    map = where.map
    proximity = DumbBotPolicy(map.tables, SHORT, (1, 4, 16), neutral, weak_variant, *WALK)
    if regard:
        proximity.set_percentages(*regard.values())
    survey = proximity.survey(where.packed, map.powers.index(power))
    places = [f"{location.kind} {location.name}" for location in map.locations]
    provinces = [province.name for province in map.provinces]
    steps = [dict(zip(places, step, strict=True)) for step in survey["proximity"]]
    return {
        "values": dict(zip(places, survey["values"], strict=True)),
        "proximity": {str(number): step for number, step in enumerate(steps)},
        "sizes": dict(zip((*map.powers, "nobody"), survey["sizes"], strict=True)),
    } | {
        name: dict(zip(provinces, survey[name], strict=True))
        for name in ("strength", "competition", "threat")
    }


def test_neutral_centres_are_a_power_of_their_own() -> None:
    sizes = survey(Position.start(), "RUSSIA")["sizes"]
    assert sizes["nobody"] == 12 * 12 + 4 * 12 + 16 == 208
    assert sizes["RUSSIA"] == 16 + 16 + 16
    assert sizes["ENGLAND"] == 9 + 12 + 16
    assert survey(Position.start(), "RUSSIA", neutral=5)["sizes"]["nobody"] == 5


def test_the_crude_way_spreads_between_armies_and_fleets_and_from_every_coast() -> None:
    measured = survey(position("S1901M", "REDS A AAA", "BLUES F SEA"), "REDS", weak_variant=True)
    steps = measured["proximity"]
    # Armies reach neither sea, and yet: its own 21 * 300, threatened, and BBB's.
    assert steps["1"]["A AAA"] == steps["1"]["F AAA"] == (6300 + 14700 + 0) // 5
    assert steps["1"]["F SEA"] == (0 + 6300 + 14700 + 14700 + 14700) // 5
    assert measured["strength"] == {"AAA": 0, "BBB": 1, "CCC": 0, "SEA": 0, "SOU": 0}
    assert measured["competition"]["SEA"] == 0
    assert measured["competition"]["CCC"] == 1


def test_regard_lowers_centres_and_units_and_raises_prey() -> None:
    start = position("S1901M", "REDS A AAA", "BLUES F SEA", "BLUES A CCC")
    plain = survey(start, "REDS")
    lowered = survey(start, "REDS", centres=[100, 50, 100, 100, 100], units=[100, 25], prey=100)
    assert lowered["proximity"]["0"]["A BBB"] == plain["proximity"]["0"]["A BBB"] // 2
    assert lowered["threat"]["AAA"] == 21 * 25 // 100
    assert lowered["competition"]["BBB"] == 3 * 25 // 100
    hunted = survey(start, "REDS", centres=[100] * 5, units=[100, 100], prey=150)["values"]
    assert hunted["A AAA"] == plain["values"]["A AAA"]
    assert hunted["A BBB"] == plain["values"]["A BBB"] * 150 // 100
    assert hunted["F SEA"] == plain["values"]["F SEA"] * 150 // 100
    assert hunted["A CCC"] == plain["values"]["A CCC"] * 150 // 100 * 150 // 100


def by_hand(where: Position, power: str) -> list[int]:
    """DumbBot's values of all locations, worked out anew from its description."""
    map = where.map
    counts: dict[str | None, int] = dict.fromkeys((*map.powers, None), 0)
    for owner in where.owners:
        counts[owner] += 1
    size = {name: count * count + 4 * count + 16 for name, count in counts.items()}
    season = where.phase.season
    attack, defence = (600, 400) if season == "F" else (700, 300)
    weights = [*((100, 1000) if season == "S" else (1000, 100)), 30, 10, 6, 5, 4, 3, 2, 1]
    places = [(location.kind, location.name) for location in map.locations]
    near = {place: [(place[0], name) for name in map.adjacent(*place)] for place in places}
    there: dict[str, list[str]] = {province.name: [] for province in map.provinces}
    movers: dict[str, list[str]] = {province.name: [] for province in map.provinces}
    for unit in where.units:
        there[unit.province].append(unit.power)
        for _, name in near[unit.kind, unit.location]:
            there[name.partition("/")[0]].append(unit.power)
            movers[name.partition("/")[0]].append(unit.power)
    threat = {
        name: max((size[p] for p in powers if p != power), default=0) for name, powers in movers.items()
    }
    worth = dict.fromkeys(there, 0)
    guard = dict.fromkeys(there, 0)
    for centre, owner in zip(map.centres, where.owners, strict=True):
        worth[centre] = threat[centre] * defence if owner == power else size[owner] * attack
        guard[centre] = threat[centre] if owner == power else 0
    proximity = {place: worth[place[1].partition("/")[0]] for place in places}
    value = {place: proximity[place] * weights[0] for place in places}
    for weight in weights[1:]:
        spread = {}
        for place in places:
            best: dict[str, int] = {}
            for other in near[place]:
                tag = other[1].partition("/")[0]
                best[tag] = max(best.get(tag, 0), proximity[other])
            spread[place] = (sum(best.values()) + proximity[place]) // 5
        proximity = spread
        for place in places:
            value[place] += proximity[place] * weight
    for place in places:
        tag = place[1].partition("/")[0]
        if season == "W":
            value[place] += 1000 * guard[tag]
        else:
            most = max((there[tag].count(name) for name in map.powers if name != power), default=0)
            value[place] += 1000 * (there[tag].count(power) - most)
    return [value[place] for place in places]


@pytest.mark.slow
def test_values_agree_with_plain_python_on_real_games(recorded_games: Path) -> None:
    positions = [where for where in human_positions(recorded_games, 6) if where.phase.kind != "-"]
    chosen = random.Random(5).sample(positions, 9)
    assert {case.phase.kind for case in chosen} == {"M", "R", "A"}
    for where in chosen:
        proximity = DumbBotPolicy(where.map.tables, DUMBBOT.schemes, DUMBBOT.size, -1, False, *WALK)
        for number, power in enumerate(where.map.powers):
            assert proximity.survey(where.packed, number)["values"] == by_hand(where, power)


@pytest.mark.parametrize(
    ("schemes", "size"),
    [
        (SHORT[:2], (1, 4, 16)),
        (SHORT, (1, 4)),
        ([(1, 1, 1, 1, 1, ())] * 3, (1, 4, 16)),
        ([(1, 1, 1, 1, 1, [1] * 17)] * 3, (1, 4, 16)),
    ],
)
def test_numbers_that_make_no_sense_are_refused(schemes: Any, size: Any) -> None:
    with pytest.raises(ValueError):
        DumbBotPolicy(STRIP.tables, schemes, size, -1, False, *WALK)


def test_another_map_and_an_unknown_power_are_refused() -> None:
    proximity = DumbBotPolicy(STRIP.tables, SHORT, (1, 4, 16), -1, False, *WALK)
    with pytest.raises(ValueError, match="another map"):
        proximity.survey(Position.start().packed, 0)
    with pytest.raises(ValueError, match="no power 2"):
        proximity.survey(position("S1901M").packed, 2)
    with pytest.raises(ValueError, match="one percentage"):
        proximity.set_percentages([100], [100, 100], 100)
