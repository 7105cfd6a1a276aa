"""The parts of the client that need no server: time, orders in DAIDE's words, one phase's messages."""

from __future__ import annotations

import pytest

from bordeaux import Order, Position
from bordeaux.daide import Table, translate
from bordeaux.daide import language as d
from bordeaux.daide.client.submission import PhaseSubmission, worded
from bordeaux.daide.client.thinking import margin, seconds_to_think
from tests.daide.client.house import BUILDS, FALL, RETREAT, STANDARD, board
from tests.daide.client.scripted import START


@pytest.mark.parametrize(("limit", "kept"), [(1, 1 / 3), (3, 1), (10, 1), (60, 3), (300, 15)])
def test_the_margin_is_a_second_or_a_part_of_the_limit(limit: float, kept: float) -> None:
    assert margin(limit) == pytest.approx(kept)


@pytest.mark.parametrize(
    ("wanted", "left", "kept", "seconds"),
    [
        (5.0, None, 0.0, 5.0),
        (5.0, 60.0, 3.0, 5.0),
        (5.0, 4.0, 1.0, 3.0),
        (None, 4.0, 1.0, 3.0),
        (None, None, 0.0, None),
        (5.0, -2.0, 1.0, 0.05),
    ],
)
def test_thinking_takes_what_is_wanted_or_what_is_left(
    wanted: float | None, left: float | None, kept: float, seconds: float | None
) -> None:
    assert seconds_to_think(wanted, left, kept) == seconds


CONVOYING = board("S1902M", {"FRANCE": "A BRE, F MAO, F WES, F LYO, F ENG", "GERMANY": "F NTH"})


@pytest.mark.parametrize(
    ("position", "power", "orders", "said"),
    [
        # Units without an order hold.
        (START, "FRANCE", "A PAR - BUR", "(FRA AMY PAR) MTO BUR; (FRA FLT BRE) HLD; (FRA AMY MAR) HLD"),
        # Builds are filled up with waives, and cut.
        (BUILDS, "FRANCE", "F BRE B", "(FRA FLT BRE) BLD; FRA WVE"),
        (BUILDS, "FRANCE", "WAIVE; A MAR B", "(FRA AMY MAR) BLD; FRA WVE"),
        (BUILDS, "FRANCE", "F BRE B; A MAR B; WAIVE", "(FRA FLT BRE) BLD; (FRA AMY MAR) BLD"),
        # A convoy goes by the fleets that are ordered to convoy.
        (
            CONVOYING,
            "FRANCE",
            "A BRE - TUN VIA; F MAO C A BRE - TUN; F WES C A BRE - TUN; F LYO H; F ENG H",
            "(FRA AMY BRE) CTO TUN VIA (MAO WES); ",
        ),
    ],
)
def test_orders_are_completed_and_put_into_words(
    position: Position, power: str, orders: str, said: str
) -> None:
    values, complaints = worded(position, power, orders.split("; "))
    assert "; ".join(map(str, values)).startswith(said) and complaints == []


def test_a_convoy_without_fleets_is_complained_about() -> None:
    orders, complaints = worded(START, "ENGLAND", ["A LVP - NWY"])
    assert "no fleets" in complaints[0] and len(orders) == 3


def order(text: str) -> d.Order:
    value: d.Order = d.read_part("order", text)
    return value


HOLD, MOVE = order("(FRA AMY PAR) HLD"), order("(FRA AMY PAR) MTO BUR")
FLEET = order("(FRA FLT BRE) HLD")
SPRING, WINTER = d.SeasonYear("SPR", 1901), d.SeasonYear("WIN", 1901)
HOLDING = d.NOT(d.GOF())


def texts(messages: list[d.Value]) -> list[str]:
    return [d.text(message) for message in messages]


class TestSubmission:
    def test_early_orders_wait_for_leave_and_come_no_oftener_than_the_gap(self) -> None:
        phase = PhaseSubmission(SPRING, [HOLD], early=True, gap=1.0)
        assert phase.begin() == [HOLDING]
        assert phase.offer([HOLD], 0.0) == []
        assert texts(phase.heard(d.YES(HOLDING), 0.1)) == ["SUB (SPR 1901) ((FRA AMY PAR) HLD)"]
        assert phase.offer([HOLD], 2.0) == []
        assert phase.offer([MOVE], 0.9) == []
        assert texts(phase.offer([MOVE], 1.2)) == ["SUB (SPR 1901) ((FRA AMY PAR) MTO BUR)"]
        assert texts(phase.finish()) == ["GOF"]
        assert phase.finish() == [] and phase.offer([HOLD], 9.0) == []

    def test_go_waits_for_the_answer_to_the_last_orders(self) -> None:
        phase = PhaseSubmission(SPRING, [HOLD, FLEET], early=False)
        assert phase.begin() == []
        phase.offer([MOVE, FLEET], 0.0)
        assert len(phase.finish()) == 1
        assert phase.heard(d.THX(MOVE, "MBV"), 0.0) == []
        assert texts(phase.heard(d.THX(FLEET, "MBV"), 0.0)) == ["GOF"]
        assert phase.go() == []

    def test_refused_orders_are_mended_twice_and_no_more(self) -> None:
        phase = PhaseSubmission(SPRING, [HOLD, FLEET], early=False)
        phase.offer([MOVE, FLEET], 0.0)
        phase.finish()
        missing = d.MIS((d.UnitAt(MOVE.unit, None),), None)  # type: ignore[union-attr]
        for _ in range(2):
            for order in phase.sent or ():
                note = "MBV" if order == FLEET else "FAR"
                assert phase.heard(d.THX(order, note), 0.0) == []
            assert texts(phase.heard(missing, 0.0)) == [
                "SUB (SPR 1901) ((FRA FLT BRE) HLD) ((FRA AMY PAR) HLD)"
            ]
        for order in phase.sent or ():
            phase.heard(d.THX(order, "NSU" if order == HOLD else "MBV"), 0.0)
        assert texts(phase.heard(missing, 0.0)) == ["GOF"]

    def test_a_refusal_without_a_missing_unit_changes_nothing(self) -> None:
        phase = PhaseSubmission(SPRING, [HOLD], early=False)
        phase.offer([MOVE], 0.0)
        assert len(phase.finish()) == 1
        assert phase.heard(d.THX(MOVE, "NYU"), 0.0) == []
        assert texts(phase.go_late()) == ["GOF"] and phase.go_late() == []

    def test_refused_builds_are_waived(self) -> None:
        build = order("(FRA AMY PAR) BLD")
        phase = PhaseSubmission(WINTER, [d.WVE("FRA"), d.WVE("FRA")], early=False)
        phase.offer([build, d.WVE("FRA")], 0.0)
        phase.finish()
        phase.heard(d.THX(build, "ESC"), 0.0)
        phase.heard(d.THX(d.WVE("FRA"), "MBV"), 0.0)
        assert texts(phase.heard(d.MIS(None, -1), 0.0)) == ["NOT (SUB)", "SUB (WIN 1901) (FRA WVE) (FRA WVE)"]

    def test_other_adjustments_take_back_the_first(self) -> None:
        phase = PhaseSubmission(WINTER, [], early=True)
        phase.offer([order("(FRA AMY PAR) BLD")], 0.0)
        phase.heard(d.YES(HOLDING), 0.0)
        phase.offer([order("(FRA AMY MAR) BLD")], 0.01)
        assert texts(phase.finish())[:1] == ["NOT (SUB)"]

    def test_a_new_connection_hears_it_all_again(self) -> None:
        phase = PhaseSubmission(SPRING, [HOLD], early=True)
        phase.begin()
        phase.offer([MOVE], 0.0)
        assert phase.again() == [HOLDING]
        phase.finish()
        assert texts(phase.again()) == ["SUB (SPR 1901) ((FRA AMY PAR) MTO BUR)"]

    def test_orders_thought_about_again_hold_the_phase_up(self) -> None:
        phase = PhaseSubmission(SPRING, [HOLD], early=False, awaits_go=False)
        assert phase.reopen() == []
        phase.offer([HOLD], 0.0)
        phase.finish()
        assert phase.heard(d.THX(HOLD, "MBV"), 0.0) == []
        assert phase.reopen() == [HOLDING] and phase.holding
        assert phase.offer([MOVE], 1.0) == []
        assert texts(phase.finish()) == ["SUB (SPR 1901) ((FRA AMY PAR) MTO BUR)"]
        assert texts(phase.heard(d.THX(MOVE, "MBV"), 0.0)) == ["GOF"] and not phase.holding

    def test_a_hold_that_may_have_come_too_late_is_lifted_in_the_next_phase(self) -> None:
        phase = PhaseSubmission(SPRING, [], early=False, awaits_go=False, holding=True)
        phase.offer((), 0.0)
        assert texts(phase.finish()) == ["GOF"]


def told(*messages: d.Value | str, at: float = 0.0, power: str = "FRA", options: str = "(LVL 0)") -> Table:
    """A table of the standard map that was told some messages."""
    table = Table()
    opening = (d.MAP("standard"), translate.mdf_of(STANDARD), f"HLO ({power}) (1) ({options})")
    for message in (*opening, *messages):
        if isinstance(message, str):
            message = d.read(message, side="server", level=130, lenient=True)
        table.take(message, at)
    return table


def position(of: Position) -> tuple[d.SCO, d.NOW]:
    return translate.sco_of(of), translate.now_of(of)


class TestTable:
    def test_a_phase_begins_with_now_and_its_limit(self) -> None:
        table = told(*position(START), at=100.0, options="(LVL 0) (MTL 30)")
        assert (table.turns, table.deadline, str(table.phase)) == (1, 130.0, "S1901M")
        table.take(d.TME(12), 110.0)
        assert table.deadline == 122.0
        table.take(d.NOT(d.TME(5)), 115.0)
        assert table.deadline is None and table.stopped
        table.take(d.TME(5), 200.0)
        assert table.deadline == 205.0 and not table.stopped

    def test_a_time_of_zero_without_limits_is_no_deadline(self) -> None:
        assert told(*position(START), "TME (0)").deadline is None
        limited = told(*position(START), "TME (0)", at=3.0, options="(LVL 0) (MTL 30)")
        assert limited.deadline == 3.0

    def test_the_position_waits_for_the_owners(self) -> None:
        sco, now = position(START)
        table = told(now)
        assert table.position is None
        table.take(sco, 0.0)
        assert table.position == START and table.turns == 1

    def test_what_was_played_is_kept_by_phase(self) -> None:
        results = (
            "ORD (SPR 1901) ((FRA AMY PAR) MTO BUR) (BNC)",
            "ORD (SPR 1901) ((GER AMY MUN) MTO BUR) (BNC)",
            "ORD (SPR 1901) ((FRA AMY MAR) SUP (FRA AMY PAR) MTO BUR) (CUT RET)",
        )
        table = told(*position(START), *results, results[0], *position(FALL))
        assert table.latest is not None and table.latest.before == START and table.latest.after == FALL
        assert {power: len(orders) for power, orders in table.latest.orders.items()} == {
            "FRANCE": 2,
            "GERMANY": 1,
        }
        assert {str(played.order): played.results for played in table.played[START.phase]} == {
            "A PAR - BUR": ("BNC",),
            "A MUN - BUR": ("BNC",),
            "A MAR S A PAR - BUR": ("CUT", "RET"),
        }
        assert str(table.last_orders()["GERMANY"][0]) == "A MUN - BUR"

    def test_a_convoy_without_a_goal_is_known_if_it_was_ours(self) -> None:
        table = told(*position(START))
        table.sent = (order("(FRA AMY PAR) CTO LON VIA (ECH)"),)
        table.take(d.read("ORD (SPR 1901) ((FRA AMY PAR) MTO VIA) (SUC)", side="server", lenient=True), 0.0)
        table.take(d.read("ORD (SPR 1901) ((ENG AMY LVP) MTO VIA) (SUC)", side="server", lenient=True), 0.0)
        assert [played.order.destination for played in table.played[START.phase]] == ["LON"]

    def test_a_position_that_cannot_be_is_refused_and_forgotten(self) -> None:
        table = told(*position(START))
        with pytest.raises(ValueError, match="unknown province"):
            table.take(
                d.NOW(d.SeasonYear("FAL", 1901), (d.UnitAt(d.Unit("FRA", "AMY", d.Place("XXX")), None),)), 0.0
            )
        assert table.position == START and table.turns == 1

    def test_press_is_closed_when_the_options_say_so(self) -> None:
        options = "(LVL 10) (MTL 30) (NPR) (NPB) (PTL 5)"
        table = told(*position(START), at=0.0, options=options)
        assert table.press_is_open(24.0) and not table.press_is_open(26.0)
        assert not told(*position(RETREAT), options=options).press_is_open(0.0)
        assert not told(*position(BUILDS), options=options).press_is_open(0.0)
        assert told(*position(RETREAT), options="(LVL 10)").press_is_open(0.0)
        assert not told(*position(START), options="(LVL 0)").press_is_open(0.0)


def test_orders_keep_the_coasts_of_the_map() -> None:
    start = board("S1901M", {"FRANCE": "F MAO"})
    orders, _ = worded(start, "FRANCE", [Order(2, "F", "MAO", destination="SPA/NC")])  # type: ignore[arg-type]
    assert d.text(orders[0]) == "(FRA FLT MAO) MTO (SPA NCS)"
