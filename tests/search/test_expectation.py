"""What is expected of every power: it hangs on the position and on what is known, not on a seed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bordeaux import Agreement, Engine, Position, Request, Unit, legal_orders
from bordeaux.board.code import codes_in, in_order
from bordeaux.board.submission import texts
from bordeaux.formats.text import position_from_text
from bordeaux.search.beliefs import REASON, Beliefs
from bordeaux.search.expectation import LEAST_NODES, TRIES, Expectation
from bordeaux.search.forcing import WAYS, winning_tries
from bordeaux.search.sets import from_orders

from .test_settle import LATE, LEADER, MAP, OTHER, POSITIONS


def expected(
    position: Position = LATE,
    size: float = 4_000,
    seed: int = 0,
    reason: float = REASON,
    known: dict[str, Any] | None = None,
    **settings: Any,
) -> Expectation:
    """With powers that are believed to `reason` with this probability."""
    with Engine(seed=seed, **settings) as engine:
        task = engine.task(Request(position, **known or {}))
    return Expectation(task._replace(beliefs=Beliefs(MAP, reason=reason)), size)


@pytest.mark.parametrize("kind", "MRA")
def test_shares_sum_up_and_hang_on_no_seed(kind: str) -> None:
    position = POSITIONS[kind]
    owing = {power for power in MAP.powers if position.orderable().get(power)}
    one, other = expected(position), expected(position, 90_000, seed=7)
    assert one.mixtures == other.mixtures and one.mixtures.keys() == owing
    for power, mixture in one.mixtures.items():
        forecast = one.forecast(power)
        shares = [share for _, share in forecast]
        assert sum(mixture.values()) == pytest.approx(1) and shares == sorted(shares, reverse=True)
        assert shares[0] == max(mixture.values())
    assert one.forecast("NOBODY") == []


def test_fewer_nodes_draw_less_and_nobody_reasons() -> None:
    few, many = expected(size=100), expected(size=LEAST_NODES)
    assert few.nodes == 0 and few.choices == {} and many.nodes > 0
    assert sum(map(len, few.mixtures.values())) < sum(map(len, many.mixtures.values()))


def test_the_others_choose_as_far_as_they_are_believed_to_reason() -> None:
    drawn, whole, half = (expected(reason=reason).mixtures[OTHER] for reason in (0.0, 1.0, 0.5))
    assert expected(without="reasoning").mixtures[OTHER] == pytest.approx(drawn)
    assert drawn != pytest.approx(whole)
    assert half == pytest.approx({orders: (drawn[orders] + whole[orders]) / 2 for orders in drawn})
    search = expected(reason=0.25)
    assert search.choices.keys() == {power for power in MAP.powers if LATE.units_of(power)}
    for choice in search.choices.values():
        for shares in (choice.drawn, choice.chosen):
            assert sum(shares) == pytest.approx(1)


#: Munich is nobody's: France can enter it. Turkey is far away.
FREE = Position(
    MAP,
    "F1903M",
    [Unit("FRANCE", "A", "BUR"), Unit("TURKEY", "A", "ANK")],
    {"FRANCE": ["PAR"], "TURKEY": ["ANK"]},
)


def test_who_reasons_takes_a_free_centre_more_often() -> None:
    def entering(reason: float) -> float:
        mixture = expected(FREE, reason=reason).mixtures["FRANCE"]
        return sum(share for orders, share in mixture.items() if texts(MAP, orders) == ("A BUR - MUN",))

    assert entering(0.0) < entering(0.5) < entering(1.0)


def test_what_is_known_is_what_is_expected() -> None:
    orders = [str(legal[0]) for legal in legal_orders(LATE, OTHER).values()]
    told = expected(known={"given": {OTHER: orders}})
    ((foreseen, share),) = told.forecast(OTHER)
    assert share == pytest.approx(1) and OTHER not in told.choices
    assert foreseen == in_order(codes_in(from_orders(LATE, OTHER, orders)))


@pytest.mark.parametrize("trust", [0.6, 0.9])
def test_who_has_promised_keeps_its_word_as_far_as_it_is_trusted(trust: float) -> None:
    promised = ("F BRE - ENG", "A PAR - PIC", "A MAR - SPA")
    promise = Agreement("promise", ("FRANCE",), orders=promised, trust=trust)
    told = expected(Position.start(), reason=1.0, known={"agreements": (promise,)})
    kept = in_order(codes_in(from_orders(Position.start(), "FRANCE", promised)))
    assert told.mixtures["FRANCE"][kept] == pytest.approx(trust, abs=0.12)


def test_a_leader_tries_to_win(shared_data: Path) -> None:
    position = position_from_text((shared_data / LEADER).read_text("utf-8"))
    held = [f"{unit} H" for unit in position.units_of("TURKEY")]
    tries = winning_tries(position, "TURKEY", from_orders(position, "TURKEY", held))
    assert 1 <= len(tries) <= WAYS
    for orders in tries:
        given = texts(MAP, orders)
        assert len(given) == len(position.units_of("TURKEY"))
        # Nobody else moves: with help, each takes the eighteenth centre.
        if any(" S " in order for order in given):
            assert position.next({"TURKEY": given}).owners.count("TURKEY") >= 18, given
    assert 2 * sum(any(" S " in order for order in texts(MAP, orders)) for orders in tries) > len(tries)
    assert any({"F ION S F TYS - TUN", "F TYS S F ION - TUN"} & {*texts(MAP, orders)} for orders in tries)
    attacks = {"F ION - TUN", "F TYS - TUN"}
    for reason in (0.0, REASON):
        mixture = expected(position, reason=reason).mixtures["TURKEY"]
        assert sum(share for orders, share in mixture.items() if attacks & {*texts(MAP, orders)}) > TRIES / 4


@pytest.mark.parametrize(
    ("power", "phase"),
    [("FRANCE", "F1912M"), ("TURKEY", "S1912M"), ("TURKEY", "F1912R"), ("ITALY", "F1912M")],
)
def test_who_lacks_much_or_time_does_not_try(shared_data: Path, power: str, phase: str) -> None:
    position = position_from_text((shared_data / LEADER).read_text("utf-8"))
    assert winning_tries(Position.from_json({**position.to_json(), "name": phase}), power, b"") == []
