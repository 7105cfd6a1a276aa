"""Stalemate lines as data: read, recognised in positions, and worth something there (section 4.3.7)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bordeaux import Map, Position, Unit, evaluate
from bordeaux.board.errors import MapError
from bordeaux.evaluation.evaluation import read_weights
from bordeaux.evaluation.stalemates import barred, compiled_lines, recognised, stalemate_lines

MAP = Map.standard()
LINES = {line.name: line for line in stalemate_lines(MAP, refuted=True)}
WALKER = LINES["walker-1"]
LEADER = ("BEL", "BER", "BRE", "DEN", "EDI", "HOL", "KIE", "LON", "LVP", "MAR", "MUN", "NWY", "PAR", "SPA")
"""Fourteen centres, none of them behind the line of `WALKER`."""


def standing(line, power="ITALY", without=(), centres=None, **others):
    """A position with the units of a line but for some provinces, and units of other powers."""
    units = [
        Unit(power, *unit.split(" "))
        for unit, place in zip(line.units, line.held, strict=True)
        if place not in without
    ]
    units += [Unit(owner, *unit.split(" ")) for owner, given in others.items() for unit in given]
    return Position(MAP, "S1910M", units, centres or {})


def named(found, line):
    """What was recognised of one line."""
    return [each for each in found if each.line is line]


@pytest.mark.parametrize("name", LINES)
def test_a_line_is_recognised_and_not_when_a_unit_is_missing(name) -> None:
    line = LINES[name]
    (seen,) = named(recognised(standing(line)), line)
    assert seen.complete and seen.powers == ("ITALY",) and not seen.missing and not seen.against
    for unit, place in zip(line.units, line.held, strict=True):
        (seen,) = named(recognised(standing(line, without=[place])), line)
        assert not seen.complete and seen.missing == (unit,)
    assert not named(recognised(standing(line, without=line.held[: len(line.held) // 2 + 1])), line)


def test_published_positions_are_all_there(shared_data: Path) -> None:
    published = json.loads((shared_data / "stalemates" / "positions.json").read_text())["positions"]
    assert len(published) == 12
    for given in published:
        line = LINES[given["id"]]
        assert sorted(line.units) == sorted(given["units"])
        assert {f"{helper} S {helped}" for helper, helped in line.supports.items()} == set(given["supports"])
        assert len(line.centres) == given["centers"]


def test_centres_are_those_held_and_sheltered() -> None:
    for line in LINES.values():
        within = {*line.held, *line.sheltered}
        assert set(line.centres) == within & set(MAP.centres), line.name


def test_a_unit_of_another_kind_does_where_it_can_do_its_part() -> None:
    places = {"NAF": "A NAF", "TYR": "A TYR"}
    army = [places.get(place, unit) for unit, place in zip(WALKER.units, WALKER.held, strict=True)]
    # An army in North Africa cannot support the fleet in the Western Mediterranean.
    board = Position(MAP, "S1910M", [Unit("ITALY", *unit.split(" ")) for unit in army], {})
    (seen,) = named(recognised(board), WALKER)
    assert not seen.complete and seen.missing == ("F NAF",)
    places = {"SEV": "F SEV"}
    line = LINES["verheiden-southern-min-2"]
    fleet = [places.get(place, unit) for unit, place in zip(line.units, line.held, strict=True)]
    board = Position(MAP, "S1910M", [Unit("ITALY", *unit.split(" ")) for unit in fleet], {})
    # A fleet in Sevastopol cannot support an army in the Ukraine; one in Venice can support Piedmont's.
    assert named(recognised(board), line)[0].missing == ("A SEV",)


def test_who_is_behind_a_line_keeps_it_from_being_complete() -> None:
    (seen,) = named(recognised(standing(WALKER, TURKEY=["A CON"])), WALKER)
    assert not seen.complete and seen.missing == () and seen.against == ("A CON",)
    # An enemy's own vacant home behind the line is where he builds.
    (seen,) = named(recognised(standing(WALKER, centres={"TURKEY": ["CON"]})), WALKER)
    assert seen.against == ("CON",)
    (seen,) = named(recognised(standing(WALKER, centres={"FRANCE": ["CON"]})), WALKER)
    assert seen.complete


def test_fleets_where_a_line_bears_none() -> None:
    line = LINES["beshera-III-1"]
    assert line.verified == "no fleets" and line.no_fleets == ("VEN",)
    assert named(recognised(standing(line, "RUSSIA", ITALY=["A VEN"])), line)[0].complete
    assert named(recognised(standing(line, "RUSSIA", ITALY=["F VEN"])), line)[0].against == ("F VEN",)
    owned = standing(line, "RUSSIA", centres={"ITALY": ["VEN"]})
    assert named(recognised(owned), line)[0].against == ("VEN",)


def test_allies_hold_a_line_together() -> None:
    units = [
        Unit("TURKEY" if number % 2 else "ITALY", *unit.split(" "))
        for number, unit in enumerate(WALKER.units)
    ]
    board = Position(MAP, "S1910M", units, {})
    assert not [each for each in recognised(board) if each.complete]
    (seen,) = named(recognised(board, ["ita", "turkey"]), WALKER)
    assert seen.complete and seen.powers == ("ITALY", "TURKEY")
    with pytest.raises(MapError, match="unknown power 'ITALIA'; did you mean 'ITALY'"):
        recognised(board, ["ITALIA"])


def test_other_boards_have_no_lines() -> None:
    assert stalemate_lines(Map.load("pure")) == () and compiled_lines(Map.load("pure")) == []


def stalemate(board, power="ITALY") -> float:
    """The weighted term of the default evaluation, in centres."""
    return evaluate(board)[power].terms["stalemate"] / read_weights("default")[0]["stalemate"]


def test_a_complete_line_is_worth_its_centres_against_a_leader() -> None:
    owned = {"ITALY": WALKER.centres[:10]}
    assert stalemate(standing(WALKER, centres=owned)) == 0
    assert stalemate(standing(WALKER, centres={**owned, "FRANCE": LEADER[:9]})) == 0
    level = {**owned, "FRANCE": LEADER[:10]}
    assert stalemate(standing(WALKER, centres=level)) == 15
    # Not losing, so that a line which is not complete is worth nothing.
    assert stalemate(standing(WALKER, without=["NAF"], centres=level)) == 0
    # Who leads need not dig in.
    ahead = {"ITALY": WALKER.centres[:11], "FRANCE": LEADER[:10]}
    assert stalemate(standing(WALKER, centres=ahead)) == 0


def test_a_line_begun_counts_for_a_power_that_is_losing() -> None:
    losing = {"ITALY": ("ROM", "NAP", "VEN", "TUN", "GRE", "SER", "TRI", "BUD", "BUL"), "FRANCE": LEADER}
    worth = [stalemate(standing(WALKER, without=WALKER.held[:gap], centres=losing)) for gap in range(6)]
    assert worth[0] == 15
    assert worth[1] == pytest.approx(0.3 * 0.9**2 * 15) and worth[2] == pytest.approx(0.3 * 0.8**2 * 15)
    assert sorted(worth, reverse=True) == worth
    # Each unit behind the line counts against one that stands in it.
    behind = standing(WALKER, centres=losing, TURKEY=["A ANK"])
    assert stalemate(behind) == pytest.approx(0.3 * 0.9**2 * 15)
    home = standing(WALKER, centres={**losing, "TURKEY": ["ANK"]})
    assert stalemate(home) == pytest.approx(0.3 * 0.9**2 * 15)
    assert stalemate(home, "TURKEY") == 0


def test_a_line_is_not_complete_where_fleets_could_be_built_against_it() -> None:
    line = LINES["lipton-southern-1"]
    losing = {
        "TURKEY": line.centres,
        "GERMANY": ("MUN", "BER", "KIE", "DEN", "SWE", "NWY", "HOL", "BEL", "PAR", "BRE"),
    }
    assert stalemate(standing(line, "TURKEY", centres=losing), "TURKEY") == 6
    assert stalemate(standing(line, "TURKEY", centres=losing, GERMANY=["F ROM"]), "TURKEY") < 3
    assert stalemate(standing(line, "TURKEY", centres=losing, GERMANY=["A ROM"]), "TURKEY") == 6
    assert stalemate(standing(line, "TURKEY", centres={**losing, "ITALY": ["ROM"]}), "TURKEY") < 3


def test_the_core_agrees_with_what_is_recognised() -> None:
    """Complete lines by name and by the term: the most centres of those that are recognised."""
    leader = {"GERMANY": ("MUN", "BER", "KIE", "DEN", "SWE", "NWY", "HOL", "BEL", "PAR", "BRE")}
    for line in LINES.values():
        held = {*line.held, *line.sheltered, *line.no_fleets}
        board = standing(line, centres={"GERMANY": leader["GERMANY"]})
        whole = [len(each.line.centres) for each in recognised(board) if each.complete]
        homes = held & set(MAP.homes["GERMANY"])
        if not any(barred(line, place) for home in homes for place in MAP.locations_in("F", home)):
            assert stalemate(board) >= max(whole, default=0), line.name
        if whole:
            assert stalemate(board) == max(whole), line.name
