"""The losses that replies cause to fixed orders, with a memory across sets of orders."""

from collections.abc import Collection, Iterable, Sequence

from bordeaux._ext.search.field import Field
from bordeaux._ext.search.replies import Replies

class Adversary(Replies):
    def __init__(self, field: Field, power: int, keeping: bool, limit: int) -> None: ...
    def stakes(self, fixed: bytes) -> list[int]: ...
    def gone(self, fixed: bytes, centres: Iterable[int]) -> list[int]: ...
    def safe(self, fixed: bytes, centres: Iterable[int]) -> list[int]: ...
    def lost(self, fixed: bytes, centres: Sequence[int], enough: int) -> tuple[int, list[int], bool]: ...
    def hands(self, fixed: bytes, centres: Collection[int]) -> list[int]: ...
    def lost_to(
        self, fixed: bytes, centres: Collection[int], replies: Iterable[bytes], enough: int
    ) -> tuple[int, int]: ...
    def losses(
        self,
        fixed: bytes,
        changes: Iterable[bytes],
        centres: Collection[int],
        replies: Iterable[bytes],
        spare: int,
        most: int,
        wanted: int,
    ) -> list[int]: ...
