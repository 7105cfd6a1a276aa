"""Learning of a policy from recorded games."""

from collections.abc import Iterable, Mapping
from typing import Any

from bordeaux._ext.learn.learner import Learner
from bordeaux._ext.learn.recorded import Recorded
from bordeaux._ext.net.weights import Net
from bordeaux._ext.rules.tables import Tables

class NetLearner(Learner):
    @property
    def tables(self) -> Tables: ...
    @property
    def net(self) -> Net: ...
    @property
    def mean(self) -> Net: ...
    @property
    def loss(self) -> float: ...
    @property
    def likely(self) -> float: ...
    @property
    def first(self) -> float: ...
    @property
    def choices(self) -> int: ...
    def __init__(
        self,
        tables: Tables,
        arrays: Mapping[str, Any],
        decay: float = 0.15,
        keep: float = 0.999,
        share: float = 0.3,
        weigh: float = 0.0,
        unit: float = 1.0,
    ) -> None: ...
    def learn(
        self,
        games: Recorded,
        phases: Iterable[int],
        rate: float,
        forget: float = 0.0,
        unname: float = 0.0,
        seed: int = 0,
    ) -> None: ...
    def judge(self, games: Recorded, phases: Iterable[int]) -> None: ...
    def slopes_of(
        self, games: Recorded, phases: Iterable[int]
    ) -> dict[str, tuple[tuple[int, ...], bytes]]: ...
