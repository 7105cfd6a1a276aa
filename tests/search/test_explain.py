"""What each order is for, on positions where the answer is plain."""

from __future__ import annotations

import pytest

from bordeaux import Engine, Map, Position, Request, Unit
from bordeaux.arena import bench
from bordeaux.search.analysis import OrderEffect, reasons
from bordeaux.search.sets import from_orders, likeliest

MAP = Map.standard()

#: Two French armies beside Munich, where one army stands alone.
MUNICH = Position(
    MAP,
    "F1903M",
    [Unit("FRANCE", "A", "BUR"), Unit("FRANCE", "A", "RUH"), Unit("GERMANY", "A", "MUN")],
    {"FRANCE": ["PAR", "BRE"], "GERMANY": ["MUN"]},
)


def effects(*orders: str, german: str = "A MUN H") -> dict[tuple[str, ...], OrderEffect]:
    """What orders of France's do if it is known what Germany gives."""
    with Engine() as engine:
        measure = engine.measure(Request(MUNICH, ("FRANCE",), given={"GERMANY": [german]}))
    told = reasons(measure, from_orders(MUNICH, "FRANCE", orders))
    assert [effect.lost for effect in told] == sorted((effect.lost for effect in told), reverse=True)
    return {tuple(sorted(effect.orders)): effect for effect in told}


def test_a_move_and_its_support_are_told_as_one() -> None:
    attack = ("A BUR S A RUH - MUN", "A RUH - MUN")
    ((both, effect),) = effects(*attack).items()
    assert both == attack and effect.lost > 2 * effect.doubt
    assert {*effects("A BUR H", "A RUH - MUN")} == {("A BUR H",), ("A RUH - MUN",)}


def test_an_order_is_worth_more_where_it_works() -> None:
    """One army cannot drive another out of Munich; it takes the place that is left."""
    fails, works = (
        effects("A BUR H", "A RUH - MUN", german=german)[("A RUH - MUN",)].lost
        for german in ("A MUN H", "A MUN - BER")
    )
    assert abs(fails) < works


def test_who_is_believed_to_hold_is_shown_with_holds() -> None:
    # In the first phase all are expected to open as people do.
    position = Position.from_json({**Position.start().to_json(), "name": "S1902M"})
    with Engine(explain=True) as engine:
        for _ in range(6):
            engine.observe(position, dict.fromkeys(position.map.powers, ()))
        answer = engine.search(position, "FRANCE", nodes=2000)
    for power, lines in answer.expected.items():
        assert lines[0].orders == tuple(f"{unit} H" for unit in position.units_of(power))


def test_without_reasons_the_others_are_foretold_all_the_same() -> None:
    with Engine(explain=True) as whole, Engine(explain=True, reasons=False) as brief:
        full, short = (engine.search(Position.start(), "FRANCE", nodes=800) for engine in (whole, brief))
    assert full.effects and short.effects == ()
    assert short.expected == full.expected and short.lines == full.lines


def test_the_likeliest_are_few_and_the_first_is_always_among_them() -> None:
    assert likeliest([]) == []
    assert likeliest([0.1, 0.4, 0.2, 0.3]) == [1, 3, 2]
    assert likeliest([0.005, 0.99, 0.005]) == [1]


@pytest.mark.parametrize("number", range(0, len(bench.positions()), 7))
def test_an_answer_explains_itself_in_every_phase(number: int) -> None:
    position, _ = bench.positions()[number]
    with Engine(explain=True) as engine, Engine() as plain:
        answers = engine.search_all(position, nodes=2000)
        bare = plain.search_all(position, nodes=2000)
    for power, answer in answers.items():
        nothing = bare[power]
        assert answer.orders == nothing.orders
        assert answer.lines == nothing.lines and (nothing.expected, nothing.effects) == ({}, ())
        told = [order for effect in answer.effects for order in effect.orders]
        assert sorted(told) == sorted(order for order in answer.orders if order != "WAIVE")
        losses = [effect.lost for effect in answer.effects]
        assert losses == sorted(losses, reverse=True)
        owing = {other for other, answer in answers.items() if answer.orders and other != power}
        assert set(answer.expected) == owing
        for other, lines in answer.expected.items():
            shares = [line.probability for line in lines]
            assert shares == sorted(shares, reverse=True)
            assert 0 < sum(shares) <= 1.001
            if position.phase.kind == "M":
                units = {f"{unit.kind} {unit.location}" for unit in position.units_of(other)}
                assert all({" ".join(order.split()[:2]) for order in line.orders} == units for line in lines)
