"""Silent powers in games without deadlines, and who is waited for."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from bordeaux.board.errors import BordeauxError
from bordeaux.daide.server import GameSettings
from bordeaux.daide.server.fill import Fill
from tests.daide.server.scene import Scene

from .wires import run, serving, started

SCRIPT = Path(__file__).with_name("childbot.py")


def test_it_is_told_who_is_waited_for_ever_more_seldom() -> None:
    scene = Scene.started()
    scene.hold(but=("ENG", "RUS"))
    scene.drop("RUS")
    scene.wait(3600)
    notes = [note for note in scene.notes if "waits for" in note]
    name = f"Bot{scene.of['ENG']}"
    assert notes[0] == f"S1901M waits for ENG ({name}), RUS (nobody plays it), 60 s so far"
    assert [note.rpartition(", ")[2] for note in notes[1:]] == [
        f"{minutes} min so far" for minutes in (2, 4, 8, 16, 32)
    ]


def test_nobody_is_named_where_the_deadline_tells() -> None:
    scene = Scene.started(mtl=600)
    scene.wait(500)
    assert scene.notes == []


def test_without_the_setting_a_turn_waits_for_ever() -> None:
    scene = Scene.started()
    scene.hold(but=("ENG",))
    scene.wait(1e6)
    assert str(scene.game.position.phase) == "S1901M"


def test_a_silent_power_is_warned_and_then_left_behind() -> None:
    scene = Scene.started(idle=100)
    scene.hold(but=("ENG",))
    scene.wait(99)
    assert scene.hears("ENG") == []
    scene.wait(1)
    assert scene.hears("ENG") == [
        "ADM ('Server') ('ENG is waited for and silent; in 100 s the game goes on without it')"
    ]
    assert scene.hears("FRA") == []
    scene.wait(99)
    assert str(scene.game.position.phase) == "S1901M"
    scene.wait(1)
    heard = scene.hears("FRA")
    assert heard[0] == "CCD (ENG)"
    assert str(scene.game.position.phase) == "F1901M"
    assert "the game goes on without ENG, which has been silent" in scene.notes
    # It is not waited for again, and comes back with any word.
    scene.hold(but=("ENG",))
    assert str(scene.game.position.phase) == "S1902M"
    assert scene.say("ENG", "MAP")[0] == "NOT (CCD (ENG))"
    scene.hold(but=("ENG",))
    assert str(scene.game.position.phase) == "S1902M", "waited for again"


def test_any_word_counts_as_life() -> None:
    scene = Scene.started(idle=100)
    scene.hold(but=("ENG",))
    for _ in range(30):
        scene.wait(90)
        scene.say("ENG", "MAP")
    assert str(scene.game.position.phase) == "S1901M"
    assert not any("silent" in note for note in scene.notes)


def test_one_that_has_ordered_and_wants_to_wait_is_waited_for_as_well() -> None:
    scene = Scene.started(idle=100)
    scene.say("ENG", "NOT (GOF)")
    scene.hold()
    assert str(scene.game.position.phase) == "S1901M"
    scene.wait(200)
    assert str(scene.game.position.phase) == "F1901M"


def test_a_vacant_power_is_left_behind_and_may_be_taken_again() -> None:
    scene = Scene.started(idle=100)
    scene.drop("ENG")
    scene.hold(but=("ENG",))
    scene.wait(200)
    assert str(scene.game.position.phase) == "F1901M"
    new = scene.join()
    code = scene.codes["ENG"]
    assert scene.say(new, f"IAM (ENG) ({code})") == [f"YES (IAM (ENG) ({code}))", "NOT (CCD (ENG))"]
    scene.of["ENG"] = new
    scene.hold(but=("ENG",))
    assert str(scene.game.position.phase) == "F1901M"
    scene.hold("ENG")
    assert str(scene.game.position.phase) == "S1902M"


def test_a_game_of_silent_powers_alone_does_not_run_away() -> None:
    scene = Scene.started(idle=10)
    scene.wait(1e5)
    assert str(scene.game.position.phase) == "S1901M"
    scene.say("ENG", "MAP")
    scene.hold("ENG")
    assert str(scene.game.position.phase) == "F1901M", "one that plays has the others left behind"


def test_turns_with_a_limit_have_their_deadline() -> None:
    scene = Scene.started(idle=10, mtl=600)
    scene.hold(but=("ENG",))
    scene.wait(599)
    assert str(scene.game.position.phase) == "S1901M"
    assert not any("silent" in note for note in scene.notes)


def test_a_player_of_the_house_takes_the_place_until_the_owner_is_back() -> None:
    scene = Scene.started(idle=100)
    scene.game.replace_silent()
    scene.hold(but=("ENG",))
    old = scene.of["ENG"]
    scene.wait(200)
    assert scene.replaced == ["ENG"] and old in scene.closed
    assert str(scene.game.position.phase) == "S1901M", "it is waited for, as it will play"
    spare = scene.game.spare_passcode("ENG")
    assert spare != scene.codes["ENG"]
    ours = scene.join("127.0.0.1")
    assert scene.say(ours, f"IAM (ENG) ({spare})")[0].startswith("YES")
    scene.of["ENG"] = ours
    scene.hold("ENG")
    assert str(scene.game.position.phase) == "F1901M"
    back = scene.join()
    code = scene.codes["ENG"]
    heard = scene.say(back, f"IAM (ENG) ({code})")
    assert heard[0] == f"YES (IAM (ENG) ({code}))"
    assert scene.hears(ours) == ["OFF"] and "owner" in scene.closed[ours]
    late = scene.join()
    scene.drop(back)
    assert scene.say(late, f"IAM (ENG) ({spare})")[0].startswith("REJ"), "the spare passcode is over"


def test_where_our_player_fails_as_well_the_game_goes_on() -> None:
    scene = Scene.started(idle=100)
    scene.game.replace_silent()
    scene.hold(but=("ENG",))
    scene.wait(400)
    assert scene.replaced == ["ENG"]
    assert str(scene.game.position.phase) == "F1901M"


def test_a_child_stands_in_for_a_client_that_hangs() -> None:
    async def body() -> None:
        async with serving(idle=1, pace=5.0) as served:
            served.game.replace_silent()
            table = await started(served)
            fill = Fill(
                "hold",
                served.game,
                served.host.logbook,
                kept=None,
                program=(sys.executable, "-I", str(SCRIPT)),
            )
            served.host.stand_in = fill.stand_in
            filling = asyncio.create_task(fill.run(f"127.0.0.1:{served.port}"))
            from .test_host import hold

            await hold(client for power, client in table.items() if power != "ENG")
            await served.logged("a player of the house takes the place of ENG")
            assert (await table["FRA"].hear_until("NOW"))[-1].startswith("NOW (FAL 1901)")
            filling.cancel()
            await asyncio.gather(filling, return_exceptions=True)

    run(body)


@pytest.mark.parametrize("seconds", [0, -1, 10**8])
def test_seconds_that_make_no_sense(seconds: int) -> None:
    with pytest.raises(BordeauxError, match="idle must be 1 to"):
        GameSettings(idle=seconds)
