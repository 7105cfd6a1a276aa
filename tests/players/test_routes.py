"""Routes: what sorts them, and who gets which."""

from __future__ import annotations

from random import Random

from bordeaux import Map, Position
from bordeaux.players.map_index import situation
from bordeaux.players.routes import movement_by_routes, retreats_by_worth
from tests.players.seats import standard

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
