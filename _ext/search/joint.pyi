"""The game of candidate sets: each power's actions are full sets of orders for a movement phase."""

from collections.abc import Iterable, Mapping

from bordeaux._ext.rules.packed import Packed
from bordeaux._ext.search.regret import RegretGame
from bordeaux._ext.value.valuer import Valuer

class CandidateGame(RegretGame):
    @property
    def evaluator(self) -> Valuer: ...
    def __init__(
        self,
        position: Packed,
        evaluator: Valuer,
        sets: Mapping[int, Iterable[bytes]] | Iterable[tuple[int, Iterable[bytes]]],
        background: bytes = b"",
        *,
        room: int = 64,
        seed: int = 0,
    ) -> None: ...
    def add(self, player: int, orders: bytes) -> int: ...

def consequences(position: Packed, sets: Iterable[bytes], backgrounds: Iterable[bytes]) -> list[int]: ...
