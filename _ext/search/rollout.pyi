"""Rollouts after a joint set of orders: fast policies continue the game, then it is evaluated."""

from collections.abc import Iterable, Sequence

from bordeaux._ext.net.policy import Chooser
from bordeaux._ext.rules.packed import Packed
from bordeaux._ext.value.valuer import Valuer

class Rollout:
    @property
    def nodes(self) -> int: ...
    def __init__(self, evaluator: Valuer, *policies: Chooser) -> None: ...
    def compare(
        self,
        position: Packed,
        power: int,
        candidates: Iterable[bytes],
        others: Sequence[bytes],
        movements: int,
        seeds: Sequence[int],
        parts: Sequence[bytes | None] | None = None,
    ) -> list[list[float]]: ...
    def ends(
        self, position: Packed, orders: bytes, movements: int, seeds: Iterable[int], part: bytes | None = None
    ) -> list[Packed]: ...
