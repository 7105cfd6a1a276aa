"""From the pools of a search to mixtures: who learns, what joins, what is left to regret."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from bordeaux import Map, Position, Unit, adjudicate, legal_orders
from bordeaux.arena import bench
from bordeaux.board.submission import decode
from bordeaux.evaluation import evaluate, evaluator
from bordeaux.search.config import PAPER, SearchConfig
from bordeaux.search.paper import MovementSearch, Situation
from bordeaux.search.paper.equilibrium import NormalForm
from bordeaux.search.sets import from_orders
from bordeaux.search.task import Budget, SearchTask
from tests.search.paper.test_regret_matching import ATTACKS, ionian

MAP = Map.standard()
JUDGE = evaluator(MAP)


def searched(position: Position, nodes: int = 20_000, seed: int = 0) -> MovementSearch:
    """The sides of a search as they are when it begins to mix."""
    search = MovementSearch(Situation(SearchTask(position, SearchConfig(PAPER), seed=seed), JUDGE))
    search.state.want(search.situation.present)
    for _ in (*search.finding.open_wanted(), *search.finding.run(Budget(nodes=nodes), 1.0)):
        pass
    return search


def normal_form_of(
    search: MovementSearch, wanted: list[str], more: int = 40_000, **options: Any
) -> NormalForm:
    normal_form = NormalForm(search.situation.position, JUDGE, search.sides, wanted, **options)
    limit = search.nodes + more
    normal_form.run(lambda: (normal_form.nodes + search.nodes) / limit)
    return normal_form


def test_the_guessing_game_is_found_and_mixed_by_the_search_itself() -> None:
    """Nobody says which sets count: candidates and shares are the engine's own, and no legal order of
    either fleet does much better against what the other plays."""
    position = ionian()
    mixtures = normal_form_of(searched(position, 2_000), ["ITALY", "TURKEY"]).mixtures()
    for power, enemy in (("ITALY", "TURKEY"), ("TURKEY", "ITALY")):
        mixture, other = mixtures[power].pruned(), mixtures[enemy].pruned(0)
        assert mixture.shares[0] < 0.9
        for orders in (order for legal in legal_orders(position, power).values() for order in legal):
            values = [
                evaluate(adjudicate(position, {power: [orders], enemy: [text(reply)]}).after)[power].value
                for reply in other.orders
            ]
            mean = sum(share * value for share, value in zip(other.shares, values, strict=True))
            assert mean < mixture.value + 25, orders
    assert {text(orders) for orders in mixtures["TURKEY"].orders[:2]} == set(ATTACKS)


def text(orders: bytes) -> str:
    return str(decode(MAP, struct.unpack("<Q", orders)[0]))


def middle_game() -> Position:
    return next(position for position, _ in bench.positions() if str(position.phase) == "S1904M")


def test_little_is_left_to_regret_in_the_middle_game() -> None:
    normal_form = normal_form_of(searched(middle_game()), list(MAP.powers), 80_000)
    for power, mixture in normal_form.mixtures().items():
        assert sum(mixture.shares) == pytest.approx(1), power
        assert len(set(mixture.orders)) == len(mixture.orders)
        assert 0 <= max(mixture.values) - mixture.value < 60, power
    assert normal_form.replies > 0


def test_only_the_powers_near_learn() -> None:
    units = [
        Unit("ENGLAND", "F", "LVP"),
        Unit("TURKEY", "A", "SYR"),
        Unit("RUSSIA", "A", "SEV"),
        Unit("RUSSIA", "A", "ARM"),
    ]
    position = Position(MAP, "S1905M", units, {"ENGLAND": ["LVP"], "TURKEY": ["SMY"], "RUSSIA": ["SEV"]})
    normal_form = normal_form_of(searched(position, 4_000), ["TURKEY", "FRANCE"])
    assert normal_form.learners == ["TURKEY", "RUSSIA"]
    assert set(normal_form.mixtures()) == {"TURKEY"}


def test_a_spent_budget_leaves_mixtures_all_the_same() -> None:
    search = searched(middle_game(), 3_000)
    normal_form = NormalForm(search.situation.position, JUDGE, search.sides, ["ITALY"])
    normal_form.run(lambda: 1.0)
    mixture = normal_form.mixtures()["ITALY"]
    assert sum(mixture.shares) == pytest.approx(1)


def test_sets_as_people_play_join_the_game() -> None:
    position = ionian()
    search = searched(position, 2_000)
    guard, attack = (
        from_orders(position, power, [order])
        for power, order in (("ITALY", "F TYS H"), ("TURKEY", "F ION H"))
    )
    proposed = {"ITALY": [guard], "TURKEY": [attack]}
    plain = normal_form_of(search, ["ITALY", "TURKEY"])
    joined = normal_form_of(search, ["ITALY", "TURKEY"], proposed=proposed.__getitem__)
    for power in ("ITALY", "TURKEY"):
        before, after = plain.equilibrium.sets[power], joined.equilibrium.sets[power]
        assert set(before) <= {*after} and len(after) <= len(before) + 1 + joined.replies
