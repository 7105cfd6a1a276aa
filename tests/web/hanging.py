"""A player that never comes back and does not hear the alarm, in the processes of the page's games."""

import signal
import time
from collections.abc import Sequence

from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.players.base import Limit
from bordeaux.players.catalogue import CATALOGUE, PlayerEntry
from bordeaux.players.hold_and_random import Hold
from bordeaux.studies import table

NAME = "hanging"


class Hanging(Hold):
    """Hangs as compiled code would."""

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        while True:
            time.sleep(1)


ENTRY = PlayerEntry(f"{__name__}:Hanging", "never comes back", open={})


def answer(question: table.Question) -> table.Answer:
    """Answer as the page's tables do, with this player in the catalogue."""
    CATALOGUE[NAME] = ENTRY
    return table.answer(question)
