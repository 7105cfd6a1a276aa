"""The sentence on every result: who stood in the way, how strongly, who cut, dislodged or convoyed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from bordeaux import Map, Position, adjudicate
from bordeaux.rules.threats import threats

MAP = Map.standard()
Orders = dict[str, list[str]]


def board(name: str, units: Orders, **more: Any) -> Position:
    return Position.from_json({"name": name, "units": units, "centers": {}, **more}, MAP)


def units_of(orders: Orders) -> Orders:
    """The units that the orders of a movement phase are for; what is in brackets is a unit without one."""
    return {
        power: [" ".join(text.strip("()").split()[:2]) for text in texts] for power, texts in orders.items()
    }


def reasons(orders: Orders) -> dict[str, str]:
    given = {power: [text for text in texts if text[0] != "("] for power, texts in orders.items()}
    return adjudicate(board("S1901M", units_of(orders)), given).reasons


CASES = """\
FRANCE: A PAR - BUR; (A MAR) | GERMANY: A MUN - BUR; F KIE H
    A PAR: bounced: its strength 1 is not more than the 1 of A MUN - BUR
    A MUN: bounced: its strength 1 is not more than the 1 of A PAR - BUR
    A MAR: holds: no order
    F KIE: holds
# A move after a unit that leaves dislodges nobody.
FRANCE: A PAR - BUR | GERMANY: A BUR - MUN
    A PAR: moved to BUR
    A BUR: moved to MUN
FRANCE: A PAR - BUR; A BUR H
    A PAR: bounced: A BUR of its own power stays in BUR
FRANCE: A PAR - BUR; A GAS S A PAR - BUR | GERMANY: A BUR H
    A PAR: moved to BUR, dislodging A BUR
    A BUR: holds; dislodged by A PAR with strength 2
# Nobody helps against a unit of its own.
FRANCE: A PAR - BUR | GERMANY: A BUR H; A MUN S A PAR - BUR
    A PAR: bounced: its strength 1 is not more than the 1 of A BUR in BUR
# Head on, the supports of the other's move count; of a move elsewhere they do not.
FRANCE: A PAR - BUR; A GAS S A PAR - BUR | GERMANY: A BUR - PAR; A PIC S A BUR - PAR
    A PAR: bounced: its strength 2 is not more than the 2 of A BUR in BUR
FRANCE: A PAR - BUR | GERMANY: A BUR - BEL; A HOL S A BUR - BEL | ENGLAND: F BEL H; F NTH S F BEL
    A PAR: bounced: its strength 1 is not more than the 1 of A BUR in BUR
    A BUR: bounced: its strength 2 is not more than the 2 of F BEL in BEL
# The attack of a unit of the same power cuts nothing.
GERMANY: A RUH - BUR; A MUN S A RUH - BUR; A BER - MUN | AUSTRIA: A TYR - MUN; A BOH - MUN
| FRANCE: A BUR H
    A MUN: cut by A BOH and A TYR
    A RUH: bounced: its strength 1 is not more than the 1 of A BUR in BUR
ENGLAND: A LON - NWY; F NTH C A LON - NWY
    A LON: moved to NWY by convoy
    F NTH: convoys A LON to NWY
ENGLAND: A LON H; F NTH C A LON - NWY
    F NTH: void: A LON was not ordered to NWY
ENGLAND: A LON - NWY VIA; F NTH H
    A LON: no chain of fleets was ordered to convoy it to NWY
# Of two convoys the one that was its own was broken.
ENGLAND: A LON - NWY; F NTH C A LON - NWY; A WAL - BRE; F ENG C A WAL - BRE
| GERMANY: F HEL - NTH; F DEN S F HEL - NTH | FRANCE: F MAO - ENG; F IRI S F MAO - ENG
    A LON: its convoy was broken: F NTH dislodged
    A WAL: its convoy was broken: F ENG dislodged
    F NTH: convoy broken; dislodged by F HEL with strength 2
# A convoy that cuts the support of the attack on itself (DATC 6.F.14).
ENGLAND: F LON S F WAL - ENG; F WAL - ENG | FRANCE: A BRE - LON; F ENG C A BRE - LON
    A BRE: its convoy was broken: F ENG dislodged
# And one that would cut the support without which it would be broken (DATC 6.F.16).
ENGLAND: F LON S F WAL - ENG; F WAL - ENG | FRANCE: A BRE - LON; F ENG C A BRE - LON
| GERMANY: F NTH S F BEL - ENG; F BEL - ENG
    A BRE: its convoy was broken: a paradox
    F ENG: convoys A BRE to LON
# Who has no convoy stands in nobody's way.
FRANCE: A PIC - BEL | GERMANY: A RUH - BEL | ENGLAND: A LON - BEL VIA; F NTH S A LON - BEL
    A PIC: bounced: its strength 1 is not more than the 1 of A RUH - BEL
FRANCE: A SPA H | ITALY: A MAR - SPA; A GAS S A MAR - SPA; F POR H; F LYO H; F MAO H; F WES H
    A SPA: holds; dislodged by A MAR with strength 2; it has nowhere to retreat to and is disbanded
"""
"""Orders of a phase by power, and the reasons below them."""


def cases() -> Iterator[tuple[Orders, dict[str, str]]]:
    """Each case of the text: its orders, and the reasons by unit."""
    text = re.sub(r"^#.*\n", "", CASES, flags=re.MULTILINE).replace("\n|", " |")
    for orders, *told in (case.split("\n    ") for case in re.split(r"\n(?=\S)", text.strip())):
        by_power = (part.split(": ") for part in orders.split(" | "))
        yield (
            {power: texts.split("; ") for power, texts in by_power},
            {line.partition(": ")[0]: line.partition(": ")[2] for line in told},
        )


@pytest.mark.parametrize(("orders", "expected"), [*cases()])
def test_a_movement_phase(orders: Orders, expected: dict[str, str]) -> None:
    given = reasons(orders)
    assert {unit: given[unit] for unit in expected} == expected


def test_an_order_that_cannot_be_is_told_beside_what_became_of_the_unit() -> None:
    orders = {"FRANCE": ["A PAR - BUR", "A GAS S A PAR - BUR"], "GERMANY": ["A BUR - MOS"]}
    assert reasons(orders)["A BUR"] == (
        "void: A BUR cannot go to MOS; holds: no order; dislodged by A PAR with strength 2"
    )
    assert reasons({"GERMANY": ["A BUR - MOS"]})["A BUR"] == "void: A BUR cannot go to MOS"


def test_retreats() -> None:
    position = board(
        "S1901R",
        {
            "FRANCE": ["A BUR", "A PIE"],
            "TURKEY": ["A BUD"],
            "GERMANY": ["A GAL", "*A BUR"],
            "ITALY": ["*A PIE", "*A GAL"],
            "AUSTRIA": ["*A BUD"],
        },
        retreats={
            "GERMANY": {"A BUR": ["GAS", "PAR"]},
            "ITALY": {"A PIE": ["MAR"], "A GAL": ["UKR", "WAR"]},
            "AUSTRIA": {"A BUD": ["RUM"]},
        },
    )
    orders = {"GERMANY": ["A BUR R PAR"], "ITALY": ["A PIE D", "A GAL R UKR"]}
    reasons = adjudicate(position, orders).reasons
    assert reasons == {
        "A BUR": "retreated to PAR",
        "A PIE": "disbanded as ordered",
        "A GAL": "retreated to UKR",
        "A BUD": "disbanded: no retreat was ordered",
    }


def test_winter() -> None:
    centers = {"FRANCE": ["PAR", "MAR", "BRE"], "GERMANY": ["BER"], "ITALY": ["ROM", "NAP"]}
    units = {"FRANCE": ["A BUR"], "GERMANY": ["A MUN", "F KIE", "A RUH"], "ITALY": ["A VEN"]}
    position = Position.from_json({"name": "W1901A", "units": units, "centers": centers}, MAP)
    orders = {
        "FRANCE": ["A PAR B", "WAIVE"],
        "GERMANY": ["A MUN D", "A PAR D"],
        "ITALY": ["F NAP B", "A ROM B"],
    }
    resolution = adjudicate(position, orders)
    assert resolution.reasons == {
        "A PAR": "built",
        "WAIVE": "waived",
        "A MUN": "removed",
        "A RUH": "removed by the rule for civil disorder: farthest from the centres of its power",
        "F NAP": "built",
        "A ROM": "void: ITALY owes no more than 1",
    }
    assert resolution.results["A ROM"] == ["void"] and resolution.results["A RUH"] == ["disband"]


# What the others can attack, and how strongly.


def at(units: dict[str, list[str]], centers: dict[str, list[str]] | None = None) -> Position:
    return Position.from_json({"name": "F1902M", "units": units, "centers": centers or {}})


def told(position: Position, power: str) -> dict[str, tuple[int, list[tuple[str, int]]]]:
    """Of each province the defence, and the attacks."""
    return {
        threat.province: (threat.defence, [(attack.power, attack.strength) for attack in threat.attacks])
        for threat in threats(position, power)
    }


def test_at_the_start_nobody_can_be_attacked_but_at_two_borders() -> None:
    start = Position.start()
    found = {power: told(start, power) for power in start.map.powers}
    assert found == {
        **{power: {} for power in start.map.powers},
        "AUSTRIA": {"TRI": (3, [("ITALY", 1)])},
        "ITALY": {"VEN": (2, [("AUSTRIA", 1)])},
        "GERMANY": {},
    }


def test_units_and_empty_centres_are_counted() -> None:
    position = at(
        {
            "FRANCE": ["A BUR", "A PAR"],
            "GERMANY": ["A MUN", "A RUH"],
            "ITALY": ["A PIE"],
            "ENGLAND": ["F ENG"],
        },
        {"FRANCE": ["MAR", "BRE", "POR"]},
    )
    assert told(position, "FRANCE") == {
        "BRE": (1, [("ENGLAND", 1)]),
        "MAR": (1, [("ITALY", 1)]),
        "BUR": (2, [("GERMANY", 2)]),
    }
    # Those in most danger come first; a unit that stands there already attacks nothing.
    stronger = at({"FRANCE": ["A BUR", "A PAR"], "GERMANY": ["A MUN", "A RUH", "A MAR"]}, {"FRANCE": ["MAR"]})
    (burgundy,) = threats(stronger, "fra")
    assert (burgundy.province, burgundy.defence, burgundy.attacks[0].strength) == ("BUR", 2, 3)
    assert set(burgundy.attacks[0].origins) == {"MUN", "RUH", "MAR"}


@pytest.mark.parametrize(
    ("fleets", "strength"),
    [
        # Two fleets by the coast: one carries and one supports, or both come themselves.
        (["F NTH", "F ENG"], 2),
        # A third one beside the way takes no support away.
        (["F NTH", "F ENG", "F HOL"], 3),
        # A fleet that reaches nothing itself carries one more: from NWG to NTH the army goes over both.
        (["F NTH"], 1),
        (["F SKA"], 0),
    ],
)
def test_a_convoy_counts_as_far_as_its_fleets_are_not_needed(fleets: list[str], strength: int) -> None:
    position = at({"ENGLAND": ["A LON", *fleets], "FRANCE": ["A BEL"]})
    found = told(position, "FRANCE").get("BEL", (1, [("ENGLAND", 0)]))
    assert found[1] == [("ENGLAND", strength)]
