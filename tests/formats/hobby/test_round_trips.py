"""A game becomes pages as each site writes them, and is read again: every phase, order and position is
there."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bordeaux import BordeauxError, Position, legal_orders
from bordeaux.board.mapfile import known_maps
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.submission import check
from bordeaux.formats.game_text import to_judge
from bordeaux.formats.games import Game, game_from_json, read_games
from bordeaux.formats.registry import game_of_pages
from bordeaux.rules.replay import exported, replay_game
from tests.formats.hobby.made_backstabbr import backstabbr_pages
from tests.formats.hobby.made_pages import Played, archive_html, played

SAMPLE = Path(__file__).resolve().parents[2] / "data" / "human.jsonl.gz"

FORMS: dict[str, Callable[[list[Played]], Any]] = {
    "orders archive": lambda phases: game_of_pages(archive_html(phases)),
    "copied archive": lambda phases: game_of_pages(seen(archive_html(phases))),
    "judge": lambda phases: game_of_pages(to_judge(phases)),
    "Backstabbr": lambda phases: game_of_pages("\f".join(backstabbr_pages(phases))),
}


def seen(html: str) -> str:
    """What somebody copies out of a browser: a line for each block, no marks."""
    body = html.partition("<body>")[2]
    return re.sub(r"<[^>]+>", "", re.sub(r"<(?:/?li|/?ul|br|/?h\d|/?p|/?div)\b[^>]*>", "\n", body))


@pytest.fixture(scope="module")
def games() -> list[list[Played]]:
    """Recorded games of people, led through our rules with the legal orders of each."""
    shortest = min(
        (game for game in read_games(SAMPLE) if len(game.phases) > 20), key=lambda game: len(game.phases)
    )
    return [list(played(Position.start(), orders_of(shortest)))]


def orders_of(game: Game) -> Callable[[Position], dict[str, list[Order]] | None]:
    recorded = {phase.name: phase.orders for phase in game.phases}

    def given(position: Position) -> dict[str, list[Order]] | None:
        name = str(position.phase)
        if name not in recorded:
            return {} if any(phase[1:5] > name[1:5] for phase in recorded) else None
        return {
            power: [order for text in texts if (order := legal(position, power, text)) is not None]
            for power, texts in recorded[name].items()
        }

    return given


def legal(position: Position, power: str, text: str) -> Order | None:
    """The order of a text, as sites have it: which coast a supported fleet goes to, they do not say."""
    try:
        order = parse_order(text, position.map, position)
    except BordeauxError:
        return None
    if order.kind == OrderKind.SUPPORT_MOVE:
        order = order._replace(destination=order.destination.partition("/")[0])
    return None if check(position, power, order).fault else order


def due(orders: dict[str, list[str]]) -> dict[str, list[str]]:
    """The orders without waived builds, which some sites leave out."""
    kept = {power: sorted(text for text in given if text != "WAIVE") for power, given in orders.items()}
    return {power: given for power, given in kept.items() if given}


def without_via(orders: dict[str, list[str]]) -> dict[str, list[str]]:
    return {power: [text.removesuffix(" VIA") for text in given] for power, given in orders.items()}


@pytest.mark.parametrize("form", FORMS)
def test_every_phase_comes_back_and_what_came_of_orders(games: list[list[Played]], form: str) -> None:
    for phases in games:
        assert len(phases) > 20
        game = game_from_json(FORMS[form](phases))
        index = {phase.name: number for number, phase in enumerate(game.phases)}
        assert game.notes == ()
        for position, orders, _ in phases:
            number = index[str(position.phase)]
            assert game.position(number) == position
            read = due(game.phases[number].orders)
            wanted = due({power: [str(order) for order in listed] for power, listed in orders.items()})
            if form == "judge":
                # A judge does not tell whether a move over sea was ordered as a convoy.
                read, wanted = without_via(read), without_via(wanted)
            assert read == wanted
        last, given, _ = phases[-1]
        assert game.position(-1) == last.next(given)
        # Sites say whether an order failed, and whether its unit was dislodged, not why.
        report = replay_game(game)
        assert report.mismatches == [] and report.unreadable == []
        assert report.results > 100
        for difference in report.differences:
            assert ("dislodged" in difference.expected) == ("dislodged" in difference.got), difference
            moves = (
                " - " in difference.order and " S " not in difference.order and " C " not in difference.order
            )
            assert not moves or bool(difference.expected) == bool(difference.got), difference


@pytest.mark.parametrize("form", ["judge", "text"])
@pytest.mark.parametrize("name", known_maps())
def test_exported_games_of_all_maps_come_back(name: str, form: str) -> None:
    """Also where some powers or all of them send nothing."""
    chance = random.Random(name)
    position, phases = Position.start(name=name), []
    for number in range(15):
        given: dict[str, list[str]] = {}
        for power in position.map.powers if number < 14 and chance.random() < 0.75 else ():
            if chance.random() < 0.8:
                drawn = [str(chance.choice(some)) for some in legal_orders(position, power).values() if some]
                due = abs(position.adjustments(power)) if position.phase.kind == "A" else len(drawn)
                given[power] = drawn[:due]
        phases.append({"name": str(position.phase), "state": position.to_json(), "orders": given})
        position = position.next(given)
    game = game_from_json({"id": "drawn", "map": name, "phases": phases})
    again = game_from_json(game_of_pages(exported(game, form)))
    assert (again.map, again.notes) == (name, ())
    for index, phase in enumerate(again.phases):
        assert game.position(index) == again.position(index), phase.name
    assert len(game.phases) == len(again.phases)


def test_a_drawn_game_is_not_played_twice(games: list[list[Played]]) -> None:
    """webDiplomacy's archive repeats the last orders of a drawn game under the next turn."""
    moves = [turn for turn in games[0] if turn[0].phase.kind == "M"][:2]
    position, orders, results = moves[0]
    echo = Position(position.map, "F1901M", position.units, position.centres)
    game = game_from_json(game_of_pages(archive_html([moves[0], (echo, orders, results)])))
    assert [phase.name for phase in game.phases] == ["S1901M", "F1901M"]
    assert game.phases[-1].orders == {}
