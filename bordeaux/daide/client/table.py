"""A client's view of its game, updated from the server's messages, with its map and its end: no sockets, no
clock."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from bordeaux.board.errors import MapError
from bordeaux.board.map import Map
from bordeaux.board.mapfile import known_maps
from bordeaux.board.mapmessage import NOBODY
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase, order_of_play
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide import translate
from bordeaux.players.base import Turn


class Ending(NamedTuple):
    """The end of a game: ``solo``, ``draw`` or ``off`` (the server dismissed its clients before a result),
    the `powers` that win or share, and our own, None if we had none yet. `phase` is the last one seen,
    `centres` the number of centres of every power then. `names` are the names and versions of all players, if
    told."""

    kind: str
    powers: tuple[str, ...]
    power: str | None
    phase: str
    centres: Mapping[str, int]
    names: Mapping[str, str]

    def __str__(self) -> str:
        ours = "" if self.power is None else f"; {self.power} has {self.centres.get(self.power, 0)} centres"
        match self.kind:
            case "solo":
                return f"{self.powers[0]} wins alone in {self.phase}{ours}"
            case "draw":
                return f"a draw of {', '.join(self.powers)} in {self.phase}{ours}"
        return f"the server ended the game in {self.phase or 'its lobby'}{ours}"

    def to_json(self) -> dict[str, Any]:
        """The ending as plain values, with the kind under ``ending``."""
        fields = self._asdict()
        return {"ending": fields.pop("kind"), **fields, "powers": list(self.powers)}


Shape: TypeAlias = tuple[object, ...]


def map_of(message: d.MDF, name: str) -> Map:
    """The map of a message, under the name that the server gave: the bundled one with its powers, homes and
    borders, if there is one. Otherwise tokens that the standard map has too get its names. Raises MapError
    for a contradictory message."""
    shape = _shape(message)
    for bundled in sorted(known_maps(), key=lambda known: known != name):
        if _bundled_shape(bundled) == shape:
            return Map.load(bundled)
    return translate.map_of(message, name, like=Map.standard())


@functools.cache
def _bundled_shape(name: str) -> Shape:
    return _shape(translate.mdf_of(Map.load(name)))


def _shape(message: d.MDF) -> Shape:
    """The content of a message, independent of its order."""
    homes = frozenset(
        (frozenset([home.owner] if isinstance(home.owner, str) else home.owner), frozenset(home.provinces))
        for home in message.centres
        if home.provinces
    )
    borders = frozenset(
        (adjacency.province, border.kind, border.coast, frozenset(border.places))
        for adjacency in message.adjacencies
        for border in adjacency.borders
        if border.places
    )
    return frozenset(message.powers), homes, frozenset(message.others), borders


_LIMITS = {"M": "MTL", "R": "RTL", "A": "BTL"}


class PlayedOrder(NamedTuple):
    """An order that was played, and its result: DAIDE's result tokens, such as CUT RET."""

    power: str
    order: Order
    results: tuple[str, ...]


class Table:
    """One game as reported by its messages; pass them to `take` in order.

    `map_name` and `map` come from MAP and MDF; `power` (None for an observer), `passcode` and `options` from
    HLO; `position` and `phase` from NOW and SCO. `disorder` and `eliminated` are powers, `played` the orders
    of every phase seen, `sent` our own last ones. `deadline` is the end of the phase, None without one.
    `turns` counts the phases, so that a caller notices a new one. `latest` is the one before it, as far as
    its orders were reported.
    """

    def __init__(self) -> None:
        self.map_name: str | None = None
        self.map: Map | None = None
        self.power: str | None = None
        self.passcode: int | None = None
        self.options: dict[str, int | None] = {}
        self.started = False
        self.position: Position | None = None
        self.phase: Phase | None = None
        self.turns = 0
        self.latest: Turn | None = None
        self.disorder: set[str] = set()
        self.played: dict[Phase, list[PlayedOrder]] = {}
        self.deadline: float | None = None
        self.stopped = False
        self.solo: str | None = None
        self.draw: tuple[str, ...] = ()
        self.summary: d.SMR | None = None
        self.off = False
        self.sent: tuple[d.Order, ...] = ()
        self._out: set[str] = set()
        self._owners: d.SCO | None = None
        self._told: d.SCO | None = None
        self._now: d.NOW | None = None

    # What follows from what was told.

    @property
    def level(self) -> int:
        """The language level of the game."""
        return self.options.get("LVL") or 0

    @property
    def over(self) -> bool:
        """Whether the game has a result, or the server dismisses its clients."""
        return self.off or self.solo is not None or bool(self.draw) or self.summary is not None

    @property
    def survivors(self) -> tuple[str, ...]:
        """Powers that have a unit or a centre, in the order of the map."""
        if self.position is None or self.map is None:
            return ()
        alive = {unit.power for unit in self.position.units} | set(self.position.centres)
        alive |= {dislodged.unit.power for dislodged in self.position.dislodged}
        return tuple(power for power in self.map.powers if power in alive and power not in self._out)

    @property
    def eliminated(self) -> frozenset[str]:
        """The eliminated powers."""
        if self.position is None or self.map is None:
            return frozenset(self._out)
        return frozenset(self.map.powers) - set(self.survivors)

    def limit(self, phase: Phase) -> int | None:
        """The seconds that the options allow for a phase; None without a limit."""
        return self.options.get(_LIMITS.get(phase.kind, "")) or None

    def owes(self, power: str) -> bool:
        """Whether a power must send orders in this phase."""
        if self.position is None:
            return False
        # Builds that no home centre is open for have to be waived.
        return power in self.position.orderable() or bool(translate.adjustments_owed(self.position, power))

    def press_is_open(self, now: float) -> bool:
        """Whether the options allow press at this moment; never for observers."""
        phase = self.phase
        if phase is None or self.power is None or self.over or self.level < 10:
            return False
        if phase.kind != "M" or self.deadline is None:
            return {"R": "NPR", "A": "NPB"}.get(phase.kind) not in self.options
        return now < self.deadline - (self.options.get("PTL") or -math.inf)

    def orders_of(self, phase: Phase) -> dict[str, list[Order]]:
        """The orders of a phase by power, as far as the server has reported them."""
        orders: dict[str, list[Order]] = {}
        for played in self.played.get(phase, ()):
            orders.setdefault(played.power, []).append(played.order)
        return orders

    def last_orders(self) -> Mapping[str, list[Order]]:
        """The orders of the last movement phase that was played."""
        moved = [phase for phase in self.played if phase.kind == "M"]
        return self.orders_of(max(moved, key=order_of_play)) if moved else {}

    def token(self, power: str) -> str:
        """The DAIDE token of a power, given by name or token. Raises MapError, also while there is no map."""
        return self._map().tags[self._power(power)]

    def ending(self) -> Ending:
        """The end of the game; `over` says whether there is one. A summary without a result contains it: one
        server sends no DRW, and SLO only if nobody else has a unit left."""
        phase, names = self.phase, {}
        centres = {} if self.position is None else {p: len(c) for p, c in self.position.centres.items()}
        winner, sharers = self.solo, self.draw
        if self.summary is not None and self.map is not None:
            phase, centres = translate.phase_of(self.summary.turn), {}
            for line in self.summary.lines:
                power = self.map.power(line.power)
                centres[power] = line.centres
                names[power] = f"{line.name} {line.version}".strip()
            if winner is None and not sharers:
                winner = next((power for power, count in centres.items() if count >= self.map.majority), None)
                sharers = tuple(power for power in self.map.powers if centres.get(power))
        kind = "solo" if winner is not None else "draw" if sharers else "off"
        powers = sharers if winner is None else (winner,)
        return Ending(kind, powers, self.power, str(phase or ""), centres, names)

    # What the server tells.

    def take(self, message: d.Value, now: float) -> None:
        """Process a message from the server that came at the time `now`. Raises BordeauxError for an
        impossible map or position; then the state is unchanged."""
        match message:
            case d.MAP(str(name)):
                self.map_name = name
            case d.MDF(powers) if powers:
                self.map = map_of(message, self.map_name or "mdf")
            case d.HLO(str(power), passcode, options):
                self._hello(power, passcode, options)
            case d.SCO(centres) if centres:
                self._told = message
                if self.position is None and self._now is not None:
                    self._turn(self._now, now)
            case d.NOW(turn) if turn is not None:
                self._turn(message, now)
            case d.ORD():
                self._order(message)
            case d.TME(int(seconds)):
                self._time(seconds, now)
            case d.NOT(d.TME()):
                self.deadline, self.stopped = None, True
            case d.CCD(power):
                self.disorder.add(self._power(power))
            case d.NOT(d.CCD(power)):
                self.disorder.discard(self._power(power))
            case d.OUT(power):
                self._out.add(self._power(power))
            case d.SLO(power):
                self.solo = self._power(power)
            case d.DRW(powers):
                self.draw = tuple(self._power(power) for power in powers) or self.survivors
            case d.SMR():
                self.summary = message
            case d.OFF():
                self.off = True

    def rewind(self, phase: Phase) -> None:
        """Forget all phases from one on: the server has lost them and will play them again."""
        begin = order_of_play(phase)
        if self.phase is None or begin >= order_of_play(self.phase):
            return
        self.position = self.latest = self.phase = None
        self.solo, self.draw = None, ()
        self._out.clear()
        self.played = {early: orders for early, orders in self.played.items() if order_of_play(early) < begin}

    def _map(self) -> Map:
        if self.map is None:
            raise MapError("the server has not told its map yet")
        return self.map

    def _power(self, token: str) -> str:
        return self._map().power(token)

    def _hello(self, power: str, passcode: int | None, options: tuple[d.Option, ...]) -> None:
        self.power = None if power == NOBODY else self._power(power)
        self.passcode = passcode
        self.options = {option.token: option.number for option in options}
        self.started = True

    def _turn(self, message: d.NOW, now: float) -> None:
        """Process a position, unless it is of an earlier phase."""
        assert message.turn is not None
        phase = translate.phase_of(message.turn)
        owners, self._told = self._told, None
        if self.phase is not None and order_of_play(phase) < order_of_play(self.phase):
            return
        self._owners = owners or self._owners
        if self._owners is None:
            self._now = message
            return
        position = translate.position_of(message, self._owners, self._map())
        before, self.position = self.position, position
        if phase == self.phase:
            return
        self.phase = phase
        self.turns += 1
        limit = self.limit(phase)
        self.deadline = None if limit is None else now + limit
        self.stopped = False
        seen = before is not None and before.phase in self.played
        self.latest = Turn(before, self.orders_of(before.phase), position) if before and seen else None

    def _order(self, message: d.ORD) -> None:
        order = message.order
        if isinstance(order, d.VIA):
            # The server has left out where to; of our own orders we know that.
            ours = (sent for sent in self.sent if isinstance(sent, d.CTO) and sent.unit == order.unit)
            order = next(ours, None)
        if message.turn is None or order is None:
            return
        power, played = translate.order_of(order, self._map())
        listed = self.played.setdefault(translate.phase_of(message.turn), [])
        if played.location:
            listed[:] = [ordered for ordered in listed if ordered.order.location != played.location]
        listed.append(PlayedOrder(power, played, message.result))

    def _time(self, seconds: int, now: float) -> None:
        """Process the seconds to the deadline. Some servers send TME (0) in games without limits: no
        deadline."""
        limited = self.phase is not None and self.limit(self.phase) is not None
        if seconds > 0 or limited:
            self.deadline, self.stopped = now + seconds, False


# The meanings of DAIDE's tokens, for people: results of orders, notes on orders, options of games.

#: Results of an order, in words for one that failed.
RESULTS = {
    "BNC": "bounced",
    "CUT": "cut",
    "DSR": "convoy disrupted",
    "NSO": "not matched",
    "RET": "dislodged",
}

#: The words for results in saved games. Results not listed are illegal orders.
WORDS = {"SUC": "", "BNC": "bounce", "CUT": "cut", "DSR": "disrupted", "NSO": "void", "RET": "dislodged"}

#: Notes on an order that a server does not accept.
NOTES = {
    "MBV": "accepted",
    "FAR": "out of reach",
    "NSP": "there is no such province",
    "NSU": "there is no such unit",
    "NAS": "the convoying fleet is not at sea",
    "NSF": "there is no such fleet",
    "NSA": "there is no such army",
    "NYU": "not your unit",
    "NRN": "that unit need not retreat",
    "NVR": "it cannot retreat there",
    "YSC": "not a supply centre that you own",
    "ESC": "the centre is not empty",
    "HSC": "not a home centre of yours",
    "NSC": "not a supply centre",
    "CST": "which coast, or the wrong kind of unit for the place",
    "NMB": "you have no builds left",
    "NMR": "you have no removals left",
    "NRS": "no such order in this phase",
}

_TOLD_LIMITS = {"MTL": "movement", "RTL": "retreats", "BTL": "builds"}
_FLAGS = {
    "DSD": "the clock stops for a missing player",
    "AOA": "illegal orders are taken, and fail",
    "PDA": "draws may leave powers out",
    "NPR": "no press with retreats",
    "NPB": "no press with builds",
}


def in_words(results: Iterable[str], needs_partner: bool = True) -> str:
    """The result of an order: ``bounced, dislodged``; "" for a plain success. `needs_partner` says whether it
    is a support, a convoy or a convoyed move: the package `diplomacy` uses NSO for all failures."""
    meanings = RESULTS if needs_partner else RESULTS | {"NSO": "failed"}
    return ", ".join(meanings.get(token) or NOTES.get(token, token) for token in results if token != "SUC")


def game_in_words(options: Mapping[str, int | None]) -> str:
    """The options of a game, as HLO lists them, in one line."""
    level = options.get("LVL") or 0
    said = [f"press level {level}" if level else "no press"]
    limits = [f"{what} {options[token]} s" for token, what in _TOLD_LIMITS.items() if options.get(token)]
    said.append(", ".join(limits) or "no deadlines")
    said += [meaning for token, meaning in _FLAGS.items() if token in options]
    if options.get("PTL"):
        said.append(f"no press in the last {options['PTL']} s of movement")
    return "; ".join(said)
