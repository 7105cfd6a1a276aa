"""Stalemate lines as data, and what they are worth in positions (Hall and Loeb 1995, section 4.3.7)."""

from __future__ import annotations

import json
import random
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import pytest

from bordeaux import Map, Position, Unit, evaluate
from bordeaux.evaluation import StalemateLine, read_weights, stalemate_lines

from .line_oracle import complete, worth

MAP = Map.standard()
LINES = {line.name: line for line in stalemate_lines(MAP)}
WALKER = LINES["walker-1"]
LEADER = ("BEL", "BER", "BRE", "DEN", "EDI", "HOL", "KIE", "LON", "LVP", "MAR", "MUN", "NWY", "PAR", "SPA")
"""Fourteen centres, none of them behind the line of `WALKER`."""


def standing(
    line: StalemateLine,
    power: str = "ITALY",
    without: Collection[str] = (),
    centres: Mapping[str, Sequence[str]] | None = None,
    **others: list[str],
) -> Position:
    """A position with the units of a line, except in some provinces, and units of other powers."""
    units = [
        Unit(power, *unit.split(" "))
        for unit, place in zip(line.units, line.held, strict=True)
        if place not in without
    ]
    units += [Unit(owner, *unit.split(" ")) for owner, given in others.items() for unit in given]
    return Position(MAP, "S1910M", units, centres or {})


def stalemate(board: Position, power: str = "ITALY") -> float:
    """The weighted term of the default evaluation, in centres."""
    return evaluate(board)[power].terms["stalemate"] / read_weights("default")[0]["stalemate"]


def level(line: StalemateLine, power: str = "ITALY", leader: str = "FRANCE") -> dict[str, list[str]]:
    """Centres by which a leader has ten, none of them a home of its own, and the power seven: it is not
    losing, so that complete lines alone count."""
    free = [centre for centre in MAP.centres if centre not in MAP.homes[leader]]
    free.sort(key=lambda centre: centre in line.centres, reverse=True)
    return {power: free[:7], leader: free[7:17]}


@pytest.mark.parametrize("name", LINES)
def test_a_line_is_whole_and_not_when_a_unit_is_missing(name: str) -> None:
    line = LINES[name]
    centres = level(line)
    board = standing(line, centres=centres)
    assert complete(board, line, "ITALY") and stalemate(board) == worth(board, "ITALY") >= len(line.centres)
    for place in (line.held[0], line.held[-1]):
        board = standing(line, without=[place], centres=centres)
        assert not complete(board, line, "ITALY") and stalemate(board) == worth(board, "ITALY")


def as_units(line: StalemateLine, **places: str) -> Position:
    """The units of a line as Italy's, some of them of another kind."""
    texts = [places.get(place, unit) for unit, place in zip(line.units, line.held, strict=True)]
    return Position(MAP, "S1910M", [Unit("ITALY", *text.split(" ")) for text in texts], level(line))


def test_a_unit_of_another_kind_does_where_it_can_do_its_part() -> None:
    assert stalemate(as_units(WALKER)) == stalemate(as_units(WALKER, TYR="A TYR")) == 15
    # An army in North Africa cannot support the fleet in the Western Mediterranean.
    assert stalemate(as_units(WALKER, NAF="A NAF")) == 0
    line = LINES["verheiden-southern-min-2"]
    assert stalemate(as_units(line)) == len(line.centres)
    # A fleet in Sevastopol cannot support an army in the Ukraine, one in Albania can support that in Trieste.
    assert (line.supports["SEV"], line.supports["ALB"]) == ("UKR", "TRI")
    assert stalemate(as_units(line, SEV="F SEV")) == 0
    assert stalemate(as_units(line, ALB="F ALB")) == len(line.centres)


def test_fleets_where_a_line_bears_none() -> None:
    line = LINES["beshera-III-1"]
    assert line.no_fleets == ("VEN",)
    owned = {
        power: [tag for tag in listed if tag != "VEN"] for power, listed in level(line, "RUSSIA").items()
    }
    assert len(owned["FRANCE"]) == 10
    whole = len(line.centres)
    assert stalemate(standing(line, "RUSSIA", centres=owned, ITALY=["A VEN"]), "RUSSIA") == whole
    assert stalemate(standing(line, "RUSSIA", centres=owned, ITALY=["F VEN"]), "RUSSIA") < whole
    assert stalemate(standing(line, "RUSSIA", centres={**owned, "ITALY": ["VEN"]}), "RUSSIA") < whole


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


def disturbed(line: StalemateLine, chance: random.Random) -> Position:
    """A line as games have it: units away or of another kind, others around and behind, any owners."""
    fewer = chance.choice([0, 0, 1, 1, 2, len(line.held) // 2])
    board = standing(line, "ITALY", without=chance.sample(line.held, fewer))
    units = {unit.province: unit for unit in board.units}
    places = [place for place in MAP.locations if place.name.partition("/")[0] not in units]
    for place in chance.sample(places, chance.choice([0, 1, 3, 10])):
        units.setdefault(
            place.name.partition("/")[0], Unit(chance.choice(MAP.powers), place.kind, place.name)
        )
    for unit in chance.sample(list(board.units), chance.choice([0, 0, 1])):
        other = chance.choice([place for kind in "AF" for place in MAP.locations_in(kind, unit.province)])
        units[unit.province] = Unit("ITALY", other.kind, other.name)
    owners = chance.choices(["FRANCE", "ITALY", *MAP.powers], [6, 3, *[0.3] * 7], k=len(MAP.centres))
    centres = {
        power: [centre for centre, owner in zip(MAP.centres, owners, strict=True) if owner == power]
        for power in MAP.powers
    }
    return Position(MAP, "S1910M", list(units.values()), centres)


def test_the_core_agrees_with_the_rules_as_they_are_written() -> None:
    chance = random.Random(1)
    seen = []
    for line in LINES.values():
        for _ in range(3):
            board = disturbed(line, chance)
            seen.append(stalemate(board))
            assert seen[-1] == pytest.approx(worth(board, "ITALY"), abs=1e-4), (line.name, board.to_json())
    whole = [share for share in seen if share and share == round(share)]
    assert len(whole) > 10 and seen.count(0) > 10 and len(seen) - len(whole) - seen.count(0) > 10


def test_published_positions_are_all_there(shared_data: Path) -> None:
    published = json.loads((shared_data / "stalemates" / "positions.json").read_text())["positions"]
    assert len(published) == 12
    for given in published:
        line = LINES[given["id"]]
        assert sorted(line.units) == sorted(given["units"])
        assert {f"{helper} S {helped}" for helper, helped in line.supports.items()} == set(given["supports"])
        assert len(line.centres) == given["centers"]
