"""Sets that come to the same are written the same."""

import pytest

from bordeaux import Position
from bordeaux.openings import canonical

START = Position.start()
MAGINOT = ("F BRE - MAO", "A MAR S A PAR - BUR", "A PAR - BUR")


@pytest.mark.parametrize(
    ("power", "given", "expected"),
    [
        ("FRANCE", ["A PAR - BUR", "a mar s a par - bur", "F BRE - MAO"], MAGINOT),
        ("FRA", ["F BRE - MAO", "A PAR - BUR", "A MAR S PAR - BUR"], MAGINOT),
        ("FRANCE", [], ("F BRE H", "A MAR H", "A PAR H")),
        ("FRANCE", ["A PAR - LON", "A PAR - PIC", "A PAR - GAS"], ("F BRE H", "A MAR H", "A PAR - PIC")),
        ("FRANCE", ["A PAR - PIC", "A MAR S A PAR - BUR"], ("F BRE H", "A MAR H", "A PAR - PIC")),
        ("FRANCE", ["A PAR - PIC", "A MAR S A PAR"], ("F BRE H", "A MAR H", "A PAR - PIC")),
        ("FRANCE", ["A PAR H", "A MAR S A PAR"], ("F BRE H", "A MAR H", "A PAR H")),
        ("GERMANY", ["A MUN S A PAR - BUR"], ("A BER H", "F KIE H", "A MUN S A PAR - BUR")),
        ("FRANCE", ["nonsense", 7, None, "A BER - KIE"], ("F BRE H", "A MAR H", "A PAR H")),
        ("RUSSIA", ["F STP - BOT"], ("A MOS H", "F SEV H", "F STP/SC - BOT", "A WAR H")),
    ],
)
def test_movement(power: str, given: list[str], expected: tuple[str, ...]) -> None:
    assert canonical(START, power, given) == expected


def test_a_support_for_a_neighbour_that_stays_is_kept() -> None:
    assert canonical(START, "FRANCE", ["A PAR - BUR", "A MAR H", "F BRE - PIC"])[1] == "A MAR H"
    held = START.next({"FRANCE": ["A PAR - BUR"]})
    assert "A MAR S A BUR" in canonical(held, "FRANCE", ["A MAR S A BUR"])


def winter(owned: list[str], units: list[str]) -> Position:
    state = {"name": "W1901A", "units": {"FRANCE": units}, "centers": {"FRANCE": owned}}
    return Position.from_json(state)


def test_builds_are_sorted_and_the_rest_is_waived() -> None:
    position = winter(["PAR", "MAR", "BRE", "SPA", "POR"], ["A SPA", "F POR"])
    assert canonical(position, "FRANCE", ["A PAR B", "F BRE B"]) == ("A PAR B", "F BRE B", "WAIVE")
    assert canonical(position, "FRANCE", ["F BRE B", "A PAR B", "WAIVE"]) == ("A PAR B", "F BRE B", "WAIVE")
    assert canonical(position, "FRANCE", ["F BRE B", "A BRE B"]) == ("F BRE B", "WAIVE", "WAIVE")
    assert canonical(position, "FRANCE", []) == ("WAIVE",) * 3


def test_removals_are_no_more_than_are_due() -> None:
    position = winter(["PAR"], ["A PAR", "A SPA", "F POR"])
    removals = canonical(position, "FRANCE", ["F POR D", "A SPA D", "A PAR D"])
    assert removals == ("A SPA D", "F POR D")
    assert canonical(position, "FRANCE", []) == ()


def test_a_dislodged_unit_without_an_order_disbands() -> None:
    state = {
        "name": "F1901R",
        "units": {"FRANCE": ["A BUR"], "GERMANY": ["*A PAR"]},
        "centers": {"FRANCE": ["PAR"]},
        "retreats": {"GERMANY": {"A PAR": ["GAS", "PIC"]}},
    }
    position = Position.from_json(state)
    assert canonical(position, "GERMANY", []) == ("A PAR D",)
    assert canonical(position, "GERMANY", ["A PAR - GAS"]) == ("A PAR R GAS",)
