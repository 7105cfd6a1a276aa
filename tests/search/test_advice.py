"""What is advised, and what a good player would not order, on small boards where it is plain."""

from __future__ import annotations

from statistics import fmean

import pytest

from bordeaux import Engine, Map, Position
from bordeaux.board.code import as_bytes, codes_in, unit_of
from bordeaux.board.submission import texts
from bordeaux.evaluation.prospect import curve_of
from bordeaux.search.advice import Foolish, advised_order
from bordeaux.search.analysis import (
    CHANCE_SAMPLES,
    OPENING,
    TRUE,
    Chances,
    Found,
    Line,
    _played_on,
    chances,
)
from bordeaux.search.decisive import Certainty
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
    sets = (from_orders(position, power, given.split(", ")) for power, given in expected.items())
    return Foolish(position, "FRANCE", [b"".join(sets)])


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
    away = from_orders(board, "FRANCE", ["A BUR - GAS", "A PAR - BRE", "F SPA/SC - WES"])
    takes, turns = (judged(board, GERMANY=given) for given in ("A PIC - PAR", "A PIC - BEL"))
    assert {kind for kind, _ in takes.left(away)} == {"left"}
    assert turns.left(away) == []
    for kept in takes.kept(away):
        assert takes.left(kept) == []


def test_a_centre_that_nobody_contests_is_taken_in_a_fall() -> None:
    units, centres = {"FRANCE": ["F MAO"], "GERMANY": ["A MUN"]}, {"FRANCE": ["BRE"]}
    board = Position.from_json({"name": "F1904M", "units": units, "centers": centres})
    away = from_orders(board, "FRANCE", ["F MAO - NAO"])
    assert [kind for kind, _ in judged(board).left(away)] == ["left"]
    spring = Position.from_json({**board.to_json(), "name": "S1904M"})
    assert judged(spring).left(away) == [], "there is time for that in Fall"


def test_of_equal_sets_the_one_without_foolish_orders_comes_first() -> None:
    """Then what people play; what is behind by more than the error is never first, however sound."""
    first, second = (
        from_orders(BOARD, "FRANCE", ["A BUR - RUH"]),
        from_orders(BOARD, "FRANCE", ["A BUR - BEL"]),
    )
    lines = (
        Line(("A BUR - RUH",), 3.0, 0.5, first, faults=1, common=0.9),
        Line(("A BUR - BEL",), 2.0, 0.3, second, faults=0, common=0.1),
        Line(("A BUR - BEL", "A PAR H"), 1.0, 0.2, second, faults=0, common=0.5),
    )
    answer = Found("FRANCE", lines[0].orders, 3.0, lines, 9, 0.1, position=BOARD)

    def order(behind: float, outcomes: tuple[Certainty, ...] = (Certainty.OPEN,) * 3) -> list[int]:
        rest = (Chances(0.2 - behind, 0.0, 0.01, behind, 0.01, outcome) for outcome in outcomes[1:])
        return advised_order(answer, [Chances(0.2, 0.0, 0.01, outcome=outcomes[0]), *rest])

    assert order(0.01) == [2, 0, 1], "sets with the same moves as one before come last"
    assert order(0.05) == [0, 1, 2]
    assert order(0.01, (Certainty.OPEN, Certainty.PREVENTED, Certainty.OPEN)) == [1, 0, 2]


def test_advice_adds_what_people_play_and_sets_without_foolish_orders() -> None:
    with Engine(seed=0, explain=True, reasons=False) as engine:
        answer = engine.search(BOARD, "FRANCE", nodes=2_000)
        best, promised = engine.advised(answer)
        people = {frozenset(orders) for orders, _ in engine.people(BOARD, "FRANCE", 4)}
    told = [*answer.lines, *answer.beside]
    assert answer.beside and people <= {frozenset(line.orders) for line in told}
    assert len({frozenset(codes_in(line.codes)) for line in told}) == len(told)
    assert best.lines[0].faults == 0 and promised[0].level and best.lines[0].common > 0


def test_chances_are_against_what_the_search_expects_and_what_people_play() -> None:
    """Half of each; where orders of others are given nothing else is expected of them."""
    with Engine(seed=0, explain=True, reasons=False) as engine:
        answer = engine.search(BOARD, "FRANCE", nodes=2_000)
        given = engine.search(BOARD, "FRANCE", nodes=2_000, given={"ITALY": ["A TYR - VEN"]})
        likely = {from_orders(BOARD, "ITALY", orders) for orders, _ in engine.people(BOARD, "ITALY", 64)}
    (ordered,) = codes_in(from_orders(BOARD, "ITALY", ["A TYR - VEN"]))
    italy = [
        as_bytes([code for code in codes_in(orders) if unit_of(code) == unit_of(ordered)])
        for orders in answer.against
    ]
    assert len(answer.against) == CHANCE_SAMPLES and set(italy[1::2]) <= likely
    assert all(ordered in codes_in(orders) for orders in given.against)


def test_at_the_start_all_others_are_expected_to_open_as_people_do() -> None:
    start = Position.start()
    with Engine(seed=0, explain=True, reasons=False) as engine:
        answer = engine.search(start, "FRANCE", nodes=2_000)
        likely = {from_orders(start, "ITALY", orders) for orders, _ in engine.people(start, "ITALY", 64)}
        first = engine.people(start, "ITALY", 1)[0][0]
    assert answer.expected["ITALY"][0].orders == first
    units = {unit_of(code) for orders in likely for code in codes_in(orders)}
    italy = {as_bytes([c for c in codes_in(orders) if unit_of(c) in units]) for orders in answer.against}
    assert italy <= likely


def test_half_of_the_differences_at_the_start_are_shown_with_a_larger_error() -> None:
    start = Position.start()
    with Engine(seed=0, explain=True, reasons=False) as engine:
        answer = engine.search(start, "FRANCE", nodes=2_000)
        shown = engine.advised(answer)[1]
    rows = _played_on(start, "FRANCE", [line.codes for line in answer.lines], answer.against)
    curve = curve_of(start, "FRANCE")
    measured = {
        line.orders: curve.of(fmean(row.shares)) for line, row in zip(answer.lines, rows, strict=True)
    }
    shares = [promise.share for promise in chances(answer, answer.against)]
    spread = max(measured.values()) - min(measured.values())
    assert max(shares) - min(shares) == pytest.approx(TRUE * spread)
    assert all(promise.error >= OPENING for promise in shown)


def test_the_search_orders_no_unit_without_use() -> None:
    for seed in range(3):
        with Engine(seed=seed, explain=True, reasons=False) as engine:
            best = engine.recommended(engine.search(BOARD, "FRANCE", nodes=2_000))
        assert "F SPA/SC H" not in best.orders and "F SPA/SC - POR" not in best.orders
