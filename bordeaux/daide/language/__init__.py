"""The language of DAIDE: lossless, checked conversion between text, tokens, bytes and typed values.

``read`` makes a value from text or tokens, or raises a LanguageError that carries the reply prescribed by
the language. ``tokens``, ``text`` and ``encode`` write values. All are driven by the grammar
`bordeaux/daide/data/grammar.ebnf`.

>>> from bordeaux.daide import language as d
>>> d.read("SUB ((ENG FLT LON) MTO NTH)").orders[0].place
Place('NTH', None)
>>> d.text(d.PRP(d.PCE(("ENG", "FRA"))))
'PRP (PCE (ENG FRA))'
"""

from __future__ import annotations

from bordeaux.daide.language import messages
from bordeaux.daide.language.grammar import NOBODY
from bordeaux.daide.language.messages import *  # noqa: F403
from bordeaux.daide.language.messages import Tokens
from bordeaux.daide.language.reading import (
    DEEPEST,
    HIGHEST,
    LEVELS,
    LONGEST,
    LanguageError,
    Side,
    Standing,
    check,
    press_levels,
    read,
    read_part,
    unmatched,
)
from bordeaux.daide.language.writing import encode, text, tokens, tokens_from_text
from bordeaux.daide.tokens import Vocabulary

__all__ = [
    "DEEPEST",
    "HIGHEST",
    "LEVELS",
    "LONGEST",
    "NOBODY",
    "LanguageError",
    "Side",
    "Standing",
    "Vocabulary",
    "check",
    "encode",
    "press_levels",
    "read",
    "read_part",
    "text",
    "tokens",
    "tokens_from_bytes",
    "tokens_from_text",
    "unmatched",
]
__all__ += messages.__all__


def tokens_from_bytes(body: bytes, vocabulary: Vocabulary | None = None) -> Tokens:
    """The tokens of a DM message's body; unknown ones are written as ``0x4C01``.

    Raises FormatError for half a token.
    """
    return (vocabulary or Vocabulary.standard()).decode(body)
