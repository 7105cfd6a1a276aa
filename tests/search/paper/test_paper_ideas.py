"""Ideas of Hall and Loeb (1995), sections 3.3 to 4.3.6, each shown at work; `docs/search.md` lists all of
them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from bordeaux import Engine, Position, Unit
from bordeaux.evaluation import evaluator
from bordeaux.search import bestfirst
from bordeaux.search.analysis import Found
from bordeaux.search.bestfirst import Agenda, AgendaNode, Maxims, beam_for, best_first, search_space
from bordeaux.search.config import PAPER, SearchConfig
from bordeaux.search.paper import MovementSearch, Situation, finding
from bordeaux.search.paper.power_search import PowerSearch, distances, distinct_in_effect, diverse
from bordeaux.search.paper.replies import SetScore, value_against_replies
from bordeaux.search.sets import from_orders
from bordeaux.search.task import Budget, SearchTask

from .boards import MAP, WON, board, chosen, played_on
from .test_look_ahead import LEFT, STAYED, austria
from .test_regret_matching import ATTACKS, GUARDS, ionian

JUDGE = evaluator(MAP)


def side_of(position: Position, power: str, *sets: str) -> PowerSearch:
    space = search_space(position, power, JUDGE, Maxims.named())
    side = PowerSearch(power, MAP.powers.index(power), space)
    for orders in sets:
        node = space.node_of(from_orders(position, power, [orders]))
        side.keep(AgendaNode(space.value(node), node))
    return side


# 3.3 Robust choice


def test_a_set_is_worth_its_mean_over_alternative_orders_of_the_others() -> None:
    position = Position.start()
    space = search_space(position, "TURKEY", JUDGE, Maxims.named())
    node = space.node_of(from_orders(position, "TURKEY", ["F ANK - BLA", "A CON - BUL", "A SMY - ARM"]))
    others = [
        from_orders(position, "RUSSIA", ["F SEV - BLA"]),
        from_orders(position, "RUSSIA", ["F SEV - RUM"]),
        from_orders(position, "RUSSIA", ["F SEV - ARM"]),
    ]
    values = space.values(node, others)
    assert len({round(value) for value in values}) > 1
    space.set_backgrounds(others, [1.0, 1.0, 1.0])
    assert space.value(node) == pytest.approx(sum(values) / 3, abs=0.01)
    space.set_backgrounds(others[:2], [3.0, 1.0])
    assert space.value(node) == pytest.approx((3 * values[0] + values[1]) / 4, abs=0.01)


@pytest.mark.parametrize("guarded", [0, 1])
def test_an_enemy_replies_in_its_own_interest(guarded: int) -> None:
    """Turkey, which sees which centre Italy guards, takes the other one."""
    position = ionian()
    italy, turkey = side_of(position, "ITALY", *GUARDS), side_of(position, "TURKEY", *ATTACKS)
    orders = from_orders(position, "ITALY", [GUARDS[guarded]])
    attacks = [from_orders(position, "TURKEY", [attack]) for attack in ATTACKS]
    node = italy.space.node_of(orders)
    against = italy.space.values(node, attacks)
    by_turkey = [turkey.space.values(turkey.space.node_of(attack), [orders])[0] for attack in attacks]
    best = by_turkey.index(max(by_turkey))
    expected = attacks[1 - best]
    italy.space.set_backgrounds([expected], [1.0])
    judged = value_against_replies(italy, orders, {"TURKEY": expected}, [turkey], 0.25)
    assert judged.expected == pytest.approx(against[1 - best], abs=0.01)
    assert judged.against_replies == pytest.approx((against[best],), abs=0.01)
    assert against[best] < against[1 - best]


# 3.3 Seven searches in turn, and 3.4 seeds


def searched_from(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, bytes]]:
    """The seeds that a search starts from, told while it goes on, with the number of their space."""
    seeds: list[tuple[int, bytes]] = []

    def noting(space, seed, stop, patience, beside):  # type: ignore[no-untyped-def]
        seeds.append((id(space), space.orders(seed)))
        return best_first(space, seed, stop, patience, beside)

    monkeypatch.setattr(finding, "best_first", noting)
    return seeds


def test_a_search_goes_on_from_its_own_last_set_and_from_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the backgrounds have changed: the last set first, then what a policy plays, a perturbed set, and
    all hold."""
    seeds = searched_from(monkeypatch)
    search = MovementSearch(Situation(SearchTask(Position.start(), SearchConfig(PAPER), seed=3), JUDGE))
    last: list[bytes] = []
    improve = search.finding._improve

    def noting(power: str, budget: Budget) -> bool:
        last.append(search.sides[power].best)
        begun = len(seeds)
        changed = improve(power, budget)
        assert seeds[begun][1] == last[-1]
        return changed

    monkeypatch.setattr(search.finding, "_improve", noting)
    for _ in search.run(["TURKEY"], Budget(nodes=20_000)):
        pass
    assert len(last) > 3
    turkey = search.sides["TURKEY"]
    held = turkey.space.orders(turkey.space.node_of(b""))
    own = [orders for space, orders in seeds if space == id(turkey.space)]
    assert held in own
    assert len(set(own)) > 3


def test_every_near_power_has_its_turn() -> None:
    search = MovementSearch(Situation(SearchTask(Position.start(), SearchConfig(PAPER)), JUDGE))
    changed = Counter(search.run(["TURKEY"], Budget(nodes=30_000)))
    assert changed["TURKEY"] >= 1
    searching = [power for power, side in search.sides.items() if side.space.nodes > 500]
    assert {"TURKEY", *search.state.foes("TURKEY")} <= {*searching}
    assert "RUSSIA" in search.state.foes("TURKEY")


FRANCE = Position.start()


def value_of(
    seeds: Sequence[list[str]] = (), previous: dict[str, list[str]] | None = None, nodes: int = 1
) -> Found:
    with Engine(seed=0, search="paper", without=["policy", "metamap"]) as engine:
        return engine.search(FRANCE, "FRANCE", nodes=nodes, seeds=seeds, previous=previous)


def long_searched() -> tuple[str, ...]:
    return value_of(nodes=20_000).orders


def test_suggested_orders_that_are_good_are_taken_and_bad_ones_are_not() -> None:
    bad = ["A PAR - GAS", "A MAR H", "F BRE H"]
    plain = value_of()
    assert value_of(seeds=[bad]).orders == plain.orders
    good = ["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"]
    assert value_of(seeds=[bad, good]).value >= plain.value
    taken = value_of(seeds=[bad, good])
    assert sum(order in taken.orders for order in good) >= 2


def test_units_that_stayed_may_repeat_their_orders() -> None:
    """The orders of the phase before are a seed like another: as much is found in one node."""
    good = list(long_searched())
    assert value_of(previous={"FRANCE": good}).value == value_of(seeds=[good]).value


def test_the_score_goes_from_the_mean_to_the_worst_reply() -> None:
    scores = [SetScore(100, (100, 40), caution).score for caution in (0, 0.5, 1)]
    assert scores == [85, 77.5, 70]
    assert SetScore(100, (), 1).score == 100


# 4.3.1 Massive support

LEFT_OVER = ["LON", "LVP", "EDI", "BRE", "PAR", "NWY", "SWE", "DEN", "HOL", "BEL"]


@pytest.mark.parametrize("phase", ["S1910M", "F1910M"])
def test_a_navy_bottled_up_breaks_into_the_atlantic(phase: str) -> None:
    """The paper's example in a whole search: Turkey, one centre short, needs all four fleets at once."""
    position = board(
        phase,
        {"ENGLAND": LEFT_OVER, "TURKEY": WON},
        {"ENGLAND": ["F MAO", "F IRI", "F GAS"], "TURKEY": ["F NAF", "F WES", "F SPA/SC", "F POR"]},
    )
    defence = {"ENGLAND": ["F MAO H", "F IRI S F MAO", "F GAS S F MAO"]}
    # In Fall nothing is won at once, and the learnt net, which plays on for a year, holds what it has.
    without = ["league"] if phase == "F1910M" else []
    for orders in chosen(position, "TURKEY", 5000, without=without, given=defence):
        after = position.next({**defence, "TURKEY": orders})
        assert "MAO" in {unit.province for unit in after.units_of("TURKEY")}


# 4.3.5 Large searches


def test_the_beam_widens_with_the_units(monkeypatch: pytest.MonkeyPatch) -> None:
    beams: list[int] = []

    class Noting(Agenda):
        def __init__(self, beam: int) -> None:
            super().__init__(beam)
            beams.append(beam)

    monkeypatch.setattr(bestfirst, "Agenda", Noting)
    for power in ("TURKEY", "RUSSIA"):
        space = search_space(Position.start(), power, JUDGE, Maxims.named())
        list(best_first(space, space.node_of(b""), lambda: False, 3))
    assert beams == [beam_for(3), beam_for(4)]
    assert beams[0] < beams[1]


# 3.3 Nearly equal sets


def test_sets_that_look_alike_are_told_apart_by_playing_on() -> None:
    """Whether Trieste is kept makes no difference at once, and much when Italy has had two turns."""
    position = austria("S1902M")
    at_once, later = (
        played_on(position, "AUSTRIA", STAYED, phases) - played_on(position, "AUSTRIA", LEFT, phases)
        for phases in (0, 2)
    )
    assert abs(at_once) < 30
    assert later > 100


def france() -> Position:
    units = [Unit("FRANCE", "A", tag) for tag in ("PAR", "BUR", "MAR")]
    units += [Unit("GERMANY", "A", tag) for tag in ("MUN", "RUH")]
    return Position(MAP, "S1902M", units, {"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN"]})


POSITION = france()


def orders_of(*orders: str, power: str = "FRANCE") -> bytes:
    return from_orders(POSITION, power, orders)


HOLD = orders_of("A PAR H", "A BUR H", "A MAR H")
HELD = orders_of("A PAR S A BUR", "A BUR H", "A MAR H")
HELD_TWICE = orders_of("A PAR S A BUR", "A BUR H", "A MAR S A BUR")
ATTACK = orders_of("A PAR H", "A BUR - MUN", "A MAR H")
LEAVE = orders_of("A PAR - PIC", "A BUR - BEL", "A MAR - PIE")


def test_distance_counts_units_with_other_goals() -> None:
    apart = distances([HOLD, HELD, ATTACK, LEAVE])
    assert apart.tolist() == [[0, 0.5, 1, 3], [0.5, 0, 1.5, 3], [1, 1.5, 0, 3], [3, 3, 3, 0]]


def test_a_useless_support_makes_no_other_set() -> None:
    """Against a single attack no support is needed at all."""
    scores = {HOLD: 1.0, HELD: 3.0, HELD_TWICE: 2.0, LEAVE: 0.0}
    single = orders_of("A MUN - BUR", "A RUH H", power="GERMANY")
    assert distinct_in_effect(POSITION, scores, [single]) == [HELD, LEAVE]


def test_the_few_that_are_chosen_are_good_and_differ() -> None:
    scores = {HELD: 100.0, HELD_TWICE: 99.5, HOLD: 99.0, ATTACK: 92.0, LEAVE: 90.0}
    assert diverse(scores, 5) == [HELD, HELD_TWICE, HOLD, ATTACK, LEAVE]
    assert diverse(scores, 2) == [HELD, LEAVE]
    assert set(diverse(scores, 3)) == {HELD, LEAVE, HELD_TWICE}
    assert diverse(scores, 2, penalty=0) == [HELD, HELD_TWICE]
    # A difference is not worth any price.
    assert diverse({**scores, LEAVE: 60.0, ATTACK: 60.0}, 2) == [HELD, HELD_TWICE]


def test_a_side_keeps_its_best_and_sets_that_differ() -> None:
    position = Position.start()
    space = search_space(position, "RUSSIA", evaluator(MAP), Maxims.named())
    side = PowerSearch("RUSSIA", MAP.powers.index("RUSSIA"), space)
    best = side.best = side.keep(AgendaNode(50.0, space.node_of(b"")))
    chance = random.Random(3)
    for _ in range(300):
        wild = b"".join(chance.randrange(count).to_bytes(2, "little") for count in space.counts())
        kept = side.keep(AgendaNode(chance.uniform(0, 100), wild))
        assert kept in side.pool and best in side.pool
        assert len(side.pool) <= side.room == 24
    values = [side.pool[orders] for orders in side.ranked()]
    assert values == sorted(values, reverse=True) and values[1] > 90
    apart = distances(side.ranked())
    assert apart[apart > 0].mean() > 2
