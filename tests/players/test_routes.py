"""Routes: what sorts them, and who gets which."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bordeaux import Map, Position
from bordeaux.players.map_index import situation
from bordeaux.players.routes import OrderPlan, Way, movement_by_routes, retreats_by_worth
from tests.players.playing import standard

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
