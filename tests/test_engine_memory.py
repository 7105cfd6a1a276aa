"""A search leaves nothing behind: its spaces hold megabytes that Python's own collector does not see."""

import gc
from collections.abc import Callable
from itertools import islice

import pytest

from bordeaux import Engine, Position
from bordeaux._ext.search.expand import Expander
from bordeaux.engine import Limit, Request
from bordeaux.search.agreements import Agreement
from bordeaux.search.paper import AdjustmentSearch, Situation

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
HELD = (Situation, AdjustmentSearch, Expander)
PEACE = Agreement("peace", ("FRANCE", "ENGLAND"))

SEARCHES: dict[str, Callable[[], object]] = {
    "movement": lambda: Engine().search(START, "FRANCE", nodes=900),
    "all powers in Fall, where proofs are looked for": lambda: Engine().search_all(FALL, nodes=2500),
    "the way of the papers": lambda: Engine(without=["draws"]).search(START, "FRANCE", nodes=2500),
    "explained": lambda: Engine(explain=True).search(START, "FRANCE", nodes=900),
    "bound": lambda: Engine().search(START, "FRANCE", nodes=900, agreements=[PEACE]),
    "retreats": lambda: Engine().search(RETREATS, "GERMANY", nodes=900),
    "looked at once": lambda: list(islice(Engine().analyse(Request(START, limit=Limit(nodes=2500))), 2)),
}


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_a_search_ends_with_its_last_user(search: Callable[[], object]) -> None:
    gc.collect()
    before = {id(kept) for kept in gc.get_objects() if isinstance(kept, HELD)}
    gc.disable()
    try:
        search()
        left = [type(kept).__name__ for kept in gc.get_objects() if isinstance(kept, HELD)]
    finally:
        gc.enable()
    assert len(left) <= len(before), left
