"""A power that is losing completes a stalemate line where it can (Hall and Loeb 1995, section 4.3.7)."""

from __future__ import annotations

import pytest

from bordeaux import Engine, Limit, Map, Position, Request, Unit
from bordeaux.board.submission import texts
from bordeaux.evaluation import stalemate_lines
from tests.evaluation.line_oracle import complete

MAP = Map.standard()
WALKER = next(line for line in stalemate_lines(MAP) if line.name == "walker-1")
OWNED = ("ANK", "BUD", "BUL", "CON", "GRE", "NAP", "ROM", "RUM", "SER", "SEV")
LOST = (
    "BEL",
    "BER",
    "BRE",
    "DEN",
    "EDI",
    "HOL",
    "KIE",
    "LON",
    "LVP",
    "MAR",
    "MOS",
    "MUN",
    "NWY",
    "PAR",
    "SPA",
)


def one_move_from(gap: str, unit: str, foes: str) -> Position:
    """Italy one move from the line, its unit for the `gap` elsewhere, against Germany's 15 centres."""
    units = [
        Unit("ITALY", *unit.split(" "))
        for unit, place in zip(WALKER.units, WALKER.held, strict=True)
        if place != gap
    ]
    units += [Unit("GERMANY", *part.split(" ")) for part in foes.split(", ")]
    return Position(
        MAP, "S1910M", [*units, Unit("ITALY", *unit.split(" "))], {"ITALY": OWNED, "GERMANY": LOST}
    )


POSITIONS = [
    (
        "NAF",
        "F TUN",
        "A DEN, F NWG, A SWE, A MUN, F NAO, A WAR, A CLY, A NWY, F BRE, F GAS, F SKA, A HOL, F KIE, F LVN",
    ),
    (
        "UKR",
        "A RUM",
        "F SKA, F HOL, A EDI, F POR, F LVP, A SWE, F FIN, A BRE, A RUH, F NTH, F KIE, F CLY, A SIL, F NWG",
    ),
]


#: Ideas that are not in use here.
LEFT_OUT = ["policy", "people", "league", "variants", "equilibrium"]


def completed(position: Position) -> bool:
    """Whether 5,000 nodes find orders that complete the line if nobody interferes.

    From the same place the search of the paper goes up the evaluation step by step: seeds of a policy would
    lead it to an attack on centres that stand empty here, which is worth more than the line.
    """
    with Engine(seed=0, search="paper", without=LEFT_OUT) as engine:
        pools = engine.pools(Request(position, ("ITALY",), Limit(nodes=5000)))
        orders = texts(position.map, pools.lines("ITALY", 1)[0][0])
    after = position.next({"ITALY": orders})
    return complete(after, WALKER, "ITALY")


@pytest.mark.parametrize(("gap", "unit", "foes"), POSITIONS)
def test_a_losing_power_completes_its_line(gap: str, unit: str, foes: str) -> None:
    assert completed(one_move_from(gap, unit, foes))
