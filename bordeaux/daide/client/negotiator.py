"""The press door: one class that makes press, answers press, and has its say in the choice of orders.

What stands here is a plain diplomat that keeps its word: it offers peace to strong neighbours, an
alliance against whoever is about to win, and a draw when the board has frozen; it answers every kind
of press; and it prefers orders that do not attack its friends. A cleverer one overrides a method.
Source: LANGUAGE.md, sections 8 to 11.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide.client.order_encoding import worded
from bordeaux.daide.client.press_vocabulary import understood_at
from bordeaux.daide.client.proposals import Proposals
from bordeaux.daide.client.table import Table
from bordeaux.engine import Found

__all__ = ["Negotiator"]

#: Years without a change of centres after which a draw is welcome.
FROZEN_YEARS = 3
#: A power that lacks no more centres than this for a solo is about to win.
NEARLY = 2
#: Share of the value of the best orders that may be given up to keep a promise.
PRICE = 0.15
#: Moves within which a power is a neighbour.
NEAR = 2


class Negotiator:
    """Talks for one power.

    `table` is what is known of the game, `level` the highest level of press that is spoken; the
    game's own level limits it further. `friends` and `foes` are powers by name: whom we have
    promised peace, and against whom we have allied.
    """

    def __init__(self, table: Table, level: int = 10) -> None:
        self.table = table
        self.own_level = level
        self.proposals = Proposals()
        self.friends: set[str] = set()
        self.foes: set[str] = set()
        self.planned: tuple[Order, ...] = ()
        self.broken: set[str] = set()
        self.agreed_draw: d.DRW | None = None
        self._owners: tuple[str | None, ...] = ()
        self._changed = 0

    # The three doors: making press, answering press, choosing orders.

    def propose(self) -> Iterable[d.SND]:
        """Press to send at the beginning of a phase."""
        yield from self._broken_promises()
        phase = self.table.phase
        if phase is None or phase.kind != "M" or phase.season != "S":
            return
        draw = self.draw()
        if draw is not None:
            yield from self._offer([p for p in self.others() if p not in self.table.disorder], d.DRW())
        pending: set[str] = set()
        for power in sorted(self.neighbours(), key=self._strength, reverse=True):
            if power not in self.friends | self.foes and self.would_befriend({power} | pending):
                sent = list(self._offer([power], self._peace(power)))
                pending |= {power} if sent else set()
                yield from sent
        leader = max(self.others(), key=self._strength, default=None)
        if leader is not None and self.nearly_wins(leader) and leader not in self.friends:
            for friend in sorted(self.friends):
                against = self.table.token(leader)
                yield from self._offer([friend], d.ALY(self._tokens(friend), (against,)))

    def answer(self, message: d.FRM) -> Iterable[d.SND]:
        """Replies to press that was understood."""
        me = self.table.token(self.me)
        sender = self._name(message.sender)
        everybody = (message.sender, *(power for power in message.to if power not in (me, message.sender)))
        match message.press:
            case d.PRP(arrangement) | d.INS(arrangement):
                if self.agrees(arrangement):
                    self.proposals.join(message, me)
                    self._conclude_if_agreed(message.press)
                    yield d.SND(None, everybody, d.YES(message.press))
                else:
                    yield d.SND(None, everybody, d.REJ(message.press))
            case d.YES(press):
                self.proposals.agreed(press, message.sender)
                self._conclude_if_agreed(press)
            case d.REJ(press) | d.BWX(press):
                self.proposals.refused(press, sender, self._year())
            case d.CCL(press):
                self.proposals.cancelled(press, message.sender)
            case d.HUH(tokens):
                self.proposals.hearing(sender).refuses(tokens)
            case d.TRY(tokens):
                self.proposals.hearing(sender).lists(tokens)
            case d.FCT(arrangement):
                self.told(sender, arrangement)
            case d.SUG(arrangement):
                verdict = d.YES if self.agrees(arrangement) else d.REJ
                yield d.SND(None, everybody, verdict(message.press))
            case d.QRY() | d.WHT() | d.HOW() | d.EXP():
                yield d.SND(None, (message.sender,), d.IDK(message.press))
            case d.IFF():
                yield d.SND(None, everybody, d.REJ(message.press))
            case d.WHY():
                yield d.SND(None, (message.sender,), d.BWX(message.press))

    def choose(self, position: Position, found: Found) -> Sequence[str | Order]:
        """The orders to play, of those that a search found: the best that attack no friend, unless
        that costs too much. Called again whenever the search knows better."""
        least = found.value - PRICE * abs(found.value)
        chosen: Sequence[str] = found.orders
        for line in found.lines:
            if line.value >= least and not self.attacked(position, line.orders):
                chosen = line.orders
                break
        self.planned = tuple(parse_order(order, position.map, position) for order in chosen)
        self.broken = self.attacked(position, chosen)
        return chosen

    def draw(self) -> d.DRW | None:
        """The draw that we would accept now, if any: one agreed upon, or one of all survivors when no
        centre has changed hands for years or somebody else is about to win."""
        if self.agreed_draw is not None:
            return self.agreed_draw
        if self.nearly_wins(self.me):
            return None
        frozen = self._year() - self._changed >= FROZEN_YEARS
        return d.DRW() if frozen or any(map(self.nearly_wins, self.others())) else None

    # What there is to know and to judge; all of it may be overridden as well.

    @property
    def me(self) -> str:
        """Our power."""
        return self.table.power or ""

    @property
    def level(self) -> int:
        """The level of press that can be used: the game's or ours, whichever is lower."""
        return min(self.table.level, self.own_level)

    @property
    def understood(self) -> tuple[str, ...]:
        """The tokens of press that we understand; press with any other is answered HUH and TRY."""
        return understood_at(self.level)

    def listen(self, message: d.FRM) -> None:
        """Take note of the words that a power uses, whatever it says with them."""
        if not isinstance(message.press, d.HUH | d.TRY):
            self.proposals.hearing(self._name(message.sender)).uses(d.tokens(message.press))

    def audible(self, message: d.SND) -> d.SND | None:
        """Press for those who understand it, as far as they have shown; None if nobody does, and for a
        proposal that not all understand who would have to agree."""
        if isinstance(message.press, d.HUH | d.TRY):
            return message
        to = tuple(power for power in message.to if self.proposals.can_hear(self._name(power), message.press))
        if not to or (to != message.to and isinstance(message.press, d.PRP | d.INS)):
            return None
        return message if to == message.to else d.SND(message.turn, to, message.press)

    def notice(self, position: Position) -> None:
        """Take note of the position that a phase begins with."""
        if position.owners != self._owners:
            self._owners, self._changed = position.owners, position.phase.year
        alive = set(self.table.survivors)
        self.friends &= alive
        self.foes &= alive

    def others(self) -> list[str]:
        """The other powers that are still in the game."""
        return [power for power in self.table.survivors if power != self.me]

    def neighbours(self) -> list[str]:
        """Other powers with a unit or a centre within a few moves of our units."""
        position = self.table.position
        if position is None:
            return []
        near: set[str] = set()
        for unit in position.units_of(self.me):
            moves = position.map.distance(unit.kind, unit.location)
            near |= {province for province, count in moves.items() if count <= NEAR}
        held = {other.power for other in position.units if other.province in near}
        held |= {power for power, centres in position.centres.items() if near.intersection(centres)}
        return [power for power in self.others() if power in held]

    def nearly_wins(self, power: str) -> bool:
        """Whether a power is about to win alone."""
        position = self.table.position
        if position is None:
            return False
        return self._strength(power) >= len(position.map.centres) // 2 + 1 - NEARLY

    def would_befriend(self, powers: Iterable[str]) -> bool:
        """Whether peace with some powers makes sense: all are there and none is about to win, and
        enough others are left to win from."""
        wanted = set(powers) - {self.me}
        others = self.others()
        if not wanted <= set(others) - self.table.disorder or any(map(self.nearly_wins, wanted)):
            return False
        left = [power for power in others if power not in self.friends | wanted]
        return len(left) > (len(others) + 1) // 4

    def agrees(self, arrangement: d.Arrangement) -> bool:
        """Whether to say YES to a proposal."""
        me = self.table.token(self.me)
        match arrangement:
            case d.PCE(powers):
                return me in powers and self.would_befriend(map(self._name, powers))
            case d.ALY(powers, against):
                foes = set(map(self._name, against))
                return (
                    me in powers
                    and me not in against
                    and not foes & self.friends
                    and (self.would_befriend(map(self._name, powers)))
                )
            case d.DRW(powers):
                return (not powers or me in powers) and self.draw() is not None
            case d.SLO(power):
                return power == me
            case d.NAR() | d.NOT(d.PCE() | d.ALY()):
                return True
            case d.NOT(d.SLO(power)):
                return power != me
            case d.XDO(order):
                return order in self._planned_values()
            case d.AND(parts):
                return all(map(self.agrees, parts))
            case d.ORR(parts):
                return any(map(self.agrees, parts))
            case d.CHO(least, _, parts):
                return sum(map(self.agrees, parts)) >= least
        return False

    def concluded(self, arrangement: d.Arrangement) -> None:
        """Take note of what everybody has agreed upon."""
        match arrangement:
            case d.PCE(powers):
                self.friends |= set(map(self._name, powers)) - {self.me}
                self.foes -= self.friends
            case d.ALY(powers, against):
                self.friends |= set(map(self._name, powers)) - {self.me}
                self.foes |= set(map(self._name, against))
            case d.DRW():
                self.agreed_draw = arrangement if "PDA" in self.table.options else d.DRW()
            case d.NAR(inner) | d.NOT(inner):
                self._undo(inner)
            case d.AND(parts):
                for part in parts:
                    self.concluded(part)

    def told(self, sender: str, arrangement: object) -> None:
        """Take note of a fact: a friend may drop an agreement with it, or ally against us."""
        match arrangement:
            case d.NOT(inner) | d.NAR(inner):
                self._undo(inner)
            case d.ALY(_, against) if self.table.token(self.me) in against:
                self.friends.discard(sender)

    def attacked(self, position: Position, orders: Iterable[str | Order]) -> set[str]:
        """Friends whose units or centres a set of orders moves against, or helps others against."""
        found: set[str] = set()
        for text in orders:
            order = text if isinstance(text, Order) else parse_order(text, position.map, position)
            if order.kind not in (OrderKind.MOVE, OrderKind.SUPPORT_MOVE):
                continue
            goal = order.destination.partition("/")[0]
            standing = position.unit_at(goal)
            owner = next((power for power, owned in position.centres.items() if goal in owned), None)
            mover = position.unit_at((order.target or order.location).partition("/")[0])
            touched = self.friends.intersection(filter(None, (owner, standing.power if standing else None)))
            found |= touched - ({mover.power} if mover else set())
        return found

    # The rest is bookkeeping.

    def _undo(self, arrangement: object) -> None:
        match arrangement:
            case d.PCE(powers) | d.ALY(powers):
                self.friends -= set(map(self._name, powers))
            case d.DRW():
                self.agreed_draw = None

    def _conclude_if_agreed(self, press: object) -> None:
        if self.proposals.settle(press) and isinstance(press, d.PRP | d.INS):
            self.concluded(press.arrangement)

    def _broken_promises(self) -> Iterator[d.SND]:
        """Tell friends whom our last orders attacked that they are friends no more."""
        for power in sorted(self.broken & self.friends):
            self.friends.discard(power)
            yield d.SND(None, (self.table.token(power),), d.FCT(d.NOT(self._peace(power))))
        self.broken = set()

    def _offer(self, powers: Sequence[str], arrangement: d.Arrangement) -> Iterator[d.SND]:
        """A proposal to powers that can understand it and have not refused it lately."""
        press = d.PRP(arrangement)
        if (
            not powers
            or self.level < 10
            or not all(self.proposals.can_hear(power, press) for power in powers)
        ):
            return
        if any(self.proposals.lately_refused(press, power, self._year()) for power in powers):
            return
        to = tuple(map(self.table.token, powers))
        self.proposals.open(press, self.table.token(self.me), to)
        yield d.SND(None, to, press)

    def _peace(self, power: str) -> d.PCE:
        return d.PCE(self._tokens(power))

    def _tokens(self, power: str) -> tuple[str, str]:
        return self.table.token(self.me), self.table.token(power)

    def _planned_values(self) -> list[d.Order]:
        position = self.table.position
        return list(worded(position, self.me, self.planned)[0]) if position is not None else []

    def _name(self, token: str) -> str:
        map = self.table.map
        return token if map is None else map.power(token)

    def _strength(self, power: str) -> int:
        position = self.table.position
        return 0 if position is None else len(position.centres.get(power, ()))

    def _year(self) -> int:
        return self.table.phase.year if self.table.phase is not None else 0
