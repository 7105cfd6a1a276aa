"""Players that accept every proposal and otherwise play like another player, to test a diplomat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bordeaux.board.code import codes_in
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.players import registry
from bordeaux.players.base import Chair, Limit, Seat, Turn, decoded
from bordeaux.players.spec import Spec
from bordeaux.press.diplomat.ledger import Ledger
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter
from bordeaux.rules.outcome import survivors
from bordeaux.search.agreements import Bonds
from bordeaux.search.sets import from_orders


class YesSayer(Chair):
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

    def open_talks(self, position: Position, level: int) -> Iterable[Letter]:
        """Nothing: it waits for messages."""
        return ()

    def hear(self, letter: Letter) -> Iterable[Letter]:
        """Yes, to all recipients of the letter."""
        for answer in self._answers(letter.message):
            others = (power for power in letter.to if power != self.seat.power)
            yield Letter(self.seat.power, (letter.sender, *others), answer)

    def quiet(self) -> Iterable[Letter]:
        """Nothing more."""
        return ()

    def draw(self) -> tuple[str, ...] | None:
        """No draw."""
        return None

    def _answers(self, message: p.Message) -> Iterator[p.Message]:
        match message:
            case p.Propose() | p.Insist() | p.Suggest() | p.If():
                yield p.Accept(message)
            case p.Ask(term):
                yield p.State(term)
            case p.Explain():
                yield p.Sorry(message)
            case p.Why():
                yield p.OnBoard(message)


class Liar(YesSayer):
    """Accepts everything and keeps nothing: it says yes to all messages, offers peace to all every Spring
    until it is accepted, and plays as its `player` does."""

    def __init__(self, seat: Seat, *, player: Spec | str = "dumbbot") -> None:
        super().__init__(seat, player=player)
        self._lulled: set[str] = set()

    def open_talks(self, position: Position, level: int) -> Iterable[Letter]:
        """Offers of peace, in Spring."""
        me, phase = self.seat.power, position.phase
        return [
            Letter(me, (power,), p.Propose(p.Peace((me, power))))
            for power in survivors(position)
            if phase.kind == "M" and phase.season == "S" and power != me and power not in self._lulled
        ]

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
        self._ledger.judge(turn.before, orders, turn.after)

    def _note(self, letter: Letter) -> None:
        for deal in self._ledger.note(letter):
            if isinstance(deal.term, p.Draw):
                self._draw = deal.term.powers
