"""Nets of random weights, and positions to show them: shared by the tests of the learnt policy."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bordeaux import Map, Position
from bordeaux._ext.net.facts import Facts
from bordeaux._ext.net.memory import Memory
from bordeaux._ext.net.weights import SHAPES, WIDE_SHAPES, Net
from bordeaux.board.code import as_bytes
from tests.policy.reference import OPTION

Arrays = dict[str, npt.NDArray[np.float32]]

MAP = Map.standard()
FACTS, NAMELESS = Facts(MAP.tables), Facts(MAP.tables, names=False)
SIZES = {"t": 15, "s": 5, "l": 20, "u": 1, "g": 30, "o": FACTS.order_rows, "p": FACTS.pattern_rows}


def weights(seed: int = 0, scale: float = 0.3, **widths: int) -> Arrays:
    """Arrays of a net that knows the standard map; `widths` by letter, else small ones that differ. With `n`
    rounds it is a wide net."""
    chance = np.random.default_rng(seed)
    sizes = SIZES | {"r": FACTS.n_rows, "a": 32, "b": 40, "c": 24, "k": 16, "e": 8, "q": 16} | widths
    sizes["d"] = sizes.get("n", 0) * sizes["c"]
    made = {
        name: (chance.standard_normal([sizes[letter] for letter in letters]) * scale).astype(np.float32)
        for name, letters in {**SHAPES, **(WIDE_SHAPES if sizes["d"] else {})}.items()
    }
    made["sharpness"][:] = 0.8
    return made


def net(seed: int = 0, **widths: int) -> Net:
    """A net of such weights."""
    return Net(weights(seed, **widths))


def options(position: Position, power: int, memory: Memory | None = None, facts: Facts = FACTS) -> np.ndarray:
    """The options of a power as records."""
    return np.frombuffer(facts.options(position.packed, power, memory), OPTION)


def remembered(position: Position, seed: int = 1) -> Memory:
    """A memory of random orders, as if everybody had stood before where they stand now."""
    chance = np.random.default_rng(seed)
    legal = position.packed.legal()
    given = [
        (power, as_bytes([int(chance.choice(np.array(codes, np.uint64))) for codes in units.values()]))
        for power, units in legal.items()
    ]
    return Memory(MAP.tables, position.packed, given, given)
