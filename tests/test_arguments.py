"""Arguments in Python: whatever a wrong kind stands for one, the answer is one line (`BordeauxError`)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from bordeaux import Agreement, Analysis, BordeauxError, Engine, Limit, Phase, Position, Request
from bordeaux.board.errors import MapError, PositionError
from bordeaux.board.order import Dislodged, Unit
from bordeaux.env import Batch, DiplomacyEnv, DiplomacyVectorEnv, order_table, parallel_env
from bordeaux.env.deepmind import AreaView, DiplomacyState
from bordeaux.rules.adjudication import adjudicate
from bordeaux.rules.rulesets import DATC

LARGE, NAMED = 2**70, {"FRANCE": [3]}
WRONG: tuple[Any, ...] = (
    None,
    True,
    -1,
    LARGE,
    float("nan"),
    "x",
    b"x",
    [1],
    [None],
    [[1], [2, 3]],
    {"x": 1},
    {5: [3]},
    NAMED,
    object(),
    np.zeros(3),
    np.zeros((2, 2, 2), np.uint64),
    Engine,
)
MAY_BE_RIGHT = (None, True, LARGE, Engine)
"""Nothing, a yes, a limit in nodes, and what can be called."""
OF_POWERS = ("powers", "stabbed_by")
"""What takes the names of powers out of anything, of a mapping too."""
START = Position.start()
ENDED = Position(START.map, Phase.COMPLETED, START.units, START.centres)
REQUEST = Request(START, ("FRANCE",), Limit(nodes=1))
ENGINE = Engine()


def asked(**given: Any) -> Iterator[Analysis]:
    return ENGINE.analyse(Request(**given))


def agreed(**given: Any) -> Request:
    return Request(START, agreements=[Agreement(**given)])


def stepped(actions_per_player: Any) -> None:
    DiplomacyState().step(actions_per_player)


def dislodged(power: Any, kind: Any, location: Any, retreats: Any) -> Position:
    return Position(START.map, "S1901R", (), {}, [Dislodged(Unit(power, kind, location), retreats)])


#: More fields of a request.
MORE = {"seeds": (), "previous": None, "given": None, "agreements": (), "lines": 1}
#: What is called, and the arguments that it needs.
CALLS: tuple[tuple[Callable[..., Any], dict[str, Any]], ...] = (
    (Position, {"map": START.map, "phase": START.phase, "units": START.units, "centres": START.centres}),
    (dislodged, {"power": "FRANCE", "kind": "A", "location": "PAR", "retreats": ["BUR"]}),
    (START.units_of, {"power": "FRANCE"}),
    (START.adjustments, {"power": "FRANCE"}),
    (START.next, {"orders": {}}),
    (adjudicate, {"position": START, "orders": {}, "rules": DATC}),
    (START.map.province, {"name": "PAR"}),
    (START.map.location, {"kind": "A", "name": "PAR"}),
    (START.map.adjacent, {"kind": "A", "name": "PAR"}),
    (START.map.distance, {"kind": "A", "name": "PAR"}),
    (Engine, {}),
    (ENGINE.search, {"position": START, "power": "FRANCE", "nodes": 1}),
    (ENGINE.lines, {"position": START, "power": "FRANCE", "sets": []}),
    (ENGINE.people, {"position": START, "power": "FRANCE"}),
    (ENGINE.foreseen, {"position": START, "power": "FRANCE", "orders": []}),
    (ENGINE.observe, {"position": START, "orders": {}}),
    (ENGINE.analyse, {"request": REQUEST}),
    (ENGINE.examine, {"request": REQUEST}),
    (ENGINE.measure, {"request": REQUEST}),
    (ENGINE.pools, {"request": REQUEST}),
    (asked, {"position": START, "powers": ("FRANCE",), "limit": Limit(nodes=1), "rules": DATC, **MORE}),
    (lambda time=1, nodes=1: Limit(time, nodes).checked(), {}),
    (agreed, {"kind": "peace", "parties": ("FRANCE", "ITALY"), "until": "", "trust": 1.0, "stabbed_by": ()}),
    (Batch, {"games": 1}),
    (Batch(1).step, {}),
    (Batch(1).reset, {}),
    (AreaView, {"batch": Batch(1)}),
    (DiplomacyState, {}),
    (stepped, {"actions_per_player": [[]] * 7}),
    (DiplomacyEnv, {}),
    (DiplomacyVectorEnv, {}),
    (parallel_env, {"max_cycles": 1}),
    (parallel_env().step, {"actions": {}}),
    (order_table, {}),
)
VARIABLE = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_no_wrong_kind_is_another_error(number: int) -> None:
    call, right = CALLS[number]
    named = inspect.signature(call).parameters
    names = {*right, *(name for name, parameter in named.items() if parameter.kind not in VARIABLE)}
    more = MORE if call in (ENGINE.search, ENGINE.lines) else {}
    for name in (*names, *more):
        for wrong in WRONG:
            try:
                call(**{**right, name: wrong})
            except BordeauxError as error:
                assert "\n" not in str(error)
            else:
                assert any(wrong is right for right in MAY_BE_RIGHT) or (
                    wrong is NAMED and name in OF_POWERS
                ), (name, wrong)


@pytest.mark.parametrize(
    "phase",
    [
        5,
        (1901, "S", "M"),
        Phase("1901", "S", "M"),  # type: ignore[arg-type]
        Phase(1901.5, "S", "M"),  # type: ignore[arg-type]
        Phase(True, "S", "M"),
        Phase(70000, "S", "M"),
        Phase(-1, "S", "M"),
        Phase(1901, "Q", "M"),
        Phase(1901, "W", "M"),
        Phase(1901, "S", "A"),
        Phase(1901, "-", "-"),
        Phase(1901, "S\n", "M"),
    ],
)
def test_a_position_is_of_a_phase_that_there_is(phase: Any) -> None:
    with pytest.raises(PositionError, match=r"^(there is no phase|phase must be)"):
        Position(START.map, phase, START.units, START.centres)


def test_the_end_of_a_game_has_no_orders() -> None:
    for call in (lambda: ENDED.next({}), lambda: adjudicate(ENDED, {})):
        with pytest.raises(PositionError, match="the game is over"):
            call()


def test_powers_go_by_their_tags_too() -> None:
    winter = Position(START.map, "W1901A", START.units[:-1], START.centres)
    for position in (START, winter):
        for power, tag in START.map.tags.items():
            assert position.units_of(tag) == position.units_of(power)
            assert position.adjustments(tag) == position.adjustments(power)
        for call in (position.units_of, position.adjustments):
            with pytest.raises(MapError, match="unknown power 'NOBODY'"):
                call("NOBODY")
