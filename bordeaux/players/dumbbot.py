"""DumbBot, the standard opponent for Diplomacy programs, and its weak variant."""

from __future__ import annotations

from bordeaux.players.dumbbot_family import DumbBotFamily
from bordeaux.players.protocol import Seat
from bordeaux.policy.dumbbot import DUMBBOT, WEAK_VARIANT

__all__ = ["DumbBot", "WeakDumbBot"]


class DumbBot(DumbBotFamily):
    """DumbBot (David Norman, 2002), release 8~2: values of places, no search, no convoys.

    From the source: the size of a power, n n + 4 n + 16 with n centres, with the neutral centres
    as one power more; all weights; nine steps of blurring, each a fifth of the sum of a location's
    own value and the best of every neighbouring province; strength and competition, where units
    that stay count too, and a fleet that reaches two coasts of a province counts twice. Then the
    random order of units and the walk among their goals, in which equal values keep only the first
    and the own place counts one point more; a choice that falls through is struck out, and the walk
    begins anew; on the walk, "best" is the value that the walk stands on. A gap keeps its sign, so
    that among removals, where values grow, only the first draw can end a walk. Supports, supports
    instead of wasted holds, retreats, removals and builds. Papers 000 (2.3.1, section 4) and 001
    (2.5) tell the same in words.

    Chosen here: two units that want each other's place, for which the source would wait for ever,
    wait no more often than the power has units, then the place is struck out; in removals and
    builds equal values are all kept, as a removal must not be forgotten. Builds that find no home
    are waived; the rules never owe such a one.

    `neutral_value` is what the neutral centres are worth together, instead of their size as one
    power.
    """

    schemes = DUMBBOT.schemes
    walk = DUMBBOT.walk

    def __init__(self, seat: Seat, *, neutral_value: int | None = None) -> None:
        super().__init__(seat, neutral_value)


class WeakDumbBot(DumbBot):
    """DumbBot as a widely used Python port plays it, which expands much more slowly.

    From the port: neutral centres are worth nothing (`neutral_value`); values spread between the
    locations of armies and fleets alike and from every coast, so that armies are drawn towards what
    lies beyond the sea; strength and competition leave out the unit that stands in the province,
    and support is given accordingly; one draw decides both whether to look at the next best and
    whether to take it, and a gap counts without its sign; retreats are chosen without regard to
    attackers and standoffs, so that many fail. Measured, it is the blurring and the retreats that
    make the port weak: `DumbBot` with a neutral value of 0 alone is about as strong as with the
    true one.

    Chosen here: a retreat that would fail is given as a disbandment, since orders must be legal.
    Left out: that the own place gets no extra point, equal values are kept, a fleet counts once even
    where it reaches two coasts, a unit that waits for another is not waited for in turn, and the
    place of the supported unit decides between wasted holds. None of it could be seen in results.
    """

    weak_variant = WEAK_VARIANT.weak_variant

    def __init__(self, seat: Seat, *, neutral_value: int = WEAK_VARIANT.neutral_value) -> None:
        super().__init__(seat, neutral_value=neutral_value)
