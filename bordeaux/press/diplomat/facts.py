"""The facts of the ledger, as values. Pairs of powers are in the order of the map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.press.language import messages as p

Pair: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Deal:
    """A term that its parties have agreed upon. Its number is the order of conclusion. `made` is the phase of
    the proposal, `until` the last phase of the deal, None if it lasts until it is ended."""

    number: int
    term: p.Term
    parties: tuple[str, ...]
    proposer: str
    made: Phase
    until: Phase | None


class Judgement(NamedTuple):
    """The judgement on a power's part in a deal in one phase: whether it was kept, by which orders, or which
    orders broke it. `kind` is that of `bordeaux.press.language.terms.kind_of`; `queasled` says that only the
    letter was kept."""

    deal: Deal
    power: str
    kind: str
    kept: bool
    orders: tuple[Order, ...]
    queasled: bool


@dataclass(frozen=True, slots=True)
class InForce:
    """A deal binds two of its parties to each other."""

    deal: int
    pair: Pair


@dataclass(frozen=True, slots=True)
class Left:
    """A party has announced that it no longer keeps a deal."""

    deal: int
    power: str


@dataclass(frozen=True, slots=True)
class Out:
    """A power is out of the game."""

    power: str


@dataclass(frozen=True, slots=True)
class Over:
    """A deal has ended, was completed, or has become impossible."""

    deal: int


@dataclass(frozen=True, slots=True)
class Overridden:
    """A later deal of the same two contradicts it."""

    deal: int
    pair: Pair


@dataclass(frozen=True, slots=True)
class Breach:
    """A power has broken a deal by orders in a phase, towards some of its partners."""

    deal: int
    power: str
    phase: Phase
    orders: tuple[Order, ...]
    partners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Void:
    """A deal is void between two, because one of them broke an agreement with the other."""

    deal: int
    pair: Pair


@dataclass(frozen=True, slots=True)
class Treaty:
    """Two powers are bound to peace by a deal in force."""

    pair: Pair


@dataclass(frozen=True, slots=True)
class Forgiven:
    """The two have made peace after the hostile act of one."""

    what: Wrong
    pair: Pair


@dataclass(frozen=True, slots=True)
class Declared:
    """A power has declared to another that there is no peace."""

    power: str
    other: str
    phase: Phase


Wrong: TypeAlias = Breach | Declared | InForce
"""The facts that make a power hostile until there is peace: a breach, a war, an alliance with others in
force."""


@dataclass(frozen=True, slots=True)
class Hostile:
    """Hostile acts of a power against another are expected."""

    power: str
    other: str


@dataclass(frozen=True, slots=True)
class AtPeace:
    """Two powers are at peace, as far as is known, and neither is expected to be hostile to the other."""

    pair: Pair
