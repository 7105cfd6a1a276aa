"""What the others can attack, and how strongly."""

from __future__ import annotations

import pytest

from bordeaux import Position, adjudicate
from bordeaux.board.errors import MapError
from bordeaux.rules.threats import threats


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


def test_an_attack_that_is_stronger_than_all_defence_succeeds() -> None:
    """The word of the count is that of the rules."""
    position = at({"AUSTRIA": ["A VIE", "A BUD"], "RUSSIA": ["A GAL", "A BOH", "A TYR"]})
    (vienna, _) = threats(position, "AUSTRIA")
    assert (vienna.province, vienna.defence, vienna.attacks[0].strength) == ("VIE", 2, 3)
    orders = {
        "AUSTRIA": ["A VIE H", "A BUD S A VIE"],
        "RUSSIA": ["A GAL - VIE", "A BOH S A GAL - VIE", "A TYR S A GAL - VIE"],
    }
    assert adjudicate(position, orders).results["A VIE"] == ["dislodged"]
    orders["RUSSIA"].pop()
    assert adjudicate(position, orders).results["A VIE"] == []


def test_an_unknown_power_is_refused() -> None:
    with pytest.raises(MapError):
        threats(Position.start(), "SPAIN")
