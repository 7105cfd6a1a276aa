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

from bordeaux.daide.language.grammar import NOBODY  # noqa: F401
from bordeaux.daide.language.matching import DEEPEST  # noqa: F401
from bordeaux.daide.language.messages import *  # noqa: F403
from bordeaux.daide.language.reading import (  # noqa: F401
    HIGHEST,
    LEVELS,
    LONGEST,
    LanguageError,
    Side,
    Standing,
    press_levels,
    read,
    read_part,
    unmatched,
)
from bordeaux.daide.language.writing import encode, text, tokens, tokens_from_text  # noqa: F401
from bordeaux.daide.tokens import Token, Tokens, Vocabulary  # noqa: F401


def tokens_from_bytes(body: bytes, vocabulary: Vocabulary | None = None) -> Tokens:
    """The tokens of a DM message's body; unknown ones are written as ``0x4C01``.

    Raises FormatError for half a token.
    """
    return (vocabulary or Vocabulary.standard()).decode(body)
