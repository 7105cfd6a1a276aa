"""What comes after a joint set of orders: the game played on by a fast policy, then evaluated."""

from collections.abc import Iterable, Sequence

from bordeaux._ext.choice import Choice
from bordeaux._ext.influence import Evaluator
from bordeaux._ext.packed import Packed

class Rollout:
    @property
    def nodes(self) -> int: ...
    def __init__(self, evaluator: Evaluator, policy: Choice) -> None: ...
    def compare(
        self,
        position: Packed,
        power: int,
        candidates: Iterable[bytes],
        others: Sequence[bytes],
        movements: int,
        seeds: Sequence[int],
    ) -> list[list[float]]: ...
    def ends(self, position: Packed, orders: bytes, movements: int, seeds: Iterable[int]) -> list[Packed]: ...
