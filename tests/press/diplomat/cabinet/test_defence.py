"""press/cabinet/defence.py: what agreements cost, as the search has it."""

from bordeaux.board.notation import parse_order
from bordeaux.engine import Engine
from bordeaux.press.diplomat.cabinet.defence import IMPOSSIBLE, SEARCHES, Defence
from bordeaux.rules import legal_orders
from bordeaux.search.agreements import Agreement
from tests.press.diplomat.cabinet.table import MAP, START


def defence(power: str = "FRANCE") -> Defence:
    made = Defence(Engine(seed=1), power)
    made.begin(START, {})
    return made


def promise(order: str, power: str = "FRANCE") -> Agreement:
    return Agreement("promise", (power,), orders=(parse_order(order, MAP, START),))


def test_what_is_planned_costs_nothing_and_nonsense_much() -> None:
    made = defence()
    assert made.plan is not None and len(made.orders) == 3
    assert made.cost(promise(str(made.orders[0]))) == 0
    held = [made.cost(promise(f"{unit.kind} {unit.location} H")) for unit in START.units_of("FRANCE")]
    assert max(held) > 40
    assert made.cost(promise("A PAR - ROM")) == IMPOSSIBLE


def test_searches_of_a_phase_are_counted_and_kept() -> None:
    made = defence()
    costs = [made.cost(promise("A PAR - PIC")) for _ in range(2)]
    assert costs[0] == costs[1] > 0
    legal = [order for listed in legal_orders(START, "FRANCE").values() for order in listed]
    all_costs = [made.cost(promise(order)) for order in legal]
    assert all_costs.count(IMPOSSIBLE) > 0 and len(made._found) <= SEARCHES
    made.begin(START, {})
    assert made.cost(promise("A PAR - PIC")) < IMPOSSIBLE


def test_promises_that_cannot_all_be_kept_are_impossible() -> None:
    made = defence()
    made.agree([Agreement("demilitarised", ("FRANCE",), provinces=("BUR",))])
    assert made.cost(promise("A PAR - BUR")) == IMPOSSIBLE > made.cost(promise("A PAR - GAS"))
    made.agree([promise("A PAR - BUR")])
    assert made.cost(Agreement("demilitarised", ("FRANCE",), provinces=("BUR",))) == IMPOSSIBLE
    assert made.cost(promise("A PAR H")) == IMPOSSIBLE


def test_powers_without_orders_plan_nothing() -> None:
    made = Defence(Engine(seed=1), "FRANCE")
    assert made.plan is None and made.orders == [] and made.cost(promise("A PAR H")) == IMPOSSIBLE
