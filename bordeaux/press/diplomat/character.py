"""The character of a diplomat: honesty, greed, and the duration of grudges.

Deceit is a scale with three named points. Paper 000, section 7.2.1: "it would be of particular interest to
analyse how changing the honesty of a banker affects its success". Paper 002, section 5: tit for tat, stabs
where they pay and cannot be had later, a solo always.
"""

from __future__ import annotations

from typing import NamedTuple

from bordeaux.board.errors import BordeauxError, nearest, quote

__all__ = ["CHARACTERS", "Character", "character"]


class Character(NamedTuple):
    """`greed` is the weight of what a stab brings at once, 0 for who breaks its word for a solo alone;
    `shadow` that of the next opportunity beside this one (0 to 1); `answers` how many opportunities a stab is
    answered with stabs, as `bordeaux.press.diplomat.payoffs.decide` takes them. `grudge`: movement phases for
    which who has stabbed it is offered no peace. `warns`: it says that an agreement is over before it acts
    against it. `credit`: share of what a favour is worth that it lends to strangers."""

    name: str
    greed: float
    shadow: float
    answers: int
    grudge: int
    warns: bool
    credit: float


CHARACTERS = {
    each.name: each
    for each in (
        Character("honest", greed=0.0, shadow=0.95, answers=0, grudge=8, warns=True, credit=1.0),
        Character("tit-for-tat", greed=1.0, shadow=0.85, answers=1, grudge=6, warns=False, credit=0.7),
        Character("opportunist", greed=1.0, shadow=0.3, answers=3, grudge=3, warns=False, credit=0.4),
    )
}
"""By name, from the most honest on."""


def character(name: str) -> Character:
    """The character of a name. Raises BordeauxError for an unknown one."""
    if name not in CHARACTERS:
        known = ", ".join(CHARACTERS)
        raise BordeauxError(f"unknown character {quote(name)}{nearest(name, CHARACTERS)} (known: {known})")
    return CHARACTERS[name]
