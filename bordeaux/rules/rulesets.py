"""The choices that rule books differ on, by name.

The adjudicator is one; a rule set tells it what to do where DATC lists a choice that matters for play.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["DAIDE", "DATC", "RuleSet"]

_LAND_FIRST = 1


class RuleSet(NamedTuple):
    """Options of the adjudicator.

    `land_first`: an army that can walk does so unless its order says that it is convoyed; without
    it, a convoy ordered by a fleet of its own power is reason enough (DATC 4.A.3). `given_routes`: a
    convoyed move names its fleets and needs every one of them (DATC 4.A.6).
    """

    name: str
    land_first: bool = False
    given_routes: bool = False

    @property
    def bits(self) -> int:
        """The options as the core takes them."""
        return _LAND_FIRST if self.land_first else 0


#: The choices that DATC 3 prefers.
DATC = RuleSet("datc")

#: Play over DAIDE (paper 003, section 4, Turn Resolution): routes are given, and nothing is guessed. Its
#: second amendment, that a unit is not dislodged with the help of its own power, is a rule of both sets.
DAIDE = RuleSet("daide", land_first=True, given_routes=True)
