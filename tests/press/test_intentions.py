"""Reading intentions: who is allied with whom, by what everybody did (paper 002, section 5)."""

from __future__ import annotations

from bordeaux import Engine
from bordeaux.press.intentions import Intentions
from bordeaux.press.pictures import Bloc
from tests.search.paper import MAP, board

#: A Fall in which Austria and Italy could take centres of each other that stand open, and both go east.
FALL = board(
    "F1902M",
    {
        "AUSTRIA": ["VIE", "BUD", "TRI", "SER", "GRE"],
        "ITALY": ["ROM", "VEN", "NAP", "TUN"],
        "TURKEY": ["CON", "ANK", "SMY", "BUL"],
        "RUSSIA": ["MOS", "WAR", "SEV", "STP", "RUM"],
    },
    {
        "AUSTRIA": ["A SER", "A BUD", "A GAL", "F GRE", "A VIE"],
        "ITALY": ["A VEN", "A ROM", "F ION", "F AEG"],
        "TURKEY": ["A BUL", "A CON", "F SMY", "F BLA"],
        "RUSSIA": ["A RUM", "A UKR", "A WAR", "F SEV", "F STP/SC"],
    },
)
ORDERS = {
    "AUSTRIA": ["A SER S A BUD - RUM", "A BUD - RUM", "A GAL S A BUD - RUM", "F GRE - BUL/SC", "A VIE - BUD"],
    "ITALY": ["A VEN H", "A ROM - APU", "F ION - EAS", "F AEG - SMY"],
    "TURKEY": ["A BUL - SER", "A CON - BUL", "F SMY - AEG", "F BLA S A CON - BUL"],
    "RUSSIA": ["A RUM H", "A UKR S A RUM", "A WAR - GAL", "F SEV S A RUM", "F STP/SC - BOT"],
}

if __name__ == "__main__":
    for seed in range(4):
        engine = Engine(seed=seed)
        seen = Intentions(MAP)
        seen.told("AUSTRIA", "ITALY", False, 1.5)
        print(seen.pair("AUSTRIA", "ITALY"), seen.allied("AUSTRIA", "ITALY"), seen.against("AUSTRIA", "ITALY"))
        print({str(k): round(v, 2) for k, v in seen.shares().items()})
        print(seen.observe(engine, FALL, ORDERS))
        for p, s in seen.pairs.items():
            print(p, {k: round(v, 2) for k, v in s.items()}, round(seen.allied(*p), 2), round(seen.against(*p), 2))
        print({str(k): round(v, 2) for k, v in seen.shares().items()})
