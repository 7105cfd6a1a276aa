"""Every reply that some units can give to fixed orders, adjudicated, and the worst result."""

from collections.abc import Callable

from bordeaux._ext.search.field import Field

class Replies:
    limit: int
    plain: bool
    @property
    def asked(self) -> int: ...
    @property
    def tired(self) -> bool: ...
    def __init__(self, field: Field, power: int, keeping: bool, limit: int) -> None: ...
    def allow(self, more: float, late: Callable[[], bool] | None = None) -> None: ...
