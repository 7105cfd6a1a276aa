"""Routes: what sorts them, and who gets which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings

from bordeaux import Map, Position
from bordeaux._ext.net.dumbbot import DumbBotPolicy
from bordeaux.formats.daide import map_from_mdf
from bordeaux.players.dumbbot import DumbBot
from bordeaux.players.map_index import FAR_AWAY, map_index, situation
from bordeaux.players.routes import OrderPlan, Way, movement_by_routes, retreats_by_worth
from bordeaux.policy.dumbbot import ANY
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


def test_the_best_route_goes_first_and_others_make_way() -> None:
    position = standard("S1905M", {"FRANCE": ["A PAR", "A GAS"]})
    # Both want Burgundy most; nothing tells them apart, but only one goes, the other to its second best.
    orders = texts(position, worth(BUR=9, BRE=5))
    assert sorted(orders) in (["A GAS - BUR", "A PAR - BRE"], ["A GAS - BRE", "A PAR - BUR"])


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


def plan(ours: Sequence[str], theirs: Sequence[str] = ()) -> OrderPlan:
    return OrderPlan(situation(standard("S1905M", {"FRANCE": list(ours), "GERMANY": list(theirs)})), FRANCE)


def at(name: str) -> int:
    return MAP.province(name).index


def place(name: str, kind: str = "A") -> int:
    return MAP.location(kind, name).index


def unit(of: OrderPlan, name: str) -> int:
    return of.situation.at[at(name)]


def planned(of: OrderPlan) -> list[str]:
    return [str(order) for order in of.orders()]


def test_a_province_is_shut_once_somebody_goes_there_or_stays() -> None:
    made = plan(["A PAR", "A GAS", "A BUR"])
    paris, gascony, burgundy = (unit(made, name) for name in ("PAR", "GAS", "BUR"))
    assert made.way(gascony, at("BUR")) is Way.WAITS
    assert made.way(burgundy, at("BUR")) is Way.OPEN
    made.commit(burgundy, place("MUN"))
    assert made.way(gascony, at("BUR")) is Way.OPEN
    made.commit(gascony, place("BUR"))
    assert made.way(paris, at("BUR")) is Way.SHUT
    assert made.way(paris, at("GAS")) is Way.OPEN
    made.commit(paris, place("PAR"))
    assert not made.free
    assert planned(made) == ["A BUR - MUN", "A GAS - BUR", "A PAR H"]


def test_supporters_are_free_units_that_could_go_there() -> None:
    made = plan(["A PAR", "A GAS", "F ENG", "A MUN"])
    paris, gascony = unit(made, "PAR"), unit(made, "GAS")
    assert made.supporters(paris, at("BUR")) == [gascony, unit(made, "MUN")]
    made.commit(paris, place("BUR"), [gascony])
    assert made.supporters(paris, at("BUR")) == [unit(made, "MUN")]
    assert planned(made)[1:] == ["A GAS S A PAR - BUR", "A MUN H", "A PAR - BUR"]


def test_the_idle_support_whoever_lacks_most() -> None:
    # Burgundy, beside two Germans, lacks one support more than Gascony, beside nobody.
    made = plan(["A PAR", "A BUR", "A GAS"], ["A MUN", "A RUH"])
    for name in ("PAR", "BUR", "GAS"):
        made.commit(unit(made, name), place(name))
    made.rally()
    assert planned(made) == ["A BUR H", "A GAS S A BUR", "A PAR H"]


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


def walker(
    seed: int = 1, weak_variant: bool = False, alternative: int = 50, modifier: int = 500
) -> DumbBotPolicy:
    """DumbBot's way of choosing, with other numbers for the walk."""
    numbers = DumbBot.schemes, DumbBot.size, -1, weak_variant, seed, alternative, modifier
    return DumbBotPolicy(STRIP.tables, *numbers, (ANY, ANY, ANY), 1)


def frequencies(choice: DumbBotPolicy, values: list[int], furthest: int = ANY) -> list[float]:
    """How often walks end on each of some values."""
    ends = Counter(choice.walked(values, furthest) for _ in range(DRAWS))
    return [ends[place] / DRAWS for place in range(len(values))]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([100], [1.0]),
        # A tenth worse is fifty in a hundred of a hurdle, after an even chance.
        ([100, 90], [0.75, 0.25]),
        ([100, 80], [1.0, 0.0]),
        ([100, 100], [0.5, 0.5]),
        # From 95 to 90 the hurdle is 500 * 5 / 95, which is 26: the value that the walk stands on counts.
        ([100, 95, 90], [1 - 0.375, 0.375 * (1 - 0.37), 0.375 * 0.37]),
        ([0, -5], [0.5, 0.5]),
        # Among removals values grow: no hurdle but the first draw.
        ([100, 200, 5000], [0.5, 0.25, 0.25]),
    ],
)
def test_how_often_a_walk_ends_where(values: list[int], expected: list[float]) -> None:
    assert frequencies(walker(), values) == pytest.approx(expected, abs=NEAR)


@pytest.mark.parametrize(
    ("values", "expected"),
    [([100, 98], [0.6, 0.4]), ([100, 90], [1.0, 0.0]), ([100, 102], [0.6, 0.4]), ([100, 200], [1.0, 0.0])],
)
def test_the_crude_way_draws_once_and_minds_any_gap(values: list[int], expected: list[float]) -> None:
    assert frequencies(walker(weak_variant=True), values) == pytest.approx(expected, abs=NEAR)


@pytest.mark.parametrize(("alternative", "modifier"), [(-1, 500), (101, 500), (50, -1)])
def test_numbers_that_make_no_walk_are_refused(alternative: int, modifier: int) -> None:
    with pytest.raises(ValueError, match="no such walk"):
        walker(alternative=alternative, modifier=modifier)
