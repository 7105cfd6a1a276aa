"""A small book that the tests share."""

import pytest

from bordeaux import Engine, Position
from bordeaux.board.map import Map
from bordeaux.openings import Book
from bordeaux.openings.guide import Searched
from bordeaux.openings.making.build import Build
from bordeaux.openings.making.gathered import Gathered
from bordeaux.openings.making.opening_lines import trace_of
from tests.openings.small_book import game


def tiny_search(position: Position) -> Searched:
    """A search of a few hundred nodes."""
    with Engine(seed=0) as engine:
        answers = engine.search_all(position, nodes=300)
    return {
        power: [(line.orders, line.value, line.probability) for line in answer.lines]
        for power, answer in answers.items()
        if answer.orders
    }


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
    return build.book({key: tiny_search(position) for key, position in build.tasks()[:3]}, {"nodes": 300})
