"""The result of a review as values, for JSON and for the page; and the accuracy of a power, one number for
its game."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.formats.games import Game
from bordeaux.review.record import readable_orders
from bordeaux.search.task import Limit

Orders = tuple[str, ...]

KINDS: dict[str, str] = {
    "loss": "orders that cost a large part of what the power could expect",
    "stab": "an attack on a power that was let be for long, or that peace was agreed with",
    "missed solo": "a victory that could have been forced",
    "missed stop": "another's victory that could have been stopped",
    "missed capture": "centres that could have been forced in Fall",
    "peace kept": "a stab that was worth much and was not made: a choice, no mistake",
}
"""The kinds of turning points, in descending order of importance."""


class Judged(NamedTuple):
    """The orders of one power in one phase, compared with the engine's.

    `expected` is the power's expected share of the final result, from 0 to 1, with the `best` orders, by what
    it could know. `loss` is the difference of `played` to it, with the standard error `doubt`. The hindsight
    fields have the same with the known orders of all others. `key` are the order that mattered most and the
    order that was given in its place. `foreseen` is the probability of the former under the net of people
    (`bordeaux.policy.people`). `forced` centres could be forced in Fall by `forced_by`. `stop` are orders of
    the power that would have prevented the victory that ended the game. A power without orders (`sent` is
    false) is not judged, and these fields are empty. `book` says that the opening book knows the power's
    units here: a loss in its range counts for nothing.

    All this keeps the power's own choice between peace and a stab. `peace` are powers with which it kept one,
    `broke` those with which it broke one. `otherwise` are the best orders of the opposite choice.
    `stab_worth` is the gain of breaking the peace with the `victims` over keeping it (negative for a loss),
    with the standard error `stab_doubt`.
    """

    phase: str
    number: int
    played: Orders
    sent: bool
    book: bool = False
    best: Orders = ()
    expected: float = 0.0
    loss: float = 0.0
    doubt: float = 0.0
    hindsight: Orders = ()
    hindsight_expected: float = 0.0
    hindsight_loss: float = 0.0
    hindsight_doubt: float = 0.0
    key: tuple[str, str] | None = None
    foreseen: float | None = None
    forced: int = 0
    forced_by: Orders = ()
    stop: Orders = ()
    peace: tuple[str, ...] = ()
    broke: tuple[str, ...] = ()
    otherwise: Orders = ()
    victims: tuple[str, ...] = ()
    stab_worth: float = 0.0
    stab_doubt: float = 0.0


class Moment(NamedTuple):
    """The state at the beginning of a phase: the expected share of each power (with a sum of 1), and its
    number of centres."""

    phase: str
    number: int
    shares: dict[str, float]
    centres: dict[str, int]


class LeftBook(NamedTuple):
    """A power's opening: its name ("" for none), and the phase in which its orders left the book, "" if the
    book ended first. `entered` says whether it was ever in the book."""

    name: str
    phase: str
    entered: bool


class TurningPoint(NamedTuple):
    """A decisive moment: a kind of KINDS, the power, its played orders and the better ones (empty for a stab
    with a gain). Also the share of the result that was lost, the reason in plain sentences, and the `places`
    (provinces) to look at. A larger `weight` means a larger effect. `sure` says that it is a blunder for
    certain: proved, or a large loss by far more than its error, in hindsight too."""

    kind: str
    phase: str
    number: int
    power: str
    victim: str
    played: Orders
    better: Orders
    loss: float
    why: str
    places: Orders = ()
    weight: float = 0.0
    sure: bool = False


class PowerReview(NamedTuple):
    """One power: its accuracy from 0 to 100 (None if nothing was judged), and its phases."""

    accuracy: float | None
    phases: tuple[Judged, ...]
    opening: LeftBook

    @property
    def judged(self) -> tuple[Judged, ...]:
        """The movement phases that count: those in which it sent orders."""
        return tuple(phase for phase in self.phases if phase.sent and phase.phase.endswith("M"))

    @property
    def lost(self) -> float:
        """The mean loss of its orders per movement phase, as a share of the final result; 0 without any."""
        return fmean(0.0 if phase.book else phase.loss for phase in self.judged) if self.judged else 0.0

    @property
    def worst(self) -> Judged | None:
        """The movement phase with the largest loss; None if there was no loss."""
        lossy = (phase for phase in self.judged if not phase.book and phase.loss > 0)
        return max(lossy, key=lambda phase: phase.loss, default=None)

    @property
    def silent(self) -> tuple[str, ...]:
        """The movement phases in which it had units and sent no orders."""
        return tuple(phase.phase for phase in self.phases if not phase.sent and phase.phase.endswith("M"))


@dataclass(frozen=True)
class Review:
    """The review of a whole game on its `map`. `moments` are those of all phases, and of the end. `skipped`
    are the phases of the record that could not be read, with the reason. `messages` says how many messages of
    the game were understood, and how many there are."""

    game: Game
    map: Map
    limit: Limit
    seed: int
    powers: dict[str, PowerReview]
    moments: tuple[Moment, ...]
    turning_points: tuple[TurningPoint, ...]
    alliances: tuple[str, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    messages: tuple[int, int] = (0, 0)

    def position(self, index: int) -> Position:
        """The first position of a phase of the game."""
        return self.game.position(index, self.map)

    def orders(self, index: int) -> dict[str, tuple[Order, ...]]:
        """The orders that were given in a phase of the game, as far as they are readable."""
        return readable_orders(self.position(index), self.game.phases[index].orders)

    def to_json(self) -> dict[str, Any]:
        """The review for `json.dumps`; shares and losses are of 1, accuracies of 100."""
        moments = {moment.number: moment for moment in self.moments}
        return {
            "game": self.game.id,
            "map": self.map.name,
            "limit": {name: value for name, value in self.limit._asdict().items() if value is not None},
            "seed": self.seed,
            "powers": {
                power: {
                    "accuracy": of_power.accuracy,
                    "opening": of_power.opening._asdict(),
                    "silent": list(of_power.silent),
                    "phases": [
                        _listed({**one._asdict(), "shares": moments[one.number].shares})
                        for one in of_power.phases
                    ],
                }
                for power, of_power in self.powers.items()
            },
            "turning_points": [_listed(turning_point._asdict()) for turning_point in self.turning_points],
            "moments": [moment._asdict() for moment in self.moments],
            "alliances": list(self.alliances),
            "messages": {"understood": self.messages[0], "all": self.messages[1]},
            "skipped": [{"phase": phase, "why": why} for phase, why in self.skipped],
        }


def _listed(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()}


# Lichess gives each chess move an accuracy that falls with the lost winning chance. Here the losses of all
# phases of a game are added up, and divided by the sum of the shares that the power could expect. So a
# phase counts by the share at stake in it, and years with nothing to lose do not raise the accuracy.

FALL = 2.0
"""The rate at which accuracy falls with losses: a loss of a tenth of the expected share leaves 82, a half 37.
Half of the people in recorded games have more than 70."""
LEAST = 0.5
"""The part of an equal share that is the smallest divisor of a single loss."""


def relative_loss(judged: Judged, powers: int) -> float:
    """The part, from 0 to 1, of the power's expected share that a set lost, among `powers` powers. It
    measures how grave the loss is: a power with almost nothing has almost nothing to lose."""
    return min(1.0, judged.loss / max(judged.expected, LEAST / powers))


def lost_part(phases: Iterable[Judged]) -> float | None:
    """The part, from 0 to 1, of the expected share that the orders of movement phases lost. Half of it is the
    loss by what could be known, half the loss in hindsight. Phases without orders and in the book's range do
    not count; None if no others are left."""
    counted = [phase for phase in phases if phase.sent and phase.phase.endswith("M") and not phase.book]
    if not counted:
        return None
    lost = math.fsum(phase.loss + phase.hindsight_loss for phase in counted)
    had = math.fsum(phase.expected + phase.hindsight_expected for phase in counted)
    return min(1.0, lost / had) if had > 0 else 0.0


def accuracy(phases: Iterable[Judged]) -> float | None:
    """The accuracy of a power over its movement phases, from 0 to 100. A power without phases beyond the
    book lost nothing. None if it sent no orders."""
    listed = [phase for phase in phases if phase.sent and phase.phase.endswith("M")]
    if not listed:
        return None
    return round(100 * math.exp(-FALL * (lost_part(listed) or 0.0)), 1)
