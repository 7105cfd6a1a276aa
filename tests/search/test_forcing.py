"""The stage that looks for what can be forced: its sets, and what it finds them worth."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from bordeaux import Engine, Map, Position, Unit, legal_orders
from bordeaux.arena import bench
from bordeaux.arena.puzzles import shipped, solves
from bordeaux.board.code import codes_in
from bordeaux.board.submission import decode
from bordeaux.search.config import SEARCHES
from bordeaux.search.forcing import NEAR, STOPPED, SURE, VICTORY, Forcing
from bordeaux.search.proof import Prover, sure_centres
from bordeaux.search.sets import from_orders

from .paper.boards import board

MAP = Map.standard()
FALLS = [p for p, _ in bench.positions() if (p.phase.season, p.phase.kind) == ("F", "M")]
#: Centres far from the Balkans, for owners who have no unit near.
WEST = ["PAR", "MAR", "BRE", "SPA", "POR", "LON", "LVP", "EDI", "BEL", "HOL", "DEN"]
#: What Turkish armies around Vienna can reach besides.
EAST = ["BUD", "TRI", "SER", "WAR", "RUM", "VEN"]


def texts(orders: bytes) -> list[str]:
    return sorted(str(decode(MAP, code)) for code in codes_in(orders))


def worth(position: Position, power: str, *orders: str) -> float:
    return Forcing(position, power, math.inf).worth(from_orders(position, power, orders))


@pytest.mark.parametrize("number", range(len(FALLS)))
def test_sets_are_legal_and_complete(number: int) -> None:
    position = FALLS[number]
    for power in MAP.powers:
        if not position.units_of(power):
            continue
        forcing = Forcing(position, power, 2_000)
        sets = forcing.sets()
        legal = legal_orders(position, power)
        assert sets and len(set(sets)) == len(sets)
        for orders in sets:
            given = [decode(MAP, code) for code in codes_in(orders)]
            assert len(given) == len(legal) == len(position.units_of(power))
            assert {*map(str, given)} <= {str(order) for listed in legal.values() for order in listed}
            assert len({order.location for order in given}) == len(given)
        assert forcing.nodes > 0


def besieged() -> Position:
    """Austria beside Greece, where a Turkish army stands alone, and beside Bulgaria, that two can reach."""
    return board(
        "F1903M",
        {"AUSTRIA": ["SER", "BUD"], "TURKEY": ["GRE", "CON"]},
        {"AUSTRIA": ["A SER", "A ALB"], "TURKEY": ["A GRE"]},
    )


def test_a_supported_attack_is_found_and_worth_a_centre_more() -> None:
    position = besieged()
    attack = ["A SER - GRE", "A ALB S A SER - GRE"]
    sets = [texts(orders) for orders in Forcing(position, "AUSTRIA", math.inf).sets()]
    assert any("GRE" in order and " - " in order for orders in sets for order in orders)
    # A defender can move out, but nobody takes from us what he left; or he bounces into Serbia, which is
    # then open: that both are sure takes the move from Albania.
    safer = ["A ALB - GRE", "A SER S A ALB - GRE"]
    assert worth(position, "AUSTRIA", *safer) == 3 * SURE
    assert worth(position, "AUSTRIA", "A SER H", "A ALB H") == 2 * SURE
    # One attack alone is beaten off by an army that stays.
    assert worth(position, "AUSTRIA", "A ALB - GRE", "A SER H") == 2 * SURE
    assert worth(position, "AUSTRIA", *attack) <= worth(position, "AUSTRIA", *safer)


def test_a_centre_that_is_walked_out_of_is_not_sure() -> None:
    position = besieged()
    assert worth(position, "AUSTRIA", "A SER - BUD", "A ALB H") == SURE
    assert worth(position, "AUSTRIA", "A SER H", "A ALB S A SER") == 2 * SURE


def test_a_deeper_proof_counts_for_the_sets_that_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """And what is sure singly and together counts once, whichever was proved with more replies."""
    forcing = Forcing(besieged(), "AUSTRIA", math.inf)
    first, second = forcing.sets()[:2]
    asked = 0

    def singly(self: Forcing, orders: object) -> float:
        nonlocal asked
        asked += 1
        # Two sets with few replies, then both with more, but time is up within the second.
        return 1.0 if asked <= 2 else 3.0

    monkeypatch.setattr(Forcing, "_centres", singly)
    monkeypatch.setattr(Forcing, "_together", lambda self, orders: 2.0)
    monkeypatch.setattr(Prover, "tired", property(lambda self: asked >= 4))
    assert forcing.points([first, second]) == {first: 3.0, second: 2.0}


def test_two_attackers_take_what_one_unit_holds_alone() -> None:
    position = board(
        "F1903M",
        {"AUSTRIA": ["SER", "BUD"], "TURKEY": ["BUL", "CON"]},
        {"AUSTRIA": ["A SER", "A BUD"], "TURKEY": ["A BUL", "A GRE"]},
    )
    assert worth(position, "AUSTRIA", "A SER H", "A BUD H") == SURE
    assert worth(position, "AUSTRIA", "A SER H", "A BUD S A SER") == 2 * SURE


def eighteenth() -> Position:
    """Turkey with 17 centres beside Vienna, where an Austrian army stands alone."""
    return board(
        "F1910M",
        {"TURKEY": [*WEST, *EAST], "AUSTRIA": ["VIE"]},
        {"TURKEY": ["A BUD", "A TRI", "A GAL"], "AUSTRIA": ["A VIE"]},
    )


def test_a_victory_that_is_sure_has_its_points() -> None:
    position = eighteenth()
    won = worth(position, "TURKEY", "A GAL - VIE", "A BUD S A GAL - VIE", "A TRI S A GAL - VIE")
    assert won == 18 * SURE + VICTORY
    alone = worth(position, "TURKEY", "A GAL - VIE", "A BUD H", "A TRI H")
    assert alone == 17 * SURE
    sets = Forcing(position, "TURKEY", math.inf).sets()
    assert any(Forcing(position, "TURKEY", math.inf).worth(orders) >= VICTORY for orders in sets)


def test_another_s_victory_that_surely_does_not_come_has_its_points() -> None:
    position = board(
        "F1910M",
        {"TURKEY": [*WEST, *EAST], "AUSTRIA": ["VIE"], "GERMANY": ["MUN", "BER"]},
        {"TURKEY": ["A BUD", "A GAL"], "AUSTRIA": ["A VIE"], "GERMANY": ["A BOH", "A TYR"]},
    )
    # All third units hold, and Austria as well; Germany's support is what keeps Vienna.
    helped = worth(position, "GERMANY", "A BOH S A VIE", "A TYR H")
    idle = worth(position, "GERMANY", "A BOH H", "A TYR H")
    assert helped - idle == pytest.approx(STOPPED)
    sets = Forcing(position, "GERMANY", math.inf).sets()
    assert any(Forcing(position, "GERMANY", math.inf).worth(orders) >= STOPPED for orders in sets)


@pytest.mark.parametrize("number", range(len(FALLS)))
def test_looking_and_judging_keep_to_what_is_allowed(number: int) -> None:
    position = FALLS[number]
    for power in MAP.powers:
        for allowed in (20, 200, 2_000) if position.units_of(power) else ():
            forcing = Forcing(position, power, allowed)
            sets = forcing.sets()
            assert sets
            forcing.points(sets)
            # To find that nothing is left takes a little for every plan and unit.
            assert 0 < forcing.nodes <= NEAR * allowed + 60


def test_more_is_asked_where_more_is_allowed_and_nothing_once_it_is_late() -> None:
    position = FALLS[-1]
    power = max(MAP.powers, key=lambda power: len(position.units_of(power)))
    short, long = Forcing(position, power, 20), Forcing(position, power, 2_000)
    late = Forcing(position, power, 2_000, lambda: True)
    for stage in (short, long, late):
        stage.sets()
    assert late.nodes < short.nodes < long.nodes


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize(("phase", "looks"), [("S1910M", 0), ("F1910M", 1)])
def test_a_search_looks_in_fall_only(
    phase: str, looks: int, search: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A victory that is forced at once would end the proofs.
    position = Position(MAP, phase, besieged().units, besieged().centres)
    asked: list[str] = []
    sets = Forcing.sets

    def noting(forcing: Forcing, others: Sequence[bytes]) -> list[bytes]:
        asked.append(forcing.own.power)
        return sets(forcing, others)

    monkeypatch.setattr(Forcing, "sets", noting)
    with Engine(search=search) as engine:
        engine.search(position, "AUSTRIA", nodes=4_000)
    assert asked == ["AUSTRIA"] * looks


def test_the_engine_wins_at_once_where_it_can_be_forced() -> None:
    for seed in range(3):
        with Engine(seed=seed) as engine:
            orders = engine.search(eighteenth(), "TURKEY", nodes=5_000).orders
        after = eighteenth().next({"TURKEY": orders, "AUSTRIA": ["A VIE H"]})
        # Austria's army is dislodged and goes; then the centres are counted.
        assert str(after.phase) == "F1910R"
        assert len(after.next({}).centres["TURKEY"]) == 18


def test_the_centre_behind_an_attack_is_filled_up_where_that_takes_a_long_proof() -> None:
    puzzle = next(puzzle for puzzle in shipped() if puzzle.id == "capture-droidippy_477-f1906m-eng")
    sets = Forcing(puzzle.position, puzzle.power, 6_000).sets()
    assert any(solves(puzzle, texts(orders)) for orders in sets)


def test_units_that_others_may_keep_are_counted() -> None:
    """Italy has to remove a unit, but nobody says which: none counts as gone."""
    units = [Unit("AUSTRIA", "A", place) for place in ("VIE", "BUD", "UKR")]
    units += [Unit("ITALY", "A", place) for place in ("TYR", "BOH")]
    position = Position(Map.standard(), "W1903A", units, {"AUSTRIA": ["VIE", "BUD"], "ITALY": ["VEN"]})
    sure = {}
    for place in ("UKR", "BUD"):
        codes = from_orders(position, "AUSTRIA", [f"A {place} D"])
        after = position.packed.adjudicate([(0, code) for code in codes_in(codes)])[0]
        sure[place] = sure_centres(position, "AUSTRIA", codes_in(codes), after)
    assert sure == {"UKR": 2, "BUD": 1}
