"""Reasons from the ledger in a few words each: one fact a line, with its justification below it.

`bordeaux.press.english` writes messages as sentences; here terms are a list of their names.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import fields, is_dataclass
from functools import singledispatch

from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.press import facts as f
from bordeaux.press.truth import Reason

__all__ = ["chain", "in_words", "named"]

INDENT = "  "


def chain(reason: Reason) -> str:
    """A reason with all that it rests on; what has been told above is not gone through again."""
    return "\n".join(_lines(reason, 0, set()))


def _lines(reason: Reason, deep: int, told: set[Hashable]) -> Iterator[str]:
    again = reason.fact in told and reason.because
    yield f"{INDENT * deep}{in_words(reason.fact)}{' (as above)' if again else ''}"
    told.add(reason.fact)
    if not again:
        for each in reason.because:
            yield from _lines(each, deep + 1, told)


def named(said: object) -> str:
    """A term or message as a list of names: ``peace RUSSIA TURKEY``, ``not (peace RUSSIA TURKEY)``."""
    if isinstance(said, tuple) and not isinstance(said, Order | Phase):
        return " ".join(map(named, said))
    if not is_dataclass(said):
        return "" if said is None or said is False else str(said)
    words = [type(said).__name__.lower()]
    for field in fields(said):
        value = getattr(said, field.name)
        inner = value if type(value) is tuple else (value,)
        words += [f"({named(each)})" if is_dataclass(each) else named(each) for each in inner]
    return " ".join(filter(None, words))


@singledispatch
def in_words(fact: object) -> str:
    """A fact in a few words."""
    return str(fact)


@in_words.register
def _(fact: f.Deal) -> str:
    return f"deal {fact.number} of {_and(fact.parties)} in {fact.made}: {named(fact.term)}"


@in_words.register
def _(fact: f.InForce) -> str:
    return f"deal {fact.deal} binds {_and(fact.pair)}"


@in_words.register
def _(fact: f.Left) -> str:
    return f"{fact.power} no longer keeps deal {fact.deal}"


@in_words.register
def _(fact: f.Out) -> str:
    return f"{fact.power} is out of the game"


@in_words.register
def _(fact: f.Over) -> str:
    return f"deal {fact.deal} is done, or has run out"


@in_words.register
def _(fact: f.Overridden) -> str:
    return f"a later deal of {_and(fact.pair)} says otherwise than deal {fact.deal}"


@in_words.register
def _(fact: f.Breach) -> str:
    orders = "; ".join(map(str, fact.orders)) or "said nothing"
    return f"{fact.power} broke deal {fact.deal} with {_and(fact.partners)} in {fact.phase}: {orders}"


@in_words.register
def _(fact: f.Void) -> str:
    return f"deal {fact.deal} is void between {_and(fact.pair)}"


@in_words.register
def _(fact: f.Treaty) -> str:
    return f"{_and(fact.pair)} have agreed to peace"


@in_words.register
def _(fact: f.Forgiven) -> str:
    return f"{_and(fact.pair)} have made peace since then: {in_words(fact.what)}"


@in_words.register
def _(fact: f.Declared) -> str:
    return f"{fact.power} told {fact.other} in {fact.phase} that there is no peace"


@in_words.register
def _(fact: f.Told) -> str:
    heard = "" if fact.source == fact.speaker else f" of {fact.speaker}"
    return f"{fact.source} told{heard} in {fact.phase}: {named(fact.term)}"


@in_words.register
def _(fact: f.Proved) -> str:
    return f"orders have shown it: {in_words(fact.told)}"


@in_words.register
def _(fact: f.Disproved) -> str:
    return f"orders have shown the contrary: {in_words(fact.told)}"


@in_words.register
def _(fact: f.Hostile) -> str:
    return f"{fact.power} is expected to be hostile to {fact.other}"


@in_words.register
def _(fact: f.AtPeace) -> str:
    return f"{_and(fact.pair)} are at peace"


def _and(powers: tuple[str, ...]) -> str:
    return " and ".join(filter(None, (", ".join(powers[:-1]), powers[-1])))
