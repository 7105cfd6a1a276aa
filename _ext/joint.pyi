"""The game of candidate sets: each power's actions are full sets of orders for a movement phase."""

from collections.abc import Iterable, Mapping

from bordeaux._ext.influence import Evaluator
from bordeaux._ext.packed import Packed
from bordeaux._ext.regret import RegretGame

class CandidateGame(RegretGame):
    @property
    def evaluator(self) -> Evaluator: ...
    def __init__(
        self,
        position: Packed,
        evaluator: Evaluator,
        sets: Mapping[int, Iterable[bytes]] | Iterable[tuple[int, Iterable[bytes]]],
        background: bytes = b"",
        *,
        room: int = 64,
        seed: int = 0,
    ) -> None: ...
    def add(self, player: int, orders: bytes) -> int: ...

def consequences(position: Packed, sets: Iterable[bytes], backgrounds: Iterable[bytes]) -> list[int]: ...
