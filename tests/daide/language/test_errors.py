"""Where errors lie, what kind they are and what is answered; limits on depth and length."""

import pickle
from typing import Any

import pytest

from bordeaux.board.errors import FormatError
from bordeaux.daide import language as d


def error(text: str | d.Tokens, **options: Any) -> d.LanguageError:
    """The error of a message."""
    with pytest.raises(d.LanguageError) as caught:
        d.read(text, **options)
    return caught.value


# Level, kind, and the message with ERR where its error is.
ERRORS = """
# A parameter too few: before the bracket that comes instead, or at the end.
0 syntax SUB ERR
0 syntax SUB (ERR)
0 syntax IAM (ENG) ERR
10 syntax DRW (ENG ERR)
10 syntax SND (FRA) ERR
50 syntax SND (FRA) (PRP (CHO (1 ERR) (DRW)))
# One too many: before it, a bracket included.
0 syntax OBS ERR OBS
0 syntax NOW ERR (SPR 1901)
0 syntax NME ('a') ('b') ERR ('c')
0 syntax SUB ((ENG FLT LON) HLD ERR NTH)
# One of the wrong kind.
0 syntax IAM (ERR LON) (3)
0 syntax IAM (ENG) (ERR '3')
0 syntax SUB ((ENG FLT (STP ERR LON)) HLD)
0 syntax SUB ((ENG FLT ERR XYZ) HLD)
0 syntax ERR 0x4C01
0 syntax ERR (NOW)
0 syntax HST (ERR 1901 SPR)
# The alternative that gets furthest counts: here the support of a move, not the one to hold.
0 syntax SUB ((ENG FLT LON) SUP (ENG FLT NTH) MTO ERR (STP SCS))
60 syntax SND (FRA) (THK (NOT (QRY (DRW)) ERR (DRW)))
# Messages that only a server sends.
0 syntax MAP ERR ('standard')
8000 syntax ERR CCD (ENG)
0 syntax ERR OFF
# Above the level.
0 level DRW ERR (ENG FRA)
0 level NOT (DRW ERR (ENG FRA))
40 syntax SND (FRA) (PRP (ERR OR1))
40 level SND (FRA) (PRP (NOT (ERR AND (DRW) (DRW))))
130 level SND (FRA) (ERR 'hello')
# FOR within FOR: nowhere below, but for what is said in press within.
8000 syntax SND (FRA) (PRP (FOR (SPR 1901) (AND (DRW) (ERR FOR (SPR 1902) (DRW)))))
"""


@pytest.mark.parametrize("row", [row for row in ERRORS.strip().splitlines() if not row.startswith("#")])
def test_error_and_reply(row: str) -> None:
    level, kind, marked = row.split(" ", 2)
    tokens = d.tokens_from_text(marked)
    fault = error(tuple(token for token in tokens if token != "ERR"), level=int(level))
    assert (fault.kind, fault.reply, fault.at) == (kind, d.HUH(tokens), tokens.index("ERR"))
    assert d.read(("HUH", "(", *tokens, ")"), side="server") == fault.reply


@pytest.mark.parametrize("text", ["MAP ) (", "OFF (", ")", "SND (FRA) (PRP (DRW)", "XXX ("])
def test_brackets_come_first_wherever_they_are_and_whatever_else_is_wrong(text: str) -> None:
    fault = error(text)
    assert (fault.kind, fault.reply) == ("brackets", d.PRN(d.tokens_from_text(text)))


def test_nobody_answers_prn_or_huh() -> None:
    for text in ("PRN", "PRN (MAP", "PRN MAP", "HUH", "HUH (", "HUH MAP", "HUH (MAP) ERR"):
        assert error(text).reply is None
        assert error(text, side="server").reply is None


def test_prn_holds_a_message_whatever_its_brackets() -> None:
    for text in ("PRN (MAP)", "PRN ())", "PRN (NME ('a') ()", "PRN ()"):
        assert isinstance(d.read(text), d.PRN)
        assert d.text(d.read(text)) == text


def test_huh_holds_anything_that_has_matching_brackets() -> None:
    message = d.read("HUH (0x4C01 'x' ((ERR)) 7 SUB)")
    assert message == d.HUH(("0x4C01", "'x", "(", "(", "ERR", ")", ")", 7, "SUB"))


def test_servers_are_read_at_the_level_of_the_game_by_observers_too() -> None:
    text = "HLO (UNO) (0) ((LVL 30) (PDA))"
    assert d.text(d.read(text, side="server", level=30, standing="observer")) == text
    assert error(text, side="server", level=0).kind == "level"


def test_a_message_of_a_player_is_above_the_level_of_an_observer() -> None:
    assert error("GOF", standing="observer").kind == "level"
    assert error("OFF", standing="observer").kind == "syntax"


def test_lenient_reading_takes_what_programs_are_known_to_send() -> None:
    for text in (
        "SCO (AUS BUD) (GER)",
        "ORD (FAL 1901) ((ENG AMY CLY) MTO VIA) (SUC)",
        "THX ((ENG AMY CLY) HLD) (BPR)",
        "ORD (FAL 1901) ((ENG AMY CLY) HLD) (FLD RET)",
        "YES (SUB ((ENG AMY CLY) HLD))",
        "REJ (MDF)",
        "HLO (ENG) (5) ()",
        "NOW (SPR 1901)",
    ):
        assert error(text, side="server", level=130).reply is not None
        assert d.text(d.read(text, side="server", level=130, lenient=True)) == text


def test_an_error_says_what_is_wrong_and_where_on_one_line() -> None:
    fault = error("SUB ((ENG FLT LON) MTO) ((ENG AMY LVP)\n HLD)")
    assert str(fault) == (
        "DAIDE: a token is out of place, or one is missing, in"
        " 'SUB ((ENG FLT LON) MTO ERR) ((ENG AMY LVP) HLD)'"
    )
    assert isinstance(fault, FormatError)
    long = error(("SUB", *["ENG"] * 5000))
    assert len(str(long)) < 300


def nested(deep: int) -> d.Tokens:
    """Press with brackets `deep` within each other."""
    layers = deep - 2
    return d.tokens_from_text("SND (FRA) (PRP " + "(NOT " * layers + "(DRW)" + ")" * layers + ")")


def test_brackets_nest_to_a_stated_depth() -> None:
    deepest = d.read(nested(d.DEEPEST), level=8000)
    assert d.tokens(deepest) == nested(d.DEEPEST)
    assert d.read(nested(d.DEEPEST), level=8000) == deepest
    assert str(d.DEEPEST) not in repr(deepest)
    assert pickle.loads(pickle.dumps(deepest)) == deepest
    fault = error(nested(d.DEEPEST + 1), level=8000)
    assert fault.kind == "syntax"
    assert fault.tokens[fault.at : fault.at + 2] == ("(", "DRW")
    assert isinstance(fault.reply, d.HUH)
    assert d.read(d.tokens(fault.reply), side="server") == fault.reply


def test_any_depth_is_taken_where_anything_may_stand() -> None:
    tokens = ("HUH", "(", *["("] * 16000, *[")"] * 16000, ")")
    assert d.read(tokens) == d.HUH(tokens[2:-1])


@pytest.mark.parametrize("bracket", ["(", ")"])
def test_brackets_alone_are_answered(bracket: str) -> None:
    fault = error((bracket,) * d.LONGEST, level=8000)
    assert fault.kind == "brackets"
    assert isinstance(fault.reply, d.PRN)
    assert len(d.tokens(fault.reply)) == d.LONGEST
    balanced = error(("(",) * 10000 + (")",) * 10000, level=8000)
    assert (balanced.kind, balanced.at) == ("syntax", 0)


def test_the_longest_messages_are_read_and_answered() -> None:
    order = d.tokens_from_text("((RUS FLT (STP SCS)) MTO GOB)")
    orders = (d.LONGEST - 1) // len(order)
    tokens = ("SUB", *order * orders)
    message = d.read(tokens)
    assert isinstance(message, d.SUB)
    assert len(message.orders) == orders
    assert d.tokens(message) == tokens
    wrong = (*tokens[:-2], "MTO", ")")
    reply = error(wrong).reply
    assert isinstance(reply, d.HUH)
    assert reply.tokens[-3:] == ("ERR", "MTO", ")")
    full = ("SUB", *["ENG"] * (d.LONGEST - 1))
    assert error(full).reply == d.HUH(("ERR",))
