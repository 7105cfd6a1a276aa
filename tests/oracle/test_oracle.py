"""The oracle against its own definition: it finds the consistent assignments, and all of them."""

from __future__ import annotations

import pytest

from bordeaux.board.map import Map
from tests.oracle import Board, Unit, resolve
from tests.oracle.board import province_of
from tests.oracle.choosers import Seeded
from tests.oracle.equations import Equations
from tests.oracle.orders import read, review
from tests.oracle.scenarios import FLAVOURS, scenario
from tests.oracle.solve import consistent_assignments, solve

BOARD = Board.of(Map.standard())


def test_against_every_assignment() -> None:
    """Where the equations decide, of all assignments this one alone satisfies them; where they do
    not, the answer satisfies all but those of the convoys that Szykman's rule stops."""
    seen = {"decided": 0, "circle": 0, "paradox": 0}
    for flavour in FLAVOURS:
        for seed in range(60):
            phase = scenario(BOARD, Map.standard().powers, FLAVOURS[flavour], Seeded(f"{flavour}{seed}"))
            units = {province_of(unit.location): unit for unit in phase.units}
            equations = Equations(BOARD, units, review(BOARD, units, phase.orders)[0])
            if not 0 < len(equations.unknowns) <= 9:
                continue
            values, knots = solve(equations)
            assignments = list(consistent_assignments(equations, equations.unknowns, {}))
            if not knots:
                seen["decided"] += 1
                assert assignments == [{unknown: values[unknown] for unknown in equations.unknowns}]
                continue
            assert len(assignments) != 1
            seen[knots[0].rule] += 1
            stopped = {u for knot in knots if knot.rule == "paradox" for u in knot.unknowns}
            for unknown in equations.unknowns:
                if unknown not in stopped or unknown not in equations.convoys:
                    assert equations.demanded(unknown, values.__getitem__) == values[unknown]
                else:
                    assert values[unknown] is False
    assert all(seen.values()), seen


@pytest.mark.parametrize(
    ("origin", "goal", "fleets", "useful"),
    [
        ("LON", "BEL", "ENG NTH", "ENG NTH"),
        ("LON", "BEL", "ENG IRI", "ENG"),
        ("MAR", "SPA", "LYO WES", "LYO"),
        ("TUN", "ALB", "ION ADR", "ION"),
        ("LVP", "EDI", "IRI ENG NTH NWG NAO", "IRI ENG NTH NWG NAO"),
        ("NWY", "EDI", "SKA NTH", "NTH"),
        ("SWE", "NWY", "SKA BOT", "SKA"),
        ("GRE", "SEV", "AEG BLA", ""),
    ],
)
def test_proper_routes(origin: str, goal: str, fleets: str, useful: str) -> None:
    useful_fleets = {
        fleet for fleet in fleets.split() if BOARD.proper_route(origin, goal, fleets.split(), fleet)
    }
    assert useful_fleets == set(useful.split())


def test_knots_say_which_rule_was_needed() -> None:
    circle = {"TURKEY": ["F ANK - CON", "A CON - SMY", "A SMY - ANK"]}
    (knot,) = resolve(BOARD, units_for(circle), circle).knots
    assert knot.rule == "circle" and len(knot.solutions) == 2
    paradox = {
        "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
        "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
    }
    (knot,) = resolve(BOARD, units_for(paradox), paradox).knots
    assert knot.rule == "paradox" and set(knot.unknowns) == {"ENG", "LON", "WAL"}


def test_the_oracle_reads_canonical_orders() -> None:
    assert read("F MAO - SPA/SC").target == "SPA/SC"
    assert read("A LON - NWY VIA").via
    assert read("A MAR S A PAR - BUR").kind == "help"
    assert read("A MAR S A PAR").kind == "support"
    with pytest.raises(ValueError, match="cannot read"):
        read("A LON TO NWY")


def units_for(orders: dict[str, list[str]]) -> list[Unit]:
    return [Unit(power, text[0], text.split()[1]) for power, texts in orders.items() for text in texts]
