"""Players that say yes to everything, and play as another one does: partners to test a diplomat with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.players import registry
from bordeaux.players.base import Chair
from bordeaux.players.protocol import Limit, Seat, Turn
from bordeaux.press import language as p
from bordeaux.press.letter import Letter
from bordeaux.rules.outcome import survivors

__all__ = ["Liar", "YesSayer"]


class YesSayer(Chair):
    """Says yes to all that is proposed, suggested or asked; its orders are those of another player, `player`
    as `bordeaux.players.registry` names it, which knows nothing of the talks. Raises what its creation
    raises."""

    def __init__(self, seat: Seat, *, player: str = "dumbbot") -> None:
        super().__init__(seat)
        self._player = registry.create(player, seat)

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """The player's orders."""
        return self._player.orders(position, limit)

    def observe(self, turn: Turn) -> None:
        """The player takes notice."""
        self._player.observe(turn)

    def close(self) -> None:
        """Let go of the player."""
        self._player.close()

    def open_talks(self, position: Position, level: int) -> Iterable[Letter]:
        """Nothing: it waits to be asked."""
        return ()

    def hear(self, letter: Letter) -> Iterable[Letter]:
        """Yes, to all who have the letter."""
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
    """Promises everything, and keeps nothing: it says yes to all that it is asked, offers peace to everybody
    every Spring until it is accepted, and plays as its `player` does."""

    def __init__(self, seat: Seat, *, player: str = "dumbbot") -> None:
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
        """Yes, to all who have the letter; and who has agreed to peace is asked no more."""
        match letter.message:
            case p.Propose(p.Peace()) | p.Insist(p.Peace()) | p.Accept(p.Propose(p.Peace())):
                self._lulled.add(letter.sender)
        return super().hear(letter)
