"""Messages of other programs that are not in the language, and the answers that keep them in the game.

One list names the programs and what they need, so each entry can be looked up and tested. All entries are
harmless: they change nothing in the game. Anything else gets the answer of the language. The lenient forms
that our client accepts from servers are in the grammar (`bordeaux/daide/data/grammar.ebnf`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bordeaux.daide import language as d
from bordeaux.daide.server.seats import Standing

__all__ = ["ODDITIES", "Oddity", "answer_to"]


class Oddity(NamedTuple):
    """A message of a program that is not in the language.

    `example` is the message, as DAIDE text; the answer is `verb` with the message in brackets. `why` explains
    both; `fits` recognises it from its tokens.
    """

    program: str
    example: str
    verb: str
    why: str
    fits: Callable[[d.Tokens], bool]


#: The smallest 16-bit number that is negative.
_LEAST_NEGATIVE = 0x8000


def _is_warning_before_nothing(tokens: d.Tokens) -> bool:
    """``TME (n)``, or ``NOT`` of it, where n is a negative number of 16 bits, not 14 as the language has
    them."""
    match tokens:
        case ("TME", "(", str(number), ")") | ("NOT", "(", "TME", "(", str(number), ")", ")"):
            return number.startswith("0x") and int(number, 16) >= _LEAST_NEGATIVE
    return False


ODDITIES = (
    Oddity(
        "KissMyBot 6",
        "TME (0xFFFE)",
        "YES",
        "in a game with press and without deadlines it asks to be warned -2 seconds before them, with a"
        " number of 16 bits; refused (REJ) or not understood (HUH) it leaves. It is promised the warning,"
        " which never comes: clients of its family do nothing at that YES",
        _is_warning_before_nothing,
    ),
)


def answer_to(tokens: d.Tokens, standing: Standing) -> d.Tokens | None:
    """The answer to an oddity of a client that plays or observes; None for anything else."""
    if standing == "unknown":
        return None
    for oddity in ODDITIES:
        if oddity.fits(tokens):
            return (oddity.verb, "(", *tokens, ")")
    return None
