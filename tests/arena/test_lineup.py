"""Who sits where: balance, pairs, and the words for it."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bordeaux import BordeauxError
from bordeaux.arena.plan import (
    OURS,
    Ratio,
    Seating,
    against,
    block,
    derived,
    drawn,
    jobs,
    mixed,
    pairs,
    read_ratio,
)
from bordeaux.players.base import Limit


@pytest.mark.parametrize("ours", range(1, 7))
def test_each_power_is_ours_equally_often(ours: int) -> None:
    seatings = against("A", "B", Ratio(ours, 7 - ours), seed=4)
    for _ in range(9):
        seats = Counter(seat for seating in islice(seatings, 7) for seat in range(7) if seating[seat] == "A")
        assert seats == dict.fromkeys(range(7), ours)


@pytest.mark.parametrize("ours", range(1, 7))
def test_every_choice_of_seats_comes_before_any_comes_again(ours: int) -> None:
    choices = list(combinations(range(7), ours))
    seatings = islice(against("A", "B", Ratio(ours, 7 - ours), seed=0), len(choices))
    seen = [tuple(seat for seat in range(7) if seating[seat] == "A") for seating in seatings]
    assert sorted(seen) == choices


@given(st.integers(2, 6), st.data())
def test_balance_on_boards_of_other_sizes(seats: int, data: st.DataObject) -> None:
    ours = data.draw(st.integers(1, seats - 1))
    games = block(against("A", "B", Ratio(ours, seats - ours), seed=1))
    assert games is not None
    assert seats % games == 0


@given(st.integers(1, 10), st.integers(2, 8), st.integers(0, 5))
def test_mixed_tables_give_everybody_every_seat_once(players: int, seats: int, seed: int) -> None:
    names = [f"P{number}" for number in range(players)]
    seatings = mixed(names, seats, seed)
    for _ in range(3):
        block_of = islice(seatings, players)
        given_out = Counter((seat, spec) for seating in block_of for seat, spec in enumerate(seating))
        assert given_out == {(seat, name): 1 for seat in range(seats) for name in names}
    assert block(mixed(names, seats, seed)) == players


def test_neighbours_change_from_block_to_block() -> None:
    seatings = list(islice(mixed("ABCDEFG", 7, seed=0), 700))
    beside = Counter(frozenset(seating[:2]) for seating in seatings)
    assert len(beside) == 21
    assert max(beside.values()) < 3 * min(beside.values())


def test_seats_by_lot_are_fair_and_nobody_has_two_before_all_have_one() -> None:
    for players in ("ABC", "ABCDEFG", "ABCDEFGHI"):
        seatings = list(islice(drawn(players, 7, seed=5), 2100))
        counts = Counter(spec for seating in seatings for spec in seating)
        assert max(counts.values()) < 1.1 * min(counts.values())
        for seating in seatings:
            held = Counter(seating)
            assert max(held.values()) - min(held.get(name, 0) for name in players) <= 1
    assert block(drawn("ABCDEFG", 7, seed=5), most=50) is None


def test_a_seed_gives_one_line_up_and_longer_ones_begin_the_same() -> None:
    makes: tuple[Callable[[int], Iterator[Seating]], ...] = (
        lambda seed: mixed("ABCDE", 7, seed),
        lambda seed: drawn("ABCDE", 7, seed),
        lambda seed: against("A", "B", Ratio(3, 4), seed),
    )
    for make in makes:
        assert list(islice(make(1), 30)) == list(islice(make(1), 60))[:30]
        assert list(islice(make(1), 30)) != list(islice(make(2), 30))


def test_candidates_have_the_seats_and_the_seed_of_their_pair() -> None:
    made = list(
        islice(
            jobs(
                pairs(("A", "C", "B"), against(OURS, "B", Ratio(2, 5), seed=9)),
                seed=9,
                limit=Limit(nodes=5),
                until=1905,
            ),
            63,
        )
    )
    assert [job.index for job in made] == list(range(63))
    for number in range(21):
        trio = made[3 * number : 3 * number + 3]
        assert {job.pair for job in trio} == {number}
        assert len({job.seed for job in trio}) == 1
        places = [seat for seat in range(7) if trio[0].seats[seat] == "A"]
        assert len(places) == 2
        assert [seat for seat in range(7) if trio[1].seats[seat] == "C"] == places
        assert trio[2].seats == ("B",) * 7
    assert len({job.seed for job in made}) == 21


def test_seeds_differ_from_game_to_game_and_are_the_same_everywhere() -> None:
    assert len({derived(0, number) for number in range(1000)} | {derived(1, n) for n in range(1000)}) == 2000
    assert derived(0, 0) == 72805836995272


def test_ratios() -> None:
    assert read_ratio(" 1:6", 7) == (1, 6)
    for text in ("0:7", "7:0", "1:7", "3:3", "1", "a:b", "1:6:0", "-1:8", "1.0:6", "¹:6"):
        with pytest.raises(BordeauxError, match="1:6"):
            read_ratio(text, 7)
