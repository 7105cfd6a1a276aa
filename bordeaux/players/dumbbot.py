"""DumbBot, the standard opponent for Diplomacy programs, and its weak variant."""

from __future__ import annotations

from bordeaux.players.dumbbot_family import DumbBotFamily
from bordeaux.players.protocol import Seat
from bordeaux.policy.dumbbot import DUMBBOT, WEAK_VARIANT

__all__ = ["DumbBot", "WeakDumbBot"]


class DumbBot(DumbBotFamily):
    """DumbBot (David Norman, 2002), release 8~2: values of places, no search, no convoys.

    From the source: the size of a power is n n + 4 n + 16 with n centres, and the neutral centres are one
    more power. All weights are the source's. There are nine steps of blurring. Each is a fifth of the sum of
    a location's own value and the best of every neighbouring province. Strength and competition include units
    that stay, and a fleet that reaches two coasts of a province counts twice. Then the random order of units
    and the random walk over their destinations, in which equal values keep only the first and the own place
    counts one point more. A choice that fails is struck out, and the walk begins anew; "best" is the present
    value of the walk. A difference keeps its sign, so that among removals, where values grow, only the first
    draw can end a walk. Supports, supports instead of wasted holds, retreats, removals and builds. Papers 000
    (2.3.1, section 4) and 001 (2.5) describe the same in words.

    Chosen here: for two units that want each other's place the source would wait for ever. Here they wait at
    most as often as the power has units, then the place is struck out. In removals and builds all equal
    values are kept, as a removal must not be forgotten. Builds without an open home are waived; by the rules
    they are never due.

    `neutral_value` is the total value of the neutral centres, instead of their size as one power.
    """

    schemes = DUMBBOT.schemes
    walk = DUMBBOT.walk

    def __init__(self, seat: Seat, *, neutral_value: int | None = None) -> None:
        super().__init__(seat, neutral_value)


class WeakDumbBot(DumbBot):
    """A widely used Python port of DumbBot, which expands much more slowly.

    From the port: neutral centres have no value (`neutral_value`). Values spread between the locations of
    armies and fleets alike and from every coast, so that armies are drawn towards places beyond the sea.
    Strength and competition leave out the unit in the province, and support is given accordingly. One draw
    decides both whether to look at the next best and whether to take it, and a difference counts without its
    sign. Retreats are chosen without regard to attackers and standoffs, so that many fail. By measurement,
    the blurring and the retreats make the port weak: `DumbBot` with a neutral value of 0 only is about as
    strong as with the true one.

    Chosen here: a retreat that would fail is given as a disbandment, since orders must be legal. Left out,
    without a visible effect on results: the own place gets no extra point, and equal values are kept. A fleet
    counts once even if it reaches two coasts. A unit that waits for another is not waited for in turn. The
    place of the supported unit decides between wasted holds.
    """

    weak_variant = WEAK_VARIANT.weak_variant

    def __init__(self, seat: Seat, *, neutral_value: int = WEAK_VARIANT.neutral_value) -> None:
        super().__init__(seat, neutral_value=neutral_value)
