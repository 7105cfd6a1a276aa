"""Values of places, worked out by hand on a strip of five provinces, and in plain Python on real games."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from bordeaux import Map, Position, Unit
from bordeaux._ext.net.dumbbot_values import DumbBotValues
from bordeaux.players.dumbbot import DumbBot
from tests.players.playing import human_positions
from tests.players.strip import STRIP, position

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
    proximity = DumbBotValues(map.tables, SHORT, (1, 4, 16), neutral, weak_variant)
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


def test_proximity_spreads_from_the_best_coast_of_each_neighbour() -> None:
    steps = survey(position("S1901M", "REDS A AAA", "BLUES F CCC"), "REDS")["proximity"]
    nothing = {"A AAA": 0, "F AAA": 0, "F SEA": 0, "F SOU": 0}
    centres = ("A BBB", "F BBB/NC", "F BBB/SC", "A CCC", "F CCC")
    assert steps["0"] == nothing | dict.fromkeys(centres, 21 * 700)
    assert steps["1"] == {
        "A AAA": 14700 // 5,
        "F AAA": 0,
        "A BBB": (14700 + 14700) // 5,
        "F BBB/NC": 14700 // 5,
        "F BBB/SC": 14700 // 5,
        "A CCC": (14700 + 14700) // 5,
        "F CCC": 14700 // 5,
        # One of the coasts of BBB, not both.
        "F SEA": (14700 + 14700) // 5,
        "F SOU": 14700 // 5,
    }
    assert steps["2"]["F BBB/NC"] == (2940 + 5880) // 5
    assert steps["2"]["F BBB/SC"] == (2940 + 5880 + 2940) // 5
    assert steps["2"]["F SEA"] == (5880 + 0 + 2940 + 2940) // 5


def test_the_better_of_two_coasts_counts() -> None:
    short = [(700, 300, 1000, 1000, 0, (1, 1, 1, 1))] * 3
    survey = DumbBotValues(STRIP.tables, short, (1, 4, 16), -1, False).survey(
        position("S1901M", "REDS A AAA", "BLUES F CCC").packed, 0
    )
    sea = STRIP.location("F", "SEA").index
    # Its own 2352, AAA's 1176, the southern coast's 2352 and not the northern one's 1764, CCC's 1764.
    assert survey["proximity"][3][sea] == (2352 + 1176 + 2352 + 1764) // 5 == 1528


def test_a_value_is_the_weighted_sum_with_strength_and_competition() -> None:
    values = survey(position("S1901M", "REDS A AAA", "BLUES F CCC"), "REDS")["values"]
    assert values["A BBB"] == 100 * 14700 + 1000 * 5880 + 30 * 2940 + 1000
    assert values["A AAA"] == 1000 * 2940 + 30 * 1764 + 1000
    assert values["F SEA"] == 1000 * 5880 + 30 * 2352 - 1000
    assert values["F CCC"] == 100 * 14700 + 1000 * 2940 + 30 * 1764 - 1000


def test_a_fleet_that_reaches_two_coasts_counts_twice_and_one_that_stays_counts() -> None:
    start = position("S1901M", "REDS A AAA", "BLUES F SEA", "BLUES A CCC")
    measured = survey(start, "REDS")
    assert measured["strength"] == {"AAA": 1, "BBB": 1, "CCC": 0, "SEA": 0, "SOU": 0}
    assert measured["competition"] == {"AAA": 1, "BBB": 3, "CCC": 2, "SEA": 1, "SOU": 0}
    assert survey(start, "BLUES")["strength"]["BBB"] == 3


def test_competition_is_the_largest_number_of_one_power() -> None:
    map = Map.standard()
    units = [
        Unit(*unit.split()) for unit in ("FRANCE A PAR", "GERMANY A MUN", "GERMANY A RUH", "ITALY A MAR")
    ]
    measured = survey(Position(map, "S1901M", units, {}), "FRANCE")
    # Two German units could be in Burgundy, one Italian and one of ours.
    assert measured["competition"]["BUR"] == 2
    assert measured["strength"]["BUR"] == 1
    assert measured["competition"]["GAS"] == 1


def test_defence_is_the_size_of_the_largest_that_can_move_in() -> None:
    owners = {"REDS": ["AAA"], "BLUES": ["BBB", "CCC"]}
    threatened = position("F1901M", "REDS F AAA", "BLUES F SEA", owners=owners)
    measured = survey(threatened, "REDS")
    assert measured["threat"]["AAA"] == 4 + 8 + 16 == 28
    assert measured["proximity"]["0"]["A AAA"] == 28 * 400
    assert measured["proximity"]["0"]["F BBB/NC"] == 28 * 600
    # A unit that stands in the centre already does not move in.
    inside = survey(position("F1901M", "REDS F SEA", "BLUES A AAA", owners=owners), "REDS")
    assert inside["threat"]["AAA"] == 0
    assert survey(threatened, "BLUES")["threat"] == {"AAA": 0, "BBB": 0, "CCC": 0, "SEA": 0, "SOU": 0}


def test_winter_guards_what_is_threatened() -> None:
    measured = survey(position("W1901A", "BLUES F SEA"), "REDS")
    assert measured["threat"]["AAA"] == 21
    step = measured["proximity"]
    assert step["0"]["A AAA"] == 21 * 300
    assert measured["values"]["A AAA"] == 1000 * step["0"]["A AAA"] + 100 * step["1"]["A AAA"] + 1000 * 21
    # Neither strength nor competition.
    assert measured["values"]["F SOU"] == 100 * step["1"]["F SOU"]


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
    weights = (
        [100, 1000, 30, 10, 6, 5, 4, 3, 2, 1] if season == "S" else [1000, 100, 30, 10, 6, 5, 4, 3, 2, 1]
    )
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


def test_values_agree_with_plain_python_on_real_games(recorded_games: Path) -> None:
    positions = [
        human_position
        for human_position in human_positions(recorded_games, 12)
        if human_position.phase.kind != "-"
    ]
    chosen = random.Random(5).sample(positions, 40)
    assert {case.phase.kind for case in chosen} == {"M", "R", "A"}
    for where in chosen:
        proximity = DumbBotValues(where.map.tables, DumbBot.schemes, DumbBot.size, -1, False)
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
        DumbBotValues(STRIP.tables, schemes, size, -1, False)


def test_another_map_and_an_unknown_power_are_refused() -> None:
    proximity = DumbBotValues(STRIP.tables, SHORT, (1, 4, 16), -1, False)
    with pytest.raises(ValueError, match="another map"):
        proximity.survey(Position.start().packed, 0)
    with pytest.raises(ValueError, match="no power 2"):
        proximity.survey(position("S1901M").packed, 2)
    with pytest.raises(ValueError, match="one percentage"):
        proximity.set_percentages([100], [100, 100], 100)
