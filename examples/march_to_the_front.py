"""Hall and Loeb (1995), sections 4.3.3 and 4.3.4: how does an army built in Smyrna get to the front?

Turkey owns half of the board, and the front is far away, in Germany and the Tyrrhenian Sea, where all units
hold. In each phase the army follows the search: with and without regional goals, with and without gravity in
the evaluation. Prints the four ways.

    python examples/march_to_the_front.py
"""

from __future__ import annotations

import struct

from bordeaux import Map, Position, Unit
from bordeaux._ext.value.influence import Evaluator
from bordeaux.board.order import OrderKind
from bordeaux.board.submission import decode
from bordeaux.evaluation import altitudes, read_weights, with_goals
from bordeaux.metamap.goals import regional_goals
from bordeaux.search.config import SearchConfig
from bordeaux.search.paper import MovementSearch, Situation
from bordeaux.search.task import Budget, SearchTask

MAP = Map.standard()
#: Nothing else that would show an army its way: neither a policy, fast or learnt, nor playing on.
CONFIG = SearchConfig(search="paper", without="policy+people+league+beliefs")
UNITS = {
    "TURKEY": ["A BUD", "A VIE", "A TRI", "A VEN", "F TYS", "F ION", "A WAR", "A GAL", "A STP"],
    "GERMANY": ["A MUN", "A BOH", "A TYR", "A SIL", "A BER", "A PRU", "F SWE", "A NWY"],
    "FRANCE": ["F WES", "F LYO", "A PIE", "F TUN", "A MAR", "F SPA/SC"],
}
OTHERS = {
    "GERMANY": ["MUN", "KIE", "BER", "DEN", "HOL", "SWE", "NWY", "BEL"],
    "FRANCE": ["SPA", "POR", "PAR", "BRE", "MAR", "TUN"],
    "ENGLAND": ["LON", "LVP", "EDI"],
}
CENTRES = {
    "TURKEY": [centre for centre in MAP.centres if not any(centre in owned for owned in OTHERS.values())],
    **OTHERS,
}


def position(place: str, number: int = 0) -> Position:
    """The board with the army in a place, a number of movement phases after Spring 1908."""
    units = [Unit(power, text[0], text[2:]) for power, given in UNITS.items() for text in given]
    phase = f"{'SF'[number % 2]}{1908 + number // 2}M"
    return Position(MAP, phase, [*units, Unit("TURKEY", "A", place)], CENTRES)


def to_the_front(place: str) -> int:
    """Moves of the army from a place to the nearest foreign unit or centre."""
    moves = MAP.distance("A", place)
    foreign = [unit.split()[1][:3] for power, given in UNITS.items() if power != "TURKEY" for unit in given]
    foreign += [centre for owned in OTHERS.values() for centre in owned]
    return min(moves[province] for province in foreign if province in moves)


def judge(gravity: bool) -> Evaluator:
    """The default evaluation, with its gravity or without."""
    weights, shape = read_weights("default")
    changed = weights if gravity else {**weights, "gravity": 0}
    return Evaluator(MAP.tables, changed, altitudes(MAP, shape))


def march(*, goals: bool, gravity: bool, phases: int = 6, nodes: int = 20_000, seed: int = 0) -> list[str]:
    """The places of the army, phase after phase, beginning in Smyrna; all others hold."""
    way = ["SMY"]
    for number in range(phases):
        board = position(way[-1], number)
        worth = judge(gravity)
        if goals:
            raised = regional_goals(board, "TURKEY", seed).raised
            worth = with_goals(MAP, worth, {"TURKEY": raised})
        search = MovementSearch(Situation(SearchTask(board, CONFIG, seed), worth))
        for _ in search.run(["TURKEY"], Budget(nodes=nodes)):
            pass
        codes = search.lines("TURKEY", 1)[0][0]
        orders = [decode(MAP, code) for code in struct.unpack(f"<{len(codes) // 8}Q", codes)]
        order = next(order for order in orders if order.location == way[-1])
        free = order.kind == OrderKind.MOVE and board.unit_at(order.destination) is None
        way.append(order.destination if free else way[-1])
    return way


def main() -> None:
    """Print the four ways."""
    for goals in (True, False):
        for gravity in (True, False):
            way = march(goals=goals, gravity=gravity)
            name = f"goals {'on ' if goals else 'off'}  gravity {'on ' if gravity else 'off'}"
            print(f"{name}  {' '.join(way)}  (moves left: {to_the_front(way[-1])})")


if __name__ == "__main__":
    main()
