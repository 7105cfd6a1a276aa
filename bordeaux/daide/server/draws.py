"""Draws by agreement, of all survivors or of some (PDA). LANGUAGE.md, section 7: 8.

Each power keeps a list of draws that it would accept now, which lapses when the turn is processed.
Plain ``DRW`` stands for all survivors, whoever they are when the votes are compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from bordeaux.daide import language as d
from bordeaux.rules.outcome import Outcome

if TYPE_CHECKING:
    from bordeaux.daide.server.seats import Seat
    from bordeaux.daide.server.table import Table

__all__ = ["Draws", "agreed", "offer", "withdraw"]


class Draws:
    """The draws that each power would accept. Powers go by whatever names the caller uses."""

    def __init__(self, votes: Mapping[str, Iterable[Sequence[str]]] | None = None) -> None:
        self._votes: dict[str, set[frozenset[str]]] = {}
        for power, draws in (votes or {}).items():
            for draw in draws:
                self.offer(power, draw)

    def offer(self, power: str, draw: Iterable[str] = ()) -> None:
        """A power would share a draw with these powers, itself among them or not; none: with all."""
        self._votes.setdefault(power, set()).add(frozenset(draw))

    def withdraw(self, power: str, draw: Iterable[str] = ()) -> None:
        """Take back exactly this offer, if it was made: a plain one leaves those with lists standing."""
        self._votes.get(power, set()).discard(frozenset(draw))

    def clear(self) -> None:
        """Forget all offers: the turn has been processed."""
        self._votes.clear()

    def agreed(self, survivors: Sequence[str]) -> tuple[str, ...] | None:
        """The powers that share the draw which every survivor accepts, in the order given; or None.

        Of several the one with the most powers counts.
        """
        if not all(self._votes.get(power) for power in survivors):
            return None
        everybody = frozenset(survivors)
        common: set[frozenset[str]] | None = None
        for power in survivors:
            accepted = {draw or everybody for draw in self._votes.get(power, ())}
            common = accepted if common is None else common & accepted
        if not common:
            return None
        chosen = max(common, key=lambda draw: (len(draw), sorted(draw)))
        return tuple(power for power in survivors if power in chosen)

    def to_json(self) -> dict[str, list[list[str]]]:
        """The offers as the saved game has them; ``[]`` is a plain one."""
        votes = self._votes.items()
        return {power: sorted(sorted(draw) for draw in draws) for power, draws in votes if draws}


def offer(table: Table, number: int, message: d.DRW) -> None:
    """``DRW``: the power would accept a draw, with a list of powers one of these (PDA)."""
    seat = table.playing(number)
    if seat is None or not _may_say(table, seat, message):
        table.reject(number, message)
        return
    table.draws.offer(seat.power, message.powers)
    table.accept(number, message)


def withdraw(table: Table, number: int, message: d.DRW) -> None:
    """``NOT (DRW)``: takes back a plain offer; with a list, the offer of that list. YES also where
    there was none."""
    seat = table.playing(number)
    if seat is None or not _may_say(table, seat, message):
        table.reject(number, d.NOT(message))
        return
    table.draws.withdraw(seat.power, message.powers)
    table.accept(number, d.NOT(message))


def _may_say(table: Table, seat: Seat, draw: d.DRW) -> bool:
    """Whether a power has a say, and the powers that it lists are different ones still in the game."""
    if seat.eliminated is not None:
        return False
    listed = set(draw.powers)
    if not listed:
        return True
    return table.settings.pda and len(listed) == len(draw.powers) and listed <= set(table.survivors)


def agreed(table: Table) -> Outcome | None:
    """The draw that all survivors accept now, with the names of its powers; None if there is none."""
    tokens = table.draws.agreed(table.survivors)
    if tokens is None:
        return None
    return Outcome("draw", tuple(table.orders.board.names.powers[token] for token in tokens))
