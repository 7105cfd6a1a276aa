"""What a search is told of the deals in force."""

from __future__ import annotations

import pytest

from bordeaux import Engine, Position
from bordeaux.board.phase import Phase
from bordeaux.press.language import messages as p
from bordeaux.search.agreements import agreed
from tests.search.paper.boards import board

from .accounts import START, agree, opened, order

PAIR = ("RUSSIA", "TURKEY")
PEACE = p.Peace(PAIR)
BLACK_SEA = p.Demilitarised(PAIR, ("BLA",))
UKRAINE, GALICIA = (p.Promise("RUSSIA", order(f"A WAR - {goal}")) for goal in ("UKR", "GAL"))
SAIL = p.Promise("RUSSIA", order("F SEV - BLA"))
HELP = p.Promise("TURKEY", order("F ANK S F SEV - BLA"), "RUSSIA")
NEVER = p.Promise("RUSSIA", order("A UKR - RUM"))
AUTUMN = Phase.parse("F1901M")
AT_SEA = board("F1901M", {"RUSSIA": ["SEV"], "TURKEY": ["ANK"]}, {"RUSSIA": ["F BLA"], "TURKEY": ["A ANK"]})


def trust(power: str, kind: str) -> float:
    """Turkey is trusted by half; Russia less, and in each kind of promise differently."""
    if power == "TURKEY":
        return 0.5
    return {"peace": 0.1, "alliance": 0.2, "demilitarised": 0.3, "promise": 0.4}[kind]


def told(
    *terms: p.Term, position: Position = START, free: tuple[str, ...] = ()
) -> list[tuple[str, str, str, float]]:
    """What a search hears of deals that Russia and Turkey have concluded, one after the other."""
    ledger = opened(position=position)
    for term in terms:
        agree(ledger, term, "RUSSIA", "TURKEY")
    binding = ledger.binding(position, trust, free)
    assert len(agreed(position, binding)) == len(binding)
    return [
        (
            agreement.kind,
            " ".join(agreement.parties),
            " ".join(map(str, agreement.orders or agreement.provinces)),
            agreement.trust,
        )
        for agreement in binding
    ]


RUSSIAN = ("demilitarised", "RUSSIA", "BLA", 0.3)
TURKISH = ("demilitarised", "TURKEY", "BLA", 0.5)


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        ([PEACE], [("peace", "RUSSIA TURKEY", "", 0.1)]),
        ([p.Alliance(PAIR, ("AUSTRIA",)), PEACE], [("alliance", "RUSSIA TURKEY", "", 0.2)]),
        ([BLACK_SEA], [RUSSIAN, TURKISH]),
        ([UKRAINE], [("promise", "RUSSIA", "A WAR - UKR", 0.4)]),
        ([p.Not(UKRAINE)], [("forbid", "RUSSIA", "A WAR - UKR", 0.4)]),
        ([UKRAINE, GALICIA], [("promise", "RUSSIA", "A WAR - GAL", 0.4)]),
        ([p.All((UKRAINE, p.During(AUTUMN, None, GALICIA)))], [("promise", "RUSSIA", "A WAR - UKR", 0.4)]),
        ([p.Some((NEVER, GALICIA, UKRAINE))], [("promise", "RUSSIA", "A WAR - GAL", 0.4)]),
        ([p.Some((p.Not(UKRAINE), HELP))], [("promise", "TURKEY", "F ANK S F SEV - BLA", 0.5)]),
        ([p.Choice(0, 1, (UKRAINE, SAIL))], []),
        ([p.Choice(2, 3, (UKRAINE, SAIL, HELP))], [
            ("promise", "RUSSIA", "A WAR - UKR", 0.4), ("promise", "RUSSIA", "F SEV - BLA", 0.4),
        ]),
        ([BLACK_SEA, SAIL], [("promise", "RUSSIA", "F SEV - BLA", 0.4), TURKISH]),
        ([NEVER], []),
        ([p.Promise("FRANCE", order("A PAR - BUR"))], []),
        ([p.Draw(), p.Solo("RUSSIA"), p.Favour(*PAIR), p.Not(PEACE), p.NoDeal(PEACE)], []),
    ],
)  # fmt: skip
def test_what_a_search_is_told_of_deals(
    terms: list[p.Term], expected: list[tuple[str, str, str, float]]
) -> None:
    assert told(*terms) == expected


def test_a_unit_in_a_zone_must_not_stay() -> None:
    assert told(BLACK_SEA, position=AT_SEA) == [RUSSIAN, ("forbid", "RUSSIA", "F BLA H", 0.4), TURKISH]


def test_in_autumn_nobody_goes_to_what_is_anothers_by_a_division() -> None:
    shares = p.Share("TURKEY", ("RUM", "BUL")), p.Share("RUSSIA", ("SEV", "MOS")), p.Share("", ("ANK",))
    plan = p.Division(shares)
    assert told(plan) == []
    fall = START.next({"RUSSIA": ["F SEV - BLA"], "TURKEY": ["A CON - BUL"]})
    barred = {duty[2] for duty in told(plan, position=fall) if duty[0] == "forbid"}
    assert {"F BLA - RUM", "F BLA - BUL/EC", "F BLA - ANK"} <= barred
    assert "F BLA - CON" not in barred and not any(order.startswith("A BUL - RUM") for order in barred)


def test_who_is_free_may_break_it() -> None:
    ledger = opened()
    agree(ledger, PEACE, "RUSSIA", "TURKEY")
    (peace,) = ledger.binding(START, trust, free=["TURKEY", "FRANCE"])
    assert peace.stabbed_by == ("TURKEY",)
    assert ledger.binding(START, lambda power, kind: 7.0)[0].trust == 1.0


def test_what_binds_others_counts_with_the_lesser_trust_of_both() -> None:
    ledger = opened("ITALY")
    agree(ledger, PEACE, "RUSSIA", "TURKEY")
    (peace,) = ledger.binding(START, lambda power, kind: {"RUSSIA": 0.9, "TURKEY": 0.3}[power])
    assert peace.trust == 0.3


def test_promises_of_two_builds_in_one_home_do_not_confuse_a_search() -> None:
    winter = board("W1901A", {"RUSSIA": ["SEV", "MOS"], "TURKEY": ["ANK"], "AUSTRIA": ["VIE"]}, {})
    ledger = opened(position=winter)
    agree(ledger, p.Promise("RUSSIA", order("F SEV B", winter)), "RUSSIA", "TURKEY")
    agree(ledger, p.Promise("RUSSIA", order("A SEV B", winter)), "RUSSIA", "AUSTRIA")
    (promise,) = agreed(winter, ledger.binding(winter, lambda power, kind: 1.0))
    assert promise.orders == (order("A SEV B", winter),)


def test_the_engine_keeps_what_the_ledger_tells_it() -> None:
    ledger = opened()
    agree(ledger, p.All((BLACK_SEA, p.Promise("TURKEY", order("A SMY - ARM")))), "TURKEY", "RUSSIA")
    with Engine() as engine:
        answer = engine.search(START, "TURKEY", nodes=2000, agreements=ledger.binding(START, trust))
    assert "A SMY - ARM" in answer.orders and "F ANK - BLA" not in answer.orders
