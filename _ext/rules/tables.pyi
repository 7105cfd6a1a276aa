"""The compiled form of a map, which every other module of the core reads."""

from collections.abc import Iterable

class Tables:
    def __init__(
        self,
        n_powers: int,
        provinces: Iterable[tuple[int, bool, int]],
        locations: Iterable[tuple[int, bool, Iterable[int]]],
        alphabetical: Iterable[int],
    ) -> None: ...
    def distances(self, location: int) -> list[int]: ...
    def steps(self, province: int) -> list[int]: ...
