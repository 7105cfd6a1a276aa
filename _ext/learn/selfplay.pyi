"""Whole games in the core, in which powers play sampled best responses to their beliefs."""

from collections.abc import Iterable, Sequence

from bordeaux._ext.net.policy import Chooser
from bordeaux._ext.rules.packed import Packed
from bordeaux._ext.rules.tables import Tables
from bordeaux._ext.search.rollout import Rollout

class SelfPlay:
    @property
    def tables(self) -> Tables: ...
    @property
    def valued(self) -> int: ...
    @property
    def judged(self) -> int: ...
    @property
    def sought(self) -> int: ...
    @property
    def differing(self) -> int: ...
    def __init__(
        self,
        tables: Tables,
        choosers: Iterable[Chooser],
        rollouts: Iterable[Rollout],
        minds: Iterable[
            tuple[Sequence[tuple[int, int, float]], Sequence[tuple[int, float, float]], int, int, int, int]
        ],
    ) -> None: ...
    def play(
        self, start: Packed, seats: Iterable[bytes], seeds: Iterable[int], untils: Iterable[int]
    ) -> dict[str, bytes]: ...
    def forget(self) -> None: ...
