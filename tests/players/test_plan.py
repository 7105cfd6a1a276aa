"""Orders that are settled one by one: what is open, what waits, and what the idle do."""

from __future__ import annotations

from collections.abc import Sequence

from bordeaux import Map
from bordeaux.players.map_index import situation
from bordeaux.players.routes import OrderPlan, Way
from tests.players.seats import standard

MAP = Map.standard()
FRANCE = MAP.powers.index("FRANCE")


def plan(ours: Sequence[str], theirs: Sequence[str] = ()) -> OrderPlan:
    return OrderPlan(situation(standard("S1905M", {"FRANCE": list(ours), "GERMANY": list(theirs)})), FRANCE)


def at(name: str) -> int:
    return MAP.province(name).index


def place(name: str, kind: str = "A") -> int:
    return MAP.location(kind, name).index


def unit(of: OrderPlan, name: str) -> int:
    return of.situation.at[at(name)]


def texts(of: OrderPlan) -> list[str]:
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
    assert texts(made) == ["A BUR - MUN", "A GAS - BUR", "A PAR H"]


def test_supporters_are_free_units_that_could_go_there() -> None:
    made = plan(["A PAR", "A GAS", "F ENG", "A MUN"])
    paris, gascony = unit(made, "PAR"), unit(made, "GAS")
    assert made.supporters(paris, at("BUR")) == [gascony, unit(made, "MUN")]
    made.commit(paris, place("BUR"), [gascony])
    assert made.supporters(paris, at("BUR")) == [unit(made, "MUN")]
    assert texts(made)[1:] == ["A GAS S A PAR - BUR", "A MUN H", "A PAR - BUR"]


def test_support_of_a_fleet_names_its_coast_and_of_one_that_stays_no_goal() -> None:
    made = plan(["F GAS", "F MAO", "A PAR", "A BUR"])
    made.commit(unit(made, "MAO"), place("SPA/NC", "F"), [unit(made, "GAS")])
    made.commit(unit(made, "PAR"), place("PAR"), [unit(made, "BUR")])
    assert texts(made) == ["A BUR S A PAR", "F GAS S F MAO - SPA/NC", "F MAO - SPA/NC", "A PAR H"]


def test_the_idle_support_whoever_lacks_most() -> None:
    # Burgundy, beside two Germans, lacks one support more than Gascony, beside nobody.
    made = plan(["A PAR", "A BUR", "A GAS"], ["A MUN", "A RUH"])
    for name in ("PAR", "BUR", "GAS"):
        made.commit(unit(made, name), place(name))
    made.rally()
    assert texts(made) == ["A BUR H", "A GAS S A BUR", "A PAR H"]


def test_the_idle_do_nothing_where_nothing_is_lacking() -> None:
    made = plan(["A PAR", "A BUR", "A GAS"], ["A MUN"])
    made.rally()
    assert texts(made) == ["A BUR H", "A GAS H", "A PAR H"]


def test_free_units_come_to_the_help_of_a_contested_move() -> None:
    made = plan(["A PAR", "A BUR"], ["A BEL"])
    made.commit(unit(made, "PAR"), place("PIC"))
    made.rally()
    assert texts(made) == ["A BUR S A PAR - PIC", "A PAR - PIC"]
