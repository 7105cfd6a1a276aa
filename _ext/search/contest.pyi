"""The values of sets of orders of all powers against each other, in one position of any phase."""

from collections.abc import Generator, Sequence

from bordeaux._ext.rules.packed import Packed
from bordeaux._ext.rules.tables import Tables
from bordeaux._ext.search.rollout import Rollout

class Contest:
    nodes: int
    @property
    def tables(self) -> Tables: ...
    @property
    def threads(self) -> int: ...
    def __init__(self, *rollouts: Rollout) -> None: ...
    def enter_position(self, position: Packed) -> None: ...
    def enter(self, power: int, sets: Sequence[bytes], shares: Sequence[float]) -> None: ...
    def care(self, power: int, other: int, part: float) -> None: ...
    def respond(
        self,
        power: int,
        candidates: Sequence[int],
        samples: int,
        movements: int,
        seed: int,
        first: int = 0,
        part: int = ...,
    ) -> Generator[list[float]]: ...
    def choices(self, power: int, among: float, samples: int, seed: int, trial: int) -> list[float]: ...
    def answered(
        self,
        power: int,
        candidates: list[int],
        samples: int,
        movements: int,
        base: int,
        first: int,
        part: int,
    ) -> Generator[list[float]]: ...
    def help(self, thread: int) -> None: ...
