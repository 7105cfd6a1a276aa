"""BlabBot: DumbBot until it has a friend."""

from __future__ import annotations

from bordeaux import Map, Position, Unit
from bordeaux.players.base import Seat
from bordeaux.players.dumbbot import DumbBot
from bordeaux.players.talkers import BlabBot
from tests.players.playing import FREE, play, table

MAP = Map.standard()
FRANCE = Seat("FRANCE", MAP, 3)
OWNERS = {"FRANCE": ["PAR"], "GERMANY": ["MUN"], "ENGLAND": ["LON"]}
WHERE = Position(MAP, "F1902M", [Unit("FRANCE", "A", "BUR"), Unit("GERMANY", "A", "PIC")], OWNERS)


def seen(player: DumbBot) -> dict[str, int]:
    """What some centres are worth, and how large the threat to Paris is, after orders."""
    player.orders(WHERE, FREE)
    survey = player.policy.survey(WHERE.packed, player.number)
    worth = {tag: survey["proximity"][0][MAP.location("A", tag).index] for tag in ("MUN", "LON")}
    return worth | {"threat": survey["threat"][MAP.province("PAR").index]}


def test_without_friends_it_is_dumbbot() -> None:
    start = Position.start()
    games = [play(table([spec] * 7, MAP, 8), start, 1908).turns for spec in ("blabbot", "dumbbot")]
    assert games[0] == games[1]


def test_a_friend_counts_a_quarter() -> None:
    player = BlabBot(FRANCE)
    before = seen(player)
    assert before["threat"] == 21
    player.make_peace("GERMANY")
    after = seen(player)
    assert after["threat"] == 21 * 25 // 100
    assert after["MUN"] == before["MUN"] * 25 // 100
    assert after["LON"] == before["LON"]


def test_at_peace_with_all_it_ignores_friendship_or_keeps_it() -> None:
    ignoring, asking = BlabBot(FRANCE), BlabBot(FRANCE, peace="draw")
    plain = seen(DumbBot(FRANCE))
    for player in (ignoring, asking):
        player.make_peace("GERMANY")
        assert not player.at_peace(WHERE)
        assert seen(player) != plain
        player.make_peace("ENGLAND")
        # The other powers have neither units nor centres.
        assert player.at_peace(WHERE)
    assert seen(ignoring) == plain
    assert seen(asking) != plain
