"""Learning from TRY and HUH what others understand, and speaking within that."""

from __future__ import annotations

import pytest

from bordeaux.daide import language as d
from bordeaux.daide.client.envoy import Hearing, forms

PEACE, OVER = "PRP (PCE (ENG FRA))", "FCT (NOT (PCE (ENG FRA)))"


def press(text: str) -> d.Tokens:
    return d.tokens_from_text(text)


def test_forms_are_words_with_those_around_them() -> None:
    assert list(forms(press("PRP (ALY (ENG FRA) VSS (GER))"))) == [("PRP",), ("PRP", "ALY"), ("PRP", "VSS")]
    assert list(forms(press(OVER))) == [("FCT",), ("FCT", "NOT"), ("FCT", "NOT", "PCE")]


def test_nothing_known_is_everything_understood() -> None:
    assert Hearing().understands(press(OVER))


def test_albert_refuses_one_form_lists_nothing_and_talks_on() -> None:
    albert = Hearing()
    albert.uses(press(PEACE))
    albert.refuses(press("FCT (ERR NOT (PCE (ENG FRA)))"))
    albert.lists(())
    assert not albert.understands(press(OVER))
    assert albert.understands(press(PEACE)), "as it says so itself"
    assert albert.understands(press(f"YES ({PEACE})")), "as who proposes expects an answer"
    assert not albert.understands(press("PRP (DRW)")), "of which it has shown nothing"


def test_who_lists_nothing_and_says_nothing_understands_nothing() -> None:
    mute = Hearing()
    mute.lists(())
    assert not mute.understands(press(PEACE))


@pytest.mark.parametrize(
    ("answer", "bad", "good"),
    [
        ("ERR PRP (PCE (ENG FRA))", "PRP (DRW)", "FCT (DRW)"),
        ("PRP (ERR ALY (ENG FRA) VSS (GER))", "PRP (ALY (ENG) VSS (RUS))", "FCT (ALY (ENG) VSS (GER))"),
        ("PRP (PCE (ENG FRA ERR GER))", PEACE, "PRP (DRW)"),
        ("PRP (PCE (ENG FRA) ERR)", PEACE, "PRP (DRW)"),
    ],
)
def test_what_was_not_understood_is_not_said_so_again(answer: str, bad: str, good: str) -> None:
    hearing = Hearing()
    hearing.refuses(press(answer))
    assert not hearing.understands(press(bad))
    assert hearing.understands(press(good))


def test_a_list_corrects_a_refusal_of_a_whole_word_but_not_of_a_form() -> None:
    hearing = Hearing()
    hearing.refuses(press("ERR PRP (PCE (ENG FRA))"))
    hearing.refuses(press("FCT (ERR NOT (PCE (ENG FRA)))"))
    hearing.lists(("PRP", "PCE", "FCT", "NOT"))
    assert hearing.understands(press(PEACE)) and not hearing.understands(press(OVER))


@pytest.mark.parametrize("answer", ["", "ERR", "XXX", "ERR (", ") ERR"])
def test_answers_that_make_no_sense_do_no_harm(answer: str) -> None:
    hearing = Hearing()
    hearing.refuses(tuple(answer.split()))
    assert hearing.understands(press(PEACE))
