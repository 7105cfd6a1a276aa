"""The numbers of google-deepmind/diplomacy: its list of actions, its boards, and what its README says."""

from __future__ import annotations

import hashlib
from random import Random

import numpy as np
import pytest

from bordeaux import Position
from bordeaux.board.notation import parse_order
from bordeaux.board.submission import encode
from bordeaux.formats.deepmind import AREAS, FEATURES, action_of, actions, board, legal_actions

#: Of the list in environment/action_list.py of that repository (commit 171f183), as int64 in little-endian.
DIGEST = "7119905c9e9e5ada690028961d5ba3d7aa2842458eaa05fd7f391d26ba122551"
#: Area numbers of its map with coasts.
VIE, ADR, SPA, SPA_NC, SPA_SC, STP, STP_NC, STP_SC = 12, 14, 75, 76, 77, 78, 79, 80
NO_CENTRES: dict[str, list[str]] = {}


def position(phase: str, centers: dict[str, list[str]] = NO_CENTRES, **units: list[str]) -> Position:
    return Position.from_json({"name": phase, "units": units, "centers": centers})


def number_of(text: str, where: Position, power: str) -> int:
    """The action of an order in a position."""
    code, fault = encode(where, power, parse_order(text, where.map, where))
    assert not fault
    action = action_of(code, removal=where.phase.kind == "A")
    assert action is not None
    return action


def fields(action: int) -> tuple[int, ...]:
    """Kind, and number and coast flag of the three areas."""
    areas = (action >> 8 & 255, action >> 16 & 255, action >> 24 & 255)
    return action & 255, *(part for area in areas for part in (area >> 1, area & 1))


def test_the_derived_list_is_the_published_one() -> None:
    listed = actions()
    assert hashlib.sha256(listed.astype("<i8").tobytes()).hexdigest() == DIGEST
    assert listed.shape == (18584,) and (listed >> 48 == np.arange(18584)).all()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("F MAO H", (3, 26, 0, 0, 0, 0, 0)),
        ("F MAO - SPA/NC", (4, 26, 0, 73, 0, 0, 0)),
        ("F MAO - SPA/SC", (4, 26, 0, 73, 1, 0, 0)),
        ("A POR - SPA", (4, 63, 0, 73, 0, 0, 0)),
        ("A POR - SPA VIA", (1, 63, 0, 73, 0, 0, 0)),
        ("A POR - BRE", (1, 63, 0, 51, 0, 0, 0)),
        ("F MAO C A POR - BRE", (2, 26, 0, 51, 0, 63, 0)),
        ("A POR S F MAO - SPA/SC", (6, 63, 0, 73, 0, 26, 0)),
        ("F MAO S A POR", (5, 26, 0, 63, 0, 0, 0)),
    ],
)
def test_an_order_has_the_fields_of_its_action(text: str, expected: tuple[int, ...]) -> None:
    assert fields(number_of(text, position("S1902M", FRANCE=["F MAO", "A POR"]), "FRANCE")) == expected


def test_orders_after_moves_have_actions_of_their_own() -> None:
    homes = {"RUSSIA": ["STP", "MOS", "WAR", "SEV"], "TURKEY": ["CON"]}
    winter = position("W1901A", homes, RUSSIA=["A WAR"], TURKEY=["A CON", "F AEG"])
    assert fields(number_of("F STP/NC B", winter, "RUSSIA")) == (11, 74, 0, 0, 0, 0, 0)
    assert fields(number_of("F STP/SC B", winter, "RUSSIA")) == (11, 74, 1, 0, 0, 0, 0)
    assert fields(number_of("A STP B", winter, "RUSSIA")) == (10, 74, 0, 0, 0, 0, 0)
    assert fields(number_of("WAIVE", winter, "RUSSIA")) == (13, 0, 0, 0, 0, 0, 0)
    assert fields(number_of("F AEG D", winter, "TURKEY")) == (12, 15, 0, 0, 0, 0, 0)
    before = position("S1901M", AUSTRIA=["A VIE", "A TYR"], ITALY=["A BOH"])
    retreat = before.next({"AUSTRIA": ["A VIE - BOH", "A TYR S A VIE - BOH"]})
    assert fields(number_of("A BOH R MUN", retreat, "ITALY")) == (9, 0, 0, 9, 0, 0, 0)
    assert fields(number_of("A BOH D", retreat, "ITALY")) == (8, 0, 0, 0, 0, 0, 0)


def test_every_legal_order_of_random_games_has_an_action() -> None:
    chance = Random(0)
    counted = 0
    for _ in range(3):
        now = Position.start()
        while now.phase.year < 1910 and now.phase.kind != "-":
            listed = legal_actions(now)
            codes = []
            for power, units in now.packed.legal().items():
                legal = [code for unit in units.values() for code in unit]
                given = {action_of(code, removal=now.phase.kind == "A") for code in legal}
                waives = {action for action in listed[power] if action & 255 == 13}
                assert given == set(listed[power]) - waives
                assert list(listed[power]) == sorted(listed[power])
                assert all(now.packed.is_legal(code, power) for code in listed[power].values())
                counted += len(legal)
                due = abs(now.adjustments(now.map.powers[power])) if now.phase.kind == "A" else len(units)
                codes += [(power, chance.choice(unit)) for unit in chance.sample(list(units.values()), due)]
            now = Position.from_packed(now.map, now.packed.adjudicate(codes)[0])
    assert counted > 20_000


@pytest.mark.parametrize("coast", ["NC", "SC"])
def test_one_action_supports_a_fleet_to_either_coast(coast: str) -> None:
    now = position("S1902M", FRANCE=["F MAO", "A GAS"], ITALY=["A SPA"])
    support = number_of("A GAS S F MAO - SPA/NC", now, "FRANCE")
    assert support == number_of("A GAS S F MAO - SPA/SC", now, "FRANCE")
    move = number_of(f"F MAO - SPA/{coast}", now, "FRANCE")
    legal = legal_actions(now)[now.map.powers.index("FRANCE")]
    france = now.map.powers.index("FRANCE")
    after = Position.from_packed(
        now.map, now.packed.adjudicate([(france, legal[support]), (france, legal[move])])[0]
    )
    assert [str(unit) for unit in after.units_of("FRANCE")] == ["A GAS", f"F SPA/{coast}"]


def test_the_board_of_the_start() -> None:
    table = board(Position.start())
    assert table.shape == (AREAS, FEATURES) and table.dtype == np.uint8
    # Three provinces note their centre in the areas of their two coasts as well.
    assert table.sum() == AREAS * 5 + 34 + 6
    assert np.flatnonzero(table[VIE]).tolist() == [0, 3, 15, 23, 24, 27]
    assert np.flatnonzero(table[ADR]).tolist() == [2, 10, 15, 23, 25]
    assert np.flatnonzero(table[SPA]).tolist() == [2, 10, 15, 23, 24, 34]
    # A fleet on a coast is in the area of the province and in that of its coast.
    assert np.flatnonzero(table[STP]).tolist() == [1, 8, 15, 23, 24, 32]
    assert np.flatnonzero(table[STP_SC]).tolist() == [1, 8, 15, 23, 26, 32]
    assert np.flatnonzero(table[STP_NC]).tolist() == [2, 10, 15, 23, 26, 32]


def test_an_army_is_on_no_coast_and_dislodged_units_stand_apart() -> None:
    before = position("S1902M", FRANCE=["F MAO", "A GAS"], ITALY=["A SPA"])
    after = before.next({"FRANCE": ["F MAO - SPA/NC", "A GAS S F MAO - SPA/NC"]})
    table = board(before)
    assert table[[SPA, SPA_NC, SPA_SC], 0].tolist() == [1, 0, 0]
    table = board(after)
    assert table[[SPA, SPA_NC, SPA_SC], 1].tolist() == [1, 1, 0]
    assert table[[SPA, SPA_NC, SPA_SC], 13].tolist() == [1, 0, 0]
    assert table[SPA, 16:24].tolist() == [0, 0, 0, 0, 1, 0, 0, 0]


def test_winter_shows_where_units_can_be_built_and_removed() -> None:
    homes = {"RUSSIA": ["STP", "MOS", "WAR", "SEV", "RUM"], "TURKEY": ["CON"]}
    winter = position("W1901A", homes, RUSSIA=["A WAR", "A RUM"], TURKEY=["A CON", "F AEG"])
    table = board(winter)
    assert np.flatnonzero(table[:, 11]).tolist() == [8, 66, STP, STP_NC, STP_SC]
    assert np.flatnonzero(table[:, 12]).tolist() == [15, 52]
    for phase in ("S1902M", "F1902M"):
        other = board(position(phase, homes, RUSSIA=["A WAR", "A RUM"], TURKEY=["A CON", "F AEG"]))
        assert not other[:, 11:13].any()
