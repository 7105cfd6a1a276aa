"""Sampled best responses in one position, in steps, so that a caller decides how long to continue."""

from collections.abc import Sequence

from bordeaux._ext.learn.selfplay import SelfPlay
from bordeaux._ext.net.memory import Memory
from bordeaux._ext.rules.packed import Packed

class Responder(SelfPlay):
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
