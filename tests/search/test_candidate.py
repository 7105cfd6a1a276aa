"""Candidates and pools are values: what is added or scored is a new pool."""

from __future__ import annotations

import dataclasses

import pytest

from bordeaux.search.sets import SURE, WORTH, Candidate, joined, mixed, ranked, scored

A, B, C = b"a" * 8, b"b" * 8, b"c" * 8


def test_a_set_that_is_there_counts_as_drawn_once_more() -> None:
    pool = joined((), [A, B, A], "league")
    more = joined(pool, [B, C, C], "people")
    assert [(candidate.orders, candidate.drawn, candidate.proposer) for candidate in more] == [
        (A, 2, "league"),
        (B, 2, "league"),
        (C, 2, "people"),
    ]
    # The pool before is as it was.
    assert [(candidate.orders, candidate.drawn) for candidate in pool] == [(A, 2), (B, 1)]


def test_the_value_is_the_sum_of_the_scores() -> None:
    pool = scored(joined((), [A, B], "league"), WORTH, {A: 10.0, B: 20.0})
    assert [candidate.value for candidate in pool] == [10.0, 20.0]
    both = scored(pool, SURE, {A: 15.0})
    assert [candidate.value for candidate in both] == [25.0, 20.0]
    assert [candidate.value for candidate in pool] == [10.0, 20.0]
    # A score of a kind replaces the one before; others stay.
    again = scored(both, WORTH, {A: 1.0})
    assert dict(again[0].scores) == {SURE: 15.0, WORTH: 1.0} and again[1] == both[1]
    assert Candidate(A, "league").value == 0


def test_the_best_comes_first_and_equals_by_their_orders() -> None:
    pool = scored(joined((), [C, A, B], "league"), WORTH, {A: 1.0, B: 2.0, C: 1.0})
    assert [candidate.orders for candidate in ranked(pool)] == [B, A, C]


def test_a_part_of_another_mixture_of_the_same_sets_is_mixed_in() -> None:
    drawn, other = {A: 0.25, B: 0.75}, {A: 1.0, B: 0.0}
    assert mixed(drawn, other, 0.2) == pytest.approx({A: 0.4, B: 0.6})
    assert mixed(drawn, other, 0.0) == drawn and mixed(drawn, other, 1.0) == other
    with pytest.raises(KeyError):
        mixed(drawn, {A: 1.0}, 0.5)


def test_candidates_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Candidate(A, "league").drawn = 3  # type: ignore[misc]
