"""Games recorded as columns of bytes while they are played, without Python."""

NAMES: tuple[str, ...]

class GameLog:
    def __init__(self) -> None: ...
    def columns(self) -> dict[str, bytes]: ...
