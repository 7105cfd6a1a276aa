"""Saved games of the package `diplomacy` as they are: what differs is explained, not refused."""

from __future__ import annotations

import json
import random

from diplomacy import Game
from diplomacy.utils.export import to_saved_game_format

from bordeaux.formats.games import game_from_json
from bordeaux.rules.replay import replay_game

PHASES = 25


def played(seed: int) -> dict[str, object]:
    """A game of random orders, with convoys that nobody carries out, as the package saves it."""
    chance = random.Random(seed)
    game = Game(rules=["NO_PRESS", "POWER_CHOICE"])
    while not game.is_game_done and len(game.state_history) < PHASES:
        possible = game.get_all_possible_orders()
        for power in game.powers:
            places = [place for place in game.get_orderable_locations(power) if possible[place]]
            game.set_orders(power, [chance.choice(possible[place]) for place in places])
        game.process()
    saved: dict[str, object] = json.loads(json.dumps(to_saved_game_format(game)))
    return saved


def test_a_game_is_read_and_what_differs_is_told() -> None:
    explained = set()
    for seed in range(2):
        report = replay_game(game_from_json(played(seed)))
        assert report.phases >= PHASES
        assert [mismatch for mismatch in report.mismatches if mismatch.explanation is None] == []
        explained |= {str(mismatch.explanation) for mismatch in report.mismatches}
    assert any("land-route" in explanation for explanation in explained), explained


def test_homes_may_be_those_still_owned() -> None:
    saved = played(0)
    phases = saved["phases"]
    assert isinstance(phases, list)
    for phase in phases:
        state = phase["state"]
        state["homes"] = {
            power: [home for home in homes if home in state["centers"][power]]
            for power, homes in state["homes"].items()
        }
    report = replay_game(game_from_json(saved))
    assert report.phases >= PHASES
