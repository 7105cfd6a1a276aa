"""How powers are dealt out to processes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bordeaux import Map
from bordeaux.search.parallel.shares import deal

POWERS = Map.standard().powers


@given(st.permutations(POWERS), st.integers(1, 7), st.integers(1, 9), st.data())
def test_every_power_is_searched_and_every_process_has_a_wanted_one(
    powers: list[str], n: int, processes: int, data: st.DataObject
) -> None:
    units = {power: data.draw(st.integers(1, 17)) for power in powers}
    wanted, others = powers[:n], powers[n:]
    shares = deal(wanted, others, units, processes)
    assert len(shares) == processes
    assert set().union(*shares) == set(powers)
    assert all(share & set(wanted) for share in shares)
    for other in others:
        assert sum(other in share for share in shares) == 1
    if processes <= n:
        assert sum(len(share & set(wanted)) for share in shares) == n


def test_one_process_for_each_of_seven_powers() -> None:
    shares = deal(POWERS, [], dict.fromkeys(POWERS, 3), 7)
    assert sorted(len(share) for share in shares) == [1] * 7


def test_all_processes_search_for_the_one_power_that_is_wanted_and_share_its_neighbours() -> None:
    shares = deal(["FRANCE"], ["ENGLAND", "GERMANY", "ITALY"], dict.fromkeys(POWERS, 3), 3)
    assert all("FRANCE" in share and len(share) == 2 for share in shares)


def test_the_load_is_even() -> None:
    units = {"A": 16, "B": 1, "C": 8, "D": 9}
    assert set(deal(list(units), [], units, 2)) == {frozenset("AB"), frozenset("CD")}
