"""Learning of a value from recorded games."""

from collections.abc import Iterable, Mapping
from typing import Any

from bordeaux._ext.learn.learner import Learner
from bordeaux._ext.learn.recorded import Recorded
from bordeaux._ext.rules.tables import Tables
from bordeaux._ext.value.value_net import ValueNet

class ValueLearner(Learner):
    @property
    def tables(self) -> Tables: ...
    @property
    def net(self) -> ValueNet: ...
    @property
    def mean(self) -> ValueNet: ...
    @property
    def phases(self) -> int: ...
    @property
    def loss(self) -> float: ...
    @property
    def solo_loss(self) -> float: ...
    @property
    def error(self) -> float: ...
    def __init__(
        self,
        tables: Tables,
        arrays: Mapping[str, Any],
        first_year: int,
        decay: float = 0.02,
        keep: float = 0.999,
        trace: float = 0.9,
        solos: float = 0.2,
    ) -> None: ...
    def learn(
        self, games: Recorded, numbers: Iterable[int], rate: float, unname: float = 0.0, seed: int = 0
    ) -> None: ...
    def judge(self, games: Recorded, numbers: Iterable[int]) -> None: ...
    def slopes_of(self, games: Recorded, numbers: Iterable[int]) -> dict[str, bytes]: ...
