"""Players that negotiate over DumbBot's moves: they make peace, say yes to all, lie or repeat."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Literal

from bordeaux.board.code import codes_in
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.players import registry
from bordeaux.players.base import Chair, Limit, Seat, Turn, decoded
from bordeaux.players.dumbbot import DumbBot
from bordeaux.players.spec import Spec
from bordeaux.press.diplomat.ledger import Ledger
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter
from bordeaux.rules.outcome import survivors
from bordeaux.search.agreements import Bonds
from bordeaux.search.sets import from_orders


class TalkingChair(Chair):
    """A chair of a player that talks: it says nothing by itself, and wants no draw."""

    def open_talks(self, position: Position, level: int) -> Iterable[Letter]:
        """Nothing: it waits for messages."""
        return ()

    def quiet(self) -> Iterable[Letter]:
        """Nothing more."""
        return ()

    def draw(self) -> tuple[str, ...] | None:
        """No draw."""
        return None

    def _write(self, to: Iterable[str], message: p.Message) -> Letter:
        return Letter(self.seat.power, tuple(to), message)

    def _answer(self, letter: Letter, message: p.Message) -> Letter:
        """An answer to the sender of a letter and all its other recipients."""
        others = (power for power in letter.to if power != self.seat.power)
        return self._write((letter.sender, *others), message)


class Peacemaker(TalkingChair, ABC):
    """A player that offers peace to all (Webb and others 2008, 2.3.3 and 5.3.1). Its `friends` are the powers
    that accept, or that offer peace and are welcome.

    The first offer goes to all, "to first establish which players are capable of negotiation". After that
    every movement phase brings an offer to each power that has ever sent a message, is no friend and is
    welcome. Peace between several makes friends of them all as soon as this player agrees. A power that
    denies a peace, or withdraws its acceptance, is a friend no longer. `agrees` answers other proposals.
    """

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)
        self.friends: set[str] = set()
        self._able: set[str] | None = None

    @abstractmethod
    def welcomes(self, power: str) -> bool:
        """Whether another power, by its full name, may be a friend now."""

    def agrees(self, term: p.Term) -> bool:
        """Whether to accept a proposal that is not of peace; this one accepts none."""
        return False

    def make_peace(self, power: str) -> bool:
        """Make a power, by its full name, a friend if it is welcome; returns whether it is one."""
        if power == self.seat.power or not self.welcomes(power):
            return False
        self.friends.add(power)
        return True

    def open_talks(self, position: Position, level: int) -> Iterable[Letter]:
        """Offers of peace, in movement phases."""
        if position.phase.kind != "M":
            return []
        others = [power for power in survivors(position) if power != self.seat.power]
        able, self._able = (set(others), set()) if self._able is None else (self._able, self._able)
        return [
            self._write([power], p.Propose(p.Peace((self.seat.power, power))))
            for power in others
            if power in able and power not in self.friends and self.welcomes(power)
        ]

    def hear(self, letter: Letter) -> Iterable[Letter]:
        """The answer to a proposal, to all its recipients."""
        me, sender = self.seat.power, letter.sender
        if self._able is not None:
            self._able.add(sender)
        match letter.message:
            case p.Propose(p.Peace(powers)) | p.Insist(p.Peace(powers)) if {me, sender} <= set(powers):
                others = [power for power in powers if power != me]
                agreed = all(map(self.welcomes, others)) and all(map(self.make_peace, others))
                yield self._answer(letter, (p.Accept if agreed else p.Refuse)(letter.message))
            case p.Propose(term) | p.Insist(term):
                yield self._answer(letter, (p.Accept if self.agrees(term) else p.Refuse)(letter.message))
            case p.Accept(p.Propose(p.Peace((first, second)))) if (first, second) == (me, sender):
                self.make_peace(sender)
            case p.State(p.Not(p.Peace(powers)) | p.NoDeal(p.Peace(powers))) | p.Cancel(
                p.Accept(p.Propose(p.Peace(powers)) | p.Insist(p.Peace(powers)))
            ) if {me, sender} <= set(powers):
                self.friends.discard(sender)


class YesSayer(TalkingChair):
    """Accepts everything that is proposed, suggested or asked. Its orders are those of another player,
    `player`, which is not told of the talks. Raises what the creation of that player raises."""

    def __init__(self, seat: Seat, *, player: Spec | str = "dumbbot") -> None:
        super().__init__(seat)
        self._player = registry.create(player, seat)

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """The player's orders."""
        return self._player.orders(position, limit)

    def observe(self, turn: Turn) -> None:
        """Pass the phase on to the player."""
        self._player.observe(turn)

    def close(self) -> None:
        """Close the player."""
        self._player.close()

    def hear(self, letter: Letter) -> Iterable[Letter]:
        """Yes, to all recipients of the letter."""
        match letter.message:
            case p.Propose() | p.Insist() | p.Suggest() | p.If():
                yield self._answer(letter, p.Accept(letter.message))
            case p.Ask(term):
                yield self._answer(letter, p.State(term))
            case p.Explain():
                yield self._answer(letter, p.Sorry(letter.message))
            case p.Why():
                yield self._answer(letter, p.OnBoard(letter.message))


class Liar(YesSayer):
    """Accepts everything and keeps nothing: it says yes to all messages, offers peace to all every Spring
    until it is accepted, and plays as its `player` does."""

    def __init__(self, seat: Seat, *, player: Spec | str = "dumbbot") -> None:
        super().__init__(seat, player=player)
        self._lulled: set[str] = set()

    def open_talks(self, position: Position, level: int) -> Iterable[Letter]:
        """Offers of peace, in Spring."""
        me, spring = self.seat.power, (position.phase.season, position.phase.kind) == ("S", "M")
        asked = [power for power in survivors(position) if power not in {me, *self._lulled}] if spring else []
        return [self._write([power], p.Propose(p.Peace((me, power)))) for power in asked]

    def hear(self, letter: Letter) -> Iterable[Letter]:
        """Yes, to all recipients of the letter; a power that has agreed to peace gets no more offers."""
        match letter.message:
            case p.Propose(p.Peace()) | p.Insist(p.Peace()) | p.Accept(p.Propose(p.Peace())):
                self._lulled.add(letter.sender)
        return super().hear(letter)


class Parrot(YesSayer):
    """Says yes to all messages, and keeps its word as well as it can: orders of its `player` that break an
    agreement become holds, disbandments or waived builds, and promised orders are given. Of promises that
    exclude each other the last one counts; an accepted draw stays acceptable."""

    def __init__(self, seat: Seat, *, player: Spec | str = "dumbbot") -> None:
        super().__init__(seat, player=player)
        self._ledger = Ledger(self.seat.map, self.seat.power)
        self._draw: tuple[str, ...] | None = None

    def open_talks(self, position: Position, level: int) -> Iterable[Letter]:
        """Nothing: it waits for messages."""
        self._ledger.begin(position)
        return ()

    def hear(self, letter: Letter) -> Iterable[Letter]:
        """Yes, to all recipients of the letter."""
        self._note(letter)
        for answer in super().hear(letter):
            self._note(answer)
            yield answer

    def draw(self) -> tuple[str, ...] | None:
        """The draw that was accepted last, if any."""
        return self._draw

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """The player's orders, changed to fit the agreements."""
        given = super().orders(position, limit)
        agreed = self._ledger.binding(position, lambda power, kind: 1.0)
        bonds = Bonds(position, agreed)
        power = self.seat.power
        if not bonds.of(power):
            return given
        kept = bonds.kept(from_orders(position, power, given), bonds.of(power))
        return decoded(position.map, codes_in(kept))

    def observe(self, turn: Turn) -> None:
        """Pass the phase on to the player; completed promises are removed."""
        super().observe(turn)
        orders = {
            power: decoded(turn.before.map, codes_in(from_orders(turn.before, power, given)))
            for power, given in turn.orders.items()
        }
        self._ledger.judge(turn.before, orders)

    def _note(self, letter: Letter) -> None:
        for deal in self._ledger.note(letter):
            if isinstance(deal.term, p.Draw):
                self._draw = deal.term.powers


class BlabBot(Peacemaker, DumbBot):
    """BlabBot (John Newbury): DumbBot, as long as it has no friends; without press it never has any.

    From Webb and others (2008), section 2.3.3: it offers peace to all. Centres and units of friends count
    much less. It never doubts a friend, even one that attacks. When all are at peace, its policy `peace` is
    either to ``ignore`` all friendship and play exactly as DumbBot does, or to ask for a draw every turn
    (``draw``).

    Chosen here: "much less" is a quarter. With ``draw`` it continues to play as a friend, and asks all in
    every phase that begins at peace, retreats and Winter included. It accepts every offer of peace, and a
    draw only if it asks for one itself.
    """

    FRIENDLY = 25
    """The weight of a friend's centres and units, in percent."""

    def __init__(self, seat: Seat, *, peace: Literal["ignore", "draw"] = "ignore") -> None:
        super().__init__(seat)
        self.peace = peace
        self._wants_draw = False

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """Orders for every unit, or for every build or removal due."""
        if self.friends:
            friends = set() if self.peace == "ignore" and self.at_peace(position) else self.friends
            self.set_percentages(
                {centre: self.FRIENDLY for centre, owner in position.owner_of.items() if owner in friends},
                dict.fromkeys(friends, self.FRIENDLY),
            )
        return super().orders(position, limit)

    def at_peace(self, position: Position) -> bool:
        """Whether all other powers with units or centres are friends."""
        others = {unit.power for unit in position.units} | {owner for owner in position.owners if owner}
        return others - {self.seat.power} <= self.friends

    def welcomes(self, power: str) -> bool:
        """All powers are welcome."""
        return True

    def agrees(self, term: p.Term) -> bool:
        """Whether to accept a proposal: a draw among all, if this player asks for it too."""
        return self._wants_draw and term == p.Draw()

    def open_talks(self, position: Position, level: int) -> Iterable[Letter]:
        """Offers of peace; with the policy ``draw``, at peace with all, the request for a draw."""
        yield from super().open_talks(position, level)
        self._wants_draw = self.peace == "draw" and self.at_peace(position)
        others = [power for power in survivors(position) if power != self.seat.power]
        if self._wants_draw and others:
            yield self._write(others, p.Propose(p.Draw()))

    def draw(self) -> tuple[str, ...] | None:
        """A draw of all survivors, if it has asked for one in this phase."""
        return () if self._wants_draw else None
