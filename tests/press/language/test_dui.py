"""Press in DUI's words, both ways."""

from __future__ import annotations

import base64

import pytest

from bordeaux import BordeauxError, Map, Position
from bordeaux.board.notation import parse_order
from bordeaux.press.language import messages as p
from bordeaux.press.language.dui import LastProposals, press_to_dui
from bordeaux.press.language.letter import Letter, is_sound

MAP = Map.standard()
START = Position.start()
PAIR = ("FRANCE", "GERMANY")


def order(text: str, position: Position = START) -> p.Promise:
    return p.Promise("GERMANY", parse_order(text, MAP, position), "FRANCE")


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (p.Propose(p.Peace(PAIR)), "propose_nonaggression"),
        (p.Propose(p.Demilitarised(PAIR, ("BUR", "LYO"))), "propose_nonaggression bur gol"),
        (p.Propose(p.Alliance(PAIR, ("ENGLAND",))), "propose_alliance against england"),
        (p.Propose(order("A MUN S A PAR - BUR")), "request_support par bur"),
        (
            p.Propose(p.Division((p.Share("FRANCE", ("BEL",)), p.Share("GERMANY", ("HOL",))))),
            "offer_deal bel hol",
        ),
    ],
)
def test_what_dui_has_a_word_for(message: p.Message, words: str) -> None:
    letter = Letter("FRANCE", ("GERMANY",), message)
    assert press_to_dui(letter, MAP) == words
    assert LastProposals().read(words.split(), "FRANCE", "GERMANY", START) == letter


def test_support_where_a_unit_stands() -> None:
    position = START.next({"FRANCE": ["A PAR - BUR"]})
    letter = Letter("FRANCE", ("GERMANY",), p.Propose(order("A MUN S A BUR", position)))
    assert press_to_dui(letter, MAP) == "request_support bur bur"
    assert LastProposals().read(["request_support", "bur", "bur"], "FRANCE", "GERMANY", position) == letter


def test_a_choice_where_several_could_help() -> None:
    position = START.next(
        {"GERMANY": ["A MUN - RUH", "F KIE - HOL", "A BER - KIE"], "FRANCE": ["A PAR - PIC"]}
    )
    read = LastProposals().read(["request_support", "pic", "bel"], "FRANCE", "GERMANY", position)
    assert isinstance(read.message, p.Propose) and isinstance(read.message.term, p.Some)
    assert [str(part.order) for part in read.message.term.parts] == [  # type: ignore[union-attr]
        "F HOL S A PIC - BEL",
        "A RUH S A PIC - BEL",
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("propose_alliance", p.Propose(p.Peace(PAIR))),
        ("threaten bur", p.State(p.Promise("FRANCE", parse_order("A MAR - BUR", MAP)))),
        (
            "offer_deal bur ruh",
            p.Propose(
                p.All((p.Demilitarised(("GERMANY",), ("BUR",)), p.Demilitarised(("FRANCE",), ("RUH",))))
            ),
        ),
    ],
)
def test_what_is_read_and_said_otherwise(words: str, message: p.Message) -> None:
    letter = LastProposals().read(words.split(), "FRANCE", "GERMANY", START)
    assert letter.message == message and is_sound(letter, MAP)


def test_yes_and_no_answer_the_last_proposal() -> None:
    letters = LastProposals()
    with pytest.raises(BordeauxError, match="GERMANY has proposed nothing that FRANCE could answer"):
        letters.read(["accept"], "FRANCE", "GERMANY", START)
    asked = p.Propose(p.Peace(("GERMANY", "FRANCE")))
    letters.note(Letter("GERMANY", ("FRANCE", "ITALY"), asked))
    assert letters.read(["accept"], "FRANCE", "GERMANY", START).message == p.Accept(asked)
    no = letters.read(["reject"], "ITALY", "GERMANY", START)
    assert no.message == p.Refuse(asked)
    assert press_to_dui(no, MAP) == "reject"
    assert press_to_dui(Letter("FRANCE", ("GERMANY",), p.Accept(asked)), MAP) == "accept"


def test_all_else_goes_as_english() -> None:
    said = p.State(p.NoDeal(p.Peace(PAIR)))
    words = press_to_dui(Letter("FRANCE", ("GERMANY",), said), MAP).split()
    assert words[0] == "freetext" and b"peace" in base64.b64decode(words[1]).lower()
    yes = ["freetext", base64.b64encode(b"peace?").decode()]
    read = LastProposals().read(yes, "FRANCE", "GERMANY", START)
    assert isinstance(read.message, p.Propose) and isinstance(read.message.term, p.Peace)
    assert set(read.message.term.powers) == set(PAIR)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "no type of press ''"),
        ("dance", "no type of press 'dance'"),
        ("accept now", "takes 0 arguments, not 1"),
        ("request_support par", "takes 2 arguments, not 1"),
        ("request_support mun bur", "FRANCE has no unit in MUN"),
        ("request_support par pic", "no unit of GERMANY can support"),
        ("propose_nonaggression pax", "unknown province 'pax'"),
        ("propose_alliance with italy", "is written"),
        ("propose_alliance against france", "cannot ally against itself"),
        ("threaten mos", "no unit of FRANCE can go to MOS"),
        ("offer_deal bel bel", "both would take BEL"),
        ("freetext ***", "base64"),
        ("freetext /w==", "base64"),
        ("freetext eHl6enk=", "xyzzy"),
    ],
)
def test_what_makes_no_sense_is_told_in_one_line(words: str, message: str) -> None:
    with pytest.raises(BordeauxError, match=message) as caught:
        LastProposals().read(words.split(), "FRANCE", "GERMANY", START)
    assert "\n" not in str(caught.value)
    with pytest.raises(BordeauxError, match="nothing to say to itself"):
        LastProposals().read(["propose_nonaggression"], "FRANCE", "FRANCE", START)
