"""The Diplominator: who attacked, who is a friend, and when it turns on everybody."""

from __future__ import annotations

from typing import Any

import pytest

from bordeaux import Map, Position, Unit
from bordeaux.players.base import Seat, Turn
from bordeaux.players.diplominator import Diplominator
from tests.players.playing import FREE

MAP = Map.standard()
FRANCE = Seat("FRANCE", MAP, 1)
OWNERS = {"FRANCE": ["PAR", "MAR", "BRE"], "GERMANY": ["MUN", "BER", "KIE"], "ENGLAND": ["LON", "EDI", "LVP"]}
#: Two German units stand beside ours or our centres, a third does not; the English fleet does.
UNITS = ("FRANCE A BUR", "FRANCE A PAR", "GERMANY A MUN", "GERMANY A PIC", "GERMANY A PRU", "ENGLAND F ENG")


def board(phase: str = "S1902M", *units: str, owners: dict[str, Any] | None = None) -> Position:
    """A position on the standard map."""
    standing = [Unit(*unit.split()) for unit in units or UNITS]
    return Position(MAP, phase, standing, OWNERS if owners is None else owners)


def told(player: Diplominator, where: Position, **orders: list[str]) -> Diplominator:
    """The player after a turn with these orders."""
    readable = {power: [order for order in given if order != "nonsense"] for power, given in orders.items()}
    player.observe(Turn(where, orders, where.next(readable)))
    return player


def values(player: Diplominator, where: Position) -> dict[str, int]:
    """What places are worth to the player that has just given orders."""
    player.orders(where, FREE)
    values = player.policy.survey(where.packed, player.number)["values"]
    places = [f"{location.kind} {location.name}" for location in MAP.locations]
    return dict(zip(places, values, strict=True))


def centres(player: Diplominator, where: Position) -> dict[str, int]:
    """What centres are worth before their worth is spread."""
    worth = player.policy.survey(where.packed, player.number)["proximity"][0]
    return {tag: worth[MAP.location("A", tag).index] for tag in MAP.centres}


@pytest.mark.parametrize(
    ("orders", "factor"),
    [
        ([], 0.0),
        (["A MUN H", "A PIC - BEL"], 0.0),
        (["A MUN - BUR", "A PIC H"], 0.5),
        (["A MUN - BUR", "A PIC S A MUN - BUR"], 1.0),
        (["A PIC - PAR", "A MUN - TYR"], 0.5),
        # An empty centre of ours is ours too; another empty province is not.
        (["A PIC - BRE", "A MUN - RUH"], 0.5),
        # What cannot be, and what cannot be read, is no attack; nor is help for our own unit.
        (["A MUN - PAR", "A PRU - BUR", "nonsense"], 0.0),
        (["A MUN S A PAR - BUR"], 0.0),
    ],
)
def test_the_enemy_factor_is_attacks_by_chances(orders: list[str], factor: float) -> None:
    player = told(Diplominator(FRANCE), board(), GERMANY=orders, ENGLAND=["F ENG H"])
    assert player.enemy_factor("GERMANY") == factor
    assert player.enemy_factor("ENGLAND") == 0
    assert player.enemy_factor("ITALY") == 0


def test_only_the_last_turns_of_movement_are_remembered() -> None:
    player = told(Diplominator(FRANCE), board(), GERMANY=["A MUN - BUR", "A PIC - PAR"])
    for turn in range(14):
        assert player.enemy_factor("GERMANY") == 2 / (2 + 2 * turn)
        told(player, board(), GERMANY=["A MUN H"])
    assert player.enemy_factor("GERMANY") == 2 / 30
    told(player, board(), GERMANY=["A MUN H"])
    assert player.enemy_factor("GERMANY") == 0
    short = told(Diplominator(FRANCE, memory=1), board(), GERMANY=["A MUN - BUR"])
    assert told(short, board(), GERMANY=["A MUN H"]).enemy_factor("GERMANY") == 0


def test_peace_is_made_with_those_who_attack_seldom() -> None:
    player = told(Diplominator(FRANCE), board(), GERMANY=["A MUN - BUR"])
    assert not player.make_peace("GERMANY")
    assert player.make_peace("ENGLAND")
    assert not player.make_peace("FRANCE")
    assert player.friends == {"ENGLAND"}
    told(player, board(), GERMANY=["A MUN H"])
    assert player.make_peace("GERMANY")
    told(player, board(), ENGLAND=["F ENG - BRE"], GERMANY=[])
    assert player.friends == {"ENGLAND", "GERMANY"}
    told(player, board(), ENGLAND=["F ENG - BRE"])
    # Two attacks in four chances are too many.
    assert player.friends == {"GERMANY"}
    assert Diplominator(FRANCE, threshold=0.6).make_peace("GERMANY")


def test_homes_of_friends_are_lowered() -> None:
    player, where = Diplominator(FRANCE), board("F1902M")
    before, worth = values(player, where), centres(player, where)
    assert player.make_peace("GERMANY")
    after, lowered = values(player, where), centres(player, where)
    assert lowered == worth | {home: worth[home] * 40 // 100 for home in MAP.homes["GERMANY"]}
    assert after["A MUN"] < before["A MUN"]


@pytest.mark.parametrize(
    ("centres", "rival", "stabs"), [(9, 5, False), (10, 5, True), (10, 10, True), (10, 11, False)]
)
def test_the_largest_power_turns_on_everybody_at_ten_centres(centres: int, rival: int, stabs: bool) -> None:
    owned = {"FRANCE": MAP.centres[:centres], "GERMANY": MAP.centres[centres : centres + rival]}
    player = Diplominator(FRANCE)
    assert player.make_peace("ENGLAND")
    player.orders(board("S1905M", *UNITS, owners=owned), FREE)
    assert player.stabbing is stabs
    assert player.friends == (set() if stabs else {"ENGLAND"})
    assert player.make_peace("ENGLAND") is not stabs


def test_a_back_stab_is_given_up_below_nine_and_raises_prey_until_then() -> None:
    player = Diplominator(FRANCE)
    at = {
        count: board("S1905M", *UNITS, owners={"FRANCE": MAP.centres[:count], "GERMANY": ["VIE"]})
        for count in (8, 9, 10)
    }
    calm = values(player, at[9])
    stages = []
    for count in (10, 9, 8, 9):
        player.orders(at[count], FREE)
        stages.append(player.stabbing)
    assert stages == [True, True, False, False]
    player.orders(at[10], FREE)
    raised = values(player, at[9])
    foreign = next(centre for centre in MAP.centres[9:] if f"F {centre}" in calm and centre != "VIE")
    assert raised[f"F {foreign}"] == calm[f"F {foreign}"] * 150 // 100
    assert raised["A PIC"] == calm["A PIC"] * 150 // 100
    assert raised["A GAS"] == calm["A GAS"]
    player.orders(at[8], FREE)
    assert values(player, at[9]) == calm
