"""Draws by agreement, of all survivors or of some (PDA). LANGUAGE.md, section 7: 8.

Each power keeps a list of draws that it would accept now, which lapses when the turn is processed. Plain
``DRW`` means all survivors at the time when the votes are compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

__all__ = ["Draws"]


class Draws:
    """The draws that each power would accept. Powers may have any names."""

    def __init__(self, votes: Mapping[str, Iterable[Sequence[str]]] | None = None) -> None:
        self._votes: dict[str, set[frozenset[str]]] = {}
        for power, draws in (votes or {}).items():
            for draw in draws:
                self.offer(power, draw)

    def offer(self, power: str, draw: Iterable[str] = ()) -> None:
        """A power would share a draw with these powers, including itself or not; an empty list means all."""
        self._votes.setdefault(power, set()).add(frozenset(draw))

    def withdraw(self, power: str, draw: Iterable[str] = ()) -> None:
        """Withdraw exactly this offer, if it was made: a plain one leaves those with lists."""
        self._votes.get(power, set()).discard(frozenset(draw))

    def clear(self) -> None:
        """Clear all offers: the turn has been processed."""
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
