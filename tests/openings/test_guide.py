"""Playing from a book, and leaving it in time."""

from bordeaux import Position
from bordeaux.openings import Book, Entry, Guide, Node, position_key, sound
from bordeaux.openings.guide import Searched, holdings, outlooks
from tests.openings.conftest import tiny_search

START = Position.start()
# Fall: GERMANY stands in Burgundy and goes for Paris, with support.
THREAT = Position.from_json(
    {
        "name": "F1901M",
        "units": {"FRANCE": ["A PAR", "A SPA", "F MAO"], "GERMANY": ["A BUR", "A PIC"]},
        "centers": {"FRANCE": ["PAR", "MAR", "BRE"], "GERMANY": ["BER", "KIE", "MUN"]},
    }
)
GERMANY = ("A BUR - PAR", "A PIC S A BUR - PAR")
AWAY = ("F MAO - POR", "A PAR - GAS", "A SPA H")
HOME = ("F MAO - BRE", "A PAR S F MAO - BRE", "A SPA - MAR")
AT_HOME = ("F MAO - GAS", "A PAR H", "A SPA H")


def likely(position: Position) -> Searched:
    """What a search might say of the threat."""
    return {
        "GERMANY": [(GERMANY, 30.0, 1.0)],
        "FRANCE": [(("F MAO - GAS", "A PAR - PIC", "A SPA - POR"), 20.0, 1.0)],
    }


def book_of(*sets: tuple[tuple[str, ...], float]) -> Book:
    entries = tuple(Entry(orders, weight) for orders, weight in sets)
    node = Node(position_key(THREAT), THREAT, {}, (), {"FRANCE": entries})
    return Book.make(THREAT.map, {}, [node], [])


def test_holdings_are_centres_that_are_not_stood_in_and_units() -> None:
    assert holdings(START, "FRANCE") == 6 and holdings(START, "RUSSIA") == 8
    taken = THREAT.next({"FRANCE": list(AWAY), "GERMANY": list(GERMANY)})
    assert holdings(taken, "FRANCE") == 3 + 2 + 2 - 0
    assert holdings(THREAT, "FRANCE") == 3 + 1 + 3


def test_outlooks_are_played_against_what_is_likely() -> None:
    seen = outlooks(THREAT, "FRANCE", [AWAY, AT_HOME], likely(THREAT))
    # Paris falls either way; at home the army is dislodged as well.
    assert seen[AWAY].holdings > seen[AT_HOME].holdings
    assert seen == outlooks(THREAT, "FRANCE", [AWAY, AT_HOME], likely(THREAT))


def test_a_move_that_loses_something_at_once_is_unsound() -> None:
    better = {**likely(THREAT), "FRANCE": [(AWAY, 20.0, 1.0)]}
    assert not sound(THREAT, "FRANCE", AT_HOME, better)
    assert sound(THREAT, "FRANCE", AWAY, better)
    assert sound(THREAT, "FRANCE", AT_HOME, {}), "nothing to hold it against"
    assert sound(
        THREAT, "FRANCE", AT_HOME, {"FRANCE": [(AT_HOME, 1.0, 1.0)], "GERMANY": [(GERMANY, 1.0, 1.0)]}
    )
    assert sound(THREAT, "FRANCE", AT_HOME, better, margin=9.0)


def test_the_book_is_left_for_a_move_that_is_unsound() -> None:
    def search(position: Position) -> Searched:
        return {**likely(position), "FRANCE": [(AWAY, 20.0, 1.0)]}

    both = book_of((AT_HOME, 0.9), (AWAY, 0.1))
    assert {Guide(both, search, seed=seed).orders(THREAT, "FRANCE") for seed in range(20)} == {AWAY}
    assert {Guide(both, seed=seed, draw=True).orders(THREAT, "FRANCE") for seed in range(40)} == {
        AT_HOME,
        AWAY,
    }
    assert Guide(book_of((AT_HOME, 1.0)), search).orders(THREAT, "FRANCE") is None


def test_sets_that_are_only_listed_or_not_legal_are_never_played() -> None:
    listed = book_of((AWAY, 0.0), (("A PAR - XXX", "nonsense"), 0.6), (HOME, 0.4))
    assert {Guide(listed, seed=seed).orders(THREAT, "FRANCE") for seed in range(20)} == {HOME}
    assert Guide(book_of((AWAY, 0.0), (("A PAR - MOS",), 1.0)), likely).orders(THREAT, "FRANCE") is None


def test_a_guide_gives_the_same_orders_whenever_it_is_asked() -> None:
    book = Book.load()
    guide = Guide(book, seed=5)
    first = {power: guide.orders(START, power) for power in START.map.powers}
    again = Guide(book, seed=5)
    assert {power: again.orders(START, power) for power in reversed(START.map.powers)} == first
    assert {Guide(book, seed=seed).orders(START, "AUSTRIA") for seed in range(5)} == {first["AUSTRIA"]}
    drawn = {Guide(book, seed=seed, draw=True).orders(START, "AUSTRIA") for seed in range(30)}
    assert first["AUSTRIA"] in drawn and len(drawn) > 1


def test_one_search_serves_all_powers() -> None:
    asked: list[Position] = []

    def search(position: Position) -> Searched:
        asked.append(position)
        return tiny_search(position)

    guide = Guide(Book.load(), search)
    first = [guide.orders(START, power) for power in START.map.powers]
    assert all(first) and asked == [START]


def test_a_guide_follows_the_book_no_further_than_it_is_told() -> None:
    both = book_of((AT_HOME, 0.5), (AWAY, 0.5))
    assert Guide(both, phases=1).orders(THREAT, "FRANCE") is None
    assert Guide(both, phases=2).orders(THREAT, "FRANCE") is not None
    assert Guide(both, phases=0).orders(START, "FRANCE") is None
    assert Guide(both).orders(START, "FRANCE") is None
    assert Guide(both).orders(THREAT, "GERMANY") is None


def test_on_the_opening_board_known_openings_are_sound() -> None:
    searched = tiny_search(START)
    book = Book.load()
    for power, entries in book.root.powers.items():
        assert sound(START, power, entries[0].orders, searched)
