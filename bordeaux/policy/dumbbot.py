"""Fast policies: orders for a power in microseconds, without any search.

They play rollouts, predict powers that do not search, and give a search its first complete set. This module
has the family of DumbBot (Webb and others 2008, Håård 2004). `bordeaux.players.dumbbot` makes a player of it,
and names its author and the sources.
"""

from __future__ import annotations

from typing import NamedTuple

from bordeaux._ext.net.dumbbot import DumbBotPolicy
from bordeaux._ext.net.policy import Chooser
from bordeaux._ext.rules.packed import Packed
from bordeaux.board.code import as_bytes
from bordeaux.board.map import Map

ANY = 1_000_000
"""As many steps as there are choices."""


class Scheme(NamedTuple):
    """The weights of one season.

    A foreign centre starts with `attack` times the size of its owner, an own centre with `defence` times the
    size of the largest power that could move in. `steps` are the weights of these values without blurring,
    after one step of it, after two, and so on. Three terms are added to their sum. `strength` counts for each
    own unit that could be in the province. `competition` is subtracted for each unit of the power that could
    have most units there. `guard` counts for each point of the size of the largest power that could move into
    an own centre.
    """

    attack: int
    defence: int
    strength: int
    competition: int
    guard: int
    steps: tuple[int, ...]


class ChanceWalk(NamedTuple):
    """The random walk away from the best choice. With a probability of `alternative` percent the next best is
    considered. It is taken unless a random number from 0 to 99 is below ``(best - next) * modifier / best``;
    then this repeats from there. `furthest` is the maximum number of steps: among goals in movement, among
    retreats or builds, among removals."""

    alternative: int
    modifier: int
    furthest: tuple[int, int, int]


class Policy(NamedTuple):
    """The numbers of one policy. `schemes` are those of Spring, Fall and Winter. `size` has the factors a, b,
    c of a power's size, a n n + b n + c with n centres. `helps` is the competition above which an own unit at
    the destination is supported. `weak_variant` selects the behaviour of the weak variant. `neutral_value` is
    the total value of the neutral centres, -1 for the size of one more power."""

    schemes: tuple[Scheme, Scheme, Scheme]
    walk: ChanceWalk
    size: tuple[int, int, int] = (1, 4, 16)
    helps: int = 1
    weak_variant: bool = False
    neutral_value: int = -1

    def chooser(self, map: Map, seed: int = 0) -> DumbBotPolicy:
        """The policy on a map, with random numbers from a seed of 64 bits."""
        return DumbBotPolicy(
            map.tables,
            self.schemes,
            self.size,
            self.neutral_value,
            self.weak_variant,
            seed,
            *self.walk,
            self.helps,
        )


def draw(chooser: Chooser, packed: Packed, power: int) -> bytes:
    """Orders of a power (by number) as bytes of codes, 8 for each; none if it need not give any."""
    codes = chooser.orders(packed, power)
    return as_bytes(codes)


_SPRING_STEPS = (100, 1000, 30, 10, 6, 5, 4, 3, 2, 1)
_STEPS = (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1)

DUMBBOT = Policy(
    (
        Scheme(700, 300, 1000, 1000, 0, _SPRING_STEPS),
        Scheme(600, 400, 1000, 1000, 0, _STEPS),
        Scheme(700, 300, 0, 0, 1000, _STEPS),
    ),
    ChanceWalk(50, 500, (ANY, ANY, ANY)),
)
"""DumbBot as its source has it."""

WEAK_VARIANT = DUMBBOT._replace(weak_variant=True, neutral_value=0)
"""The weak port of it that is widely used."""
