"""Named choices in which rule books differ.

There is one adjudicator. A rule set configures it where DATC lists a choice that matters for play, or where
programs that keep records deviate from every rule book.
"""

from __future__ import annotations

from typing import NamedTuple

from bordeaux.board.errors import BordeauxError, nearest, of_kind, quote

_LAND_FIRST = 1


class RuleSet(NamedTuple):
    """Options of the adjudicator.

    `land_first`: an army that can walk does so unless its order says that it is convoyed; without it, a
    convoy by a fleet of its own power suffices (DATC 4.A.3). `given_routes`: a convoyed move names its fleets
    and needs all of them (DATC 4.A.6). `land_route`: an army with VIA but without a complete chain of fleets
    walks if it can; without it, it stays (DATC 6.G.8). `keep_dislodged`: dislodged units without a retreat
    stay for a retreat phase, in which they can only be disbanded; without it, they are disbanded at once.
    """

    name: str
    land_first: bool = False
    given_routes: bool = False
    land_route: bool = False
    keep_dislodged: bool = False

    @property
    def bits(self) -> int:
        """The options in the form of the core."""
        return _LAND_FIRST if self.land_first or self.land_route else 0

    def __or__(self, other: RuleSet) -> RuleSet:
        """The rule set with the options of both."""
        options = [mine or theirs for mine, theirs in zip(self[1:], other[1:], strict=True)]
        return RuleSet(f"{self.name},{other.name}", *options)


#: The preferred choices of DATC 3.
DATC = RuleSet("datc")

#: The rules over DAIDE (the overview of DAIDE, section 4, Turn Resolution): routes are given, and nothing is
#: guessed. Its second amendment, that a unit is not dislodged with the help of its own power, is a rule of
#: both sets.
DAIDE = RuleSet("daide", land_first=True, given_routes=True)

#: The treatment of a VIA without a convoy by the PyPI package ``diplomacy``, dipcc and godip's site.
LAND_ROUTE = RuleSet("land-route", land_route=True)

#: The treatment by dipcc (Cicero's games) of a dislodged unit without a retreat.
KEEP_DISLODGED = RuleSet("keep-dislodged", keep_dislodged=True)

#: Every rule set by its name.
RULE_SETS = {rules.name: rules for rules in (DATC, DAIDE, LAND_ROUTE, KEEP_DISLODGED)}


def rules_named(text: str | RuleSet) -> RuleSet:
    """The rule set of a name, or of several separated by commas, with the options of each. A rule set is
    returned as it is.

    Raises BordeauxError for an unknown name, and for `land-route` with `daide`, which contradict each other.
    """
    if isinstance(text, RuleSet):
        return text
    rules = None
    for name in of_kind("rules", text, str, "a rule set or its name").split(","):
        folded = name.strip().lower()
        if folded not in RULE_SETS:
            choices = ", ".join(RULE_SETS)
            raise BordeauxError(f"no rules {quote(name.strip())}{nearest(folded, RULE_SETS)} ({choices})")
        rules = RULE_SETS[folded] if rules is None else rules | RULE_SETS[folded]
    assert rules is not None
    if rules.given_routes and rules.land_route:
        raise BordeauxError(
            "rules daide name the fleets of a convoy, and land-route guesses: take one of them"
        )
    return rules
