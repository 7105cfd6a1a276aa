"""The character of a diplomat: honesty, greed, and the duration of grudges.

Deceit is a scale with three named points (Hall and Loeb 1995, section 5): tit for tat, stabs with a gain that
is not available later, and a solo always.
"""

from __future__ import annotations

from typing import NamedTuple

from bordeaux.board.errors import BordeauxError, nearest, quote


class Character(NamedTuple):
    """`greed` is the weight of a stab's immediate gain, 0 for a power that breaks promises only for a solo.
    `shadow` is the weight of the next opportunity relative to this one (0 to 1). `answers` is the number of
    opportunities for which a stab is answered with stabs, as in `bordeaux.press.diplomat.payoffs.decide`.
    `grudge`: movement phases for which a power that stabbed it is offered no peace. `warns`: it announces the
    end of an agreement before it acts against it."""

    name: str
    greed: float
    shadow: float
    answers: int
    grudge: int
    warns: bool


CHARACTERS = {
    character.name: character
    for character in (
        Character("honest", greed=0.0, shadow=0.95, answers=0, grudge=8, warns=True),
        Character("tit-for-tat", greed=1.0, shadow=0.85, answers=1, grudge=6, warns=False),
        Character("opportunist", greed=1.0, shadow=0.3, answers=3, grudge=3, warns=False),
    )
}
"""All characters by name, in descending order of honesty."""


def character(name: str) -> Character:
    """The character of a name. Raises BordeauxError for an unknown one."""
    if name not in CHARACTERS:
        known = ", ".join(CHARACTERS)
        raise BordeauxError(f"unknown character {quote(name)}{nearest(name, CHARACTERS)} (known: {known})")
    return CHARACTERS[name]
