"""The core's adversary: what it remembers changes no answer, and what is allowed bounds what it asks."""

from __future__ import annotations

import random

import pytest

from bordeaux import Map, Position, Unit
from bordeaux._ext.search.adversary import Adversary
from bordeaux.arena import bench
from bordeaux.board.code import as_bytes
from bordeaux.search.proof import Field
from bordeaux.search.sets import from_orders

from ..arena.puzzles.oracle import random_orders

MAP = Map.standard()
FALLS = [p for p, _ in bench.positions() if (p.phase.season, p.phase.kind) == ("F", "M")]
LIMIT = 400


def adversary(position: Position, power: str, limit: int = LIMIT) -> Adversary:
    others = set(MAP.powers) - {power}
    return Adversary(Field(position, others).core, MAP.powers.index(power), True, limit)


@pytest.mark.parametrize("number", range(len(FALLS)))
def test_what_is_remembered_changes_no_answer(number: int) -> None:
    position, chance = FALLS[number], random.Random(number)
    power = max(MAP.powers, key=lambda power: len(position.units_of(power)))
    learning = adversary(position, power)
    base = random_orders(chance, position, power)
    remembered = asked = 0
    for _ in range(12):
        # One order is another, so that most of what was found is still true.
        changed = random_orders(chance, position, power)
        place = chance.randrange(len(base))
        base[place] = changed[place]
        fixed = from_orders(position, power, base)
        fresh = adversary(position, power)
        stakes = fresh.stakes(fixed)
        assert learning.stakes(fixed) == stakes
        answers = {stake: fresh.lost(fixed, [stake], 1) for stake in stakes}
        for stake in learning.safe(fixed, stakes):
            assert answers[stake][::2] == (0, True)
        for stake in stakes:
            lost, reply, proved = learning.lost(fixed, [stake], 1)
            if answers[stake][2]:
                assert (lost, proved) == (answers[stake][0], True)
            if lost and proved:
                assert fresh.lost_to(fixed, [stake], [as_bytes(reply)], 1) == (1, 0)
        remembered, asked = remembered + learning.asked, asked + fresh.asked
        learning.allow(float("inf"))
    assert learning.asked < asked


def greece(*turks: str) -> Position:
    units = [Unit("AUSTRIA", "A", "SER"), *(Unit("TURKEY", *text.split(" ")) for text in turks)]
    return Position(MAP, "F1903M", units, {"AUSTRIA": ["SER", "GRE"], "TURKEY": ["BUL"]})


def number(name: str) -> int:
    return MAP.province(name).index


def test_stakes_are_own_centres_and_where_own_units_go() -> None:
    position = greece("A BUL")
    held = adversary(position, "AUSTRIA").stakes(from_orders(position, "AUSTRIA", ["A SER H"]))
    moved = adversary(position, "AUSTRIA").stakes(from_orders(position, "AUSTRIA", ["A SER - BUD"]))
    assert set(held) == {number("SER"), number("GRE")}
    assert set(moved) == {*held, number("BUD")}


def test_centres_are_lost_together_as_far_as_one_unit_can() -> None:
    position = greece("A BUL")
    hold = from_orders(position, "AUSTRIA", ["A SER H"])
    one = adversary(position, "AUSTRIA")
    assert one.safe(hold, [number("SER"), number("GRE")]) == [number("SER")]
    away = from_orders(position, "AUSTRIA", ["A SER - BUD"])
    both = [number("SER"), number("GRE")]
    assert one.safe(away, both) == []
    assert one.lost(away, both, 2)[0] == 1, "a single army takes one of them"
    assert adversary(greece("A BUL", "F AEG"), "AUSTRIA").lost(away, both, 2)[0] == 2
    assert set(one.hands(away, both)) == {number("BUL")}


def test_when_what_is_allowed_is_spent_all_counts_as_lost() -> None:
    position = greece("A BUL")
    hold = from_orders(position, "AUSTRIA", ["A SER H"])
    spent = adversary(position, "AUSTRIA")
    spent.allow(0)
    assert spent.lost(hold, [number("SER")], 1) == (1, [], False) and spent.tired
    spent.allow(100)
    assert not spent.tired
    assert spent.lost(hold, [number("SER")], 1) == (0, [], True)
    assert spent.asked < 100


def test_the_clock_is_asked_and_its_faults_are_told() -> None:
    position = greece("A BUL")
    hold = from_orders(position, "AUSTRIA", ["A SER H"])
    late = adversary(position, "AUSTRIA")
    late.allow(1e9, lambda: True)
    assert late.safe(hold, [number("SER")]) == [] and late.tired

    def broken() -> bool:
        raise RuntimeError("no clock")

    late.allow(1e9, broken)
    with pytest.raises(RuntimeError, match="no clock"):
        late.safe(hold, [number("SER")])


def test_too_many_replies_are_not_tried_twice() -> None:
    position = FALLS[-1]
    power = max(MAP.powers, key=lambda power: len(position.units_of(power)))
    hold = from_orders(position, power, [])
    short = adversary(position, power, 20)
    stakes = short.stakes(hold)
    first = short.safe(hold, stakes)
    before = short.asked
    assert short.safe(hold, stakes) == first
    assert short.asked - before < before / 2
    short.limit = 2_000
    assert set(first) <= set(short.safe(hold, stakes)), "with more replies more can be proved"


def test_bad_input_is_refused() -> None:
    position = greece("A BUL")
    with pytest.raises(ValueError, match="no power"):
        Adversary(Field(position, ["TURKEY"]).core, 7, True, 10)
    one = adversary(position, "AUSTRIA")
    for centre in (-1, 255):
        with pytest.raises(ValueError, match="no province"):
            one.safe(b"", [centre])
        with pytest.raises(ValueError, match="no province"):
            one.lost(b"", [centre, 0], 1)
    with pytest.raises(ValueError, match="8 bytes"):
        one.stakes(b"123")
