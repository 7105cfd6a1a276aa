"""Published counts are read, and what says nothing is left out."""

from pathlib import Path

import pytest

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.openings.making.published import Published, read_published

HEAD = "power,phase,conditional_frequency,games,average_final_centers,win_share,orders\n"
STANDARD = Map.standard()


def read(tmp_path: Path, *rows: str) -> Published:
    place = tmp_path / "counts.csv"
    place.write_text(HEAD + "\n".join(rows) + "\n", encoding="utf-8")
    return read_published(place, STANDARD)


def test_rows_are_views_with_canonical_orders(tmp_path: Path) -> None:
    published = read(
        tmp_path,
        "AUSTRIA,F1901M,0.2,100,5.8,0.2,A TRI H; F ALB - GRE; A SER S ALB - GRE",
        "AUSTRIA,F1901M,0.1,300,1.8,0.4,A SER S ALB-GRE; F ALB - GRE",
        "AUSTRIA,F1901M,0.1,300,1.8,0.4,A TRI S A VIE - GAL; F ALB - GRE; A SER S ALB - GRE",
        "AUSTRIA,W1901A,1.0,6364,2.6,0.065,A BUD B",
        "AUSTRIA,F1901M,0.4,1000,0.1,0.0,A TRI H; F ALB H; A SER H",
    )
    assert (published.idle, published.unplaced) == (1, 1)
    # 100 games as a fifth, 300 as a tenth and 1,000 as two fifths do not agree: the middle one counts.
    assert sorted(published.unlisted.values()) == [2500 - 1400, 3000 - 300]
    by_units = {units: key for key, (_, _, units) in published.views.items()}
    assert sorted(by_units) == [("A SER", "A TRI", "F ALB"), ("A SER", "F ALB")]
    records = published.records[by_units["A SER", "A TRI", "F ALB"]]
    # Trieste supports a move that nobody orders: the same as holding.
    [(orders, record)] = records.items()
    assert orders == ("F ALB - GRE", "A SER S F ALB - GRE", "A TRI H")
    assert record.games == 400 and record.wins == pytest.approx(0.35) and record.final == pytest.approx(2.8)
    assert record.score is None


def test_a_coast_is_told_by_where_the_fleet_goes(tmp_path: Path) -> None:
    published = read(
        tmp_path,
        "FRANCE,S1902M,0.2,10,5.8,0.2,F SPA - WES; A MAR H",
        "FRANCE,S1902M,0.2,10,5.8,0.2,F SPA - MAO; A MAR - BUR",
    )
    assert [units for _, _, units in published.views.values()] == [("A MAR", "F SPA/SC")]
    assert published.unplaced == 1


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("ATLANTIS,F1901M,0.2,100,5.8,0.2,A TRI H", "ATLANTIS"),
        ("AUSTRIA,F1901X,0.2,100,5.8,0.2,A TRI H", "F1901X"),
        ("AUSTRIA,F1901M,0.2,many,5.8,0.2,A TRI - VEN", "games must be a number from 0 on, not 'many'"),
        ("AUSTRIA,F1901M,0.2,0,5.8,0.2,A TRI - VEN", "games must be a whole number above 0"),
        ("AUSTRIA,F1901M,0.2,100,5.8,2,A TRI - VEN", "win_share must be"),
        ("AUSTRIA,F1901M,0.2,100,nan,0.2,A TRI - VEN", "average_final_centers must be"),
        ("AUSTRIA,F1901M,0.2,100,5.8,0.2,", "no orders in it"),
        ("AUSTRIA,F1901M,0.2,100,5.8,0.2,A XXX H", "XXX"),
        ("AUSTRIA,F1901M", "no orders in it"),
    ],
)
def test_a_row_that_makes_no_sense_is_told(tmp_path: Path, row: str, message: str) -> None:
    with pytest.raises(BordeauxError) as caught:
        read(tmp_path, row)
    assert message in str(caught.value) and "counts.csv, line 2" in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"power,phase\xff", "other.csv: not UTF-8 text: byte 12 is 0xff"),
        (b'"' + b"x" * 200_000, "other.csv, line 1: field larger than field limit"),
        (HEAD.encode() + b'FRANCE,"' + b"x" * 200_000, "other.csv, line 2: field larger than field limit"),
    ],
)
def test_noise_is_told_with_the_name_of_the_file(tmp_path: Path, content: bytes, message: str) -> None:
    place = tmp_path / "other.csv"
    place.write_bytes(content)
    with pytest.raises(BordeauxError) as caught:
        read_published(place, STANDARD)
    assert message in str(caught.value)
