"""Sampled best responses in one position, in steps, so that a caller decides how long to continue."""

from collections.abc import Iterable, Sequence

from bordeaux._ext.learn.selfplay import SelfPlay
from bordeaux._ext.net.memory import Memory
from bordeaux._ext.net.policy import Chooser
from bordeaux._ext.rules.packed import Packed
from bordeaux._ext.rules.tables import Tables
from bordeaux._ext.search.rollout import Rollout

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
