"""What a good player would not order, on small boards where it is plain."""

from __future__ import annotations

import pytest

from bordeaux import Engine, Map, Position
from bordeaux.board.code import as_bytes, codes_in
from bordeaux.board.submission import texts
from bordeaux.search.foolish import Foolish
from bordeaux.search.sets import from_orders

MAP = Map.standard()
CENTRES = {
    "FRANCE": ["BRE", "PAR", "MAR", "SPA", "POR", "LON", "LVP", "EDI"],
    "GERMANY": ["MUN", "BEL", "BER", "KIE", "HOL", "DEN", "SWE", "NWY", "STP", "WAR", "MOS"],
    "ITALY": [
        *("ROM", "NAP", "VEN", "TUN", "TRI", "VIE", "BUD", "SER"),
        *("GRE", "BUL", "RUM", "CON", "ANK", "SMY", "SEV"),
    ],
}
UNITS = {"FRANCE": ["A BUR", "A PAR", "F SPA/SC"], "GERMANY": ["A MUN", "A BEL"], "ITALY": ["A TYR"]}
BOARD = Position.from_json({"name": "F1904M", "units": UNITS, "centers": CENTRES})


def judged(position: Position, **expected: str) -> Foolish:
    """France's judge; each of the others is expected to give these orders."""
    sets = {
        power: [(from_orders(position, power, given.split(", ")), 1.0)] for power, given in expected.items()
    }
    return Foolish(position, "FRANCE", sets)


def kinds(foolish: Foolish, orders: str) -> list[tuple[str, str]]:
    faults = foolish.faults(from_orders(foolish.position, "FRANCE", orders.split(", ")))
    return [(fault.kind, texts(MAP, as_bytes([fault.code]))[0]) for fault in faults]


@pytest.mark.parametrize(
    ("orders", "kind"),
    [
        # Nobody is near Spain, and the front is elsewhere.
        ("A BUR H, A PAR S A BUR, F SPA/SC H", "idle"),
        ("A BUR H, A PAR S A BUR, F SPA/SC - POR", "idle"),
        ("A BUR H, A PAR S A BUR, F SPA/SC - WES", ""),
        # Nobody but France can come to Paris; to hold there is as good.
        ("A BUR S A PAR, A PAR H, F SPA/SC - WES", ""),
        # The Italian army stays where it is.
        ("A BUR S A TYR - MUN, A PAR H, F SPA/SC - WES", "help"),
    ],
)
def test_a_useless_order_is_foolish(orders: str, kind: str) -> None:
    foolish = judged(BOARD, GERMANY="A MUN H, A BEL H", ITALY="A TYR H")
    assert [found for found, _ in kinds(foolish, orders)] == [kind] * bool(kind)


def test_a_support_that_cannot_matter_is_foolish_beside_one_that_can() -> None:
    units = {**UNITS, "FRANCE": ["A BUR", "A PAR", "A GAS"]}
    foolish = judged(Position.from_json({"name": "F1904M", "units": units, "centers": CENTRES}))
    assert kinds(foolish, "A BUR H, A PAR H, A GAS S A PAR") == [("support", "A GAS S A PAR")]
    assert kinds(foolish, "A BUR H, A PAR H, A GAS S A BUR") == []


def test_help_for_an_expected_order_is_not() -> None:
    orders = "A BUR S A TYR - MUN, A PAR H, F SPA/SC - WES"
    assert kinds(judged(BOARD, GERMANY="A MUN H, A BEL H", ITALY="A TYR - MUN"), orders) == []
    # Of a power of which nothing is known it is expected that its units stay.
    assert [kind for kind, _ in kinds(judged(BOARD), orders)] == ["help"]
    assert kinds(judged(BOARD), "A BUR S A MUN, A PAR H, F SPA/SC - WES") == []


def test_a_foolish_order_gives_way_to_the_most_common_better_one() -> None:
    units = {**UNITS, "FRANCE": ["A BUR", "A PAR", "F MAO"]}
    board = Position.from_json({"name": "F1904M", "units": units, "centers": CENTRES})
    foolish = judged(board, GERMANY="A MUN H, A BEL H", ITALY="A TYR H")
    orders = from_orders(board, "FRANCE", ["A BUR S A TYR - MUN", "A PAR H", "F MAO H"])
    for nearer in ("F MAO - NAF", "F MAO - WES"):
        (code,) = codes_in(from_orders(board, "FRANCE", [nearer]))
        mended = foolish.mended(orders, {code: 3.0})
        assert set(texts(MAP, mended)) == {"A BUR H", "A PAR H", nearer}
        assert foolish.faults(mended) == [] and foolish.mended(mended, {}) == mended


def test_what_is_left_to_enemies_is_counted_on_samples() -> None:
    units = {**UNITS, "GERMANY": ["A PIC"]}
    board = Position.from_json({"name": "S1904M", "units": units, "centers": CENTRES})
    foolish = judged(board)
    away = from_orders(board, "FRANCE", ["A BUR - GAS", "A PAR - BRE", "F SPA/SC - WES"])
    takes, turns = ([from_orders(board, "GERMANY", [given])] for given in ("A PIC - PAR", "A PIC - BEL"))
    assert {kind for kind, _ in foolish.left(away, takes)} == {"left"}
    assert foolish.left(away, turns) == []
    for kept in foolish.kept(away, takes):
        assert foolish.left(kept, takes) == []


def test_a_centre_that_nobody_contests_is_taken_in_a_fall() -> None:
    units, centres = {"FRANCE": ["F MAO"], "GERMANY": ["A MUN"]}, {"FRANCE": ["BRE"]}
    board = Position.from_json({"name": "F1904M", "units": units, "centers": centres})
    away = from_orders(board, "FRANCE", ["F MAO - NAO"])
    assert [kind for kind, _ in judged(board).left(away, [b""])] == ["left"]
    spring = Position.from_json({**board.to_json(), "name": "S1904M"})
    assert judged(spring).left(away, [b""]) == [], "there is time for that in Fall"


def test_the_search_orders_no_unit_without_use() -> None:
    for seed in range(3):
        with Engine(seed=seed, explain=True, reasons=False) as engine:
            best = engine.recommended(engine.search(BOARD, "FRANCE", nodes=2_000))
        assert "F SPA/SC H" not in best.orders and "F SPA/SC - POR" not in best.orders
