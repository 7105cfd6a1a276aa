"""Rubbish for the core, and what its edges may say to it: shared by the tests that throw it.

What is read or written out of bounds shows on a core built with sanitizers, on which continuous integration
runs these tests as well (`make sanitize`; with BORDEAUX_FUZZ=2000 in the environment for longer).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from bordeaux import Map, Position
from bordeaux._ext.rules.packed import STATE_SIZE, Packed
from bordeaux._ext.value.influence import Evaluator
from bordeaux._ext.value.terms import TERMS
from tests.oracle.scenarios import Seeded
from tests.patience import examples
from tests.rules.playing import phases, scene

__all__ = [
    "ALTITUDES",
    "EVALUATOR",
    "MAP",
    "NUMBERS",
    "N_LOCATIONS",
    "N_POWERS",
    "N_PROVINCES",
    "ODD",
    "PLACES",
    "POSITIONS",
    "POWERS",
    "REFUSALS",
    "RELAXED",
    "TABLES",
    "TOKENS",
    "WEIGHTS",
    "codes",
    "or_odd",
    "packed_codes",
    "refusing",
    "use",
]

RELAXED = settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
# BufferError: what Python says of bytes, which cannot be written to.
REFUSALS = (ValueError, TypeError, IndexError, OverflowError, BufferError)

MAP = Map.standard()
TABLES = MAP.tables
N_LOCATIONS, N_PROVINCES, N_POWERS = len(MAP.locations), len(MAP.provinces), len(MAP.powers)
WEIGHTS = dict.fromkeys(TERMS, 1.0) | {"home_delay": 2, "dilute": 1}
ALTITUDES = [[[1.0] * N_PROVINCES] * N_POWERS] * 2
EVALUATOR = Evaluator(TABLES, WEIGHTS, ALTITUDES)
SCENES = [scene(MAP, flavour, Seeded(flavour))[0] for flavour in ("convoys", "supports", "knots", "coasts")]
POSITIONS = [
    Position.start(),
    *SCENES,
    *(position for scene in SCENES for position, _ in phases(scene, Seeded(1), 6)),
]

ODD = st.sampled_from([None, "x", b"x", 1.5, float("nan"), True, (), [], {}, object(), -1, 2**31, 2**64])
NUMBERS = st.one_of(
    st.integers(-2, 40), st.integers(0, 1100), st.sampled_from([255, 256, 1023, 1024, 65535, 65536, 2**32])
)
# Most are of a power.
POWERS = st.one_of(*[st.integers(0, N_POWERS - 1)] * 2, NUMBERS)
PLACES = st.one_of(st.integers(0, N_LOCATIONS - 1), st.integers(0, N_LOCATIONS - 1), st.integers(0, 65535))
TOKENS = st.builds(lambda power, place: (power + 1) << 10 | place, st.integers(-1, 10), PLACES)


@st.composite
def codes(draw: st.DrawFn, units: st.SearchStrategy[int] = PLACES) -> int:
    """The code of an order, in parts that may each be right."""
    parts = draw(st.tuples(st.integers(0, 11), st.integers(0, 3), units, PLACES, PLACES))
    return sum(part << shift for part, shift in zip(parts, (0, 8, 16, 32, 48), strict=True))


def or_odd(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Mostly from a strategy, sometimes something else altogether."""
    return st.one_of(*[strategy] * 12, ODD)


@contextlib.contextmanager
def refusing(*more: type[Exception]) -> Iterator[None]:
    """Nothing but a plain refusal may come out."""
    with contextlib.suppress(*REFUSALS, *more):
        yield


def use(packed: Packed) -> None:
    """Do everything with a position that the core took."""
    for power in range(-1, N_POWERS + 1):
        with refusing():
            packed.due(power)
            EVALUATOR.evaluate(packed, power)
    packed.victor()
    legal = packed.legal()
    assert packed.units() == packed.units() and len(packed.tobytes()) == STATE_SIZE
    chosen = [(power, listed[0]) for power, places in legal.items() for listed in places.values()]
    assert all(packed.is_legal(code, power) for power, code in chosen)
    with refusing():
        packed.adjudicate(chosen)


def packed_codes(listed: list[int]) -> bytes:
    return np.array(listed, np.uint64).tobytes()
