import json
from dataclasses import replace

from bordeaux.openings.book import Book
from bordeaux.openings.export import to_csv, to_json
from bordeaux.openings.making.walk import Walk
from bordeaux.openings.record import Record
from bordeaux.openings.rows import COLUMNS, rows, rows_of, shares

from .small_book import GALICIA, HEDGEHOG, START, TRIESTE, entry, small_book


def test_rows_come_position_by_position_and_then_by_view() -> None:
    listed = list(rows(small_book()))
    assert len(listed) == 3 + 6 + 2
    assert [row.view for row in listed] == [False] * 9 + [True] * 2
    first = listed[0]
    assert (first.power, first.phase, first.orders) == ("AUSTRIA", "S1901M", tuple(sorted(TRIESTE, key=spot)))
    assert (first.weight, first.games, first.centres2, first.centres4) == (0.5, 200, 4.0, 4.5)
    assert (first.survival, first.solo, first.score) == (0.6, 0.125, 0.2)
    assert (first.value, first.probability) == (600.0, 0.0)
    assert "Trieste" in first.name


def spot(order: str) -> str:
    return order.split()[1]


def test_a_share_is_that_of_the_games_of_people() -> None:
    by_orders = {
        row.orders: row.share for row in rows(small_book()) if row.power == "AUSTRIA" and not row.view
    }
    assert sorted(share for share in by_orders.values() if share is not None) == [0.0, 0.3333, 0.6667]


def test_a_share_is_of_all_games_where_the_book_tells_how_many_there_were() -> None:
    book = small_book()
    sent = {"AUSTRIA": {"human": 400, "statistics": 9000}}
    book = Book.make(book.map, book.header, [replace(book.root, sent=sent)], [])
    shares = [row.share for row in rows(book) if row.power == "AUSTRIA"]
    assert sorted(share for share in shares if share is not None) == [0.0, 0.25, 0.5]
    walk = Walk(book, START, "AUSTRIA")
    assert [row.share for row in walk.rows()] == [0.5, 0.25, 0.0] and walk.games() == 400
    assert [row.share for row in walk.rows("TURKEY")] == [1.0]


def test_published_counts_stand_in_where_no_games_were_followed() -> None:
    first, second = entry("AUSTRIA", TRIESTE, 0.5), entry("AUSTRIA", GALICIA, 0.5)
    assert shares([first, second]) == {}
    published = {"statistics": Record(90)}, {"statistics": Record(10)}
    listed = [replace(first, records=published[0]), replace(second, records=published[1])]
    assert shares(listed) == {listed[0].orders: 0.9, listed[1].orders: 0.1}
    listed[1] = replace(second, records={**published[1], "human": Record(3)})
    assert shares(listed) == {listed[0].orders: 0.0, listed[1].orders: 1.0}


def test_what_is_not_known_is_none() -> None:
    (row,) = rows_of([entry("AUSTRIA", HEDGEHOG, 1.0)], "AUSTRIA", "S1901M")
    assert row.share is None and row.centres2 is None and row.survival is None and row.value is None
    assert row.games == 0


def test_csv_has_a_line_a_set_and_a_head() -> None:
    lines = to_csv(small_book()).splitlines()
    assert lines[0].split(",") == list(COLUMNS)
    assert len(lines) == 1 + 11
    assert "A BUD - SER; F TRI - ALB; A VIE - TRI" in lines[1]
    assert "None" not in "".join(lines)


def test_json_is_one_document_with_a_line_a_set() -> None:
    text = to_json(small_book())
    document = json.loads(text)
    assert document["header"]["name"] == "small"
    assert [entry["weight"] for entry in document["sets"][:3]] == [0.5, 0.3, 0.2]
    assert sum('"orders"' in line for line in text.splitlines()) == 11
