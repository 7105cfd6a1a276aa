"""Shares of one whole out of values in points."""

from __future__ import annotations

import pytest

from bordeaux.evaluation import Evaluation, apportioned, shares


def values(**points: float) -> dict[str, Evaluation]:
    return {name: Evaluation(point, {}) for name, point in points.items()}


def test_shares_are_in_proportion_and_sum_up_to_one() -> None:
    assert shares(values(a=300.0, b=100.0)) == {"a": 0.75, "b": 0.25}
    thirds = shares(values(a=7.0, b=7.0, c=7.0))
    assert sorted(thirds.values()) == [0.3333, 0.3333, 0.3334]
    assert sum(thirds.values()) == pytest.approx(1)


def test_what_is_below_nothing_counts_as_nothing() -> None:
    assert shares(values(a=50.0, b=-80.0)) == {"a": 1.0, "b": 0.0}
    assert shares(values(a=-1.0, b=0.0)) == {"a": 0.0, "b": 0.0}


def test_largest_remainders() -> None:
    assert apportioned({"a": 0.55, "b": 0.35, "c": 0.1}, 10) == {"a": 6, "b": 3, "c": 1}
    assert apportioned({"a": 0.0, "b": 0.0}, 10) == {"a": 0, "b": 0}
