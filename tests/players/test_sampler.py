"""The player that draws sets of orders: sound anywhere, within its limits, and better the more it draws."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from bordeaux import BordeauxError, Map, Position
from bordeaux.evaluation.prospect import write_value_net
from bordeaux.players.base import Limit, Seat
from bordeaux.players.limits import Clock, tightest
from bordeaux.players.registry import check, create
from bordeaux.players.sampler import LegalSets, Sampler
from tests.core.test_value_net import net
from tests.players.playing import standard

MAP = Map.standard()
TURKEY = Seat("TURKEY", MAP, 5)


def test_the_eighteenth_centre_is_taken() -> None:
    centres = list(MAP.centres)
    winning = standard(
        "F1910M", {"TURKEY": ["A BUL", "F AEG"]}, {"TURKEY": centres[:17], "RUSSIA": [centres[17]]}
    )
    assert winning.next({"TURKEY": Sampler(TURKEY).orders(winning, Limit())}).victor == "TURKEY"


def test_nodes_are_counted_and_kept() -> None:
    clock = Clock(Limit(nodes=10))
    clock.nodes = 6
    assert clock.progress() == 0.6
    assert clock.affords(4) and not clock.affords(5)
    assert Clock(Limit()).affords(10**9)
    assert tightest(Limit(1.0, None), Limit(0.5, 7)) == Limit(0.5, 7)


def test_sets_are_what_is_owed() -> None:
    start = Position.start()
    legal = LegalSets(start, MAP.powers.index("TURKEY"), Random(0))
    drawn = [legal.random() for _ in range(50)]
    assert {len(orders) for orders in drawn} == {3}
    assert len({tuple(sorted(orders)) for orders in drawn}) > 30
    for orders in drawn:
        changed = legal.mutated(orders, 1)
        assert len(set(orders) & set(changed)) >= 2
    winter = standard("W1901A", {"TURKEY": ["A BUL"]}, {"TURKEY": ["ANK", "CON", "SMY"]})
    builds = LegalSets(winter, MAP.powers.index("TURKEY"), Random(0))
    for _ in range(30):
        orders = builds.random()
        changed = builds.mutated(orders, 1)
        places = {code >> 16 & 0xFFFF for code in changed}
        assert len(orders) == len(changed) == len(places) == 2
    assert not LegalSets(winter, MAP.powers.index("FRANCE"), Random(0)).owed


@pytest.mark.parametrize("options", ["sets=0", "draws=0", "sets=20000", "time=0", "nodes=-1", "evaluation=x"])
def test_values_that_make_no_sense_are_refused(options: str) -> None:
    with pytest.raises(BordeauxError):
        create(f"sampler:{options}", TURKEY)


SPEC = "sampler:policy=engines"


def test_a_policy_by_name_is_that_of_people() -> None:
    start = Position.start()
    by_file = create("policy:file=people,temperature=1.0", Seat("ITALY", MAP, 4)).orders(start, Limit())
    assert by_file == create("people", Seat("ITALY", MAP, 4)).orders(start, Limit())


def test_the_value_decides(tmp_path: Path) -> None:
    file = tmp_path / "value.npz"
    write_value_net(file, net(scale=3000.0), {})
    start, limit = Position.start(), Limit(nodes=600)
    spec = f"{SPEC},movements=0,value={file}"
    answers = {
        name: {tuple(create(name, Seat("FRANCE", MAP, seed)).orders(start, limit)) for seed in range(3)}
        for name in (spec, SPEC + ",movements=0")
    }
    assert answers[spec] != answers[SPEC + ",movements=0"]


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("sampler:value=x.npz", "policy"),
        ("sampler:policy=engines,movements=9", "movements must be from -1 to 8"),
        ("sampler:policy=missing.npz", r"missing\.npz"),
        ("sampler:policy=engines,value=missing.npz", r"missing\.npz"),
        ("policy:file=missing.npz", r"missing\.npz"),
        ("policy:temperature=0", "temperature must be"),
    ],
)
def test_rubbish_is_told(spec: str, said: str) -> None:
    with pytest.raises(BordeauxError, match=said):
        check(spec)
