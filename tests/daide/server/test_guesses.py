"""Passcodes: that guessing is counted whatever the answer, and that owners are not locked out by it."""

from __future__ import annotations

from random import Random

import pytest

from bordeaux.daide.server import Send, ServerGame
from bordeaux.daide.server.limits import Guesses, draw_passcodes, homes_with, same
from bordeaux.daide.server.lobby import SLOWNESS
from tests.daide.server.scene import Scene

HOME, NEIGHBOUR, THIEF = "192.0.2.1", "192.0.2.99", "203.0.113.5"
DAY = 24 * 3600


def seated() -> Scene:
    """A game that all powers play from one home."""
    scene = Scene.waiting()
    scene.fill(HOME)
    return scene


def guess(scene: Scene, power: str, code: int, address: str) -> str:
    """One guess on a connection of its own: the first word of the answer."""
    client = scene.join(address)
    answer = scene.say(client, f"IAM ({power}) ({code})")[0]
    if client not in scene.closed and not answer.startswith("YES"):
        scene.drop(client)
    return answer[:3]


def wrong(scene: Scene, power: str, number: int) -> int:
    """One of many passcodes that are not the power's."""
    return next(code for code in range(1 + number, 8000) if code != scene.codes[power])


def test_the_right_passcode_of_a_power_that_is_played_looks_like_any_other() -> None:
    """The oracle: five candidates a connection, and the connection that stays open holds the right one."""
    scene = seated()
    answers = []
    for codes in ([1, 2, 3, 4, 5], [1, 2, scene.codes["ENG"], 4, 5], [scene.codes["ENG"]] * 5):
        client = scene.join(THIEF)
        answers.append([scene.say(client, f"IAM (ENG) ({code})")[0][:3] for code in codes])
        assert client in scene.closed
    assert answers == [["REJ"] * 5] * 3
    seat = scene.game._table.seats["ENG"]
    assert seat.guesses == 15


def test_guesses_are_few_an_hour_from_an_address_and_at_a_power() -> None:
    scene = seated()
    scene.drop("ENG")
    code = scene.codes["ENG"]
    # Compared is only what is within the count: the right one is not even looked at behind it.
    for number in range(10):
        assert guess(scene, "ENG", wrong(scene, "ENG", number), THIEF) == "REJ"
    assert guess(scene, "ENG", code, THIEF) == "REJ"
    assert guess(scene, "ENG", code, "198.51.100.7") == "REJ", "the power's count is used up for others too"
    scene.wait(3600)
    compared = 0
    table = scene.game._table
    for _ in range(100):
        compared += table.guesses.allows("ENG", "198.51.100.8", table.seats["ENG"].homes, scene.now)
    assert 0 < compared <= 10
    scene.wait(DAY)
    assert guess(scene, "ENG", code, THIEF) == "YES"


def test_in_a_day_a_thousand_addresses_try_a_small_part_of_all_passcodes() -> None:
    guesses, compared = Guesses(), 0
    for minute in range(24 * 60):
        for number in range(20):
            compared += guesses.allows("ENG", f"10.{number}.{minute % 256}.1", [], 60.0 * minute)
    assert compared <= 10 + 24 * 10
    assert compared / (2 * 8191) < 0.02


def test_one_network_has_one_count_for_all_powers() -> None:
    guesses = Guesses()
    powers = ["AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR"]
    compared = sum(
        guesses.allows(power, f"203.0.113.{number}", [], 0.0) for number in range(50) for power in powers
    )
    assert compared == 10


def test_from_home_there_are_more_guesses_and_they_are_counted_too() -> None:
    """Compared at once, and an hour later: at home, and elsewhere by the count of the network."""
    for address, compared in ((HOME, [20, 10]), (THIEF, [10, 5])):
        guesses, homes = Guesses(), homes_with([], HOME)
        tries = [[guesses.allows("ENG", address, homes, now) for _ in range(60)] for now in (0.0, 3600.0)]
        assert [sum(allowed) for allowed in tries] == compared


def test_the_owner_comes_back_whatever_others_have_tried() -> None:
    scene = seated()
    scene.drop("ENG")
    for number in range(40):
        guess(scene, "ENG", wrong(scene, "ENG", number), f"203.0.{number}.5")
    assert guess(scene, "ENG", scene.codes["ENG"], "198.51.100.7") == "REJ"
    assert guess(scene, "ENG", scene.codes["ENG"], NEIGHBOUR) == "YES", "of the same network"
    scene = seated()
    scene.drop("ENG")
    for number in range(40):
        guess(scene, "ENG", wrong(scene, "ENG", number), NEIGHBOUR)
    assert guess(scene, "ENG", scene.codes["ENG"], HOME) == "YES", "and not locked out by a neighbour"


def test_it_is_known_after_a_restart_where_a_power_was_played_from() -> None:
    scene = seated()
    code = scene.codes["ENG"]
    again = Scene(ServerGame.resume(scene.saves[-1]))
    again.codes = scene.codes
    for number in range(40):
        guess(again, "ENG", wrong(again, "ENG", number), f"203.0.{number}.5")
    assert guess(again, "ENG", code, HOME) == "YES"


def test_the_operator_is_told_and_not_flooded() -> None:
    scene = seated()
    for number in range(300):
        guess(scene, "ENG", wrong(scene, "ENG", number), THIEF)
    assert "at 203.0.113.5 gives a wrong passcode for ENG (1 refused so far)" in scene.notes[0]
    assert any("guessed too often to be heard about ENG (100 refused so far)" in note for note in scene.notes)
    assert len(scene.notes) < 30
    scene = seated()
    guess(scene, "FRA", scene.codes["FRA"], THIEF)
    assert "has the right passcode of FRA, which client" in scene.notes[-1]


def test_a_refusal_is_slow() -> None:
    scene = seated()
    client = scene.join(THIEF)
    effects = scene.game.received(client, ("IAM", "(", "ENG", ")", "(", 1, ")"), 0.0)
    assert [effect.after for effect in effects if isinstance(effect, Send)] == [SLOWNESS]


def test_passcodes_use_all_numbers_of_the_language_but_the_observers() -> None:
    drawn = [code for seed in range(400) for code in draw_passcodes(7, Random(seed))]
    assert min(drawn) < -8000 and max(drawn) > 8000 and 0 not in drawn
    assert len(set(draw_passcodes(100, Random(1)))) == 100


@pytest.mark.parametrize(("one", "other"), [(1, 1), (-8192, -8192), (8191, 8191)])
def test_the_same_passcode(one: int, other: int) -> None:
    assert same(one, other) and not same(one, -other - 1)


def test_homes_are_few_and_the_latest() -> None:
    homes: list[str] = []
    for number in range(20):
        homes = homes_with(homes, f"10.0.{number}.1")
    assert homes[-2:] == ["10.0.19.1", "10.0.19.0/24"] and len(homes) == 8
