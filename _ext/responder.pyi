"""Sampled best responses in one position, in steps, so that a caller decides how long to continue."""

from collections.abc import Iterable, Sequence

from bordeaux._ext.memory import Memory
from bordeaux._ext.packed import Packed
from bordeaux._ext.policy import Chooser
from bordeaux._ext.rollout import Rollout
from bordeaux._ext.selfplay import SelfPlay
from bordeaux._ext.tables import Tables

class Responder(SelfPlay):
    def __init__(
        self,
        tables: Tables,
        choosers: Iterable[Chooser],
        rollouts: Iterable[Rollout],
        minds: Iterable[
            tuple[Sequence[tuple[int, int, float]], Sequence[tuple[int, float, float]], int, int, int, int]
        ],
    ) -> None: ...
    def draws(
        self, position: Packed, memory: Memory | None, mind: int, power: int, seed: int
    ) -> list[bytes]: ...
    def values(
        self,
        position: Packed,
        memory: Memory | None,
        mind: int,
        power: int,
        candidates: Sequence[bytes],
        seed: int,
    ) -> list[float]: ...
