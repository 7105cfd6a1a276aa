"""Batches of games: how they begin, what they take and refuse, how they end."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from bordeaux import BordeauxError, Map, Order, Position
from bordeaux.board.errors import OrderError
from bordeaux.board.order import OrderKind
from bordeaux.board.submission import submit
from bordeaux.env import Batch, order_table
from bordeaux.players.base import Turn
from bordeaux.players.hold_and_random import RandBot
from bordeaux.rules.rulesets import RuleSet
from tests.patience import PATIENCE
from tests.players.playing import standard


def equal(one: tuple[np.ndarray, ...], other: tuple[np.ndarray, ...]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def run(batch: Batch, phases: int) -> list[tuple[np.ndarray, ...]]:
    """Random play: observations, legal orders and steps."""
    seen: list[tuple[np.ndarray, ...]] = []
    for _ in range(phases):
        seen += [batch.observe(), batch.legal(), batch.step(batch.random())]
    return seen


def test_a_batch_begins_where_the_map_does() -> None:
    batch = Batch(2)
    assert batch.position(1) == Position.start()
    seen, legal = batch.observe(), batch.legal()
    assert seen.units.shape == (2, 75, 3) and seen.centres[0].tolist() == [3, 3, 3, 3, 3, 4, 3]
    assert np.diff(legal.rows).tolist() == [3, 3, 3, 3, 3, 4, 3] * 2
    assert (seen.last_orders == -1).all() and not seen.last_results.any()


@pytest.mark.parametrize("threads", [3, 7])
def test_any_number_of_threads_gives_the_same(threads: int) -> None:
    how: dict[str, Any] = {"seed": 5, "until": 1904, "autoreset": True}
    alone, together = Batch(7, **how), Batch(7, threads=threads, **how)
    assert all(map(equal, run(alone, 40), run(together, 40)))


def test_threads_of_the_caller_take_turns() -> None:
    batch = Batch(500, until=1903, seed=1, autoreset=True)

    def play(phases: int) -> None:
        for _ in range(phases):
            batch.random()
            batch.step()
            batch.reset([0])

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as crew:
            list(crew.map(play, [60] * 4))
    finally:
        sys.setswitchinterval(interval)
    legal = batch.legal()
    assert legal.rows[-1] == len(legal.provinces) == len(batch.random())


def test_orders_are_indices_numbers_codes_or_texts() -> None:
    texts = {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "ITALY": ["A VEN H"]}
    expected = Position.start().next(texts)
    powers = Map.standard().powers
    batch = Batch(1)
    codes = np.zeros((1, 7, 2), np.uint64)
    numbers = np.full((1, 7, 2), -1)
    indices = np.full(22, -1)
    legal = batch.legal()
    for item in submit(Position.start(), texts).orders:
        power = powers.index(item.power)
        place = int(np.count_nonzero(codes[0, power]))
        codes[0, power, place] = item.code
        numbers[0, power, place] = batch.table.number(str(item.order))
        for row in range(22):
            listed = legal.orders[legal.starts[row] : legal.starts[row + 1]].tolist()
            if numbers[0, power, place] in listed:
                indices[row] = listed.index(numbers[0, power, place])
    given: list[Any] = [codes, numbers, indices, [texts]]
    given.append([{"France": [Order(OrderKind.MOVE, "A", "PAR", destination="BUR"), "Mar S Par - Bur"]}])
    for orders in given:
        batch.reset()
        batch.step(orders)
        assert batch.position(0) == expected
    batch.reset()
    batch.step()
    assert batch.position(0) == Position.start().next({})


TABLE = Batch(1).table
NUMBER, COUNT = TABLE.number, len(TABLE)


def three(order: int | str, power: int = 2) -> np.ndarray:
    """One order for game 1 of 2, by number in the table."""
    numbers = np.full((2, 7, 2), -1)
    numbers[1, power, 1] = NUMBER(order) if isinstance(order, str) else order
    return numbers


@pytest.mark.parametrize(
    ("orders", "said"),
    [
        (three("A VEN H"), "game 1, FRANCE: A VEN H is for no unit of the power"),
        (three("A MAR - SPA VIA"), "game 1, FRANCE: A MAR - SPA VIA is not legal"),
        (three(COUNT), f"game 1, FRANCE: no order {COUNT} in a table of {COUNT}"),
        (three(-2), "game 1, FRANCE: no order -2"),
        (np.zeros(43, int), "43 indices for 44 rows"),
        (
            np.where(np.arange(44) == 30, 99, 0),
            "game 1, FRANCE: row 30 has no order 99; it has 0 to 10, and -1 for none",
        ),
        (np.full(44, 2**64 - 1, np.uint64), "row 0 has no order 9223372036854775807"),
        ([[0, 1], [2]], "of uneven length"),
        ([{}, {"FRANCE": None}], "game 1: orders of FRANCE must be a list"),
        ([{}, 5], "game 1: orders are a mapping of powers"),
        ([{}, {5: ["A PAR H"]}], "game 1: unknown power '5'"),
        (np.zeros((2, 6, 1), int), r"not int64\[2, 6, 1\]"),
        (np.full((2, 7, 1), 2**60, np.uint64), "names nothing that is on the map"),
        ([{}, {"FRANCE": ["A PAR - ROM"]}], "game 1, FRANCE: A PAR - ROM: A PAR cannot go to ROM"),
        ([{}, {"FRANCE": ["A PAR x BUR"]}], "game 1: order 'A PAR x BUR'"),
        (
            [{"FRANCE": ["A PAR H", "A PAR - BUR"]}, {}],
            "game 0, FRANCE: A PAR - BUR: the unit has an order already",
        ),
        ([{}], "orders of 1 games, and there are 2"),
        ({"FRANCE": []}, "a list with a mapping"),
    ],
)
def test_bad_orders_change_no_game(orders: Any, said: str) -> None:
    batch = Batch(2, threads=2)
    batch.step([{"GERMANY": ["A MUN - RUH"]}] * 2)
    batch.reset([0, 1])
    with pytest.raises(BordeauxError, match=said):
        batch.step(orders)
    assert batch.position(0) == batch.position(1) == Position.start()
    assert batch.step(batch.random()).ended.tolist() == [False, False]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"games": 0}, "games must be a whole number from 1 to 16777216, not 0"),
        ({"games": True}, "games must be a whole number from 1 to 16777216, not True"),
        ({"games": 1, "threads": 0}, "threads must be a whole number from 1 to 256, not 0"),
        ({"games": 1, "until": -1}, "until must be a whole number from 1901 to 9999, not -1"),
        ({"games": 1, "seed": -1}, "seed must be a whole number from 0 to 18446744073709551615, not -1"),
        ({"games": 1, "scoring": "most"}, r"no scoring 'most' \(squares, draw, solo\)"),
        ({"games": 1, "rules": "daide"}, "rules daide cannot be had"),
        ({"games": 1, "map": "pure", "start": Position.start()}, "a position on map standard"),
        ({"games": 1, "start": "start"}, "start must be a Position, not 'start'"),
        ({"games": 1, "rules": None}, "rules must be a rule set or its name, not None"),
        ({"games": 1, "opponents": ["hold"]}, "an opponent must be a text like 'dumbbot'"),
        ({"games": 1, "own": ["FRANCE"]}, "own names your powers beside opponents"),
        ({"games": 1, "opponents": "hold", "own": 5}, "own must be a list of powers, not 5"),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(BordeauxError, match=said):
        Batch(**arguments)


def solo() -> Position:
    """France takes its 18th centre with this Fall."""
    turkish = ["CON", "ANK", "SMY"]
    others = [tag for tag in Map.standard().centres if tag not in (*turkish, "SPA")][:17]
    units = {"TURKEY": ["A CON", "F ANK", "A SMY"], "FRANCE": ["A GAS"]}
    return standard("F1905M", units, {"FRANCE": others, "TURKEY": turkish})


def test_a_solo_ends_a_game() -> None:
    for scoring in ("squares", "draw", "solo"):
        batch = Batch(2, start=solo(), scoring=scoring)
        step = batch.step([{}, {"FRANCE": ["A GAS - SPA"]}])
        assert step.ended.tolist() == [False, True] and not step.scores[0].any()
        batch.step()
        assert batch.observe().phases[1].tolist() == [1, 3]
        assert step.scores[1].tolist() == [0, 0, 1, 0, 0, 0, 0]
        assert batch.position(1).victor == "FRANCE"
        assert np.diff(batch.legal().rows)[7:].tolist() == [0] * 7
        assert not batch.step().ended[1]
    with pytest.raises(BordeauxError, match="game 1, FRANCE: A SPA H is for a game that is over"):
        batch.step(three("A SPA H"))


def test_a_draw_needs_all_that_are_alive() -> None:
    batch = Batch(3, start=solo(), scoring="draw")
    votes = np.zeros((3, 7), bool)
    votes[0] = True
    votes[1, [2, 6]] = True
    votes[2, 2] = True
    step = batch.step([{}, {"FRANCE": ["A GAS - SPA"]}, {}], draws=votes)
    assert step.ended.tolist() == [True, True, False]
    assert step.scores[1].tolist() == [0, 0, 0.5, 0, 0, 0, 0.5]
    assert batch.position(1) == solo()
    with pytest.raises(BordeauxError, match=r"votes for a draw are bool\[3, 7\], not int64\[7\]"):
        batch.step(draws=np.zeros(7, int))


def test_finished_games_begin_anew_if_asked() -> None:
    batch = Batch(2, start=solo(), autoreset=True)
    step = batch.step([{}, {"FRANCE": ["A GAS - SPA"]}])
    assert step.ended.tolist() == [False, True]
    assert batch.position(1) == solo() and batch.position(0) != solo()
    assert (batch.observe().last_orders[1] == -1).all()


def test_reset_is_for_some_games_and_to_any_position() -> None:
    batch = Batch(3)
    batch.step(batch.random())
    moved = batch.position(0)
    batch.reset([1])
    assert [batch.position(game) == Position.start() for game in range(3)] == [False, True, False]
    batch.reset(np.array([True, False, False]), solo())
    assert batch.position(0) == solo()
    batch.reset([])
    assert batch.position(1) == Position.start()
    for wrong, said in (
        ([3], "there is no game 3: they are 0 to 2"),
        ([0.5], r"not float64\[1\]"),
        ([-1], "no game -1"),
    ):
        with pytest.raises(BordeauxError, match=said):
            batch.reset(wrong)
    batch.reset(0, moved)
    assert batch.position(0) == moved


def test_winter_has_a_row_for_each_build_and_each_removal() -> None:
    units = {"FRANCE": ["A SPA"], "ITALY": ["A NAP", "A ROM"]}
    start = standard("W1901A", units, {"FRANCE": ["BRE", "PAR", "MAR"], "ITALY": ["NAP"]})
    batch = Batch(1, start=start)
    legal = batch.legal()
    texts = [
        [batch.table.texts[order] for order in legal.orders[legal.starts[row] : legal.starts[row + 1]]]
        for row in range(3)
    ]
    builds = ["A BRE B", "F BRE B", "A MAR B", "F MAR B", "A PAR B", "WAIVE"]
    assert texts == [builds, builds, ["A NAP D", "A ROM D"]]
    assert batch.observe().due[0].tolist() == [0, 0, 2, 0, -1, 0, 0] and legal.provinces.tolist() == [255] * 3
    batch.step(np.array([0, 1, -1]))
    after = {str(unit) for unit in batch.position(0).units}
    assert after == {"A SPA", "A BRE", "A NAP"}
    batch.reset()
    numbers = np.full((1, 7, 3), -1)
    numbers[0, 2] = [NUMBER("A BRE B"), NUMBER("F MAR B"), NUMBER("A PAR B")]
    with pytest.raises(BordeauxError, match="A PAR B is one more than the builds or removals that are due"):
        batch.step(numbers)


def test_rules_may_take_the_land_route_first() -> None:
    start = standard("S1901M", {"ENGLAND": ["A LON", "F NTH"], "FRANCE": ["F ENG", "F SKA"]})
    orders = {
        "ENGLAND": ["A LON - YOR", "F NTH C A LON - YOR"],
        "FRANCE": ["F ENG - NTH", "F SKA S F ENG - NTH"],
    }
    ends = []
    for rules in (RuleSet("datc"), RuleSet("land", land_first=True)):
        batch = Batch(1, rules=rules, start=start)
        batch.step([orders])
        ends.append({str(unit) for unit in batch.position(0).units})
    assert "A LON" in ends[0] and "A YOR" in ends[1]


def copied(batch: Batch) -> Batch:
    made = Batch(batch.games)
    made.restore(batch.snapshot())
    return made


@pytest.mark.parametrize("copy_of", [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
@pytest.mark.parametrize("threads", [1, 3])
def test_a_copy_has_the_last_orders_and_goes_on_alike(
    copy_of: Callable[[Batch], Batch], threads: int
) -> None:
    batch = Batch(9, until=1903, threads=threads, opponents="dumbbot", own=["FRANCE"], autoreset=True)
    for _ in range(7):
        batch.step(batch.random())
    other = copy_of(batch)
    assert (
        equal(batch.observe(), other.observe())
        and equal(batch.observe(), copied(batch).observe())
        and (other.observe().last_orders >= 0).any()
    )
    batch.step(batch.random())
    assert not equal(batch.observe(), other.observe())
    other.step(other.random())
    assert equal(batch.observe(), other.observe())


def test_what_is_no_snapshot_is_refused() -> None:
    batch = Batch(3)
    states, *rest = batch.snapshot()
    batch.step()
    seen = batch.observe()
    for wrong in (5, (states,), Batch(2).snapshot(), (b"\xff" * len(states), *rest)):
        with pytest.raises(BordeauxError, match="no snapshot of 3 games on map standard"):
            batch.restore(wrong)  # type: ignore[arg-type]
    assert np.array_equal(batch.observe().units, seen.units)


@pytest.mark.parametrize(("spec", "players"), [("dumbbot", 0), ("hold", 0), ("random", 6)])
def test_opponents_order_for_all_powers_but_ones_own(spec: str, players: int) -> None:
    batch = Batch(2, until=1902, opponents=spec, own="FRANCE")
    batch.step([{"FRANCE": ["A PAR - GAS"], "ITALY": ["A VEN - APU"]}, {"FRANCE": ["A PAR - BUR"]}])
    seen = batch.observe()
    table, tag = batch.table, batch.provinces.index
    assert [table.texts[seen.last_orders[game, tag("PAR")]] for game in (0, 1)] == [
        "A PAR - GAS",
        "A PAR - BUR",
    ]
    assert spec != "hold" or seen.last_orders[0, tag("VEN")] == -1
    assert spec == "hold" or (seen.last_orders[0] >= 0).sum() == 20
    assert batch._opponents is not None and len(batch._opponents.players) == 2 * players
    while not batch.step().ended.any():
        pass
    assert not batch._opponents.players


def test_opponents_are_told_what_was_played_in_their_game(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Turn] = []
    monkeypatch.setattr(RandBot, "observe", lambda self, turn: told.append(turn))
    batch = Batch(2, opponents={"FRANCE": "random"})
    batch.step([{"ITALY": ["A VEN - TYR"]}, {}], only=[True, False])
    batch.step([{}, {"ITALY": ["A VEN H"]}], only=[False, True])
    assert [turn.before for turn in told] == [Position.start()] * 2
    assert [turn.after for turn in told] == [batch.position(0), batch.position(1)]
    assert [[str(order) for order in turn.orders["ITALY"]] for turn in told] == [["A VEN - TYR"], ["A VEN H"]]
    assert all(len(turn.orders["FRANCE"]) == 3 for turn in told)


def test_own_powers_are_flags_for_each_game() -> None:
    batch = Batch(2, opponents="hold")
    batch.own = np.eye(2, 7, dtype=bool).tolist()
    assert batch.own[1].tolist() == [False, True, *[False] * 5]
    wrong: Any
    for wrong in (np.zeros((1, 7), bool), np.zeros((2, 7), int), None, [[True], []]):
        with pytest.raises(BordeauxError, match="own powers are"):
            batch.own = wrong


def test_only_some_games_are_stepped() -> None:
    batch = Batch(3)
    batch.step(batch.random(), only=[True, False, True])
    assert [str(batch.position(game).phase)[0] for game in range(3)] == ["F", "S", "F"]
    with pytest.raises(BordeauxError, match=r"games to step are bool\[3\], not int64\[1\]"):
        batch.step(only=[1])


def test_a_child_after_a_fork_steps_with_threads_of_its_own() -> None:
    batch = Batch(40, threads=2, seed=5)
    batch.step(batch.random())
    child = os.fork()
    if not child:
        signal.alarm(int(PATIENCE))
        batch.step(batch.random())
        os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


INTERRUPTED = """
import os, signal, sys, threading, time
from bordeaux.env import Batch

threads = int(sys.argv[1])
batch, plain = Batch(600, threads=threads, seed=3), Batch(600, seed=3)

def interrupt():
    for _ in range(40):
        time.sleep(0.002)
        os.kill(os.getpid(), signal.SIGINT)

interrupting = threading.Thread(target=interrupt)
caught = 0
while caught < 10:
    try:
        if not interrupting.ident:
            interrupting.start()
        while interrupting.is_alive():
            batch.step(batch.random())
        break
    except KeyboardInterrupt:
        caught += 1
while interrupting.is_alive():
    try:
        interrupting.join()
    except KeyboardInterrupt:
        pass
signal.signal(signal.SIGINT, signal.SIG_IGN)
batch.reset()
batch.seed(3)
for _ in range(4):
    batch.step(batch.random())
    plain.step(plain.random())
same = all((one == other).all() for one, other in zip(batch.observe(), plain.observe()))
print(caught > 0, same)
"""


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.slow
def test_an_interrupt_leaves_no_thread_behind_that_steps(threads: int) -> None:
    """What a signal breaks off in the caller is done to its end before the next call."""
    command = [sys.executable, "-P", "-c", INTERRUPTED, str(threads)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.stdout == "True True\n", done.stderr


# The table of all orders: complete, without orders that can never be legal, and the same for ever.

# Nets are trained on these numbers: a change of either breaks them all.
ORDERS = 19331
DIGEST = "ec2f6e1cf090583197923940d174dee19b4944d554348b04fb9616331e02d540"


def test_numbers_of_the_standard_map_never_change() -> None:
    table = order_table()
    assert len(table) == len(set(table.texts)) == ORDERS
    assert table.digest == DIGEST
    assert table.texts[0] == "F ADR H" and table.texts[-1] == "WAIVE"


def test_codes_texts_and_numbers_say_the_same() -> None:
    table = order_table()
    numbers = np.arange(len(table)).reshape(-1, 1)
    assert np.array_equal(table.numbers(table.codes[numbers]), numbers)
    assert table.number("A PAR - BUR") == table.texts.index("A PAR - BUR")
    assert table.numbers([0]).tolist() == [-1]
    with pytest.raises(OrderError, match="no order 'A PAR - ROM' can be legal on map standard"):
        table.number("A PAR - ROM")
    wrong: Any
    for wrong in (2**63, -1, "A PAR - BUR", None):
        with pytest.raises(OrderError, match="no codes of orders on map standard"):
            table.numbers([wrong])
