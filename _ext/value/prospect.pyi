"""The expected result of a game for each power: a share of it, and the probability of a solo, term by
term."""

from bordeaux._ext.rules.packed import Packed
from bordeaux._ext.rules.tables import Tables
from bordeaux._ext.value.valuer import Valuer

N_GENERAL: int
N_NOBODY: int

class Prospect(Valuer):
    def __init__(
        self,
        tables: Tables,
        rows: bytes,
        nobody: bytes,
        names: bool,
        first_year: int,
        scale: float = 1.0,
        solos: bool = False,
    ) -> None: ...
    @property
    def first_rows(self) -> dict[str, int]: ...
    def shares(self, position: Packed) -> list[float]: ...
    def solos(self, position: Packed) -> list[float]: ...
    def judged(self, position: Packed) -> tuple[list[float], list[float]]: ...
    def terms(self, position: Packed, power: int) -> dict[str, float]: ...
    def features(self, position: Packed) -> tuple[list[bytes], bytes]: ...

def count_rows(tables: Tables, names: bool) -> int: ...
