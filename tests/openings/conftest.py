"""A small book that the tests share."""

import pytest

from bordeaux.board.map import Map
from bordeaux.openings import Book
from bordeaux.openings.making.build import Build, SearchSettings, Task, searched
from bordeaux.openings.making.combine import Searched
from bordeaux.openings.making.gathered import Gathered
from bordeaux.openings.making.opening_lines import trace_of
from tests.openings.small_book import game


def tiny_search(task: Task) -> Searched:
    """A search of a few hundred nodes."""
    return searched(task, SearchSettings(None, 300, 0, "default"))[1]


@pytest.fixture(scope="session")
def gathered() -> Gathered:
    """Twenty games, one of them with a power that sent nothing."""
    total = Gathered()
    for seed in range(20):
        total.add("human", trace_of(game(seed, silent=("ITALY",) if seed == 3 else ()), 4, Map.standard()))
    return total


@pytest.fixture(scope="session")
def build(gathered: Gathered) -> Build:
    """A book in the making out of these."""
    return Build(gathered, min_games=2, typical=6)


@pytest.fixture(scope="session")
def book(build: Build) -> Book:
    """The book, with its first three positions searched."""
    return build.book({task.key: tiny_search(task) for task in build.tasks()[:3]}, {"nodes": 300})
