"""From pairs of powers to the whole table."""

from __future__ import annotations

import itertools

import pytest

from bordeaux.press.diplomat.intentions import AlliancePicture, Bloc, Hypothesis, hypothesis, pictures

A, B, C, D = "AUSTRIA", "BELGIUM", "CHINA", "DENMARK"


def no_war(one: str, other: str) -> float:
    return 0.0


def marginal(pictures_seen: list[AlliancePicture], pair: tuple[str, str]) -> float:
    return sum(picture.share for picture in pictures_seen if pair in picture.allied)


def test_pairs_that_have_nothing_to_do_with_each_other_keep_their_chances() -> None:
    listed = pictures({(A, B): 0.7, (C, D): 0.2}, no_war)
    assert len(listed) == 4 and sum(picture.share for picture in listed) == pytest.approx(1)
    assert marginal(listed, (A, B)) == pytest.approx(0.7) and marginal(listed, (C, D)) == pytest.approx(0.2)
    assert listed[0].allied == {(A, B)} and listed == sorted(listed, key=lambda picture: -picture.share)


def test_who_is_allied_with_two_that_are_at_war_is_hardly_allied_with_both() -> None:
    pairs = {(A, B): 0.5, (A, C): 0.6}
    at_war = pictures(pairs, lambda *two: float(set(two) == {B, C}))
    assert marginal(at_war, (A, B)) < 0.4 < marginal(at_war, (A, C)) < 0.6
    assert marginal(pictures(pairs, no_war), (A, B)) == pytest.approx(0.5)


def test_pictures_stay_few_whatever_the_map() -> None:
    powers = [f"POWER{number:02}" for number in range(20)]
    listed = pictures(dict.fromkeys(itertools.combinations(powers, 2), 0.4), no_war)
    assert len(listed) == 1024


def test_a_bloc_is_of_powers_that_are_all_allied_against_whom_they_fight() -> None:
    wars = {frozenset((A, D)), frozenset((C, D))}
    supposed = hypothesis([(A, B), (A, C), (B, C)], (A, B, C, D), lambda *two: float(frozenset(two) in wars))
    assert supposed == Hypothesis((Bloc((A, B, C), (D,)),))
    assert str(supposed) == "AUSTRIA and BELGIUM and CHINA against DENMARK"


def test_a_power_between_two_blocs_is_in_both_and_against_neither() -> None:
    supposed = hypothesis([(A, B), (B, C)], (A, B, C), lambda *two: 0.9 if set(two) == {A, C} else 0.0)
    assert supposed.blocs == (Bloc((A, B), ()), Bloc((B, C), ()))


def test_nobody_allied() -> None:
    assert str(hypothesis([], (A, B), no_war)) == "everybody alone"
    assert pictures({}, no_war)[0].share == 1
