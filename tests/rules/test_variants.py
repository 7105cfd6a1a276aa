"""Maps of other sizes and with other homes, by the same code: games, searches, evaluation, homes, victory."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from bordeaux import Engine, Map, Position, adjudicate, evaluate, legal_orders
from bordeaux.board.map import parse_map
from bordeaux.board.mapfile import bundled_maps
from bordeaux.formats.daide import map_from_mdf, map_to_mdf, position_from_daide, position_to_daide
from bordeaux.formats.text import position_from_text

LAST_YEAR = 1925


def grid(size: int) -> str:
    """A large map: a square of provinces, sea and land in bands, two powers in opposite corners."""
    kinds = {}
    for row in range(size):
        for column in range(size):
            kinds[row, column] = "sea" if row % 4 == 1 else "coastal"
    lines = ['name = "grid"']
    for power, letter, (row, column) in (("NORTH", "A", (0, 0)), ("SOUTH", "F", (size - 1, size - 1))):
        tag = tag_of(row, column)
        lines += [f"[powers.{power}]", f'homes = "{tag}"', f'units = ["{letter} {tag}"]']
    for (row, column), kind in kinds.items():
        near = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
        near = [place for place in near if place in kinds]
        army = " ".join(tag_of(*place) for place in near if kinds[place] != "sea")
        fleet = " ".join(tag_of(*place) for place in near)
        lines += [f"[provinces.{tag_of(row, column)}]", f'kind = "{kind}"', f'fleet = "{fleet}"']
        lines += [f"centre = {str(kind == 'coastal' and row % 3 == column % 3).lower()}"]
        lines += [f'army = "{army}"'] if kind != "sea" else []
    return "\n".join(lines)


def tag_of(row: int, column: int) -> str:
    """The tag of a province of the grid."""
    return f"{chr(65 + row)}{column:02d}"


HOMELESS = """
name = "homeless"
base = "standard"

[powers.FRANCE]
homes = "BRE MAR PAR"

[powers.NORSE]
homes = ""
centres = "NWY SWE DEN"
units = ["F NWY", "F SWE", "A DEN"]

[powers.NOMADS]
units = ["A MOS", "A UKR"]

[powers.GHOSTS]
"""

SHARED = """
name = "shared"
base = "gulfs"

[powers.NORDMARK]

[powers.ESTRIA]
homes = "ORE STE TOW HAV"

[powers.SUDAR]
homes = "DUN ROK VAL HAV"
"""

OWN = {
    "grid": parse_map(grid(15)),
    "homeless": parse_map(HOMELESS),
    "shared": parse_map(SHARED),
    "message": map_from_mdf(map_to_mdf(Map.load("gulfs")), "message"),
}
MAPS = {name: Map.load(name) for name in bundled_maps()} | OWN


def first(name: str) -> Position:
    """The start of a map; where no units stand, one of each power on its first home."""
    start = Position.start(MAPS[name])
    if start.units:
        return start
    units = {power: [f"A {homes[0]}"] for power, homes in start.map.homes.items()}
    return Position.from_json({**start.to_json(), "units": units}, start.map)


def choose(position: Position, rng: random.Random) -> dict[str, list[str]]:
    """Random legal orders, one for each place; in Winter as many as are due."""
    listed = legal_orders(position)
    orders: dict[str, list[str]] = {}
    for power, places in position.orderable().items():
        chosen = [rng.choice(listed[place]) for place in places]
        if position.phase.kind == "A":
            rng.shuffle(chosen)
            chosen = chosen[: abs(position.adjustments(power))]
        orders[power] = chosen
    return orders


def assert_sound(position: Position) -> None:
    """What holds of every position."""
    stands = [unit.province for unit in position.units]
    assert len(stands) == len(set(stands))
    for unit in position.units:
        assert position.map.location(unit.kind, unit.location).name == unit.location
    owned = [centre for centres in position.centres.values() for centre in centres]
    assert len(owned) == len(set(owned))
    # Checked anew from its parts, packed anew, and read back from each form.
    parts = position.units, position.centres, position.dislodged
    again = Position(position.map, position.phase, *parts)
    assert again == position
    assert Position.from_json(position.to_json(), position.map) == position
    assert position_from_text(str(position), position.map) == position
    if position.phase.kind != "-":
        assert position_from_daide(position_to_daide(position), position.map) == position


def owned_units(position: Position) -> Counter[tuple[str, str]]:
    """How many armies and fleets each power has, dislodged ones among them."""
    everyone = [*position.units, *(dislodged.unit for dislodged in position.dislodged)]
    return Counter((unit.power, unit.kind) for unit in everyone)


@pytest.mark.parametrize("name", MAPS)
def test_a_random_game_keeps_to_the_rules(name: str) -> None:
    rng = random.Random(f"{name} 0")
    position = first(name)
    assert_sound(position)
    kinds = set()
    for _ in range(40):
        if position.phase.kind == "-" or position.phase.year > LAST_YEAR:
            break
        kinds.add(position.phase.kind)
        orders = choose(position, rng)
        resolution = adjudicate(position, orders)
        after = resolution.after
        assert_sound(after)
        assert after == position.next(orders)
        before, now = owned_units(position), owned_units(after)
        if position.phase.kind == "A":
            for power in position.map.powers:
                change = sum(now[power, kind] - before[power, kind] for kind in "AF")
                due = position.adjustments(power)
                assert change == due if due <= 0 else 0 <= change <= due
                built = [unit for unit in after.units_of(power) if unit not in position.units]
                assert {unit.province for unit in built} <= set(position.map.homes[power])
        else:
            assert now <= before
            lost = (before - now).total()
            if position.phase.kind == "M":
                driven_out = sum("dislodged" in words for words in resolution.results.values())
                assert driven_out == lost + len(after.dislodged)
            else:
                assert set(position.units) <= set(after.units)
                assert len(after.units) == len(position.units) + len(position.dislodged) - lost
        position = after
    assert "M" in kinds
    assert "A" in kinds


@pytest.mark.parametrize("name", MAPS)
def test_a_search_gives_complete_legal_orders(name: str) -> None:
    position = first(name)
    rng = random.Random(name)
    with Engine(map=position.map) as engine:
        for _ in range(3):
            listed = legal_orders(position)
            for power, answer in engine.search_all(position, nodes=400).items():
                places = position.orderable().get(power, ())
                due = abs(position.adjustments(power)) if position.phase.kind == "A" else len(places)
                assert len(answer.orders) == due
                for order in answer.orders:
                    assert order == "WAIVE" or any(order in listed[place] for place in places)
            position = position.next(choose(position, rng))


def test_a_power_without_homes_looks_out_from_where_it_begins() -> None:
    position = first("homeless")
    values = evaluate(position, "paper")
    assert values["NORSE"].terms["owned"] == 300
    assert values["NOMADS"].terms["control"] > 0
    assert values["GHOSTS"].value == 0


def test_a_shared_home_is_for_each_who_owns_it() -> None:
    board = MAPS["shared"]
    assert Position.start(board).centres["NORDMARK"] == ("FJO", "HIL")
    state = Position.start(board).to_json()
    state["name"] = "W1901A"
    state["units"] = {power: [] for power in board.powers}
    for power in board.powers:
        state["centers"] = {power: ["HAV"]}
        position = Position.from_json(state, board)
        assert position.orderable() == {power: ("HAV",)}
        assert legal_orders(position)["HAV"] == ["A HAV B", "F HAV B", "WAIVE"]
        assert str(position.next({power: ["F HAV B"]}).units_of(power)[0]) == "F HAV"


def test_more_than_half_of_the_centres_wins_on_any_map() -> None:
    for name in ("pure", "gulfs", "capitals"):
        start = first(name)
        board, number = start.map, start.map.majority
        power = board.powers[0]
        home = board.homes[power][0]
        for count, winner in ((number, power), (number - 1, None)):
            owned = [home, *(tag for tag in board.centres if tag != home)][:count]
            units = {power: [f"A {home}"]}
            state = {"name": "F1901M", "units": units, "centers": {power: owned}}
            assert Position.from_json(state, board).next({}).victor == winner


def test_a_position_names_its_map() -> None:
    start = first("gulfs")
    assert start.to_json()["map"] == "gulfs"
    assert Position.from_json(start.to_json()) == start
    assert position_from_text(str(start)) == start
    assert "map" not in Position.start().to_json()
