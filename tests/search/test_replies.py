"""Replies that cannot matter are not tried: the answer is that of brute force, after a few adjudications."""

from __future__ import annotations

import math
import random

import pytest

from bordeaux import Map, Position, Unit, legal_orders
from bordeaux._ext.search.adversary import Adversary
from bordeaux.search.proof import Field, Goal, Prover
from bordeaux.search.sets import from_orders

from ..arena.puzzles.oracle import random_orders, random_position, worst

MAP = Map.standard()
#: Austrian units with their orders, Turkish units, a centre and its owner, and whether Austria surely has it.
CASES = {
    "an attacker is no stronger than who stays": (
        "A SER H, A GRE S A SER",
        "A BUL, A RUM",
        "AUSTRIA SER",
        True,
    ),
    "two of them are": ("A SER H", "A BUL, A RUM, A BUD", "AUSTRIA SER", False),
    "a support that is cut counts for nothing": (
        "A SER H, A GAL - BUD, A GRE - BUL",
        "A BUL, A BUD, F AEG",
        "AUSTRIA SER",
        True,
    ),
    "an attack from where it helps does not cut it": (
        "A SER - BUD",
        "A BUL, A BUD, A RUM",
        "AUSTRIA SER",
        False,
    ),
    "who comes with help is stronger than who stays": (
        "A SER - BUL, A GRE S A SER - BUL, A RUM S A SER - BUL",
        "A BUL, A CON",
        "TURKEY BUL",
        True,
    ),
    "help that can be cut may fail": (
        "A SER - BUL, A GRE S A SER - BUL",
        "A BUL, A CON, F AEG",
        "TURKEY BUL",
        False,
    ),
    "a standoff leaves an empty centre to its owner": ("A SER - GRE", "A BUL", "AUSTRIA GRE", True),
    "but not to somebody else": ("A SER - GRE", "A BUL", "TURKEY GRE", False),
    "a unit fills the place of one that surely leaves": (
        "A SER - BUL, A GRE S A SER - BUL, A RUM S A SER - BUL, A ALB - SER",
        "A BUL, A CON, A BUD",
        "AUSTRIA SER",
        True,
    ),
    "who is kept from leaving stays": ("A SER - BUL, A ALB - SER", "A BUL, A CON", "AUSTRIA SER", True),
    "two drive out who is kept from leaving": (
        "A SER - BUL, A ALB - SER",
        "A BUL, A CON, A BUD, A RUM",
        "AUSTRIA SER",
        False,
    ),
    "a fleet that nobody drives out carries": (
        "A ALB - GRE, F ION C A ALB - GRE",
        "A BUL, F EAS",
        "AUSTRIA GRE",
        True,
    ),
    "one that two drive out does not, even where there is a way by land": (
        "A ALB - GRE, F ION C A ALB - GRE",
        "F ADR, F TYS",
        "TURKEY GRE",
        False,
    ),
    "a chain of fleets brings one army, which is not enough": (
        "A GRE H",
        "A SPA, F WES, F TYS, F ION, F NAF",
        "AUSTRIA GRE",
        True,
    ),
    "but it is for an empty centre": ("A SER H", "A SPA, F WES, F TYS, F ION", "AUSTRIA GRE", False),
    "friends are driven into an empty centre": ("A SER - ALB", "A BUL, A RUM, A CON", "AUSTRIA SER", False),
}
#: Joint replies up to which brute force checks a case, and adjudications that are enough in each.
CHECKED, FEW = 30_000, 40


@pytest.mark.parametrize("name", CASES)
def test_what_is_sure_is_known_after_few_replies(name: str) -> None:
    own, foes, claim, sure = CASES[name]
    orders, (owner, centre) = own.split(", "), claim.split(" ")
    units = [Unit("AUSTRIA", *order.split(" ")[:2]) for order in orders]
    units += [Unit("TURKEY", *unit.split(" ")) for unit in foes.split(", ")]
    position = Position(MAP, "F1905M", units, {owner: [centre]})
    adversary = Adversary(Field(position, {"TURKEY"}).core, MAP.powers.index("AUSTRIA"), True, 10**6)
    place, fixed = MAP.province(centre).index, from_orders(position, "AUSTRIA", orders)
    assert (adversary.safe(fixed, [place]) == [place]) is sure
    assert adversary.asked <= FEW
    if math.prod(len(legal) for legal in legal_orders(position, "TURKEY").values()) <= CHECKED:
        prover = Prover(position, "AUSTRIA", Goal("AUSTRIA", True, 0))
        least = worst(position, "AUSTRIA", prover.goal, orders)
        assert prover.prove(orders, least).holds and not prover.prove(orders, least + 1).holds


@pytest.mark.parametrize("seed", range(100, 130))
def test_no_reply_that_matters_is_left_out(seed: int) -> None:
    chance = random.Random(seed)
    position = random_position(chance, chance.randint(3, 5), 2)
    for goal in (Goal("AUSTRIA", True, 0), Goal("TURKEY", False, 0, "TURKEY")):
        prover = Prover(position, "AUSTRIA", goal)
        for _ in range(4):
            orders = random_orders(chance, position, "AUSTRIA")
            most = worst(position, "AUSTRIA", goal, orders)
            assert prover.prove(orders, most).holds
            assert not prover.prove(orders, most + (1 if goal.keeping else -1)).holds


def test_what_a_leader_keeps_in_any_case_is_not_asked() -> None:
    east = ["BUD", "TRI", "SER", "RUM", "BUL"]
    units = [Unit("AUSTRIA", "A", "TYR"), Unit("AUSTRIA", "A", "BUD"), Unit("ITALY", "A", "ALB")]
    position = Position(MAP, "F1910M", units, {"AUSTRIA": east, "ITALY": ["VEN"]})
    numbers = [MAP.province(name).index for name in [*east, "VEN"]]
    orders = from_orders(position, "ITALY", ["A ALB - SER"])
    kept = {MAP.province(name).index for name in east} - {MAP.province("SER").index}

    def gone(others: set[str], keeping: bool) -> set[int]:
        adversary = Adversary(Field(position, others).core, MAP.powers.index("AUSTRIA"), keeping, 100)
        return set(adversary.gone(orders, numbers))

    assert gone({"AUSTRIA"}, False) == kept
    assert gone({"AUSTRIA"}, True) == set()
    third = Position(MAP, "F1910M", [*units, Unit("TURKEY", "A", "CON")], position.centres)
    adversary = Adversary(Field(third, {"AUSTRIA", "TURKEY"}).core, MAP.powers.index("AUSTRIA"), False, 100)
    assert adversary.gone(orders, numbers) == [], "a third power could take one of them"


def test_the_losses_of_a_change_tell_whether_a_reply_refutes_it() -> None:
    units = [Unit("AUSTRIA", "A", "SER"), Unit("TURKEY", "A", "BUL"), Unit("TURKEY", "A", "RUM")]
    position = Position(MAP, "F1905M", units, {"AUSTRIA": ["SER", "GRE"], "TURKEY": ["BUL"]})
    prover = Prover(position, "AUSTRIA", Goal("AUSTRIA", True, 1))
    held = from_orders(position, "AUSTRIA", ["A SER H"])
    away = from_orders(position, "AUSTRIA", ["A SER - ALB"])
    replies = [["A BUL - GRE"], ["A BUL - SER"], ["A BUL - GRE", "A RUM - SER"]]
    prover.bank = [from_orders(position, "TURKEY", reply) for reply in replies]
    every = len(prover.centres)
    # All centres but Serbia and Greece are lost anyway; one more may be.
    for spare, expected in ((every - 1, [0, 5]), (every - 2, [5, 9])):
        assert prover.losses(held, [b"", away], spare, 100, 10) == expected
    # What is above the best `wanted` may be too small, but not too small to be left out.
    first, second = prover.losses(held, [b"", away], every - 1, 100, 1)
    assert first == 0 < second
