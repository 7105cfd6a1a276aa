"""What the others may play: drawn from beliefs, pools and what is known."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Mapping
from typing import Any

import pytest

from bordeaux import Map, Position
from bordeaux.board.code import codes_in, kind_of, unit_of
from bordeaux.board.submission import decode
from bordeaux.evaluation import evaluator
from bordeaux.search import models
from bordeaux.search.beliefs import Beliefs, OpponentSampler
from bordeaux.search.bestfirst import AgendaNode, Maxims, search_space
from bordeaux.search.models import HOLD, LOOSELY, SEARCH, STRANGE
from bordeaux.search.paper.power_search import PowerSearch
from bordeaux.search.sets import from_orders

MAP = Map.standard()
START = Position.start()
#: Two sets for Germany, the second worth much less.
BETTER = from_orders(START, "GERMANY", ["A BER - KIE", "A MUN - RUH", "F KIE - HOL"])
WORSE = from_orders(START, "GERMANY", ["A BER H", "A MUN H", "F KIE H"])


def texts(orders: bytes) -> list[str]:
    return [str(decode(MAP, code)) for code in struct.unpack(f"<{len(orders) // 8}Q", orders)]


def germany() -> PowerSearch:
    space = search_space(START, "GERMANY", evaluator(MAP), Maxims.named())
    side = PowerSearch("GERMANY", MAP.powers.index("GERMANY"), space)
    for orders, value in ((BETTER, 100.0), (WORSE, 80.0)):
        kept = side.keep(AgendaNode(value, space.node_of(orders)))
        assert sorted(texts(kept)) == sorted(texts(orders))
    side.best = side.ranked()[0]
    return side


def sampler_of(
    followed: Mapping[str, str], seed: int = 0, position: Position = START, **options: Any
) -> OpponentSampler:
    """OpponentSampler that is sure of what each power follows, the rest holding."""
    beliefs = Beliefs(MAP)
    for power in MAP.powers:
        beliefs.shares[power] = {followed.get(power, HOLD): 1.0} | dict.fromkeys(
            {SEARCH, HOLD, "dumbbot", "crude"} - {followed.get(power, HOLD)}, 0.0
        )
    return OpponentSampler(position, beliefs, {"GERMANY": germany()}, random.Random(seed), **options)


def test_each_plays_what_its_model_does() -> None:
    sees = sampler_of({"GERMANY": SEARCH, "TURKEY": "dumbbot"})
    assert sees.orders("ITALY") == sees.orders("ITALY", likeliest=True) == b""
    assert sorted(texts(sees.orders("GERMANY", likeliest=True))) == sorted(texts(BETTER))
    assert len(texts(sees.orders("TURKEY"))) == 3
    joint = texts(sees.joint("FRANCE"))
    assert len(joint) == 6 and not any("PAR" in order for order in joint)
    assert len(texts(sees.joint("GERMANY"))) == 3
    assert sees.share("GERMANY") == 1 and sees.share("TURKEY") == 0


def test_a_searching_power_plays_its_pool_the_better_the_more_often_and_then_its_mixture() -> None:
    sees = sampler_of({"GERMANY": SEARCH})
    (best, much), (_, little) = sees.mixture(germany())
    assert sorted(texts(best)) == sorted(texts(BETTER)) and much > 0.7 and much + little == pytest.approx(1)
    assert sorted(texts(sees.forecast("GERMANY")[0][0])) == sorted(texts(BETTER))
    sees.mixtures["GERMANY"] = [(WORSE, 1.0)]
    (mixed, share), *_ = sees.forecast("GERMANY")
    assert sorted(texts(mixed)) == sorted(texts(WORSE)) and share < 1
    # Before a side has been opened the fast policy stands for it.
    assert len(texts(sampler_of({"FRANCE": SEARCH}).orders("FRANCE"))) == 3


def test_nobody_thinks_just_as_we_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a share of `STRANGE` a power that searches plays another set of its pool than our mixture
    says, one some points behind nearly as often as the best."""
    monkeypatch.setattr(models, "LIKE_FAST", 0.0)
    monkeypatch.setattr(models, "ASTRAY", 0.0)
    sees = sampler_of({"GERMANY": SEARCH}, seed=7)
    sees.mixtures["GERMANY"] = [(WORSE, 1.0)]
    drawn = [sorted(texts(sees.orders("GERMANY"))) for _ in range(2000)]
    loosely = 1 / (1 + math.exp(-20 / LOOSELY))
    assert drawn.count(sorted(texts(BETTER))) / 2000 == pytest.approx(STRANGE * loosely, abs=0.05)
    assert drawn.count(sorted(texts(BETTER))) + drawn.count(sorted(texts(WORSE))) == 2000
    # The likeliest orders and the pools that are handed on are none of chance.
    assert sorted(texts(sees.orders("GERMANY", likeliest=True))) == sorted(texts(BETTER))
    assert sees.mixture(germany()) == [(WORSE, 1.0)]


def test_a_share_of_what_searches_is_foreseen_as_the_fast_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "ASTRAY", 0.0)
    sees = sampler_of({"GERMANY": SEARCH}, seed=7)
    pool = [sorted(texts(BETTER)), sorted(texts(WORSE))]
    drawn = [sorted(texts(sees.orders("GERMANY"))) for _ in range(1000)]
    fast = [sorted(texts(sees.policy("GERMANY"))) for _ in range(1000)]
    seen = sum(orders not in pool for orders in drawn) / 1000
    assert seen == pytest.approx(
        models.LIKE_FAST * sum(orders not in pool for orders in fast) / 1000, abs=0.05
    )
    assert seen > 0.1


def test_a_unit_goes_where_nobody_foresaw_and_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every unit alone: it moves or holds, legally; the others do what the set says."""
    monkeypatch.setattr(models, "LIKE_FAST", 0.0)
    sees = sampler_of({"GERMANY": SEARCH}, seed=7)
    sees.mixtures["GERMANY"] = [(BETTER, 1.0)]
    monkeypatch.setattr(models, "STRANGE", 0.0)
    drawn = [codes_in(sees.orders("GERMANY")) for _ in range(1000)]
    as_said = {unit_of(code): code for code in codes_in(BETTER)}
    germany_is = MAP.powers.index("GERMANY")
    changed = 0
    for codes in drawn:
        assert {unit_of(code) for code in codes} == as_said.keys()
        assert all(START.packed.is_legal(code, germany_is) for code in codes)
        assert all(kind_of(code) in models.ALONE for code in codes if code != as_said[unit_of(code)])
        changed += sum(code != as_said[unit_of(code)] for code in codes)
    assert 0.5 * models.ASTRAY < changed / (1000 * len(as_said)) < models.ASTRAY


def test_a_forecast_has_an_order_for_every_unit_once() -> None:
    moved = from_orders(START, "RUSSIA", ["A MOS - UKR"])
    sees = sampler_of({"TURKEY": "dumbbot"}, given={"RUSSIA": moved})
    assert [texts(orders) for orders, _ in sees.forecast("ITALY")] == [
        [f"{unit} H" for unit in START.units_of("ITALY")]
    ]
    ((russia, share),) = sees.forecast("RUSSIA")
    assert sorted(texts(russia)) == ["A MOS - UKR", "A WAR H", "F SEV H", "F STP/SC H"] and share == 1
    shares = [share for _, share in sees.forecast("TURKEY")]
    assert shares == sorted(shares, reverse=True) and sum(shares) == pytest.approx(1)
