"""The file of a learnt policy: what is read of it, and what is refused, in one line."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bordeaux import Map, Position, adjudicate
from bordeaux._ext.net.facts import Facts
from bordeaux._ext.net.memory import Memory
from bordeaux._ext.net.weights import SHAPES
from bordeaux.board.code import as_bytes
from bordeaux.board.phase import Phase
from bordeaux.policy.net import PolicyError, Seen, load_net, memory_of, movements_before
from bordeaux.policy.people import drawn_together
from bordeaux.search.beliefs import Beliefs
from bordeaux.search.sets import from_orders, in_full
from tests.core.nets import FACTS, weights
from tests.policy.reference import HEADER, write

ARRAYS: dict[str, Any] = {
    name: array.astype(np.float16) for name, array in weights(a=8, b=8, c=8, k=8).items()
}


def refused(path: Path) -> str:
    """What is said of a file."""
    with pytest.raises(PolicyError) as caught:
        load_net(path)
    (line,) = str(caught.value).splitlines()
    assert path.name in line
    return line


def test_a_file_gives_a_net(tmp_path: Path) -> None:
    path = write(tmp_path / "net.npz", ARRAYS, {**HEADER, "games": 12, "figures": {"units": 0.5}})
    assert load_net(path).n_rows == FACTS.n_rows
    whole = write(tmp_path / "whole.npz", {name: array.astype(np.float32) for name, array in ARRAYS.items()})
    assert load_net(whole).n_rows == load_net(path).n_rows


@pytest.mark.parametrize("name", list(SHAPES)[::8])
def test_a_net_that_lacks_an_array_or_has_it_in_another_shape(name: str, tmp_path: Path) -> None:
    rest = {key: array for key, array in ARRAYS.items() if key != name}
    assert name in refused(write(tmp_path / "lacks.npz", rest))
    assert name in refused(write(tmp_path / "flat.npz", rest | {name: ARRAYS[name].ravel()[None, None]}))


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((15, 5), np.int32),
        np.zeros((15, 5)),
        np.full((15, 5), np.nan, np.float16),
        np.array([["word"] * 5] * 15),
        np.array([[{}] * 5] * 15, object),
    ],
    ids=lambda position: str(position.dtype),
)
def test_numbers_that_are_none(array: Any, tmp_path: Path) -> None:
    refused(write(tmp_path / "net.npz", ARRAYS | {"second": array}))


@pytest.mark.parametrize(
    "header",
    [
        None,
        "words",
        [],
        {},
        {**HEADER, "format": 2},
        {**HEADER, "kind": "value"},
        {**HEADER, "map": "pure"},
    ],
)
def test_a_header_of_something_else(header: object, tmp_path: Path) -> None:
    assert "header" in refused(write(tmp_path / "net.npz", ARRAYS, header))


def test_a_header_that_is_no_text(tmp_path: Path) -> None:
    for number, array in enumerate((np.arange(9.0), np.array([0xFF, 0xFE], np.uint8), np.array(["{}"]))):
        np.savez(tmp_path / f"{number}.npz", header=array, **ARRAYS)
        assert "header" in refused(tmp_path / f"{number}.npz")
    np.savez(tmp_path / "none.npz", **ARRAYS)
    assert "header" in refused(tmp_path / "none.npz")


def test_damaged_files(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    refused(path)
    whole = write(path, ARRAYS).read_bytes()
    for content in (b"", b"PK", b"words", whole[:200], whole[:-30], whole[: len(whole) // 2]):
        path.write_bytes(content)
        refused(path)
    # One byte of the packed numbers is another.
    for place in range(100, len(whole), len(whole) // 20):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x5A]) + whole[place + 1 :])
        try:
            load_net(path)
        except PolicyError as error:
            assert len(str(error).splitlines()) == 1
    np.save(tmp_path / "lone.npy", ARRAYS["input"])
    refused(tmp_path / "lone.npy")
    (tmp_path / "text.json").write_text(json.dumps(HEADER))
    refused(tmp_path / "text.json")
    refused(tmp_path)


# What is drawn without replacement, against the sum over all orders of drawing.


def summed(shares: list[float], rest: float, blank: float, blanks: int) -> float:
    """The same, one order of drawing after the other."""
    total = 0.0
    for order in set(itertools.permutations([*range(len(shares)), *[-1] * blanks])):
        left, chance = rest + blank + sum(shares), 1.0
        for index in order:
            share = blank if index < 0 else shares[index]
            chance *= share / left
            left -= share if index >= 0 else 0.0
        total += chance
    return total


@pytest.mark.parametrize(
    ("shares", "rest", "blank", "blanks"),
    [
        ([0.5], 0.5, 0.0, 0),
        ([0.2, 0.1], 0.7, 0.0, 0),
        ([0.6, 0.3999], 0.0001, 0.0, 0),
        ([0.9, 1e-7, 1e-9], 0.1, 0.0, 0),
        ([1e-9, 2e-9], 1 - 3e-9, 0.0, 0),
        ([0.3, 0.2, 0.2, 0.1, 0.05], 0.15, 0.0, 0),
        ([0.3, 0.2], 0.4, 0.1, 0),
        ([0.3, 0.2], 0.4, 0.1, 2),
        ([0.3], 0.0, 0.7, 3),
        ([], 0.8, 0.2, 4),
    ],
)
def test_it_is_the_sum_over_the_orders_of_drawing(
    shares: list[float], rest: float, blank: float, blanks: int
) -> None:
    assert drawn_together(shares, rest, blank, blanks) == pytest.approx(
        summed(shares, rest, blank, blanks), rel=1e-6
    )


def test_all_that_can_be_drawn_together_is_sure_in_sum() -> None:
    shares = [0.4, 0.25, 0.2, 0.1, 0.05]
    total = math.fsum(
        drawn_together([shares[index] for index in drawn], 1 - math.fsum(shares[index] for index in drawn))
        for drawn in itertools.combinations(range(5), 3)
    )
    assert total == pytest.approx(1)
    assert drawn_together([0.7, 0.3], 0.0) == 1 and drawn_together([1.0], 0.0, 0.0, 1) == 0
    assert drawn_together([1 / 17] * 12, 5 / 17) == pytest.approx(1 / math.comb(17, 12))


# What the learnt net is told of the phases before: which they are, and whose orders of them count.

MAP = Map.standard()
WITH_MEMORY = Facts(MAP.tables, True)
START = Position.start()
SPRING = {"FRANCE": ["A PAR - BUR", "F BRE - MAO"], "GERMANY": ["A MUN S A PAR - BUR"]}
FALL = {"FRANCE": ["A MAR - SPA", "F MAO - POR"], "GERMANY": ["A BER - KIE", "F KIE - HOL"]}


def told(position: Position, memory: Memory | None) -> list[bytes]:
    """What each power sees of a position."""
    return [WITH_MEMORY.seen(position.packed, number, memory) for number in range(len(MAP.powers))]


def given(position: Position, orders: dict[str, list[str]]) -> list[tuple[int, bytes]]:
    """Orders as the core takes them; who has none holds."""
    sets = {power: from_orders(position, power, listed) for power, listed in orders.items()}
    return [
        (MAP.powers.index(power), as_bytes(in_full(position, power, codes).values()))
        for power, codes in sets.items()
    ]


@pytest.mark.parametrize(
    ("phase", "last", "before"),
    [
        ("S1903M", "F1902", "S1902"),
        ("S1903R", "S1903", "F1902"),
        ("F1903M", "S1903", "F1902"),
        ("F1903R", "F1903", "S1903"),
        ("W1903A", "F1903", "S1903"),
    ],
)
def test_the_movement_phases_before_a_phase(phase: str, last: str, before: str) -> None:
    movements = movements_before(Phase.parse(phase))
    assert [f"{season}{year}" for year, season in movements] == [last, before]


def test_beliefs_remember_the_last_two_movements() -> None:
    beliefs = Beliefs(MAP)
    fall = adjudicate(START, SPRING).after
    winter = adjudicate(fall, FALL).after
    assert memory_of(START, beliefs.seen) is None
    beliefs.observe(START, SPRING)
    assert told(fall, memory_of(fall, beliefs.seen)) == told(
        fall, Memory(MAP.tables, fall.packed, given(START, SPRING))
    )
    beliefs.observe(fall, FALL)
    assert str(winter.phase) == "W1901A"
    both = Memory(MAP.tables, winter.packed, given(fall, FALL), given(START, SPRING))
    assert told(winter, memory_of(winter, beliefs.seen)) == told(winter, both)
    # Each of the two phases is seen in what is told.
    assert told(winter, both) != told(winter, Memory(MAP.tables, winter.packed, given(fall, FALL)))


def test_what_is_older_is_forgotten() -> None:
    beliefs = Beliefs(MAP)
    beliefs.observe(START, SPRING)
    later = Position.from_json({**START.to_json(), "name": "S1903M"})
    assert memory_of(later, beliefs.seen) is None
    alone: Seen = {"FRANCE": {"F": (1902, {}), "S": (1901, {})}}
    known = memory_of(later, alone)
    assert known is not None and told(later, known) != told(later, None)
