"""Cross-check the rules against the PyPI package `diplomacy` on made-up movement phases.

    python tools/crosscheck.py --phases 100000

Needs an environment that holds both packages (`pip install '.[test]'`). Both packages adjudicate every
phase. The tests' oracle classifies the differences:

land route        a move to a neighbour that asks for a convoy, by `VIA` or by a fleet of its power,
                  goes by land there if no whole convoy is ordered, or without `VIA` if the convoy is
                  lost; here it stands (DATC 4.A.3, 6.G.8, 6.G.11)
support by sea    the victim's own power may help to dislodge it when the attacker has `VIA`;
                  here it may not (DATC 6.D.12)
retreats by sea   a unit that a convoyed army dislodged may retreat anywhere, to occupied and
                  contested provinces too; here nobody may (DATC 4.A.5 opens one province only)
circle            theirs satisfies the equations, but lets a circular movement stand still (DATC 6.C)
paradox           theirs breaks the rulebook's equations in the knot of a convoy paradox only, where
                  ours follows Szykman (DATC 4.A.2)
broken equations  theirs breaks the rulebook's equations (DATC 5.B) outside any paradox: an error
UNEXPLAINED       Bordeaux differs from the oracle

A reason that is a choice is verified. The oracle plays the phase by that choice, or by several together,
and must give the result of `diplomacy`. Exits with 1 when anything is unexplained.
"""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Callable
from itertools import chain, combinations, product
from pathlib import Path
from typing import NamedTuple

# At the end: the installed package must win over the source tree.
sys.path.append(str(Path(__file__).resolve().parent.parent))

import click
from diplomacy import Game

from bordeaux.board.map import Map
from bordeaux.cli.options import processes_option, whole
from bordeaux.cli.program import Script
from bordeaux.jobs import available_cores
from tests.oracle import Board, Outcome, resolve
from tests.oracle.board import province_of
from tests.oracle.equations import Equations, Values
from tests.oracle.orders import Order
from tests.oracle.scenarios import FLAVOURS, Scenario, Seeded, scenario
from tests.rules.bridge import core

PLAYS = {
    "random": ("random", "moves", "circles", "one power", "coasts"),
    "convoys": ("convoys", "paradoxes", "knots", "coast convoys"),
    "supports": ("supports",),
}

Units = frozenset[tuple[str, str]]
Retreats = frozenset[tuple[str, frozenset[str]]]


class After(NamedTuple):
    """The data for the comparison of both packages: undislodged units, and retreat options of dislodged
    ones."""

    units: Units
    retreats: Retreats


class SupportBySea(Equations):
    """The rules with supports against one's own power allowed for moves with `VIA`."""

    def attack(self, place: str, value: Values) -> int:
        """With the supports of everybody, where the order has `VIA`."""
        if not self.moves[place].via or not super().attack(place, value):
            return super().attack(place, value)
        return 1 + self.backing(place, value)


@click.command(cls=Script)
@click.option("--phases", type=whole(1, 10**9), default=3000, metavar="N", help="Phases in all.")
@click.option("--seed", default="", metavar="WORD", help="Makes other phases.")
@processes_option("Processes that compare.  [default: one a core]")
@click.option("--show", type=whole(0, 10**6), default=1, metavar="N", help="Examples printed of each reason.")
def main(phases: int, seed: str, processes: int | None, show: int) -> int:
    """Cross-check the rules against the PyPI package diplomacy. Exit code 1 when anything is unexplained."""
    start = time.perf_counter()
    share = -(-phases // len(PLAYS))
    jobs = [
        (play, f"{seed}{first}", min(500, share - first)) for play in PLAYS for first in range(0, share, 500)
    ]
    reasons: dict[str, Counter[str]] = {play: Counter() for play in PLAYS}
    examples: dict[str, list[str]] = {}
    with multiprocessing.Pool(processes or available_cores()) as pool:
        for play, counted, shown in pool.imap_unordered(run, jobs):
            reasons[play].update(counted)
            for reason, texts in shown.items():
                examples.setdefault(reason, []).extend(texts)
    report(reasons, examples, show)
    print(f"{sum(map(Counter.total, reasons.values()))} phases in {time.perf_counter() - start:.0f} s")
    return 1 if any(counted["UNEXPLAINED"] for counted in reasons.values()) else 0


def report(reasons: dict[str, Counter[str]], examples: dict[str, list[str]], show: int) -> None:
    """Print the number of phases by result, and examples of differences."""
    names = sorted(
        {reason for counted in reasons.values() for reason in counted}, key=lambda r: (r != "same", r)
    )
    print(f"{'':44}" + "".join(f"{play:>10}" for play in reasons))
    for name in names:
        print(f"{name:44}" + "".join(f"{counted[name]:10}" for counted in reasons.values()))
    for name in names:
        for text in sorted(examples.get(name, []), key=len)[: show if name != "UNEXPLAINED" else None]:
            print(f"\n{name}\n  {text}")


def run(job: tuple[str, str, int]) -> tuple[str, Counter[str], dict[str, list[str]]]:
    """Compare a number of phases of one kind of play; returns counts and examples by reason."""
    play, seed, count = job
    game_map = Map.standard()
    board = Board.of(game_map)
    counted: Counter[str] = Counter()
    shown: dict[str, list[str]] = {}
    for number in range(count):
        choose = Seeded(f"{play}{seed}{number}")
        phase = scenario(board, game_map.powers, FLAVOURS[choose.choice(PLAYS[play])], choose)
        reason, text = compare(board, phase, game_map)
        counted[reason] += 1
        if reason != "same":
            shown.setdefault(reason, []).append(text)
            shown[reason] = sorted(shown[reason], key=len)[:3]
    return play, counted, shown


def compare(board: Board, phase: Scenario, game_map: Map) -> tuple[str, str]:
    """The reason for which the packages differ on a phase ("same" if they agree), and the phase in words."""
    resolution = core(phase, game_map)
    ours = After(
        frozenset((unit.power, str(unit)) for unit in resolution.after.units),
        frozenset(
            (str(dislodged.unit), frozenset(dislodged.retreats))
            for dislodged in resolution.after.dislodged
            if dislodged.retreats
        ),
    )
    truth = resolve(board, phase.units, phase.orders)
    theirs, movers = diplomacy(phase)
    if ours != after(truth):
        reason = "UNEXPLAINED"
    elif ours == theirs:
        return "same", ""
    else:
        reason = explain(board, phase, truth, theirs, movers)
    return reason, f"{phase}\n  ours   {words(ours, theirs)}\n  theirs {words(theirs, ours)}"


def words(one: After, other: After) -> str:
    """The differences of one outcome to the other."""
    units = sorted(f"{power} {unit}" for power, unit in one.units - other.units)
    retreats = sorted(f"{unit} R {' '.join(sorted(goals))}" for unit, goals in one.retreats - other.retreats)
    return "; ".join([*units, *retreats]) or "-"


def after(outcome: Outcome) -> After:
    """An outcome of the oracle in the form for the comparison."""
    return After(
        frozenset((unit.power, str(unit)) for unit in outcome.units.values()),
        frozenset(
            (str(unit), frozenset(outcome.retreats[place]))
            for place, unit in outcome.dislodged.items()
            if outcome.retreats[place]
        ),
    )


def diplomacy(phase: Scenario) -> tuple[After, set[str]]:
    """The result of the PyPI package for a phase, and the provinces of units that it lets move."""
    game = Game()
    game.clear_units()
    for power in {unit.power for unit in phase.units}:
        game.set_units(power, [str(unit) for unit in phase.units if unit.power == power], reset=True)
    for power, texts in phase.orders.items():
        game.set_orders(power, texts)
    game.process()
    standing, retreats = set(), set()
    for name, power in game.powers.items():
        standing |= {(name, unit) for unit in power.units if not unit.startswith("*")}
        retreats |= {(unit, frozenset(goals)) for unit, goals in power.retreats.items() if goals}
    (results,) = game.result_history.values()
    free = {province_of(unit[2:]) for unit, result in results.items() if not result}
    return After(frozenset(standing), frozenset(retreats)), free


def explain(board: Board, phase: Scenario, truth: Outcome, theirs: After, movers: set[str]) -> str:
    """The choice of rules, or the smallest set of choices, by which the oracle agrees with the package."""
    choices = ("land route", "support by sea", "retreats by sea")
    for some in chain.from_iterable(combinations(choices, count) for count in (1, 2, 3)):
        orders = by_land(board, phase) if "land route" in some else phase.orders
        rules: type[Equations] = SupportBySea if "support by sea" in some else Equations
        outcome = resolve(board, phase.units, orders, rules)
        same: Callable[[Board, Outcome, After], bool] = (
            loosely_same if "retreats by sea" in some else exactly_same
        )
        if same(board, outcome, theirs):
            return ", ".join(some)
    if satisfied(board, phase, truth, movers, set()):
        return "circle"
    knots = {name for knot in truth.knots if knot.rule == "paradox" for name in knot.unknowns}
    return "paradox" if satisfied(board, phase, truth, movers, knots) else "broken equations"


def satisfied(board: Board, phase: Scenario, truth: Outcome, movers: set[str], but_not: set[str]) -> bool:
    """Whether their moves satisfy the equations of all orders except some."""
    units = {province_of(unit.location): unit for unit in phase.units}
    equations = Equations(board, units, truth.orders)
    values = {place: place in movers for place in equations.moves}
    free = sorted(but_not - set(equations.moves))
    for guess in product((False, True), repeat=len(free)):
        trial = values | dict(zip(free, guess, strict=True))
        # Convoys follow from the moves, supports from both.
        for place in chain(equations.convoys, equations.supports):
            if place not in trial:
                trial[place] = equations.demanded(place, trial.__getitem__)
        if all(equations.demanded(p, trial.__getitem__) == trial[p] for p in trial if p not in but_not):
            return True
    return False


def exactly_same(board: Board, outcome: Outcome, theirs: After) -> bool:
    """Whether an outcome of the oracle is theirs."""
    return after(outcome) == theirs


def loosely_same(board: Board, outcome: Outcome, theirs: After) -> bool:
    """Whether it is theirs if units dislodged by sea may retreat to every neighbour."""
    if after(outcome).units != theirs.units:
        return False
    goals = {unit: {province_of(goal) for goal in goals} for unit, goals in theirs.retreats}
    arrived = {outcome.orders[p].goal: p for p, tags in outcome.tags.items() if tags[0] == "succeeds"}
    for place, unit in outcome.dislodged.items():
        options = set(map(province_of, outcome.retreats[place]))
        if outcome.orders[arrived[place]].convoyed:
            options = set(map(province_of, board.steps[unit.kind, unit.location]))
        if goals.pop(str(unit), set()) != options:
            return False
    return not goals


def by_land(board: Board, phase: Scenario) -> dict[str, list[str]]:
    """The orders with moves without a complete convoy sent by land where that is possible: without their
    `VIA`, and without the convoys that would prevent it."""
    outcome = resolve(board, phase.units, phase.orders)
    book = outcome.orders
    afloat = [place for place, tags in outcome.tags.items() if tags == ("available",)]
    stranded = {
        order.origin: order.goal
        for order in book.values()
        if order.kind == "move"
        and (order.via or order.convoyed)
        and (order.verdict == "invalid" or (not order.via and not carried(board, book, order, afloat)))
        and board.step("A", order.origin, order.goal) is not None
    }

    def plain(text: str) -> str:
        order = book[province_of(text.split()[1])]
        if order.origin in stranded:
            return text.removesuffix(" VIA")
        if order.kind == "convoy" and stranded.get(order.subject) == order.goal:
            return " ".join([*text.split()[:2], "H"])
        return text

    return {power: [plain(text) for text in texts] for power, texts in phase.orders.items()}


def carried(board: Board, book: dict[str, Order], order: Order, afloat: list[str]) -> bool:
    """Whether intact convoys carry a move."""
    fleets = [f for f in afloat if book[f].subject == order.origin and book[f].goal == order.goal]
    return board.sea_link(order.origin, order.goal, fleets)


if __name__ == "__main__":
    main()
