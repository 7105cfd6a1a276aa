"""Guessing games on the board come out mixed, as theory says (Hall and Loeb 1995, section 4.3.6)."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest

from bordeaux import Map, Position, Unit, adjudicate
from bordeaux._ext.search.joint import CandidateGame
from bordeaux.board.submission import decode
from bordeaux.evaluation import evaluate, evaluator
from bordeaux.search.bestfirst import Maxims, search_space
from bordeaux.search.paper.equilibrium import RegretMatching
from bordeaux.search.sets import from_orders

MAP = Map.standard()
JUDGE = evaluator(MAP)
GUARDS = ("F TYS - NAP", "F TYS - TUN")
ATTACKS = ("F ION - NAP", "F ION - TUN")


def ionian(phase: str = "F1905M") -> Position:
    """Italy's one fleet in the Tyrrhenian Sea, Turkey's in the Ionian, Naples and Tunis open to both."""
    units = [Unit("ITALY", "F", "TYS"), Unit("TURKEY", "F", "ION")]
    return Position(MAP, phase, units, {"ITALY": ["NAP", "TUN", "ROM"], "TURKEY": ["SMY", "CON", "GRE"]})


def sets_of(position: Position, power: str, *sets: str) -> list[bytes]:
    return [from_orders(position, power, orders.split("; ")) for orders in sets]


def guessing(seed: int = 0, **options: Any) -> RegretMatching:
    position = ionian()
    sets = {"ITALY": sets_of(position, "ITALY", *GUARDS), "TURKEY": sets_of(position, "TURKEY", *ATTACKS)}
    return RegretMatching(position, JUDGE, sets, seed=seed, **options)


def payoffs(position: Position) -> tuple[np.ndarray, np.ndarray]:
    """What Italy and Turkey get, [guard][attack], by the plain interface."""
    tables = np.zeros((2, 2, 2))
    for i, guard in enumerate(GUARDS):
        for k, attack in enumerate(ATTACKS):
            after = adjudicate(position, {"ITALY": [guard], "TURKEY": [attack]}).after
            values = evaluate(after)
            tables[:, i, k] = values["ITALY"].value, values["TURKEY"].value
    return tables[0], tables[1]


def solved(italy: np.ndarray, turkey: np.ndarray) -> tuple[float, float]:
    """The shares of the first guard and the first attack that leave the other side indifferent."""
    guard = (turkey[1, 1] - turkey[1, 0]) / (turkey[0, 0] - turkey[0, 1] - turkey[1, 0] + turkey[1, 1])
    attack = (italy[1, 1] - italy[0, 1]) / (italy[0, 0] - italy[0, 1] - italy[1, 0] + italy[1, 1])
    return guard, attack


def test_italy_guesses_between_naples_and_tunis_as_theory_says() -> None:
    italy, turkey = payoffs(ionian())
    guard, attack = solved(italy, turkey)
    # A guessing game it is: each side would rather know what the other does.
    assert 0.1 < guard < 0.9 and 0.1 < attack < 0.9
    assert italy[0, 0] > italy[1, 0] and italy[1, 1] > italy[0, 1]
    game = guessing()
    game.run(5_000)
    shares = {
        power: dict(zip(mixture.orders, mixture.shares, strict=True))
        for power in ("ITALY", "TURKEY")
        for mixture in [game.mixture(power)]
    }
    assert shares["ITALY"][game.sets["ITALY"][0]] == pytest.approx(guard, abs=0.03)
    assert shares["TURKEY"][game.sets["TURKEY"][0]] == pytest.approx(attack, abs=0.03)


def test_the_value_of_the_guess_is_what_theory_says() -> None:
    italy, turkey = payoffs(ionian())
    guard, attack = solved(italy, turkey)
    x, y = np.array([guard, 1 - guard]), np.array([attack, 1 - attack])
    game = guessing(seed=3)
    game.run(5_000)
    for power, table in (("ITALY", italy), ("TURKEY", turkey)):
        mixture = game.mixture(power, samples=2_000)
        assert mixture.value == pytest.approx(x @ table @ y, abs=15)
        assert max(mixture.values) - mixture.value < 15


def test_joint_orders_are_worth_what_the_plain_interface_says() -> None:
    italy, _ = payoffs(ionian())
    game = guessing()
    for k in range(2):
        game.game.start(game.numbers["TURKEY"], [1 - k, k], learns=False)
        values, _ = game.game.against(game.numbers["ITALY"], 1)
        assert values == pytest.approx(italy[:, k], rel=1e-5)
    assert game.nodes == 4


def test_without_an_opponent_the_best_set_is_played() -> None:
    """Turkey is told to hold: Italy may do as it likes, and does what is best."""
    position = ionian()
    sets = {"ITALY": sets_of(position, "ITALY", *GUARDS, "F TYS H", "F TYS - WES")}
    background = from_orders(position, "TURKEY", ["F ION - ADR"])
    game = RegretMatching(position, JUDGE, sets, background=background)
    game.run(200)
    mixture = game.mixture("ITALY")
    alone = {}
    for orders in (*GUARDS, "F TYS H", "F TYS - WES"):
        after = adjudicate(position, {"ITALY": [orders], "TURKEY": ["F ION - ADR"]}).after
        alone[from_orders(position, "ITALY", [orders])] = evaluate(after)["ITALY"].value
    assert mixture.orders[0] == max(alone, key=alone.__getitem__)
    assert mixture.shares[0] > 0.95
    assert mixture.value == pytest.approx(max(alone.values()), abs=5)


def test_a_best_reply_joins_the_candidates() -> None:
    """Italy only knows how to guard Naples; Turkey goes to Tunis until Italy learns to guard that as well."""
    position = ionian()
    sets = {
        "ITALY": sets_of(position, "ITALY", "F TYS - NAP"),
        "TURKEY": sets_of(position, "TURKEY", *ATTACKS),
    }
    game = RegretMatching(position, JUDGE, sets, seed=1)
    game.run(500)
    assert game.mixture("TURKEY").orders[0] == sets["TURKEY"][1]
    before = game.mixture("ITALY").value
    space = search_space(position, "ITALY", JUDGE, Maxims.named())
    gained = game.add_reply("ITALY", space)
    assert gained > 100
    reply = game.sets["ITALY"][-1]
    assert str(decode(MAP, struct.unpack("<Q", reply)[0])) == "F TYS - TUN"
    game.fade()
    game.run(3_000)
    after = game.mixture("ITALY")
    guard, _ = solved(*payoffs(position))
    assert dict(zip(after.orders, after.shares, strict=True))[reply] == pytest.approx(1 - guard, abs=0.08)
    assert after.value > before
    # What is there already is no reply.
    known = len(game.sets["ITALY"])
    game.add_reply("ITALY", space)
    assert len(set(game.sets["ITALY"])) == len(game.sets["ITALY"]) <= known + 1


def test_sets_that_are_none_are_refused() -> None:
    position = ionian()
    packed, italy = position.packed, MAP.powers.index("ITALY")
    guard = sets_of(position, "ITALY", GUARDS[0])[0]
    attack = sets_of(position, "TURKEY", ATTACKS[0])[0]
    wrong = [
        ({italy: [attack]}, "has not got"),
        ({italy: [guard + guard]}, "twice"),
        ({italy: [guard[:5]]}, "8 bytes"),
        ({italy: [b"\xff" * 8]}, "not on the map"),
        ({31: [guard]}, "no player 31"),
        ({italy: [guard] * 3}, "3 sets already|has 2"),
    ]
    for sets, message in wrong:
        with pytest.raises(ValueError, match=message):
            CandidateGame(packed, JUDGE, sets, room=2)
    with pytest.raises(ValueError, match="movement"):
        CandidateGame(ionian("W1905A").packed, JUDGE, {})
    with pytest.raises(ValueError, match="not in the game"):
        CandidateGame(packed, JUDGE, {}).add(italy, guard)
