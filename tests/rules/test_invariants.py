"""What must hold of every phase, whatever is in it."""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain

import numpy as np

from bordeaux import Map, Order, Position, adjudicate
from bordeaux._ext.rules.batch import adjudicate_many
from bordeaux.board.notation import parse_order
from bordeaux.board.order import OrderKind
from bordeaux.board.submission import submit
from bordeaux.formats.games import game_from_json
from bordeaux.formats.text import position_from_text
from tests.daide.recorded import order_from_daide, order_to_daide
from tests.oracle.board import province_of
from tests.oracle.scenarios import FLAVOURS, Seeded
from tests.rules.bridge import order as read
from tests.rules.playing import listed_orders, phases, scene

SEEDS = 12
"""Scenes of each flavour; each is played on for some phases."""

SOME = 40
"""Every how many phases all the legal orders are written and read, which takes long."""

LABELS = {
    "bounce": "bounced: ",
    "disrupted": "its convoy was broken",
    "no convoy": "no chain of fleets",
    "cut": "cut by ",
    "void": "void: ",
}
DONE = {
    OrderKind.HOLD: "holds",
    OrderKind.MOVE: "moved to ",
    OrderKind.SUPPORT_HOLD: "supports ",
    OrderKind.SUPPORT_MOVE: "supports ",
    OrderKind.CONVOY: "convoy",
    OrderKind.RETREAT: "retreated to ",
}
STRENGTHS = re.compile(r"its strength (\d+) is not more than the (\d+) of ")
OVERPOWERED = re.compile(r"dislodged by .* with strength (\d+)")

Orders = dict[str, list[Order]]


def scenes(flavour: str, seeds: int = SEEDS) -> Iterator[tuple[Position, Orders]]:
    """Movement phases of a flavour with their own orders, and the phases of random play after."""
    game_map = Map.standard()
    for seed in range(seeds):
        choose = Seeded(f"{flavour}{seed}")
        position, made = scene(game_map, flavour, choose)
        orders = {power: [read(text) for text in texts] for power, texts in made.orders.items()}
        yield position, orders
        yield from phases(position.next(orders), choose, 5)


def games(seeds: int = 3, length: int = 40) -> Iterator[tuple[Position, Orders]]:
    """Random games from the start."""
    for seed in range(seeds):
        yield from phases(Position.start(), Seeded(seed), length)


@functools.cache
def everything() -> list[tuple[Position, Orders]]:
    """Some hundreds of phases of every kind."""
    return [*chain.from_iterable(map(scenes, FLAVOURS)), *games()]


SIGNATURE = {
    "M": (168095, "a6bfaf682cbb07e8"),
    "R": (317, "0c19c69775757349"),
    "A": (4709, "9e99988ff068244b"),
}
"""By kind of phase: how many orders are legal in all phases, and what the positions after them hash to. Who
changes the rules on purpose takes the new ones from the failed comparison."""


def test_legal_orders_and_outcomes_have_their_signature() -> None:
    legal: Counter[str] = Counter()
    digests = {kind: hashlib.sha256() for kind in "MRA"}
    for position, orders in everything():
        kind = position.phase.kind
        legal[kind] += sum(
            len(codes) for units in position.packed.legal().values() for codes in units.values()
        )
        digests[kind].update(f"{position.next(orders)}\n".encode())
    assert {kind: (legal[kind], digest.hexdigest()[:16]) for kind, digest in digests.items()} == SIGNATURE


def test_reasons_say_what_results_say() -> None:
    for position, orders in everything():
        if position.phase.kind == "A":
            continue
        given = {order.province: order for listed in orders.values() for order in listed}
        outcome = adjudicate(position, orders)
        units = (
            position.units
            if position.phase.kind == "M"
            else [dislodged.unit for dislodged in position.dislodged]
        )
        for unit in units:
            words, reason = outcome.results[str(unit)], outcome.reasons[str(unit)]
            order = given.get(unit.province)
            main = [LABELS[word] for word in words if word in LABELS and word != "void"]
            if "void" in words:
                assert reason.startswith(LABELS["void"])
            elif position.phase.kind == "R" and words:
                assert reason.startswith("disbanded")
            elif main:
                assert reason.startswith(main[0]), reason
            else:
                assert reason.startswith(DONE[order.kind] if order else "holds"), reason
            assert ("dislodged by" in reason) == ("dislodged" in words)
            for strength, against in STRENGTHS.findall(reason):
                assert int(strength) <= int(against), f"{unit}: {reason}"
            for strength in OVERPOWERED.findall(reason):
                assert int(strength) >= 2, f"{unit}: {reason}"


def test_the_next_position_packs_as_it_is() -> None:
    for position, orders in everything():
        after = position.next(orders)
        if after.phase.kind == "-":
            # The name of a finished game does not tell its last year, so neither does its position.
            continue
        afresh = Position(after.map, after.phase, after.units, after.centres, after.dislodged)
        assert afresh == after
        assert afresh.packed.tobytes() == after.packed.tobytes()
        assert afresh.packed == after.packed
        assert Position.from_packed(after.map, afresh.packed) == after


def test_every_legal_order_is_read_as_it_is_written() -> None:
    seen: Counter[OrderKind] = Counter()
    for position, _ in everything()[::SOME]:
        state = json.loads(json.dumps(position.to_json()))
        assert Position.from_json(state) == position
        assert position_from_text(str(position)) == position
        written: dict[str, list[str]] = {}
        for power, places in listed_orders(position).items():
            for order in (order for orders in places.values() for order in orders):
                text = str(order)
                written.setdefault(power, []).append(text)
                seen[order.kind] += 1
                assert parse_order(text, position.map) == order
                assert parse_order(text, position.map, position) == order
                whole = order
                if order.kind == OrderKind.SUPPORT_MOVE:
                    # DAIDE names the province of a supported move, never its coast.
                    whole = order._replace(destination=province_of(order.destination))
                daide = order_to_daide(order, power, position)
                who, read = order_from_daide(daide, position.map)
                assert (who, read._replace(route=())) == (power, whole)
                [submitted] = submit(position, {power: [text]}).orders
                assert submitted.order == order
                assert not submitted.fault
        record = {"id": "game", "phases": [{"name": str(position.phase), "state": state, "orders": written}]}
        [phase] = game_from_json(json.loads(json.dumps(record))).phases
        assert {power: texts for power, texts in phase.orders.items() if texts} == written
        assert phase.state == state
    assert seen.keys() == set(OrderKind) - {OrderKind.WAIVE}


def test_a_batch_is_as_good_as_one_by_one() -> None:
    together = [(position, orders) for position, orders in everything() if position.phase.kind == "M"]
    rows, starts, codes, expected = [], [0], [], []
    for position, orders in together:
        given = submit(position, orders).codes()
        rows.append(np.frombuffer(position.packed.tobytes(), np.uint8))
        codes += [code for _, code in given]
        starts.append(len(codes))
        expected.append(position.packed.adjudicate(given)[0].tobytes())
    for rules in (0, 1):
        out = np.zeros((len(rows), len(rows[0])), np.uint8)
        adjudicate_many(
            Map.standard().tables,
            np.array(rows),
            np.array(starts, np.int64),
            np.array(codes, np.uint64),
            out,
            rules,
        )
        if rules == 0:
            assert [row.tobytes() for row in out] == expected
        for (position, orders), row in zip(together, out, strict=True):
            after, *_ = position.packed.adjudicate(submit(position, orders).codes(), rules)
            assert row.tobytes() == after.tobytes()
