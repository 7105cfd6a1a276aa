"""Every reply that some units can give to fixed orders, adjudicated, and the worst that comes of them."""

from collections.abc import Iterable, Sequence

from bordeaux._ext.packed import Packed

class Adversary:
    def __init__(
        self,
        position: Packed,
        fixed: bytes,
        choices: Sequence[tuple[Sequence[int], Sequence[int]]],
        centres: Sequence[int],
        power: int,
        keeping: bool,
    ) -> None: ...
    def search(self, enough: int, limit: int) -> tuple[int, list[int], int, bool]: ...
    def lost_to(self, replies: Iterable[bytes]) -> tuple[int, int]: ...
