"""Arguments in Python: whatever a wrong kind stands for one, the answer is one line (`BordeauxError`)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from bordeaux import Agreement, Analysis, BordeauxError, Engine, Limit, Position, Request
from bordeaux.env import Batch, DiplomacyEnv, DiplomacyVectorEnv, order_table, parallel_env
from bordeaux.env.deepmind import AreaView, DiplomacyState
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
REQUEST = Request(START, ("FRANCE",), Limit(nodes=1))
ENGINE = Engine()


def asked(**given: Any) -> Iterator[Analysis]:
    return ENGINE.analyse(Request(**given))


def agreed(**given: Any) -> Request:
    return Request(START, agreements=[Agreement(**given)])


def stepped(actions_per_player: Any) -> None:
    DiplomacyState().step(actions_per_player)


#: More fields of a request.
MORE = {"seeds": (), "previous": None, "given": None, "agreements": (), "lines": 1}
#: What is called, and the arguments that it needs.
CALLS: tuple[tuple[Callable[..., Any], dict[str, Any]], ...] = (
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
    (parallel_env, {}),
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
