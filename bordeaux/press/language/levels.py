"""The levels of the language: which messages a game allows.

The numbers are those of the DAIDE language, 0 for no press to 130, and 8000 for free text (LANGUAGE.md,
section 10).
"""

from __future__ import annotations

from bordeaux.press.language import messages as p

NO_PRESS = 0
FREE_TEXT = 8000
LEVELS = (0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, FREE_TEXT)

_LEAST: dict[type, int] = {
    p.Promise: 20,
    p.Demilitarised: 20,
    p.Division: 40,
    p.Stationing: 40,
    p.Choice: 50,
    p.During: 90,
    p.Favour: 110,
    p.Command: 110,
    p.Pass: 120,
    p.Forward: 120,
    p.Copy: 120,
    p.Insist: 60,
    p.Suggest: 60,
    p.Think: 60,
    p.Ask: 60,
    p.Unsure: 60,
    p.AskUnit: 70,
    p.AskAttack: 70,
    p.Explain: 80,
    p.Sorry: 80,
    p.If: 100,
    p.Report: 120,
    p.Why: 130,
    p.OnBoard: 130,
    p.Words: FREE_TEXT,
}
#: The level of terms that are not listed.
LOWEST = 10
MULTIPART, NESTED = 30, 50
HIGHEST = 130
"""The highest level below free text."""


def level_of(said: p.Message | p.Term) -> int:
    """The lowest level at which a message, or a term within a proposal, is allowed."""
    return max(_LEAST.get(type(said), LOWEST), _inside(said))


def _inside(said: p.Message | p.Term) -> int:
    match said:
        case p.Propose(p.All(parts) | p.Some(parts)) | p.Insist(p.All(parts) | p.Some(parts)):
            # A package may stand alone in a proposal at a lower level than anywhere else.
            return max([MULTIPART, *map(level_of, parts)])
        case p.All(parts) | p.Some(parts) | p.Choice(parts=parts):
            return max([NESTED, *map(level_of, parts)])
        case p.Unsure(p.Propose() | p.Insist() | p.Suggest()):
            # Not to know what to make of an offer is said at a higher level than not to know an answer.
            return max(HIGHEST, level_of(said.message))
        case p.If(condition, then, otherwise):
            return max(level_of(part) for part in (condition, then, otherwise) if part is not None)
    inner = getattr(said, "term", None) or getattr(said, "message", None)
    return LOWEST if inner is None else level_of(inner)
