"""A search leaves nothing behind: its spaces hold megabytes that Python's own collector does not see."""

import gc
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

import pytest

from bordeaux import Engine, Position
from bordeaux.engine import Limit, Request
from bordeaux.search.agreements import Agreement

START = Position.start()
FALL = Position.from_json(START.to_json() | {"name": "F1901M"})
RETREATS = Position.from_json(
    {
        "name": "F1901R",
        "units": {"FRANCE": ["A MUN", "A BUR"], "GERMANY": ["*A MUN", "A BER"]},
        "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN", "BER"]},
        "retreats": {"GERMANY": {"A MUN": ["TYR", "BOH", "SIL", "KIE"]}},
    }
)
PEACE = Agreement("peace", ("FRANCE", "ENGLAND"))
FRANCE = Request(START, ("FRANCE",), Limit(nodes=900))

# What the engine is told, the request, and a class whose instances hold the memory of such a search.
SEARCHES: dict[str, tuple[dict[str, Any], Request, str]] = {
    "movement": ({}, FRANCE, "Contest"),
    "all powers in Fall, where proofs are looked for": (
        {},
        Request(FALL, limit=Limit(nodes=2500)),
        "Contest",
    ),
    "the way of the papers": (
        {"search": "paper"},
        Request(START, ("FRANCE",), Limit(nodes=2500)),
        "Expander",
    ),
    "explained": ({"explain": True}, FRANCE, "Contest"),
    "bound": ({}, Request(START, ("FRANCE",), Limit(nodes=900), agreements=[PEACE]), "Contest"),
    "retreats": ({}, Request(RETREATS, ("GERMANY",), Limit(nodes=900)), "Contest"),
    "retreats, the way of the papers": (
        {"search": "paper"},
        Request(RETREATS, ("GERMANY",), Limit(nodes=900)),
        "Contest",
    ),
}


def living() -> Counter[str]:
    """How many objects there are of each class of the package and the core, without those that are frozen."""
    classes = (type(kept) for kept in gc.get_objects())
    return Counter(kept.__name__ for kept in classes if str(kept.__module__).startswith("bordeaux."))


def at_most(answers: Iterable[object]) -> Counter[str]:
    """The most objects of each class that there are at any of the answers."""
    most: Counter[str] = Counter()
    for _ in answers:
        most |= living()
    return most


@contextmanager
def uncollected() -> Iterator[None]:
    """Without the collector, so that a circle of references stays. What there was before is frozen."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@pytest.mark.parametrize("looks", [None, 2], ids=["to the end", "left early"])
@pytest.mark.parametrize(("options", "request_", "holder"), SEARCHES.values(), ids=SEARCHES)
def test_a_search_ends_with_its_last_user(
    options: dict[str, Any], request_: Request, holder: str, looks: int | None
) -> None:
    # Nets and tables are read by the first search, and stay.
    Engine(**options).search_all(request_.position, nodes=300)
    with uncollected():
        during = at_most(islice(Engine(**options).analyse(request_), looks))
        after = living()
    assert during[holder] > 0
    assert after == Counter()
