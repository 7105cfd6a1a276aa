"""Buckets, the gate, and that the defaults leave honest clients alone."""

from __future__ import annotations

from random import Random

from bordeaux.daide import language as d
from bordeaux.daide import wire
from bordeaux.daide.server import Send, ServerGame
from bordeaux.daide.server.limits import (
    Bucket,
    Buckets,
    Gate,
    GateVerdict,
    Guesses,
    Hoard,
    Inside,
    Limits,
    Rate,
    draw_passcodes,
    homes_with,
    is_own,
    network_of,
)
from bordeaux.daide.server.lobby import SLOWNESS
from tests.daide.server.scene import Scene

from .wires import serving


def test_a_bucket_gives_at_once_what_it_holds_and_then_as_it_fills() -> None:
    bucket = Bucket(Rate(each_second=2, at_once=3), now=10.0)
    assert [bucket.take(10.0) for _ in range(4)] == [True, True, True, False]
    assert bucket.wait(10.0) == 0.5
    assert not bucket.take(10.4)
    assert bucket.take(10.5)
    assert [bucket.take(99.0) for _ in range(4)] == [True, True, True, False], "never fuller than its brim"
    bucket.spend(4)
    assert bucket.wait(99.0) == 2.5 and not bucket.full(102.4) and bucket.full(102.5), "it can be in debt"


def inside(*addresses: str, standing: d.Standing = "player", waiting: float = 0.0) -> list[Inside]:
    return [Inside(number, address, standing, waiting) for number, address in enumerate(addresses, 1)]


def test_the_gate_counts_in_all_by_address_and_by_network() -> None:
    limits = Limits(connections=6, connections_per_address=2, connections_per_network=3)
    gate = Gate(limits, now=0.0)
    a, b, c, far = "192.0.2.1", "192.0.2.2", "192.0.2.3", "198.51.100.1"
    assert gate.judge(a, [], 0.0) == GateVerdict()
    assert gate.judge(a, inside(a, b), 0.0) == GateVerdict()
    assert "2 connections from this address" in str(gate.judge(a, inside(a, a), 0.0).refused)
    assert gate.judge(b, inside(a, a), 0.0) == GateVerdict()
    assert "3 connections from 192.0.2.0/24" in str(gate.judge(c, inside(a, a, b), 0.0).refused)
    assert gate.judge(far, inside(a, a, b), 0.0) == GateVerdict()
    assert "6 connections already" in str(gate.judge("203.0.113.1", inside(*[far] * 6), 0.0).refused)


def test_networks_are_those_of_a_line_and_the_machine_has_limits_of_its_own() -> None:
    assert network_of("192.0.2.77") == network_of("::ffff:192.0.2.1") == "192.0.2.0/24"
    assert network_of("2001:db8:1:2::7") == "2001:db8:1:2::/64" == network_of("2001:db8:1:2:ffff::")
    assert network_of("unknown") == "unknown"
    assert is_own("127.0.0.3") and is_own("::1") and not is_own("192.0.2.1") and not is_own("unknown")
    gate = Gate(Limits(connections_per_address=2, connections_per_own_address=4), now=0.0)
    assert gate.judge("127.0.0.1", inside(*["127.0.0.1"] * 3), 0.0).refused is None
    assert gate.judge("127.0.0.1", inside(*["127.0.0.1"] * 4), 0.0).refused is not None


def test_a_stranger_makes_place_for_a_newcomer() -> None:
    gate = Gate(Limits(connections=4, grace_seconds=5), now=0.0)
    crowd = [
        Inside(1, "192.0.2.1", "unknown", 9.0),
        Inside(2, "198.51.100.1", "unknown", 6.0),
        Inside(3, "198.51.100.2", "unknown", 7.0),
        Inside(4, "198.51.100.2", "unknown", 5.0),
    ]
    verdict = gate.judge("198.51.100.9", crowd, 0.0)
    assert (verdict.refused, verdict.instead) == (None, 3), "the network with the most, the longest there"
    young = [guest._replace(waiting=4.0) for guest in crowd]
    assert gate.judge("198.51.100.9", young, 0.0).refused is not None, "who has just come may act first"
    assert gate.judge("192.0.2.9", young[:2] * 2, 0.0).refused is not None, "there would be as many"
    assert gate.judge("203.0.113.9", young, 0.0).instead in (2, 3, 4), "but for a network with fewer"
    assert gate.judge("198.51.100.9", young, 0.0, expected=True).instead in (2, 3, 4), "and for a player"


def test_an_owner_displaces_any_observer_and_no_player() -> None:
    gate = Gate(Limits(connections=5, connections_per_network=3), now=0.0)
    crowd = [
        Inside(1, "203.0.113.1", "observer"),
        Inside(2, "198.51.100.1", "observer"),
        Inside(3, "198.51.100.2", "observer"),
        Inside(4, "192.0.2.1", "player"),
        Inside(5, "192.0.2.1", "player"),
    ]
    assert gate.judge("192.0.2.1", crowd, 0.0).refused is not None
    verdict = gate.judge("192.0.2.1", crowd, 0.0, expected=True)
    assert (verdict.instead, verdict.reason) == (
        3,
        "it is an observer and makes place: there are 5 connections already",
    ), "of the network with the most, the latest"
    assert gate.judge("198.51.100.1", crowd[:4], 0.0, expected=True).instead is None, "there is room"
    players = inside(*["192.0.2.1"] * 5)
    assert gate.judge("192.0.2.1", players, 0.0, expected=True).refused is not None


def test_an_owner_passes_the_limits_of_its_address_and_of_its_network() -> None:
    gate = Gate(Limits(connections=9, connections_per_address=2), now=0.0)
    crowd = inside("192.0.2.1", "192.0.2.1", standing="observer")
    assert gate.judge("192.0.2.1", crowd, 0.0).refused is not None
    assert gate.judge("192.0.2.1", crowd, 0.0, expected=True).instead == 2
    assert gate.judge("192.0.2.1", inside("192.0.2.1", "192.0.2.1"), 0.0, expected=True) == GateVerdict()
    slow = Gate(Limits(arrivals=Rate(each_second=1, at_once=2)), now=0.0)
    for number in range(9):
        slow.judge(f"192.0.2.{number + 10}", [], 0.0)
    assert slow.judge("192.0.2.1", [], 0.0).refused is not None
    assert slow.judge("192.0.2.1", [], 0.0, expected=True).refused is None


def test_the_gate_knows_how_fast_a_network_comes() -> None:
    gate = Gate(Limits(arrivals=Rate(each_second=1, at_once=2)), now=0.0)
    assert [gate.judge(f"2001:db8::{number}", [], 0.0).refused for number in (1, 2)] == [None, None]
    assert "2001:db8::/64 come too fast" in str(gate.judge("2001:db8::3", [], 0.0).refused)
    assert gate.judge("2001:db8:0:1::1", [], 0.0).refused is None
    assert gate.judge("2001:db8::3", [], 1.0).refused is None


def test_full_buckets_are_forgotten_before_older_ones_in_debt() -> None:
    buckets = Buckets(Rate(each_second=1, at_once=2), most=2)
    buckets.of("in debt", 0.0).spend(5)
    assert buckets.of("full", 0.0).full(0.0)
    assert buckets.of("new", 0.0).full(0.0) and len(buckets) == 2
    assert buckets.of("in debt", 0.0).wait(0.0) == 4.0


def test_what_is_kept_for_all_together_is_bounded() -> None:
    now = {"a": 30, "b": 50, "c": 0}
    most: list[str] = []
    hoard: Hoard[str] = Hoard(100, now.__getitem__, most.append)
    for key, size, total in (("a", 30, 30), ("c", 40, 70), ("b", 50, 80)):
        hoard.note(key, size)
        assert hoard.sum == total, "c has become less before b comes"
    assert not most
    now["c"] = 30
    hoard.note("c", 30)
    assert most == ["b"]
    hoard.note("b", 0)
    assert hoard.sum == 60


def test_few_of_the_refused_are_told_why() -> None:
    gate = Gate(Limits(), now=0.0)
    assert sum(gate.worth_a_word(0.0) for _ in range(1000)) == 20
    assert gate.worth_a_word(1.0)


def test_the_defaults_are_those_of_the_documentation() -> None:
    limits = Limits()
    assert limits.introduction_seconds == 30, "as the protocol has it"
    assert limits.connections > limits.connections_per_own_network > limits.connections_per_own_address
    assert limits.connections > limits.connections_per_network > limits.connections_per_address > 7
    assert 4 * limits.observers == 3 * limits.connections, "a quarter of the places is for players"


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
        assert scene.closed[client] == "5 times it was refused a power"
    assert answers == [["REJ"] * 5] * 3
    assert scene.game.seats["ENG"].guesses == 15
    # So does a seat that is free.
    scene.drop("ENG")
    client = scene.join(THIEF)
    for number in range(5):
        assert client not in scene.closed
        assert scene.say(client, f"IAM (ENG) ({wrong(scene, 'ENG', number)})")[0][:3] == "REJ"
    assert scene.closed[client] == "5 times it was refused a power"


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
    table = scene.game
    count = "ENG", "198.51.100.8", table.seats["ENG"].homes, scene.now
    assert 0 < sum(table.guesses.allows(*count) for _ in range(100)) <= 10
    scene.wait(DAY)
    assert guess(scene, "ENG", code, THIEF) == "YES"


def test_in_a_day_a_thousand_addresses_try_a_small_part_of_all_passcodes() -> None:
    guesses, compared = Guesses(), 0
    for minute in range(0, 24 * 60, 5):
        for number in range(20):
            compared += guesses.allows("ENG", f"10.{number}.{minute % 256}.1", [], 60.0 * minute)
    assert compared <= 10 + 24 * 10
    assert compared / (2 * 8191) < 0.02


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


async def test_too_many_connections_are_refused() -> None:
    limits = Limits()._replace(connections=5, connections_per_own_address=3)
    async with serving(limits=limits) as served:
        inside = [await served.client() for _ in range(3)]
        refused = await served.client(bare=True)
        refused.write(wire.im())
        assert await refused.last() == wire.FM()
        await served.logged("refused", "3 connections from this address")
        await inside[0].close()
        await served.logged("client 1", "is gone")
        assert await (await served.client()).ask("MAP") == "MAP ('standard')"
