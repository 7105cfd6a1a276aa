"""Saving a game, resuming it in the middle of a turn, LOD and SVE. LANGUAGE.md, sections 5 and 7: 6."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from bordeaux import BordeauxError
from bordeaux.board.errors import FormatError
from bordeaux.cli import main
from bordeaux.daide import language as d
from bordeaux.daide.server import GameSettings, Save, Send, ServerGame
from bordeaux.daide.server.lobby import ANSWER_SECONDS
from bordeaux.formats.games import game_from_json, read_games
from bordeaux.rules.replay import replay_game
from tests.daide.server.scene import Scene
from tests.daide.server.test_orders import SPRING
from tests.daide.server.test_settings import NOW, SCO
from tests.patience import examples

from .processes import Server, agree, server
from .wires import Client, hold


def interrupted(**options: Any) -> Scene:
    """A game of two turns and a half: orders, offers, press, somebody who waits."""
    scene = Scene.started(seed=5, level=20, pda=True, **options)
    scene.say("ENG", "SUB ((ENG FLT LON) MTO NTH)")
    scene.say("ENG", "SND (FRA) (PRP (PCE (ENG FRA)))")
    scene.hold()
    scene.say("FRA", "SUB ((FRA AMY PAR) MTO BUR)")
    scene.hold()
    assert str(scene.game.position.phase) == "S1902M"
    scene.say("ENG", "SUB ((ENG FLT NTH) MTO NWY) ((ENG FLT EDI) HLD)")
    scene.say("ENG", "NOT (GOF)")
    scene.say("FRA", "DRW (ENG FRA)")
    scene.say("FRA", "DRW")
    return scene


def resumed(scene: Scene, **overrides: Any) -> Scene:
    """The game of a scene after its server was stopped and started again."""
    again = Scene(ServerGame.resume(json.loads(json.dumps(scene.game.saved())), **overrides))
    again.codes = dict(scene.codes)
    return again


def take_all(scene: Scene, *but: str) -> None:
    """All powers are taken over with IAM."""
    for power, code in scene.codes.items():
        if power not in but:
            client = scene.join()
            scene.of[power] = client
            assert scene.say(client, f"IAM ({power}) ({code})")[0] == f"YES (IAM ({power}) ({code}))"


def test_a_resumed_game_goes_on_like_the_one_that_was_not_interrupted() -> None:
    scene = interrupted()
    again = resumed(scene)
    take_all(again)
    assert again.game.state == "running"
    for played in (scene, again):
        assert played.say("ENG", "MIS") == ["MIS (ENG AMY LVP)"]
        played.hold()
        assert str(played.game.position.phase) == "S1902M"
        for power in played.of:
            played.say(power, "GOF")
        assert str(played.game.position.phase) == "F1902M"
        played.hold()
    assert again.game.position == scene.game.position
    assert again.game.saved() == scene.game.saved()
    assert again.say("GER", "HST (SPR 1901)") == scene.say("GER", "HST (SPR 1901)")
    assert again.say("GER", "ORD") == scene.say("GER", "ORD")


def test_what_is_told_when_a_game_goes_on() -> None:
    scene = interrupted(mtl=600)
    again = resumed(scene)
    watcher = again.enter("OBS")
    assert again.game.open_chairs == 7
    take_all(again)
    messages = again.hears("ENG")
    assert [message.split()[0] for message in messages] == ["SCO", "NOW", "TME"]
    assert messages[-1] == "TME (600)"
    assert again.hears(watcher) == ["HLO (UNO) (0) ((LVL 20) (MTL 600) (PDA))", *messages]
    assert again.hears("TUR") == [f"YES (IAM (TUR) ({again.codes['TUR']}))", *messages]
    assert again.say("ENG", "HLO") == [f"HLO (ENG) ({again.codes['ENG']}) ((LVL 20) (MTL 600) (PDA))"]


class TestLoad:
    def test_clients_with_names_are_asked_who_they_were(self) -> None:
        again = resumed(interrupted(save="evening"))
        take_all(again, "ENG", "FRA", "GER", "ITA")
        clients = {power: again.join() for power in ("ENG", "FRA", "GER", "ITA")}
        for power, client in clients.items():
            assert again.say(client, f"NME ('{power.title()}Bot') ('2')")[0].startswith("YES")
        late = again.join()
        assert again.say(late, "NME ('Late') ('1')") == ["REJ (NME ('Late') ('1'))"]
        for client in clients.values():
            again.say(client, "YES (MAP ('standard'))")
        assert all(again.hears(client) == ["LOD ('evening')"] for client in clients.values())
        assert again.hears("TUR") == []
        code = again.codes
        assert again.say(clients["ENG"], f"IAM (ENG) ({code['ENG']})") == [f"YES (IAM (ENG) ({code['ENG']}))"]
        assert again.say(clients["FRA"], "REJ (LOD ('evening'))") == []
        wrong = code["GER"] % 8191 + 1
        assert again.say(clients["GER"], f"IAM (GER) ({wrong})") == [f"REJ (IAM (GER) ({wrong}))"]
        assert again.game.state == "waiting"
        again.drop(clients["ITA"])
        assert again.game.state == "running"
        messages = again.hears("TUR")
        assert [message.split()[0] for message in messages] == ["SCO", "NOW", "CCD", "CCD", "CCD"]
        assert messages[2:] == ["CCD (FRA)", "CCD (GER)", "CCD (ITA)"]
        assert again.hears(clients["FRA"]) == []
        # Who failed may still take the seat.
        assert again.say(clients["GER"], f"IAM (GER) ({code['GER']})") == [
            f"YES (IAM (GER) ({code['GER']}))",
            "NOT (CCD (GER))",
        ]

    def test_who_does_not_answer_is_not_waited_for_long(self) -> None:
        again = resumed(interrupted(mtl=600))
        take_all(again, "ENG")
        client = again.enter("NME ('A') ('1')")
        assert again.hears(client) == ["LOD ('game')"]
        again.wait(ANSWER_SECONDS - 1)
        assert again.game.state == "waiting"
        again.wait(1)
        assert again.game.state == "running"
        assert again.hears("TUR")[-2:] == ["CCD (ENG)", "TME (600)"]

    def test_who_is_not_needed_is_told(self) -> None:
        again = resumed(interrupted(save="evening"))
        take_all(again, "ENG", "FRA")
        client = again.enter("NME ('A') ('1')")
        again.take(again.game.go_on(again.now))
        assert again.hears(client) == ["LOD ('evening')"]
        code = again.codes["FRA"]
        assert again.say(client, f"IAM (FRA) ({code})") == [f"YES (IAM (FRA) ({code}))", "NOT (CCD (FRA))"]

    def test_eliminated_powers_are_not_waited_for(self) -> None:
        scene = Scene.started(position=SPRING)
        again = resumed(scene)
        assert again.game.open_chairs == 5
        take_all(again, "AUS", "GER")
        assert again.game.state == "running"
        assert not any(message.startswith("CCD") for message in again.hears("ENG"))
        code = again.codes["AUS"]
        assert again.say(again.join(), f"IAM (AUS) ({code})") == [f"YES (IAM (AUS) ({code}))"]


def test_players_are_told_to_save_at_the_start_and_on_demand() -> None:
    scene = Scene.started(save="evening", observers=1)
    assert scene.hears("ENG")[1:] == [SCO, NOW, "SVE ('evening')"]
    assert scene.hears(1)[1:] == [SCO, NOW]
    assert scene.say("ENG", "YES (SVE ('evening'))") == scene.say("FRA", "REJ (SVE ('evening'))") == []
    scene.drop("GER")
    scene.take(scene.game.save(scene.now))
    assert scene.hears("ENG") == ["SVE ('evening')"]
    assert scene.saves[-1] == scene.game.saved()


def test_the_saved_game_is_one_that_other_commands_read() -> None:
    scene = interrupted()
    game = game_from_json(scene.game.saved())
    assert [phase.name for phase in game.phases] == ["S1901M", "F1901M", "S1902M"]
    assert game.phases[0].orders["ENGLAND"] == ["F LON - NTH", "F EDI H", "A LVP H"]
    assert game.phases[0].results["F LON"] == []
    report = replay_game(game)
    assert (report.compared, report.mismatches, report.unreadable) == (2, [], [])
    assert game.position(-1) == scene.game.position


def test_names_and_texts_that_are_no_text_can_be_saved() -> None:
    scene = Scene.waiting(level=8000)
    scene.game.connected(50, 0.0)
    nme = ("NME", "(", "'\x80", "'A", ")", "(", "'\xff", ")")
    scene.heard[50] = []
    scene.take(scene.game.received(50, nme, 0.0))
    scene.say(50, "YES (MAP ('standard'))")
    scene.fill()
    other = next(power for power, client in scene.of.items() if client != 50)
    me = next(power for power, client in scene.of.items() if client == 50)
    scene.take(scene.game.received(50, ("SND", "(", other, ")", "(", "'\xfe", ")"), 0.0))
    assert scene.heard[scene.of[other]]
    saved = scene.game.saved()
    json.dumps(saved, ensure_ascii=False).encode()
    assert saved["daide"]["seats"][me]["name"] == "�A"
    assert ServerGame.resume(saved).saved() == saved


def test_overrides_and_what_cannot_be_resumed() -> None:
    scene = interrupted()
    assert resumed(scene, mtl=30, level=50).game.settings == GameSettings(level=50, mtl=30, pda=True)
    for power in scene.of:
        scene.say(power, "DRW")
    assert scene.game.state == "over"
    with pytest.raises(BordeauxError, match="over"):
        ServerGame.resume(scene.game.saved())


@functools.cache
def saved_text() -> str:
    return json.dumps(interrupted().game.saved())


def broken(path: str, value: Any) -> Any:
    """A saved game with one entry replaced, or left out."""
    data = json.loads(saved_text())
    *way, last = path.split()
    place: Any = data
    for step in way:
        place = place[int(step) if step.isdigit() else step]
    if value is None:
        del place[last]
    else:
        place[int(last) if last.isdigit() else last] = value
    return data


BROKEN: dict[str, list[Any]] = {
    "daide": [None, []],
    "phases": [[]],
    "map": ["nowhere"],
    "daide version": [7],
    "daide settings": [None, {"colour": 3}],
    "daide settings level": ["much", 7],
    "daide settings mtl": [True],
    "daide state": ["lost"],
    "daide seats": [{}],
    "daide seats ENG": [None],
    "daide seats ENG name": [3],
    "daide seats ENG passcode": [0, 8192, -8193, 2**63, 1.5, True, None, "7"],
    "daide seats ENG eliminated": [-1, 8191, 1.5, "1901"],
    "daide results": [[]],
    "daide results 0 0": ["NOW", "ORD", "'", "MAP ('x')"],
    "daide orders ENG": [["nonsense"], 3],
    "daide orders XXX": [[]],
    "daide draws FRA": [3, [3]],
    "daide press": [{}, [3]],
    "phases 1 state units ENGLAND": [["A NTH"]],
}


@pytest.mark.parametrize("path", BROKEN)
def test_a_broken_file_gives_one_clear_line(path: str) -> None:
    for data in [broken(path, value) for value in BROKEN[path]] + [[], None, 3, {}, {"phases": 1}]:
        with pytest.raises(BordeauxError) as caught:
            ServerGame.resume(data)
        assert "\n" not in str(caught.value) and len(str(caught.value)) > 15


OPENING = {
    "FRA": "SUB ((FRA AMY PAR) MTO BUR) ((FRA AMY MAR) MTO SPA) ((FRA FLT BRE) MTO MAO)",
    "GER": "SUB ((GER AMY BER) MTO KIE) ((GER AMY MUN) MTO BUR) ((GER FLT KIE) MTO DEN)",
}


async def play_turn(table: dict[str, Client], special: dict[str, str]) -> dict[str, list[str]]:
    """One movement turn with some orders, and holds of the others; what everybody hears to its end."""
    for power, orders in special.items():
        table[power].say(orders)
    await hold(client for power, client in table.items() if power not in special)
    return {power: await client.hear_until("NOW") for power, client in table.items()}


async def retake(served: Server, codes: dict[str, int]) -> dict[str, Client]:
    """Take powers over with their passcodes."""
    table = {}
    for power, code in codes.items():
        client = table[power] = await served.client()
        assert await client.ask(f"IAM ({power}) ({code})") == f"YES (IAM ({power}) ({code}))"
    return table


@pytest.mark.slow
async def test_a_server_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "game.json"

    async with server("--save", str(path), "--level", "10") as first:
        table = await first.game()
        codes = {power: client.passcode for power, client in table.items()}
        messages = await play_turn(table, OPENING)
        results = sorted(line for line in messages["FRA"] if line.startswith("ORD"))
        assert any("(FRA AMY PAR) MTO BUR) (BNC)" in line for line in results)
        press = "SND (GER) (PRP (DRW))"
        table["FRA"].say(press)
        assert (await table["FRA"].hear_until("YES"))[-1] == f"YES ({press})"
        port = first.port
        first.process.kill()
        await first.process.wait()
    async with server("--save", str(path), "--linger", "0.1", port=port) as second:
        table = await retake(second, {power: codes[power] for power in list(codes)[:6]})
        last = list(codes)[6]
        stranger = await second.client()
        assert await stranger.ask("NME ('Late') ('1')") == "YES (NME ('Late') ('1'))"
        assert await stranger.hear() == "MAP ('standard')"
        await stranger.close()
        wrong = codes[last] % 8000 + 1
        thief = await second.client()
        assert await thief.ask(f"IAM ({last}) ({wrong})") == f"REJ (IAM ({last}) ({wrong}))"
        await thief.close()
        table |= await retake(second, {last: codes[last]})
        for client in table.values():
            assert (await client.hear_until("NOW"))[-1].startswith("NOW (FAL 1901)")
        france = table["FRA"]
        france.say("HST (SPR 1901)", "HLO")
        history = await france.hear_until("HLO")
        assert sorted(line for line in history if line.startswith("ORD")) == results
        assert history[-1] == f"HLO (FRA) ({codes['FRA']}) ((LVL 10))"
        messages = await play_turn(table, {})
        assert messages["TUR"][-1].startswith("NOW (WIN 1901)")
        await agree(table)
        code, _, err = await second.end()
        assert code == 0
        assert err.splitlines()[0][9:].startswith("the game goes on in F1901M with AUS (passcode ")
    game = next(read_games(path))
    assert [phase.name for phase in game.phases] == ["S1901M", "F1901M", "W1901A"]
    assert CliRunner().invoke(main, ["replay", str(path)]).exit_code == 0
    assert json.loads(path.read_text())["daide"]["state"] == "over"


@pytest.mark.slow
async def test_a_game_may_go_on_without_those_who_do_not_come_back(tmp_path: Path) -> None:
    path = tmp_path / "game.json"

    async with server("--save", str(path)) as first:
        codes = {power: client.passcode for power, client in (await first.game()).items()}
        first.process.kill()
        await first.process.wait()
    async with server("--save", str(path), "--wait", "0.5", "--mtl", "600") as second:
        table = await retake(second, {"FRA": codes["FRA"]})
        heard = await table["FRA"].hear_until("TME")
        assert heard[-1] == "TME (600)", "options may be given anew"
        assert sorted(line for line in heard if line.startswith("CCD")) == [
            f"CCD ({power})" for power in sorted(codes) if power != "FRA"
        ]


class TestDamaged:
    """Each number of a saved game is one that clients can be told, or the game is refused when it is read."""

    def test_a_phase_after_the_last_year_of_the_language(self) -> None:
        saved = interrupted().game.saved()
        saved["phases"][-1]["name"] = saved["phases"][-1]["state"]["name"] = "S8191M"
        with pytest.raises(FormatError, match="last year"):
            ServerGame.resume(saved)

    @pytest.mark.parametrize("seed", range(4))
    def test_what_is_changed_anywhere_is_refused_or_played(self, seed: int) -> None:
        whole = json.dumps(interrupted(mtl=60).game.saved())
        chance = Random(seed)
        for _ in range(examples(30)):
            saved = json.loads(whole)
            node, key = chance.choice(list(places(saved)))
            value: object = chance.choice(
                [None, True, -1, 8192, 2**63, 1e300, "", "\ud800", "S99999M", [], {}, "ENG"]
            )
            if value is None and isinstance(node, dict):
                del node[key]
            else:
                node[key] = value
            try:
                game = ServerGame.resume(saved)
            except BordeauxError:
                continue
            effects = [*game.connected(1, 0.0), *game.received(1, ("OBS",), 0.0), *game.go_on(0.0)]
            for minute in range(1, 4):
                effects += game.tick(100.0 * minute)
            effects += game.received(1, ("ORD",), 1e6)
            for effect in [*effects, *game.save(1e6), *game.off(1e6)]:
                if isinstance(effect, Send):
                    d.encode(effect.message, game.vocabulary)
                elif isinstance(effect, Save):
                    json.dumps(effect.game, ensure_ascii=False).encode()


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every entry of a document, as its container and its key."""
    for key, value in node.items() if isinstance(node, dict) else enumerate(node):
        yield node, key
        if isinstance(value, dict | list):
            yield from places(value)
