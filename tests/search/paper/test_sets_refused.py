"""Sets of orders as bytes of codes: whatever takes them refuses what is none."""

from __future__ import annotations

import struct
from collections.abc import Callable

import pytest

from bordeaux import Map, Position
from bordeaux._ext.search.expand import Expander
from bordeaux._ext.search.joint import CandidateGame, consequences
from bordeaux._ext.search.rollout import Rollout
from bordeaux.board.order import OrderKind
from bordeaux.evaluation import evaluator
from bordeaux.policy.dumbbot import DUMBBOT
from bordeaux.search.bestfirst import Maxims, search_space

MAP = Map.standard()
START = Position.start()
OFF_THE_MAP = len(MAP.locations)
FRANCE = MAP.powers.index("FRANCE")


def space_of_france() -> Expander:
    return search_space(START, "FRANCE", evaluator(MAP), Maxims.named())


READERS = {
    "a space's background": lambda orders: space_of_france().set_backgrounds([orders], [1.0]),
    "a node of a space": lambda orders: space_of_france().node_of(orders),
    "a candidate game": lambda orders: CandidateGame(START.packed, evaluator(MAP), {FRANCE: [orders]}),
    "what sets come to": lambda orders: consequences(START.packed, [orders], [b""]),
    "a rollout": lambda orders: Rollout(evaluator(MAP), DUMBBOT.chooser(MAP)).compare(
        START.packed, FRANCE, [orders], [b""], 0, [1]
    ),
}


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
@pytest.mark.parametrize(
    ("orders", "complaint"),
    [
        (b"\x01\x00\x00", "8 bytes for each unit"),
        (struct.pack("<Q", OrderKind.HOLD | OFF_THE_MAP << 16), "not on the map"),
        (struct.pack("<Q", OrderKind.MOVE | OFF_THE_MAP << 32), "not on the map"),
        (struct.pack("<Q", OrderKind.CONVOY | OFF_THE_MAP << 48), "not on the map"),
        (struct.pack("<Q", 200), "not on the map"),
    ],
)
def test_what_is_no_set_of_orders_is_refused(
    reader: Callable[[bytes], object], orders: bytes, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        reader(orders)
