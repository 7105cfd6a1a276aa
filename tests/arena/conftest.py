"""What tests of the arena share: jobs, and processes that know the troublemakers."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bordeaux.arena.job import Job, Result
from bordeaux.players.base import Limit

MakeJob = Callable[..., Job]


@pytest.fixture(scope="session")
def job() -> MakeJob:
    """A job of seven players, the last one repeated: ``job("random", "hold", seed=3)``."""

    def make(*seats: str, **rest: object) -> Job:
        filled = (*seats, *(seats[-1],) * (7 - len(seats)))
        plain = Job(0, filled, 0, Limit(nodes=10), 1903)
        return replace(plain, **rest)  # type: ignore[arg-type]

    return make


@pytest.fixture
def create(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name under which processes of the arena find the troublemakers."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    return "troublemakers:create"


def finished(
    index: int,
    seats: Sequence[str],
    centres: Sequence[int],
    winner: int | None = None,
    seconds: Sequence[float] = (0.0,) * 7,
    orders: Sequence[int] = (0,) * 7,
) -> Result:
    """A result of seven seats, made up; who has no centre at the end went out in 1910."""
    return Result(
        index=index,
        seats=tuple(seats),
        seed=index,
        end="stale" if winner is None else "solo",
        phase="W1920A",
        winner=winner,
        centres=((3, 3, 3, 3, 3, 4, 3), tuple(centres)),
        alive=tuple(count > 0 for count in centres),
        eliminated=tuple(None if count else 1910 for count in centres),
        faults=(),
        seconds=tuple(seconds),
        orders=tuple(orders),
        total=sum(seconds),
    )


def timeless(result: Result) -> Result:
    """A result without what depends on the clock."""
    return replace(result, seconds=(), total=0.0)
