"""Man'chi: its targets, its goals, and sound orders everywhere."""

from __future__ import annotations

from bordeaux import Map, Position
from bordeaux.players.base import Limit, Seat, Turn
from bordeaux.players.manchi import ManchiAttack, ManchiDefence, attacks
from bordeaux.players.map_index import situation
from tests.players.playing import standard

MAP = Map.standard()
NUMBER = {power: number for number, power in enumerate(MAP.powers)}


def at(name: str) -> int:
    return MAP.province(name).index


def turn(orders: dict[str, list[str]]) -> Turn:
    before = Position.start()
    return Turn(before, orders, before.next({}))


def names(powers: list[int]) -> set[str]:
    return {MAP.powers[power] for power in powers}


def test_attacks_are_moves_to_our_units_or_centres() -> None:
    seen = turn(
        {
            "GERMANY": ["A MUN - BUR", "F KIE - DEN"],
            "ITALY": ["A VEN - TRI", "A ROM - VEN"],
            "RUSSIA": ["A WAR - GAL", "nonsense", "A MOS S A WAR - GAL"],
            "AUSTRIA": ["F TRI - VEN"],
        }
    )
    assert attacks(seen, NUMBER["AUSTRIA"]) == {NUMBER["ITALY"]: 1}
    assert attacks(seen, NUMBER["ITALY"]) == {NUMBER["AUSTRIA"]: 1}
    assert attacks(seen, NUMBER["FRANCE"]) == {}


def test_a_random_neighbour_is_attacked_until_somebody_else_attacks_us() -> None:
    drawn = set()
    for seed in range(30):
        player = ManchiAttack(Seat("AUSTRIA", MAP, seed))
        player.orders(Position.start(), Limit())
        assert player.target is not None
        drawn.add(player.target)
        first = player.target
        player.observe(turn({"ENGLAND": ["A LVP - YOR"]}))
        assert player.target == first
        player.observe(turn({"TURKEY": ["A CON - BUD", "A SMY - VIE"], "RUSSIA": ["A WAR - VIE"]}))
        assert player.target == (first if MAP.powers[first] in ("TURKEY", "RUSSIA") else NUMBER["TURKEY"])
    assert names(list(drawn)) == {"ITALY", "GERMANY", "RUSSIA"}


def test_goals_and_their_points() -> None:
    position = standard(
        "S1905M",
        {"FRANCE": ["A PAR", "A SPA"], "GERMANY": ["A BUR"]},
        {"FRANCE": ["PAR", "SPA"], "GERMANY": ["MUN"], "ITALY": ["ROM"], "TURKEY": ["ANK"]},
    )
    goals = {}
    for kind in (ManchiAttack, ManchiDefence):
        player = kind(Seat("FRANCE", MAP, 0))
        player.target = NUMBER["GERMANY"]
        by_place = player.goals(situation(position))
        goals[kind] = {MAP.provinces[place].name: points for place, points in by_place.items()}
    # Germany needs Paris for its solo, and we need Munich: both count half as much again.
    attack, defence = goals[ManchiAttack], goals[ManchiDefence]
    assert (attack["MUN"], attack["PAR"], attack["POR"]) == (15, 6, 12)
    assert (defence["MUN"], defence["PAR"], defence["POR"], defence["BUR"]) == (6, 18, 8, 7.5)
    assert attack.get("SPA", 0) == 0 and attack["ANK"] == 0 and attack["ROM"] == 4
    # In Fall what can be taken counts twice.
    fall = Position(MAP, "F1905M", position.units, position.centres)
    player = ManchiAttack(Seat("FRANCE", MAP, 0))
    player.target = NUMBER["GERMANY"]
    points = player.goals(situation(fall))
    assert (points[at("MUN")], points[at("PAR")], points[at("POR")]) == (30, 6, 24)
