"""What became of games that came through a position."""

from __future__ import annotations

from bordeaux import Map, Position
from bordeaux.formats.games import Game, GamePhase
from bordeaux.openings.results import Fate, fates, fates_by_set, games_through

START = Position.start()
CENTRES = {"FRANCE": list(Map.standard().centres[:18]), "TURKEY": list(Map.standard().centres[18:20])}


def game(name: str, orders: dict[str, list[str]], end: dict[str, list[str]]) -> Game:
    """A game with one opening, and centres in its last phase."""
    last = {**START.to_json(), "name": "F1907M", "centers": end}
    return Game(
        name, "standard", (), (GamePhase("S1901M", START.to_json(), orders), GamePhase("F1907M", last, {}))
    )


GAMES = [
    game("a", {"FRANCE": ["A PAR - BUR"]}, CENTRES),
    game("b", {"FRANCE": ["A PAR - PIC"]}, {"FRANCE": ["PAR"]}),
    game("c", {"FRANCE": ["A PAR - BUR", "F BRE H"]}, {"FRANCE": []}),
]


def test_fates_count_solos_survivals_and_centres() -> None:
    played = list(games_through(GAMES, START))
    assert [
        (order_played.number, order_played.id, order_played.last, order_played.victor)
        for order_played in played
    ] == [
        (1, "a", "F1907M", "FRANCE"),
        (2, "b", "F1907M", ""),
        (3, "c", "F1907M", ""),
    ]
    by_power = fates(played, START.map)
    assert by_power["FRANCE"] == Fate(3, 1, 2, 19 / 3)
    assert by_power["TURKEY"] == Fate(3, 0, 1, 2 / 3)
    assert fates([], START.map)["FRANCE"] == Fate(0, 0, 0, None)


def test_sets_are_the_same_with_and_without_written_holds() -> None:
    by_set = fates_by_set(games_through(GAMES, START), START, "FRANCE")
    assert [(len(orders), fates["FRANCE"].games) for orders, fates in by_set.items()] == [(3, 2), (3, 1)]


def test_another_position_or_a_broken_record_is_passed_over() -> None:
    elsewhere = START.next({"FRANCE": ["A PAR - BUR"]})
    broken = Game("x", "standard", (), (GamePhase("S1901M", {"units": 7}, {}),))
    other = Game("y", "pure", (), GAMES[0].phases)
    assert list(games_through([*GAMES, broken, other], elsewhere)) == []
    assert [game.number for game in games_through([broken, other, *GAMES], START)] == [3, 4, 5]
