"""Positions in DUI's one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from bordeaux import BordeauxError, Map, Position, Unit, legal_orders
from bordeaux.board.errors import MapError
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Dislodged, Order, OrderKind
from bordeaux.formats.dui import (
    lost_in_dfen,
    order_from_dson,
    orders_from_dson,
    orders_to_dson,
    position_from_dfen,
    position_to_dfen,
)
from bordeaux.formats.load import is_dfen, read_position
from tests.board.positions import MAP, positions

START = (
    "1901sm/Aabud,Aftri,Aavie,Efedi,Eflon,Ealvp,Ffbre,Famar,Fapar,Gaber,Gfkie,Gamun,Ifnap,Iarom,Iaven,"
    "Ramos,Rfsev,Rfstp.sc,Rawar,Tfank,Tacon,Tasmy/Abud,Atri,Avie,Eedi,Elon,Elvp,Fbre,Fmar,Fpar,Gber,Gkie,"
    "Gmun,Inap,Irom,Iven,Rmos,Rsev,Rstp,Rwar,Tank,Tcon,Tsmy,Nbel,Nbul,Nden,Ngre,Nhol,Nnwy,Npor,Nrum,Nser,"
    "Nspa,Nswe,Ntun/-"
)
GAMES = Path(__file__).resolve().parents[1] / "data" / "human.jsonl.gz"


def test_the_start_is_written_as_dui_writes_it_and_read_back() -> None:
    assert position_to_dfen(Position.start()) == START
    assert position_from_dfen(START) == Position.start() == position_from_dfen(START.upper())
    assert lost_in_dfen(Position.start()) == []


def test_names_of_dui_and_ours_are_read_and_those_of_dui_written() -> None:
    position = position_from_dfen("1903fm/Ffgol,Efnrg,Rfstp.nc,Iftys,Afnao,Tfwes/-/-")
    assert [unit.location for unit in position.units] == ["NAO", "NWG", "LYO", "TYS", "STP/NC", "WES"]
    assert position_from_dfen("1903fm/Fflyo,Efnwg/-/-") == position_from_dfen("1903fm/Ffgol,Efnrg/-/-")
    assert "Ffgol" in position_to_dfen(position) and "Efnrg" in position_to_dfen(position)
    names = {province.name: province for province in MAP.provinces}
    for tag in ("TYS", "NAF", "WES"):
        assert MAP.province(tag.lower()) is names[tag]


def test_a_dislodged_unit_may_not_go_back_where_the_attack_came_from() -> None:
    position = position_from_dfen("1902fr/Gavie/Avie/Aavie<boh")
    assert position.dislodged == (Dislodged(Unit("AUSTRIA", "A", "VIE"), ("BUD", "GAL", "TRI", "TYR")),)
    written = position_to_dfen(position)
    assert written.endswith("/Aavie<boh") and lost_in_dfen(position) == []
    assert position_from_dfen(written) == position


def test_what_the_line_cannot_say_is_told() -> None:
    unit = Unit("AUSTRIA", "A", "VIE")
    position = Position(MAP, "F1902R", [Unit("GERMANY", "A", "VIE")], {}, [Dislodged(unit, ("BUD", "TRI"))])
    assert lost_in_dfen(position) == [
        "that AUSTRIA A VIE may not retreat to GAL, TYR, which the line leaves open"
    ]
    assert position_to_dfen(position).endswith("/Aavie<boh")
    assert lost_in_dfen(Position.start(Map.load("pure"))) == ["the map, which is pure"]
    with pytest.raises(BordeauxError, match="game is over"):
        position_to_dfen(Position(MAP, "COMPLETED", [], {}))
    with pytest.raises(MapError, match="no letters of their own"):
        position_to_dfen(Position.start(Map.load("gulfs")))


@given(positions())
def test_round_trip(position: Position) -> None:
    if position.phase.kind == "-":
        return
    read = position_from_dfen(position_to_dfen(position))
    assert (read.phase, read.units, read.owners) == (position.phase, position.units, position.owners)
    assert [dislodged.unit for dislodged in read.dislodged] == [
        dislodged.unit for dislodged in position.dislodged
    ]
    for ours, theirs in zip(position.dislodged, read.dislodged, strict=True):
        assert set(ours.retreats) <= set(theirs.retreats)
    assert lost_in_dfen(position) or read == position


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1901sm/Aavie/Avie", "four parts"),
        ("1901sb/Aavie/Avie/-", "builds come in 'f'"),
        ("1901sm/Xavie/Avie/-", "no power has the letter 'x'"),
        ("1901sm/Aavee/Avie/-", "unknown province 'vee'"),
        ("1901sm/Aavie/Avie,Gvie/-", "VIE belongs to both"),
        ("1901sm/Aavie/Avie,Nvie/-", "both AUSTRIA and nobody"),
        ("1901sm/Aavie/Avie/Aabud<ser", "not a retreat phase"),
        ("1901sr/Aavie/Avie/Aabud", "where the attack came from"),
        ("1901sm/Aavie/A/-", "no centre 'A'"),
    ],
)
def test_rubbish_is_told_in_one_line(line: str, message: str) -> None:
    with pytest.raises(BordeauxError, match="(?i)" + message) as caught:
        position_from_dfen(line)
    assert "\n" not in str(caught.value)


def test_every_reader_of_positions_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    path.write_text(f"\n{START}\n", encoding="utf-8")
    assert read_position(START) == read_position(path) == Position.start()
    assert read_position(START, phase="S1901M") == Position.start()
    with pytest.raises(BordeauxError, match="single position of S1901M"):
        read_position(START, phase="F1901M")
    assert not is_dfen("S1901M") and not is_dfen("1901.txt") and is_dfen(" 1901FB / - / - / - ")


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("A VIE H", "A vie H"),
        ("A BUD - RUM", "A bud - rum"),
        ("A GAL S A BUD - RUM", "A gal S A bud - rum"),
        ("A TYR S A VIE", "A tyr S A vie H"),
        ("F MAO C A BRE - SPA", "F mao C A bre - spa"),
        ("F NWG - STP/NC", "F nrg - stp/nc"),
        ("A VIE R BOH", "A vie R boh"),
        ("F TRI D", "F tri D"),
        ("A VIE B", "A vie B"),
        ("WAIVE", "W"),
    ],
)
def test_each_kind_of_order_both_ways(ours: str, theirs: str) -> None:
    order = parse_order(ours, MAP)
    assert orders_to_dson([order], MAP) == theirs
    assert order_from_dson(theirs, MAP) == order


def test_a_convoy_has_no_mark_and_is_understood_where_there_is_no_other_way() -> None:
    position = Position.start()
    order = order_from_dson("A lvp - nwy", MAP, position)
    assert order.via and str(order) == "A LVP - NWY VIA"
    assert orders_to_dson([order], MAP) == "A lvp - nwy"
    assert not order_from_dson("A lvp - yor", MAP, position).via


@given(positions())
def test_all_legal_orders_of_a_position(position: Position) -> None:
    for orders in legal_orders(position).values():
        for text in orders[:40]:
            order = parse_order(text, position.map, position)
            read = order_from_dson(orders_to_dson([order], MAP), MAP, position)
            # Where an army may go both ways, the line cannot say that it insists on its convoy.
            assert read in (order, order._replace(via=False))


def test_a_line_of_orders() -> None:
    orders = orders_from_dson("A vie H ;A bud - rum;; F tri - alb ", MAP)
    assert [str(order) for order in orders] == ["A VIE H", "A BUD - RUM", "F TRI - ALB"]
    assert orders_to_dson(orders, MAP) == "A vie H ; A bud - rum ; F tri - alb"
    assert orders_to_dson([], MAP) == "" and orders_from_dson("  ", MAP) == []
    assert orders_from_dson("W ; waive", MAP) == [Order(OrderKind.WAIVE)] * 2
    with pytest.raises(BordeauxError, match="vix"):
        orders_from_dson("A vie H ; A vix H", MAP)
