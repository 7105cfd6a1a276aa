"""Section 4.2 of Hall and Loeb, "Thoughts on Programming a Diplomat", worked again.

Prints the agenda tables 3 to 6 of the paper for Turkey's opening, by the rule of section 4.1, with the
paper's values beside them. The paper's levels contain an arithmetic error (959 for 926.67, 870 for 861.67);
the differences within a level are the same.

    python examples/paper_example.py
"""

from __future__ import annotations

import struct

from bordeaux import Position
from bordeaux.board.submission import decode
from bordeaux.evaluation import evaluator
from bordeaux.search.bestfirst import Maxims, best_first, search_space
from bordeaux.search.sets import from_orders

#: Table 2: what holding each province is worth to Turkey; everything else is worth nothing.
TABLE_2 = {
    "CON": 100, "ANK": 90, "SMY": 90, "SYR": 50, "ARM": 60, "BLA": 60, "SEV": 70,
    "RUM": 50, "BUL": 70, "GRE": 60, "AEG": 60, "EAS": 50, "ION": 50,
}  # fmt: skip

#: What the paper prints for the sets of its tables.
PRINTED = {
    "": 815,
    "A CON - BUL": 959,
    "F ANK - BLA": 870,
    "A SMY - ARM": 845,
    "F ANK - ARM": 845,
    "F ANK - BLA, A CON - BUL": 1014,
    "F ANK - CON, A CON - BUL": 1004,
    "A CON - BUL, A SMY - ARM": 979,
    "F ANK - ARM, A CON - BUL": 949,
    "F ANK - BLA, A CON - BUL, A SMY - ARM": 1034,
    "F ANK - BLA, A CON - BUL, A SMY - SYR": 1014,
    "F ANK - BLA, A CON - BUL, A SMY - CON": 1004,
    "F ANK - BLA, A CON - BUL, A SMY - ANK": 989,
}


class Example:
    """Turkey's first Spring, with all others holding, and the altitudes of Table 2."""

    def __init__(self) -> None:
        self.position = Position.start()
        judge = evaluator(self.position.map, "paper", {"TURKEY": TABLE_2})
        self.space = search_space(self.position, "TURKEY", judge, Maxims.named())
        self.hold = self.space.node_of(b"")
        self.space.set_seed(self.hold)

    def text(self, node: bytes) -> str:
        """The orders of a node, without holds."""
        codes = struct.unpack(f"<{self.space.n_units}Q", self.space.orders(node))
        orders = [str(decode(self.position.map, code)) for code in codes]
        return ", ".join(order for order in orders if not order.endswith(" H"))

    def node(self, *orders: str) -> bytes:
        """The partial set with these orders."""
        full = self.space.node_of(from_orders(self.position, "TURKEY", orders))
        chosen = struct.unpack(f"<{self.space.n_units}H", full)
        return struct.pack(f"<{self.space.n_units}H", *(choice or 0xFFFF for choice in chosen))

    def successors(self, node: bytes) -> list[tuple[float, str]]:
        """Every successor of a node with its value, best first."""
        self.space.forget()
        return [(value, self.text(choices)) for value, choices in self.space.expand(node, 1000)]

    def value(self, *orders: str) -> float:
        """The value of a set."""
        return float(self.space.value(self.node(*orders)))


def show(title: str, rows: list[tuple[float, str]]) -> None:
    """Print one agenda table."""
    print(f"\n{title}")
    for value, text in rows:
        printed = PRINTED.get(text)
        print(f"  {value:8.2f}  {{{text}}}" + (f"   (paper: {printed})" if printed else ""))


def main() -> None:
    """Print the tables, then the result of the whole search."""
    example = Example()
    root = example.space.root_node()
    show("Table 3, t = 0: the seed", [(example.space.value(root), "")])
    agenda = example.successors(root)
    show("Table 4, t = 1: every order of every unit", agenda)
    first = example.node("A CON - BUL")
    show("Table 5, t = 2: after A CON - BUL", example.successors(first))
    second = example.node("A CON - BUL", "F ANK - BLA")
    show("Table 6, t = 3: after A CON - BUL, F ANK - BLA", example.successors(second))
    example.space.forget()
    best = list(best_first(example.space, example.hold, lambda: False, 10_000))[-1]
    show("The best set by the rule", [(best.value, example.text(best.choices))])


if __name__ == "__main__":
    main()
