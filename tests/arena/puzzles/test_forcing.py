"""Areas as the core closes them, against the same in plain Python, on random positions."""

import math
import random

import pytest

from bordeaux.board.code import as_bytes
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.rules.adjudication import legal_orders
from bordeaux.search import proof as in_core
from bordeaux.search.proof import Goal, Prover

from ...players.playing import standard as placed
from . import closure
from .oracle import random_orders, random_position, worst

#: Areas compared in each position.
AREAS = 12


def compare(position: Position, chance: random.Random) -> int:
    """Compare some areas beside random orders of a power; how many were not too large for the core."""
    powers = [power for power in position.map.powers if position.units_of(power)]
    power = chance.choice(powers)
    others = [other for other in powers if other != power]
    if chance.random() < 0.3:
        others = others[:1]
    plain, core = closure.Field(position, others), in_core.Field(position, others)
    assert core.repliers == plain.repliers and core.owners == plain.owners and core.legal == plain.legal
    for place in plain.repliers:
        assert core.core.moves(place) == [*plain.moves[place]]
    centres = [province.index for province in position.map.provinces if province.centre]
    checked = 0
    for _ in range(AREAS):
        fixed = {}
        for place, owner in plain.owners.items():
            if owner == power and chance.random() < 0.9:
                kind = chance.choice([2, 2, 3, 4, 5])
                codes = [c for c in plain.legal[place] if c & 255 == kind] or plain.legal[place]
                fixed[place] = chance.choice(codes)
        asked = chance.sample(centres, chance.choice([1, 1, 1, 2, 3]))
        expected = plain.near(asked, fixed)
        provinces, choices, touched = core.core.area(asked, as_bytes(fixed.values()))
        assert (provinces, touched) == (expected.provinces, expected.touched)
        if choices is None:
            sizes = [max(map(len, both)) for both in expected.choices.values()]
            assert len(sizes) > 40 or max(sizes) > 128
        else:
            assert list(choices) == list(expected.choices)
            assert choices == {place: (moves, stays) for place, (moves, stays) in expected.choices.items()}
            checked += 1
    return checked


@pytest.mark.parametrize("seed", range(40))
def test_areas_are_the_same_where_units_crowd(seed: int) -> None:
    chance = random.Random(seed)
    assert compare(random_position(chance, chance.randint(1, 5), chance.randint(1, 4)), chance) > 0


def test_what_is_not_on_the_map_is_refused() -> None:
    field = in_core.Field(Position.start(), ["FRANCE"]).core
    own = field.repliers()[0]
    with pytest.raises(ValueError, match="no province"):
        field.area([255], b"")
    with pytest.raises(ValueError, match="no province"):
        field.reachers(-1)
    with pytest.raises(ValueError, match="no replier"):
        field.moves(next(place for place in range(200) if place not in field.repliers()))
    assert field.moves(own)
    with pytest.raises(ValueError, match="not on the map"):
        field.area([1], b"\xff" * 8)


MOST_REPLIES = 4000


@pytest.mark.parametrize("seed", [*range(24), 30073])
def test_proofs_say_what_brute_force_says(seed: int) -> None:
    chance = random.Random(seed)
    position = random_position(chance, chance.randint(1, 4), chance.randint(1, 3))
    replies = math.prod(
        len(orders) for power in ("TURKEY", "ITALY") for orders in legal_orders(position, power).values()
    )
    if replies > MOST_REPLIES:
        position = random_position(chance, 3, 1)
    several = [random_orders(chance, position, "AUSTRIA") for _ in range(3)]
    for goal in (Goal("AUSTRIA", True, 0), Goal("TURKEY", False, 0), Goal("TURKEY", False, 0, "TURKEY")):
        # One prover, so that what it remembers of one set is tried on the next.
        prover = Prover(position, "AUSTRIA", goal)
        for orders in several:
            most = worst(position, "AUSTRIA", goal, orders)
            beyond = prover.prove(orders, most + (1 if goal.keeping else -1))
            assert (beyond.holds, beyond.proved) == (False, True)
            held = prover.prove(orders, most)
            assert (held.holds, held.proved, held.centres) == (True, True, most)


def test_a_refuting_reply_refutes_and_is_remembered() -> None:
    position = placed(
        "F1903M",
        {"AUSTRIA": ["A SER"], "TURKEY": ["A BUL", "F AEG"]},
        {"AUSTRIA": ["SER", "GRE"], "TURKEY": ["BUL"]},
    )
    prover = Prover(position, "AUSTRIA", Goal("AUSTRIA", True, 2))
    verdict = prover.prove(["A SER H"])
    assert not verdict.holds and verdict.proved
    after = position.next({"TURKEY": []})
    assert after.centres["AUSTRIA"] == ("GRE", "SER")
    assert prover.kept({}, prover.bank[0]) == 1, "somebody walks into Greece"
    assert not prover.prove(["A SER - ALB"]).holds
    assert not prover.prove(["A SER - GRE"]).holds, "then Serbia is entered"


def test_support_makes_a_centre_sure_and_a_cut_undoes_it() -> None:
    units = {"AUSTRIA": ["A SER", "A ALB"], "TURKEY": ["A GRE"]}
    centres = {"AUSTRIA": ["SER"], "TURKEY": ["GRE"]}
    orders = ["A SER - GRE", "A ALB S A SER - GRE"]
    goal = Goal("AUSTRIA", True, 1)
    alone = Prover(placed("F1903M", units, centres), "AUSTRIA", goal)
    assert alone.prove(orders).holds
    assert alone.prove(orders, 2).holds, "nobody retreats to where the attack came from"
    away = ["A ALB - GRE", "F AEG S A ALB - GRE", "A SER - BUD"]
    three = placed("F1903M", {**units, "AUSTRIA": ["A SER", "A ALB", "F AEG"]}, centres)
    leaving = Prover(three, "AUSTRIA", goal)
    assert leaving.prove(away, 2).holds and not leaving.prove(away, 3).holds, "it may retreat to Serbia"
    units["ITALY"] = ["F ION"]
    beside = Prover(placed("F1903M", units, centres), "AUSTRIA", goal)
    assert not beside.prove(["A SER S A ALB - GRE", "A ALB - GRE"], 2).holds, "the fleet helps"


def test_one_unit_cannot_take_two_centres() -> None:
    position = placed(
        "F1903M",
        {"AUSTRIA": ["A VIE"], "ITALY": ["A TYR"]},
        {"AUSTRIA": ["TRI", "VEN", "VIE"], "ITALY": ["ROM"]},
    )
    prover = Prover(position, "AUSTRIA", Goal("AUSTRIA", True, 2))
    names = {province.index: province.name for province in Map.standard().provinces}
    assert {names[place] for place in prover.safe({})} == {"VIE"}
    assert prover.prove([]).holds, "each of two can be lost, but not both"
    assert not prover.prove([], 3).holds


def test_a_leader_is_stopped_by_a_support() -> None:
    east = ["BUD", "TRI", "VIE", "SER", "GRE", "RUM", "BUL", "CON", "ANK", "SMY", "SEV", "WAR", "MOS"]
    centres = {"AUSTRIA": [*east, "MUN", "BER", "KIE", "STP"], "ITALY": ["VEN", "ROM", "NAP"]}
    units = {"AUSTRIA": ["A TYR", "A TRI"], "ITALY": ["A VEN", "A ROM"], "FRANCE": ["A PIE"]}
    position = placed("F1910M", units, centres)
    with_friends = Prover(position, "ITALY", Goal("AUSTRIA", False, 17))
    alone = Prover(position, "ITALY", Goal("AUSTRIA", False, 17, "AUSTRIA"))
    assert with_friends.prove([]).centres == alone.prove([]).centres == 18
    assert alone.prove(["A ROM S A VEN"]).holds
    verdict = with_friends.prove(["A ROM S A VEN"])
    assert not verdict.holds, "Austria could not take Venice alone"
    assert len(verdict.reply) == 3, "France supports it"


def test_only_a_fall_movement_has_proofs() -> None:
    with pytest.raises(ValueError, match="Fall movement"):
        Prover(Position.start(), "AUSTRIA", Goal("AUSTRIA", True, 3))
