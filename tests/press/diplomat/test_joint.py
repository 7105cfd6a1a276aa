"""The game of two powers: values of pairs of sets, and how it is played without a word."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from bordeaux import Position, adjudicate, evaluate
from bordeaux.board.code import as_bytes, codes_in
from bordeaux.board.submission import decode
from bordeaux.evaluation import evaluator
from bordeaux.press.diplomat.joint import JointGame, JointSearch, Pair, solved
from bordeaux.search.sets import from_orders
from tests.search.paper.boards import board

from .accounts import MAP, SERBIA


def test_values_are_those_of_the_evaluation() -> None:
    ours = [from_orders(SERBIA, "AUSTRIA", [order]) for order in ("A BUD H", "A BUD S A TRI - SER")]
    theirs = [from_orders(SERBIA, "ITALY", [order]) for order in ("A TRI H", "A TRI - SER", "A TRI - BUD")]
    sample = from_orders(SERBIA, "TURKEY", ["A SER H", "A CON - BUL"])
    game = JointGame(SERBIA, evaluator(MAP), ("AUSTRIA", "ITALY"), [sample, sample])
    table = game.table(ours, theirs)
    assert table.shape == (2, 2, 3) and game.nodes == 2 * 2 * 3 * 2
    after = adjudicate(
        SERBIA,
        {"AUSTRIA": ["A BUD S A TRI - SER"], "ITALY": ["A TRI - SER"], "TURKEY": ["A SER H", "A CON - BUL"]},
    ).after
    values = evaluate(after)
    assert table[:, 1, 1] == pytest.approx([values["AUSTRIA"].value, values["ITALY"].value], rel=1e-5)
    by_sample = game.by_sample(ours, theirs)
    assert by_sample.shape == (2, 2, 3, 2) and by_sample.mean(axis=3) == pytest.approx(table)
    assert game.table(ours, theirs, 1) == pytest.approx(by_sample[..., 0])
    assert game.pair(ours[1], theirs[1]) == pytest.approx(tuple(table[:, 1, 1]))


def test_without_a_word_prisoners_stab() -> None:
    # The table of Hall and Loeb (1995), section 5, as two powers have it: to stab is better, whatever the
    # other does.
    table = np.array([[[0.0, 5.0], [-2.0, 3.0]], [[0.0, -2.0], [5.0, 3.0]]])
    often, worth = solved(table)
    assert often[0, 0] > 0.9 and worth[0] < 0.6
    assert often.sum() == pytest.approx(1.0)


#: A Russian army in Norway, with support: an English fleet alone brings no army there, a German army no
#: fleet.
NORWAY = board(
    "F1903M",
    {"ENGLAND": ["LON", "EDI"], "GERMANY": ["DEN", "KIE"], "RUSSIA": ["NWY", "STP", "SWE"]},
    {"ENGLAND": ["F NTH", "A EDI"], "GERMANY": ["F SKA"], "RUSSIA": ["A NWY"]},
)
#: Munich is Germany's, who holds it with two; France and Austria stand around it with three.
MUNICH = board(
    "F1904M",
    {"FRANCE": ["PAR", "MAR"], "AUSTRIA": ["VIE", "BUD", "TRI"], "GERMANY": ["MUN", "BER", "KIE"]},
    {"FRANCE": ["A BUR", "A RUH"], "AUSTRIA": ["A BOH"], "GERMANY": ["A MUN", "A BER"]},
)


def joint(position: Position, pair: tuple[str, str], rest: dict[str, list[str]]) -> JointSearch:
    """A search in the game of two powers, the others ordering what is said; all hold is the base."""
    sample = b"".join(from_orders(position, power, orders) for power, orders in rest.items())
    game = JointGame(position, evaluator(MAP), pair, [sample])
    base = game.pair(*holds(game))
    return JointSearch(MAP, game, base, lambda place, code: True, lambda: False)


def holds(game: JointGame) -> Pair:
    ours, theirs = (as_bytes([codes[0] for codes in options.values()]) for options in game.options)
    return ours, theirs


def alone(search: JointSearch) -> Pair:
    """What each would do by itself while the other holds, as a search for one power finds it."""
    pairs, (ours, theirs) = every_pair(search), holds(search.game)
    first = max((pair for pair in pairs if pair[1] == theirs), key=lambda pair: search.gains(pair)[0])
    second = max((pair for pair in pairs if pair[0] == ours), key=lambda pair: search.gains(pair)[1])
    return first[0], second[1]


def every_pair(search: JointSearch) -> list[Pair]:
    sets = [[as_bytes(codes) for codes in product(*options.values())] for options in search.game.options]
    return [(ours, theirs) for ours in sets[0] for theirs in sets[1]]


@pytest.mark.parametrize(
    ("position", "pair", "rest"),
    [
        (SERBIA, ("AUSTRIA", "ITALY"), {"TURKEY": ["A SER H", "A CON - BUL"]}),
        (SERBIA, ("ITALY", "AUSTRIA"), {"TURKEY": ["A SER - BUD", "A CON H"]}),
        (MUNICH, ("FRANCE", "AUSTRIA"), {"GERMANY": ["A MUN H", "A BER S A MUN"]}),
        (NORWAY, ("ENGLAND", "GERMANY"), {"RUSSIA": ["A NWY H"]}),
    ],
)
def test_a_climb_finds_nearly_the_best_of_all_pairs(
    position: Position, pair: tuple[str, str], rest: dict[str, list[str]]
) -> None:
    search = joint(position, pair, rest)
    best = max(map(search.value, every_pair(search)))
    start = alone(search)
    climb = search.climb(start)
    assert search.value(climb) >= 0.9 * best > 0
    assert search.value(climb) > search.value(start) or search.value(start) == best


def test_operations_need_both() -> None:
    search = joint(NORWAY, ("ENGLAND", "GERMANY"), {"RUSSIA": ["A NWY H"]})
    start = holds(search.game)
    texts = set()
    for change in search.operations:
        codes = [*change[0].values(), *change[1].values()]
        assert len(codes) in (2, 3) and change[1]
        orders = {str(decode(MAP, code)) for code in codes}
        texts |= orders
        after = search.after(start, change)
        assert set(codes) <= {*codes_in(after[0]), *codes_in(after[1])}
    assert {"F SKA S F NTH - NWY", "F NTH S F SKA - NWY", "F SKA - NWY"} <= texts
    # An army over the sea, with its own convoy and the partner's support.
    assert {"A EDI - NWY VIA", "F NTH C A EDI - NWY", "F SKA S A EDI - NWY"} <= texts
    # The best of them takes Norway.
    best = search.alone(start, 1)[0]
    assert any(str(decode(MAP, code)).endswith("- NWY") for code in (*best[0].values(), *best[1].values()))
    assert (
        min(search.gains(search.after(start, best))) > -50
        and max(search.gains(search.after(start, best))) > 50
    )
