"""What each order is for, on positions where the answer is plain."""

from __future__ import annotations

import struct

import pytest

from bordeaux import Engine, Map, Position, Unit, adjudicate
from bordeaux.arena import bench
from bordeaux.board.submission import submit
from bordeaux.evaluation import evaluate, evaluator
from bordeaux.search.analysis import PROFILES, explain, profiles, worths
from bordeaux.search.sets import likeliest

MAP = Map.standard()

#: Two French armies beside Munich, where one army stands alone.
MUNICH = Position(
    MAP,
    "F1903M",
    [Unit("FRANCE", "A", "BUR"), Unit("FRANCE", "A", "RUH"), Unit("GERMANY", "A", "MUN")],
    {"FRANCE": ["PAR", "BRE"], "GERMANY": ["MUN"]},
)


def codes(position: Position, power: str, *orders: str) -> bytes:
    given = submit(position, {power: orders}).codes()
    assert len(given) == len(orders)
    return struct.pack(f"<{len(given)}Q", *(code for _, code in given))


def test_terms_go_from_what_all_hold_to_what_is_expected() -> None:
    attack = ("A RUH - MUN", "A BUR S A RUH - MUN")
    hold = codes(MUNICH, "GERMANY", "A MUN H")
    explanation = explain(
        MUNICH, evaluator(MAP), "FRANCE", codes(MUNICH, "FRANCE", *attack), {"GERMANY": [(hold, 1)]}
    )
    still = evaluate(adjudicate(MUNICH, {}).after)["FRANCE"].terms
    moved = evaluate(adjudicate(MUNICH, {"FRANCE": attack}).after)["FRANCE"].terms
    assert {term: before for term, (before, _) in explanation.terms.items()} == pytest.approx(still)
    assert explanation.terms["occupied"] == (still["occupied"], moved["occupied"])
    assert moved["occupied"] > still["occupied"]


def test_a_needed_support_is_worth_as_much_as_the_move_that_it_helps() -> None:
    orders = codes(MUNICH, "FRANCE", "A RUH - MUN", "A BUR S A RUH - MUN")
    hold = codes(MUNICH, "GERMANY", "A MUN H")
    move, support = explain(MUNICH, evaluator(MAP), "FRANCE", orders, {"GERMANY": [(hold, 1)]}).marginals
    assert move > 50
    assert support == pytest.approx(move)


def test_a_support_counts_as_often_as_somebody_resists() -> None:
    orders = codes(MUNICH, "FRANCE", "A RUH - MUN", "A BUR S A RUH - MUN")
    hold, leave = codes(MUNICH, "GERMANY", "A MUN H"), codes(MUNICH, "GERMANY", "A MUN - BER")

    def support(resists: float) -> float:
        expected = {"GERMANY": [(hold, resists), (leave, 1 - resists)]}
        return explain(MUNICH, evaluator(MAP), "FRANCE", orders, expected).marginals[1]

    assert support(0) == pytest.approx(0)
    assert support(0.25) == pytest.approx(support(1) / 4)


def test_profiles_hold_every_set_as_often_as_its_weight_says() -> None:
    hold, leave = codes(MUNICH, "GERMANY", "A MUN H"), codes(MUNICH, "GERMANY", "A MUN - BER")
    number = MAP.powers.index("GERMANY")
    joint = profiles(MUNICH, {"GERMANY": [(hold, 3), (leave, 1)]})
    held = [[(number, code)] for code in struct.unpack("<Q", hold)]
    assert len(joint) == PROFILES
    assert sum(order in held for order in joint) == PROFILES * 3 // 4
    assert joint == profiles(MUNICH, {"GERMANY": [(hold, 3), (leave, 1)]})
    assert profiles(MUNICH, {}, 2) == [[], []]


def test_what_the_others_may_play_has_its_worth_against_what_all_play() -> None:
    attack = ("A RUH - MUN", "A BUR S A RUH - MUN")
    sets = {
        "FRANCE": [(codes(MUNICH, "FRANCE", *attack), 1.0)],
        "GERMANY": [
            (codes(MUNICH, "GERMANY", "A MUN H"), 0.5),
            (codes(MUNICH, "GERMANY", "A MUN - BER"), 0.5),
        ],
    }
    driven_out, away = (
        evaluate(adjudicate(MUNICH, {"FRANCE": attack, "GERMANY": orders}).after)
        for orders in (["A MUN H"], ["A MUN - BER"])
    )
    values = worths(MUNICH, evaluator(MAP), sets)
    assert values["GERMANY"] == pytest.approx([driven_out["GERMANY"].value, away["GERMANY"].value])
    assert values["FRANCE"] == pytest.approx([(driven_out["FRANCE"].value + away["FRANCE"].value) / 2])


def test_who_is_believed_to_hold_is_shown_with_holds() -> None:
    position = Position.start()
    with Engine(explain=True) as engine:
        for _ in range(6):
            engine.observe(position, dict.fromkeys(position.map.powers, ()))
        answer = engine.search(position, "FRANCE", nodes=2000)
    for power, lines in answer.expected.items():
        assert lines[0].orders == tuple(f"{unit} H" for unit in position.units_of(power))
        assert lines[0].value > 0


def test_the_likeliest_are_few_and_the_first_is_always_among_them() -> None:
    assert likeliest([]) == []
    assert likeliest([0.1, 0.4, 0.2, 0.3]) == [1, 3, 2]
    assert likeliest([0.005, 0.99, 0.005]) == [1]


@pytest.mark.parametrize("number", range(len(bench.positions())))
def test_an_answer_explains_itself_in_every_phase(number: int) -> None:
    position, _ = bench.positions()[number]
    with Engine(explain=True) as engine, Engine() as plain:
        answers = engine.search_all(position, nodes=2000)
        bare = plain.search_all(position, nodes=2000)
    for power, answer in answers.items():
        nothing = bare[power]
        assert answer.orders == nothing.orders
        assert (nothing.expected, nothing.terms, nothing.marginals) == ({}, {}, {})
        assert list(answer.marginals) == list(dict.fromkeys(answer.orders))
        assert set(answer.terms) == set(evaluate(position)[power].terms)
        owing = {other for other, answer in answers.items() if answer.orders and other != power}
        assert set(answer.expected) == owing
        for other, lines in answer.expected.items():
            shares = [line.probability for line in lines]
            assert shares == sorted(shares, reverse=True)
            assert 0 < sum(shares) <= 1.001
            if position.phase.kind == "M":
                units = {f"{unit.kind} {unit.location}" for unit in position.units_of(other)}
                assert all({" ".join(order.split()[:2]) for order in line.orders} == units for line in lines)
