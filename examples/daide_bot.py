"""A bot of one's own: Bordeaux's search behind it, its own taste and its own press.

bordeaux server --fill dumbbot --level 10         # in one window: a game with one empty chair
    python examples/daide_bot.py 127.0.0.1:16713 2    # in another: play with 2 seconds a phase
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence

from bordeaux import Position
from bordeaux.daide import Bot, Limit, stopped
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter


class Phalanx(Bot):
    """Likes orders in which its units help each other, and is a pacifist in words."""

    def orders(self, position: Position, power: str, limit: Limit) -> Iterator[Sequence[str]]:
        """Better and better sets, which are sent as they come: of the lines found, the one we like most."""
        for answer in self.engine.improvements(position, power, time=limit.time, stop=stopped):
            liked = max(
                answer.lines, key=lambda line: line.value + 0.01 * helping(line.orders), default=answer
            )
            yield liked.orders

    def talker(self, position: Position, power: str) -> Pacifist:
        """Who talks, by values, from the first phase on."""
        return Pacifist(power)


class Pacifist:
    """Offers peace to everybody in every phase, and says yes to whatever is proposed."""

    def __init__(self, power: str) -> None:
        self.power = power

    def open_talks(self, position: Position, level: int) -> Iterator[Letter]:
        """What it says first in a phase."""
        for other in position.map.powers:
            if other != self.power:
                yield Letter(self.power, (other,), p.Propose(p.Peace((self.power, other))))

    def hear(self, letter: Letter) -> Iterator[Letter]:
        """What it answers."""
        if isinstance(letter.message, p.Propose):
            yield Letter(self.power, (letter.sender,), p.Accept(letter.message))

    def quiet(self) -> Iterable[Letter]:
        """When all are quiet it has nothing to add."""
        return ()

    def draw(self) -> None:
        """It accepts no draw."""


def helping(orders: Iterable[str]) -> int:
    """How many of the orders are supports."""
    return sum(" S " in order for order in orders)


if __name__ == "__main__":
    seconds = float(sys.argv[2])
    print(Phalanx(sys.argv[1], name="Phalanx", time=seconds, talk=seconds).run())
