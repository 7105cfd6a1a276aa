"""Positions as the meta-map shows them."""

from __future__ import annotations

from typing import Any

from bordeaux import Map, Position, Unit
from bordeaux.metamap.atlas import atlas
from bordeaux.metamap.goals import heights, strengths, translate

MAP = Map.standard()
REGIONS = atlas(MAP)[0]


def board(phase: str = "S1905M", centres: dict[str, list[str]] | None = None, **units: list[str]) -> Position:
    placed = [Unit(power, text[0], text[2:]) for power, given in units.items() for text in given]
    return Position(MAP, phase, placed, centres or {})


def seen(position: Position) -> dict[str, list[str]]:
    by_power: dict[str, list[str]] = {}
    for unit in translate(REGIONS, position).units:
        by_power.setdefault(unit.power, []).append(str(unit))
    return by_power


def test_the_start_is_a_game_of_seven_neighbours() -> None:
    above = translate(REGIONS, Position.start())
    assert {power: owned for power, owned in above.centres.items() if power != "RUSSIA"} == {
        "AUSTRIA": ("DAN",),
        "ENGLAND": ("BRI",),
        "FRANCE": ("GAU",),
        "GERMANY": ("GER",),
        "ITALY": ("ITA",),
        "TURKEY": ("ANA",),
    }
    assert above.phase == Position.start().phase
    assert len(above.units) == 7 and all(above.units_of(power) for power in MAP.powers)


def test_several_units_are_one_and_armies_or_fleets_by_what_most_are() -> None:
    assert seen(board(TURKEY=["A BUL", "A SER", "F GRE"])) == {"TURKEY": ["A BKN"]}
    assert seen(board(TURKEY=["F BUL/SC", "A SER", "F GRE"])) == {"TURKEY": ["F BKN/NC"]}
    assert seen(board(TURKEY=["F BUL/EC", "F RUM", "F GRE"])) == {"TURKEY": ["F BKN/SC"]}
    assert seen(board(TURKEY=["F WES", "F TYS"])) == {"TURKEY": ["F WSM"]}
    # Half and half: what walks can go further.
    assert seen(board(TURKEY=["F GRE", "A SER"])) == {"TURKEY": ["A BKN"]}


def test_a_contested_region_shows_the_stronger() -> None:
    assert seen(board(TURKEY=["A BUL", "A GRE"], AUSTRIA=["A SER"])) == {"TURKEY": ["A BKN"]}
    centres = {"AUSTRIA": ["SER", "GRE"], "TURKEY": ["BUL"]}
    position = board(centres=centres, TURKEY=["A BUL"], AUSTRIA=["A SER"])
    assert seen(position) == {"AUSTRIA": ["A BKN"]}
    assert translate(REGIONS, position).centres == {"AUSTRIA": ("BKN",)}


def test_a_garrison_outnumbered_by_one_neighbour_counts_as_none() -> None:
    two: dict[str, Any] = {"TURKEY": ["A BUL", "A SER"], "AUSTRIA": ["A VIE"]}
    assert seen(board(**two)) == {"TURKEY": ["A BKN"]}
    assert seen(board(TURKEY=["A BUL"], AUSTRIA=["A VIE"])) == {"TURKEY": ["A BKN"], "AUSTRIA": ["A DAN"]}
    # Two neighbours with one unit each are no majority of one power.
    spread: dict[str, Any] = {"TURKEY": ["A BUL"], "ITALY": ["A VEN"], "AUSTRIA": ["A VIE"]}
    assert set(seen(board(**spread))) == {"TURKEY", "ITALY", "AUSTRIA"}


def test_strengths_count_every_unit_and_centre_once() -> None:
    position = Position.start()
    counted = strengths(REGIONS, position)
    for number, power in enumerate(MAP.powers):
        assert counted.units[number].sum() == len(position.units_of(power))
        assert counted.centres[number].sum() == len(position.centres[power])
    assert sum(map(len, counted.places.values())) == len(position.units)


def test_heights_count_provinces_and_centres_and_fall_away_from_home() -> None:
    every = heights(REGIONS)
    turkey = every["TURKEY"]
    assert turkey["BKN"] > turkey["IBE"] > turkey["ARC"]
    assert turkey["ANA"] == max(other["ANA"] for other in every.values()) > every["ENGLAND"]["ANA"]
