"""The weights of a learnt policy."""

from collections.abc import Mapping
from typing import Any

SHAPES: Mapping[str, str]
WIDE_SHAPES: Mapping[str, str]
WIDTHS: Mapping[str, int]

class Net:
    @property
    def n_rows(self) -> int: ...
    @property
    def rounds(self) -> int: ...
    def __init__(self, arrays: Mapping[str, Any]) -> None: ...
    def arrays(self) -> dict[str, tuple[tuple[int, ...], bytes]]: ...
