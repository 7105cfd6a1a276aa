"""Many games at once: their states, legal orders, steps and observations, in arrays."""

import numpy as np
from numpy.typing import NDArray

from bordeaux._ext.rules.order_numbers import OrderNumbers
from bordeaux._ext.rules.packed import Packed
from bordeaux._ext.rules.tables import Tables

class Games:
    @property
    def tables(self) -> Tables: ...
    @property
    def n(self) -> int: ...
    def __init__(self, numbers: OrderNumbers, start: Packed, n: int, rules: int = 0) -> None: ...
    def renew(self) -> None: ...
    def seed(self, seed: int) -> None: ...
    def reset(self, games: NDArray[np.int64], position: Packed | None = None) -> None: ...
    def packed(self, game: int) -> Packed: ...
    def first_rows(self, out: NDArray[np.int64]) -> None: ...
    def legal(
        self,
        low: int,
        high: int,
        provinces: NDArray[np.uint8],
        ends: NDArray[np.int64],
        orders: NDArray[np.int32],
        used: int,
    ) -> tuple[int, int]: ...
    def draw(self, low: int, high: int, starts: NDArray[np.int64], choices: NDArray[np.int64]) -> None: ...
    def choose(
        self, starts: NDArray[np.int64], orders: NDArray[np.int32], choices: NDArray[np.int64]
    ) -> int: ...
    def given_rows(self, out: NDArray[np.uint64]) -> None: ...
    def take(self, codes: NDArray[np.uint64]) -> tuple[int, int, int, int] | None: ...
    def save(self) -> tuple[bytes, bytes, bytes, bytes, bytes, bytes]: ...
    def load(
        self,
        states: bytes,
        ended: bytes,
        chance: bytes,
        orders: bytes,
        powers: bytes,
        results: bytes,
    ) -> None: ...
    def step(
        self,
        low: int,
        high: int,
        votes: NDArray[np.uint8],
        waits: NDArray[np.uint8],
        until: int,
        scoring: int,
        again: bool,
        scores: NDArray[np.float32],
        ends: NDArray[np.uint8],
    ) -> None: ...
    def observe(
        self,
        low: int,
        high: int,
        units: NDArray[np.int8],
        dislodged: NDArray[np.int8],
        owners: NDArray[np.int8],
        years: NDArray[np.int16],
        phases: NDArray[np.int8],
        due: NDArray[np.int8],
        centres: NDArray[np.int8],
        last_orders: NDArray[np.int32],
        last_powers: NDArray[np.int8],
        last_results: NDArray[np.uint8],
    ) -> None: ...
