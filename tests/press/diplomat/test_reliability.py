"""Whose word is worth how much."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bordeaux import BordeauxError
from bordeaux.press.diplomat.cabinet.intelligence import Reliability


def noted(*kept: bool, kind: str = "peace") -> Reliability:
    reliability = Reliability()
    for was_kept in kept:
        reliability.note("FRANCE", kind, was_kept)
    return reliability


def test_what_is_kept_raises_the_chance_and_what_is_broken_lowers_it() -> None:
    chances = [noted(*[True] * count).chance("FRANCE", "peace") for count in range(20)]
    assert chances == sorted(set(chances)) and chances[-1] < 1
    lower = [noted(*[False] * count).chance("FRANCE", "peace") for count in range(20)]
    assert lower == sorted(set(lower), reverse=True) and lower[-1] > 0
    assert noted(True, False).chance("GERMANY", "peace") == Reliability().chance("GERMANY", "peace")


def test_a_word_of_one_kind_says_a_little_of_others() -> None:
    reliability, before = noted(*[False] * 5), Reliability().chance("FRANCE", "promise")
    assert reliability.chance("FRANCE", "peace") < reliability.chance("FRANCE", "promise") < before


def test_a_weight_says_how_much_an_observation_tells() -> None:
    light, heavy, none = Reliability(), Reliability(), Reliability()
    for reliability, weight in ((light, 0.5), (heavy, 3.0), (none, 0.0)):
        reliability.note("FRANCE", "peace", False, weight)
    before = Reliability()
    asked: tuple[Callable[[Reliability], float], ...] = (
        lambda reliability: reliability.chance("FRANCE", "peace"),
        lambda reliability: reliability.honesty("FRANCE"),
    )
    for ask in asked:
        assert ask(heavy) < ask(light) < ask(none) == ask(before)


def test_honesty_follows_what_was_done_of_late() -> None:
    assert noted(True, True, True).honesty("FRANCE") > 0 > noted(False, False).honesty("FRANCE")
    turned = noted(*[True] * 20, *[False] * 5)
    assert turned.honesty("FRANCE") < 0 and turned.chance("FRANCE", "peace") > 0.5
    assert -1 <= noted(*[False] * 50).honesty("FRANCE") < noted(*[True] * 50).honesty("FRANCE") <= 1


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf")])
def test_what_makes_no_sense_is_refused(weight: float) -> None:
    with pytest.raises(BordeauxError, match="weight"):
        Reliability().note("FRANCE", "peace", True, weight)
    with pytest.raises(BordeauxError, match="unknown kind 'peece'; did you mean 'peace'"):
        Reliability().chance("FRANCE", "peece")
    with pytest.raises(BordeauxError, match="unknown kind"):
        Reliability().note("FRANCE", "love", True)
