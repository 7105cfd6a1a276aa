"""What each order is for, on positions where the answer is plain."""

from __future__ import annotations

import struct

import pytest

from bordeaux import Engine, Map, Position, Unit, adjudicate
from bordeaux.arena import bench
from bordeaux.board.submission import submit
from bordeaux.evaluation import evaluate, evaluator
from bordeaux.search.analysis import (
    CHANCE_SAMPLES,
    LEAST_SAMPLES,
    PROFILES,
    Found,
    Line,
    joint_orders,
    profiles,
    reasoned,
    worths,
)
from bordeaux.search.budget import MOST_RESERVED, RESERVE, Budget
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


def found(expected: dict[str, float], *orders: str) -> Found:
    """France's orders beside Munich, and sets of Germany's with their probabilities."""
    lines = tuple(
        Line((order,), 0.0, share, codes(MUNICH, "GERMANY", order)) for order, share in expected.items()
    )
    line = Line(orders, 0.0, 1.0, codes(MUNICH, "FRANCE", *orders))
    against = joint_orders(
        {"GERMANY": {each.codes: each.probability for each in lines}}, "FRANCE", CHANCE_SAMPLES, 0
    )
    return Found(
        "FRANCE", orders, 0.0, (line,), 0, 0.0, expected={"GERMANY": lines}, against=against, position=MUNICH
    )


def test_terms_go_from_what_all_hold_to_what_is_expected() -> None:
    attack = ("A RUH - MUN", "A BUR S A RUH - MUN")
    terms = reasoned(MUNICH, found({"A MUN H": 1.0}, *attack), evaluator(MAP)).terms
    still = evaluate(adjudicate(MUNICH, {}).after)["FRANCE"].terms
    moved = evaluate(adjudicate(MUNICH, {"FRANCE": attack}).after)["FRANCE"].terms
    assert {term: before for term, (before, _) in terms.items()} == pytest.approx(still, abs=0.001)
    assert terms["occupied"] == pytest.approx((still["occupied"], moved["occupied"]), abs=0.001)
    assert moved["occupied"] > still["occupied"]


def test_a_move_and_its_support_are_told_as_one() -> None:
    attack = ("A RUH - MUN", "A BUR S A RUH - MUN")
    (both,) = reasoned(MUNICH, found({"A MUN H": 1.0}, *attack), evaluator(MAP)).effects
    assert sorted(both.orders) == sorted(attack) and both.lost > 2 * both.doubt
    apart = reasoned(MUNICH, found({"A MUN H": 1.0}, "A RUH - MUN", "A BUR H"), evaluator(MAP)).effects
    assert [len(effect.orders) for effect in apart] == [1, 1]


def test_an_order_is_worth_more_the_more_often_it_works() -> None:
    """One army cannot drive another out of Munich; it takes the place that is left."""

    def lost(leaves: float) -> float:
        expected = {"A MUN H": 1 - leaves, "A MUN - BER": leaves}
        effects = reasoned(MUNICH, found(expected, "A RUH - MUN", "A BUR H"), evaluator(MAP)).effects
        return next(effect.lost for effect in effects if effect.orders == ("A RUH - MUN",))

    assert abs(lost(0.0)) < lost(0.5) < lost(1.0)


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
    # In the first phase all are expected to open as people do.
    position = Position.from_json({**Position.start().to_json(), "name": "S1902M"})
    with Engine(explain=True) as engine:
        for _ in range(6):
            engine.observe(position, dict.fromkeys(position.map.powers, ()))
        answer = engine.search(position, "FRANCE", nodes=2000)
    for power, lines in answer.expected.items():
        assert lines[0].orders == tuple(f"{unit} H" for unit in position.units_of(power))
        assert lines[0].value > 0


def test_without_reasons_the_others_are_foretold_all_the_same() -> None:
    with Engine(explain=True) as whole, Engine(explain=True, reasons=False) as brief:
        full, short = (engine.search(Position.start(), "FRANCE", nodes=800) for engine in (whole, brief))
    assert full.effects and full.terms and (short.effects, short.terms) == ((), {})
    assert short.expected == full.expected and short.lines == full.lines


def test_what_is_told_after_a_search_is_a_part_of_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow processor measures fewer samples, and none is measured after the limit for want of a plan."""
    position = Position.start()
    with Engine(explain=True, reasons=False) as engine:
        # Twenty lines: five to show, ten beside them, and five for the rest.
        part = MOST_RESERVED * (0.1 - RESERVE) / (20 * 0.005)
        middle = round(CHANCE_SAMPLES * part)
        for pace, samples in ((1e-4, CHANCE_SAMPLES), (1.0, LEAST_SAMPLES), (0.005, middle)):
            monkeypatch.setattr("bordeaux.engine.seconds_of_a_line", lambda *_, pace=pace: pace)
            answer = engine.search(position, "FRANCE", time=0.1)
            assert len(answer.against) == samples, pace
        assert len(engine.search(position, "FRANCE", nodes=500).against) == CHANCE_SAMPLES
    budget = Budget(1.0)
    assert budget.reserve(0.1) == 0.1 and budget.time == pytest.approx(0.9 - RESERVE)
    assert budget.reserve(9.0) == pytest.approx(MOST_RESERVED * (0.9 - RESERVE))
    assert Budget(nodes=10).reserve(1.0) == 0.0


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
        assert (nothing.expected, nothing.terms, nothing.effects) == ({}, {}, ())
        told = [order for effect in answer.effects for order in effect.orders]
        assert sorted(told) == sorted(order for order in answer.orders if order != "WAIVE")
        losses = [effect.lost for effect in answer.effects]
        assert losses == sorted(losses, reverse=True)
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
