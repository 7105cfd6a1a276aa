"""How people play: probabilities that are some, draws that follow them, and sets that are ranked by them."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from bordeaux import Map, Position, legal_orders
from bordeaux._ext.net.weights import Net
from bordeaux.arena import bench
from bordeaux.board.code import as_bytes, codes_in, kind_of, unit_of
from bordeaux.board.map import load_map
from bordeaux.board.order import OrderKind
from bordeaux.board.submission import decode
from bordeaux.policy.net import memory_of
from bordeaux.policy.people import ADJUSTMENT, People
from bordeaux.search.beliefs import given_in, note
from bordeaux.search.sets import in_full
from tests.core.nets import NAMELESS, weights
from tests.players.playing import standard

MAP = Map.standard()
START = Position.start()
PHASES = [position for position, _ in bench.positions()]
BUILDS = standard("W1901A", {"TURKEY": ["A BUL"]}, {"TURKEY": ["ANK", "CON", "SMY", "BUL"]})
REMOVALS = standard("W1903A", {"TURKEY": ["A BUL", "A SER", "F AEG", "F CON"]}, {"TURKEY": ["ANK", "CON"]})
RETREATS = next(phase for phase in PHASES if phase.phase.kind == "R")


@pytest.fixture(scope="module")
def net() -> Net:
    return Net(weights(3))


@pytest.fixture
def people(net: Net) -> People:
    return People(MAP, seed=5, net=net)


@pytest.mark.parametrize("position", PHASES, ids=lambda position: str(position.phase))
def test_choices_are_all_that_is_legal_with_probabilities_that_sum_to_one(
    position: Position, people: People
) -> None:
    for power in MAP.powers:
        choices = people.choices(position, power)
        if not position.orderable().get(power):
            assert choices == {} and people.sets(position, power, 5) == []
            continue
        for options in choices.values():
            chances = [chance for _, chance in options]
            assert math.fsum(chances) == pytest.approx(1, abs=1e-5)
            assert chances == sorted(chances, reverse=True)
        legal = {text for orders in legal_orders(position, power).values() for text in map(str, orders)}
        listed = {str(decode(MAP, code)) for options in choices.values() for code, _ in options}
        assert listed - {"WAIVE"} == legal - {"WAIVE"}


@pytest.mark.parametrize(
    "position", [START, RETREATS, BUILDS, REMOVALS], ids=lambda position: str(position.phase)
)
def test_sets_are_ranked_and_their_probabilities_are_those_of_the_draws(
    position: Position, people: People
) -> None:
    power = next(power for power in MAP.powers if 0 < len(position.orderable().get(power, ())) < 5)
    sets = people.sets(position, power, 40)
    chances = [chance for _, chance in sets]
    assert chances == sorted(chances, reverse=True) and len({orders for orders, _ in sets}) == len(sets)
    assert 0 < sum(chances) < 1.0001
    for orders, chance in sets:
        assert math.exp(people.log_probability(position, power, orders)) == pytest.approx(chance, rel=1e-4)
    count = 3000
    drawn: Counter[bytes] = Counter()
    for _ in range(count):
        codes = codes_in(people.draw(position, power))
        drawn[as_bytes(sorted(codes, key=lambda code: (unit_of(code), code)))] += 1
    for orders, chance in sets[:5]:
        spread = math.sqrt(chance * (1 - chance) / count)
        assert drawn[orders] / count == pytest.approx(chance, abs=5 * spread + 1e-3)
    assert people.sets(position, power, 3) == sets[:3]


@pytest.mark.parametrize("position", [BUILDS, REMOVALS], ids=["builds", "removals"])
def test_in_winter_a_set_needs_no_waives_and_nothing_may_be_too_much(
    position: Position, people: People
) -> None:
    (options,) = people.choices(position, "TURKEY").values()
    assert set(people.choices(position, "TURKEY")) == {ADJUSTMENT}
    due = abs(position.packed.due(MAP.powers.index("TURKEY")))
    full = next(orders for orders, _ in people.sets(position, "TURKEY", 64) if len(orders) == 8 * due)
    bare = as_bytes([code for code in codes_in(full) if kind_of(code) != OrderKind.WAIVE])
    log = people.log_probability(position, "TURKEY", full)
    assert log == people.log_probability(position, "TURKEY", bare)
    most = as_bytes([code for code, _ in options])
    for wrong in (full + bare, bare[:8] * (due + 1), most, as_bytes(in_full(START, "TURKEY", b"").values())):
        with pytest.raises(ValueError):
            people.log_probability(position, "TURKEY", wrong)


def test_draws_are_those_of_the_seed_whatever_is_asked_between(net: Net) -> None:
    def drawn(seed: int, asking: bool) -> list[bytes]:
        people, draws = People(MAP, seed=seed, net=net), []
        for position in (START, BUILDS, REMOVALS):
            for _ in range(4):
                draws.append(people.draw(position, "TURKEY"))
                if asking:
                    people.sets(position, "TURKEY", 3)
                    people.choices(position, "TURKEY")
        return draws

    assert drawn(1, False) == drawn(1, True) != drawn(2, False)


def test_what_was_ordered_before_counts(people: People) -> None:
    orders = {"AUSTRIA": ["A BUD - SER"], "TURKEY": ["A CON - BUL"], "RUSSIA": ["F SEV - BLA"]}
    fall = START.next(orders)
    seen: dict[str, dict[str, tuple[int, dict[int, int]]]] = {}
    note(seen, START, given_in(START, orders))
    memory = memory_of(fall, seen)
    without, with_it = (people.choices(fall, "TURKEY", memory_or_none) for memory_or_none in (None, memory))
    assert without != with_it
    assert people.choices(fall, "TURKEY") == without
    sets = people.sets(fall, "TURKEY", 2, memory)
    assert sets[0][1] == pytest.approx(math.exp(people.log_probability(fall, "TURKEY", sets[0][0], memory)))


def test_units_without_an_order_hold(people: People) -> None:
    held = as_bytes(in_full(START, "ITALY", b"").values())
    assert people.log_probability(START, "ITALY", b"") == people.log_probability(START, "ITALY", held)
    with pytest.raises(ValueError):
        people.log_probability(START, "ITALY", as_bytes(in_full(START, "FRANCE", b"").values()))


@pytest.mark.parametrize("name", ["gulfs", "pure"])
def test_other_maps_are_known_without_names(name: str, net: Net) -> None:
    board = Map.load(name)
    people = People(board, net=net)
    assert not people.chooser.names and People(MAP, net=net).chooser.names
    position = Position.start(board)
    for power in board.powers:
        for orders, _ in people.sets(position, power, 3):
            number = board.powers.index(power)
            assert all(position.packed.is_legal(code, number) for code in codes_in(orders))


def test_a_copy_of_the_standard_map_is_known_by_name_and_a_nameless_net_knows_none(net: Net) -> None:
    copy = load_map("standard")
    known = People(copy, net=net)
    assert copy is not MAP and known.chooser.names
    assert known.sets(Position.start(copy), "ITALY", 3) == People(MAP, net=net).sets(START, "ITALY", 3)
    nameless = Net(weights(1, r=NAMELESS.n_rows))
    assert not People(MAP, net=nameless).chooser.names
    assert not People(MAP, net=net, names=False).chooser.names
