"""Maps in DAIDE's MDF message: read, written, and refused with the token at fault."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bordeaux import Map, Position
from bordeaux.board.errors import MapError
from bordeaux.board.map import load_map, parse_map
from bordeaux.board.mapfile import bundled_maps
from bordeaux.formats.daide import map_from_mdf, map_to_mdf
from tests.patience import examples

# The example of the language digest, and the same with a shared home and an island.
RIVERS = (
    "MDF (AUS TUR) (((AUS TRI) (UNO BUL)) (ADR)) ((TRI (AMY BUL) (FLT ADR))"
    " (BUL (AMY TRI) ((FLT SCS) ADR)) (ADR (FLT TRI (BUL SCS))))"
)
SHARED = (
    "MDF (AUS TUR) (((AUS VIE) ((AUS TUR) TRI)) (ADR)) ((VIE (AMY TRI)) (TRI (AMY VIE) (FLT ADR))"
    " (ADR (FLT TRI)))"
)


def assert_same(one: Map, other: Map) -> None:
    """All that a message carries is the same."""
    for part in ("powers", "tags", "provinces", "locations", "centres", "homes"):
        assert getattr(one, part) == getattr(other, part)
    for location in one.locations:
        borders = [board.adjacent(location.kind, location.name) for board in (one, other)]
        assert borders[0] == borders[1]


def test_a_message_becomes_a_map() -> None:
    board = map_from_mdf(RIVERS, "rivers")
    assert (board.name, board.powers, board.centres) == ("rivers", ("AUS", "TUR"), ("TRI", "BUL"))
    assert [province.kind for province in board.provinces] == ["coastal", "coastal", "sea"]
    assert board.province("BUL").coasts == ("SC",)
    assert board.adjacent("F", "ADR") == ("TRI", "BUL/SC")
    assert board.homes == {"AUS": ("TRI",), "TUR": ()}
    assert Position.start(board).units == ()
    assert Position.start(board).centres == {"AUS": ("TRI",)}


def test_a_shared_home_is_a_list_and_owned_by_nobody_at_first() -> None:
    board = map_from_mdf(SHARED)
    assert board.homes == {"AUS": ("VIE", "TRI"), "TUR": ("TRI",)}
    assert board.province("TRI").homes == ("AUS", "TUR")
    assert Position.start(board).centres == {"AUS": ("VIE",)}


@pytest.mark.parametrize("name", bundled_maps())
def test_a_bundled_map_comes_back_from_its_message(name: str) -> None:
    board = Map.load(name)
    assert_same(map_from_mdf(map_to_mdf(board), name, like=board), board)
    bare = map_from_mdf(map_to_mdf(board))
    assert [province.name for province in bare.provinces] == [province.daide for province in board.provinces]
    assert_same(map_from_mdf(map_to_mdf(bare)), bare)


def test_a_recorded_message_is_the_standard_map() -> None:
    package = importlib.util.find_spec("diplomacy")
    if package is None or package.origin is None:
        pytest.skip("the PyPI package diplomacy, whose recorded messages this reads, is not installed")
    recorded = Path(package.origin).parent / "daide" / "tests" / "game_data_1.csv"
    text = recorded.read_text("utf-8")
    message = next(line for line in text.splitlines() if "MDF (" in line).partition(",,")[2]
    standard = Map.standard()
    board = map_from_mdf(message, like=standard)
    assert (board.centres, board.homes) == (standard.centres, standard.homes)
    for location in standard.locations:
        listed = board.adjacent(location.kind, location.name)
        assert sorted(listed) == sorted(standard.adjacent(location.kind, location.name))


def test_a_coast_that_daide_does_not_know_is_refused() -> None:
    board = parse_map('base = "pure"\n[provinces.ROM]\nkind = "coastal"\nfleet = { UPPER = "" }')
    with pytest.raises(MapError, match="no token for coast 'UPPER' of ROM"):
        map_to_mdf(board)


def test_a_message_may_stand_in_a_map_file(tmp_path: Path) -> None:
    path = tmp_path / "two_rivers.mdf"
    path.write_text(RIVERS + "\n", "utf-8")
    assert load_map(path).name == "two_rivers"
    path.write_text(RIVERS.replace("ADR", "ADRIA"), "utf-8")
    with pytest.raises(MapError) as caught:
        load_map(path)
    assert str(caught.value).startswith(f"{path}: MDF: 'ADRIA' is no tag")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("MDF", "NOW", "begins with MDF, not 'NOW'"),
        ("(AUS TUR)", "", "expected MDF (powers)"),
        ("(AUS TUR)", "(AUS TUR AUS)", "a power is listed twice"),
        ("(AUS TUR)", "(AUS (TUR))", "expected a power, not '(TUR)'"),
        ("(AUS TRI)", "(AUX TRI)", "unknown power 'AUX'"),
        ("(AUS TRI)", "(AUS TRI BUL)", "'BUL' is listed twice"),
        ("(AUS TRI)", "(AUS TRI VIE)", "'VIE' has no borders listed"),
        ("(AUS TRI)", "((AUS AUS) TRI)", "AUS has its home TRI twice"),
        ("(ADR))", "())", "'ADR' has borders again, or is not among the provinces"),
        ("(ADR (FLT TRI (BUL SCS)))", "", "'ADR' has no borders listed"),
        ("(ADR (FLT TRI (BUL SCS)))", "(ADR)", "expected borders like"),
        ("(ADR (FLT TRI (BUL SCS)))", "(ADR (FLT (BUL SCS)))", "F TRI - ADR is a one-way border"),
        ("(FLT TRI (BUL SCS))", "(FLT TRI BUL)", "write BUL/SC"),
        ("(FLT TRI (BUL SCS))", "(FLT TRI (BUL NCS))", "cannot border on 'BUL/NC'"),
        ("(AMY BUL)", "(AMY BUL) (AMY BUL)", "given twice"),
        ("(AMY BUL)", "(TNK BUL)", "'TRI': expected (AMY ...)"),
        ("((FLT SCS) ADR)", "((FLT SCS) ADR) (FLT ADR)", "both with and without a coast"),
        ("(BUL (AMY TRI)", "(BUL", "BUL is sea and cannot have coasts"),
        ("(BUL SCS))))", "(BUL SCS)))", "not closed"),
        ("(TRI (AMY", "(TRI ? (AMY", "cannot read"),
    ],
)
def test_what_is_wrong_is_said_with_the_token(old: str, new: str, says: str) -> None:
    assert old in RIVERS
    with pytest.raises(MapError) as caught:
        map_from_mdf(RIVERS.replace(old, new, 1))
    assert says in str(caught.value)
    assert str(caught.value).startswith("MDF: ")


TOKENS = ["(", ")", "()", "MDF", "AUS", "UNO", "TRI", "BUL", "ADR", "AMY", "FLT", "SCS", "12", "'x'", "?"]


@settings(max_examples=examples(100), deadline=None)
@given(
    edits=st.lists(
        st.tuples(st.integers(0, 60), st.integers(0, 3), st.lists(st.sampled_from(TOKENS), max_size=3)),
        min_size=1,
        max_size=4,
    )
)
def test_a_damaged_message_is_a_map_or_a_map_error(edits: list[tuple[int, int, list[str]]]) -> None:
    words = RIVERS.replace("(", " ( ").replace(")", " ) ").split()
    for at, gone, new in edits:
        words[at : at + gone] = new
    try:
        board = map_from_mdf(" ".join(words))
    except MapError as error:
        assert "\n" not in str(error)
    else:
        assert_same(map_from_mdf(map_to_mdf(board)), board)
        Position.start(board)
