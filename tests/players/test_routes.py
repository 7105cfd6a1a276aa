"""Routes: what sorts them, and who gets which."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings

from bordeaux import Map, Position
from bordeaux._ext.net.dumbbot import DumbBotPolicy
from bordeaux.formats.daide import map_from_mdf
from bordeaux.players.map_index import FAR_AWAY, map_index, situation
from bordeaux.players.routes import movement_by_routes, retreats_by_worth
from bordeaux.policy.dumbbot import ANY, DUMBBOT
from tests.board.positions import positions
from tests.patience import examples
from tests.players.playing import STRIP, standard

MAP = Map.standard()
FRANCE = MAP.powers.index("FRANCE")


def worth(**places: float) -> list[float]:
    """Points by location, the same for armies and fleets."""
    return [places.get(location.name, 0.0) for location in MAP.locations]


def texts(position: Position, points: list[float], *flagged: str) -> list[str]:
    provinces = {MAP.province(name).index for name in flagged}
    orders = movement_by_routes(situation(position), FRANCE, points, provinces, Random(0))
    return [str(order) for order in orders]


def test_threats_that_prevail_take_value_away() -> None:
    # Two Germans could be in Burgundy: (2 + 0) / (2 + 2) x 9 is less than Brest's 5.
    beset = standard("S1905M", {"FRANCE": ["A PAR"], "GERMANY": ["A MUN", "A RUH"]})
    assert texts(beset, worth(BUR=9, BRE=5)) == ["A PAR - BRE"]
    # With a supporter it is (2 + 1) / (2 + 2) x 9, which is more; he is drafted.
    helped = standard("S1905M", {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A MUN", "A RUH"]})
    assert "S A" in " ".join(texts(helped, worth(BUR=9, BRE=5)))


def test_a_priority_flag_counts_half_as_much_again() -> None:
    position = standard("S1905M", {"FRANCE": ["A PAR"]})
    assert texts(position, worth(BUR=6, BRE=5)) == ["A PAR - BUR"]
    assert texts(position, worth(BUR=6, BRE=5), "BRE") == ["A PAR - BRE"]
    assert texts(position, worth(BUR=9, BRE=5), "BRE") == ["A PAR - BUR"]


def test_the_best_retreat_is_chosen_first_and_nobody_shares() -> None:
    state = {
        "name": "S1905R",
        "units": {"FRANCE": ["*A PAR", "*A BUR"], "GERMANY": ["A PAR", "A BUR"]},
        "centers": {},
        "retreats": {"FRANCE": {"A PAR": ["GAS", "BRE"], "A BUR": ["GAS", "MAR"]}},
    }
    position = Position.from_json(state)
    for points, orders in (
        (worth(GAS=9, BRE=1, MAR=5), {"A PAR R BRE", "A BUR R GAS"}),
        (worth(GAS=9, BRE=8, MAR=10), {"A PAR R GAS", "A BUR R MAR"}),
    ):
        assert {str(order) for order in retreats_by_worth(position, FRANCE, points)} == orders
    state["retreats"] = {"FRANCE": {"A PAR": ["GAS"], "A BUR": ["GAS"]}}
    retreats = retreats_by_worth(Position.from_json(state), FRANCE, worth(GAS=9))
    assert {str(order) for order in retreats} == {"A BUR R GAS", "A PAR D"}


def at(name: str) -> int:
    return MAP.province(name).index


# Map and position by number: who is where, who could come, and who has how many.

OF_FRANCE, GERMANY, ITALY = (MAP.powers.index(power) for power in ("FRANCE", "GERMANY", "ITALY"))


def test_a_map_by_number_says_what_the_map_says() -> None:
    ground = map_index(MAP)
    for location in MAP.locations:
        near = {ground.name[there] for there in ground.neighbours[location.index]}
        assert near == set(MAP.adjacent(location.kind, location.name))
        assert ground.reach[location.index] == {at(name.partition("/")[0]) for name in near}
        assert location.index in ground.locations[location.province]
        assert ground.number[location.kind, location.name] == location.index
    assert [MAP.provinces[centre].name for centre in ground.centres] == list(MAP.centres)
    assert ground.distances(ground.number["A", "PAR"])[at("MOS")] == MAP.distance("A", "PAR")["MOS"]
    assert ground.distances(ground.number["A", "LON"])[at("PAR")] == FAR_AWAY
    assert ground.steps(at("LON"))[at("PAR")] == 3


@settings(max_examples=examples(25), deadline=None)
@given(position=positions())
def test_threats_are_what_a_plain_count_gives(position: Position) -> None:
    now = situation(position)
    for name in ("PAR", "BUL", "MAO", "STP"):
        for number, power in enumerate(MAP.powers):
            foreign = [
                unit.power
                for unit in position.units
                if unit.power != power
                and (
                    unit.province == name
                    or name in {place.partition("/")[0] for place in MAP.adjacent(unit.kind, unit.location)}
                )
            ]
            most = max((foreign.count(other) for other in foreign), default=0)
            assert now.threats(at(name), number) == (len(foreign), most)
            assert now.threatened(at(name), number) == bool(foreign)


def test_equal_positions_on_two_maps_of_one_name_are_kept_apart() -> None:
    texts = (
        "MDF (AUS TUR) (((AUS BUD) (TUR ANK)) ()) ((BUD (AMY ANK)) (ANK (AMY BUD)))",
        "MDF (AUS TUR) (((AUS BUD) (TUR ANK)) (BUL)) ((BUD (AMY ANK BUL)) (ANK (AMY BUD)) (BUL (AMY BUD)))",
    )
    boards = [map_from_mdf(text, "twins") for text in texts]
    state = {"name": "S1901M", "units": {"AUS": ["A BUD"]}, "centers": {"AUS": ["BUD"], "TUR": ["ANK"]}}
    situations = [situation(Position.from_json(state, board)) for board in boards]
    assert [now.ground.map for now in situations] == boards


# The walk among choices: how often it stops where.

DRAWS = 40_000
#: Five standard deviations of the rarest and the most even frequency.
NEAR = 5 * (0.25 / DRAWS) ** 0.5


def frequencies(values: list[int], weak_variant: bool) -> list[float]:
    """How often walks end on each of some values."""
    numbers = DUMBBOT.schemes, DUMBBOT.size, -1, weak_variant, 1, 50, 500
    choice = DumbBotPolicy(STRIP.tables, *numbers, (ANY, ANY, ANY), 1)
    ends = Counter(choice.walked(values, ANY) for _ in range(DRAWS))
    return [ends[place] / DRAWS for place in range(len(values))]


@pytest.mark.parametrize(
    ("values", "weak_variant", "expected"),
    [
        ([100], False, [1.0]),
        # A tenth worse is fifty in a hundred of a hurdle, after an even chance.
        ([100, 90], False, [0.75, 0.25]),
        ([100, 80], False, [1.0, 0.0]),
        ([100, 100], False, [0.5, 0.5]),
        # From 95 to 90 the hurdle is 500 * 5 / 95, which is 26: the value that the walk stands on counts.
        ([100, 95, 90], False, [1 - 0.375, 0.375 * (1 - 0.37), 0.375 * 0.37]),
        ([0, -5], False, [0.5, 0.5]),
        # Among removals values grow: no hurdle but the first draw.
        ([100, 200, 5000], False, [0.5, 0.25, 0.25]),
        # The weak variant draws once, and minds any gap.
        ([100, 98], True, [0.6, 0.4]),
        ([100, 90], True, [1.0, 0.0]),
        ([100, 102], True, [0.6, 0.4]),
    ],
)
def test_how_often_a_walk_ends_where(values: list[int], weak_variant: bool, expected: list[float]) -> None:
    assert frequencies(values, weak_variant) == pytest.approx(expected, abs=NEAR)
