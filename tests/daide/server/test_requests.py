"""What clients may ask, and ADM. LANGUAGE.md, section 7: 3 and 7."""

from __future__ import annotations

from tests.daide.server.scene import Scene, place
from tests.daide.server.test_turns import heads


def test_results_of_the_last_movement_turn_and_what_came_after() -> None:
    position = place(
        "NOW (FAL 1902) (FRA AMY PAR) (FRA AMY PIC) (GER AMY BUR) (ENG FLT LON)"
        " SCO (FRA PAR BRE) (GER MUN) (ENG LON) (UNO BEL)"
    )
    scene = Scene.started(position=position, observers=1)
    assert scene.say("FRA", "ORD") == ["REJ (ORD)"]
    scene.say("FRA", "SUB ((FRA AMY PAR) MTO BUR) ((FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR)")
    scene.hold("GER", "ENG")
    movement = [message for message in scene.hears("FRA") if message.startswith("ORD")]
    assert scene.say("FRA", "ORD") == movement
    scene.say("GER", "SUB ((GER AMY BUR) RTO BEL)")
    retreats = [message for message in scene.hears("FRA") if message.startswith("ORD")]
    assert scene.say("FRA", "ORD") == movement + retreats
    scene.say("GER", "SUB (GER WVE)")
    builds = [message for message in scene.hears("FRA") if message.startswith("ORD")]
    assert builds == ["ORD (WIN 1902) (GER WVE) (SUC)"]
    assert scene.say("GER", "ORD") == movement + retreats + builds
    assert scene.say(1, "ORD") == ["HUH (ERR ORD)"]
    scene.hold()
    assert scene.say("GER", "ORD") == [message for message in scene.hears("GER") if message.startswith("ORD")]
    assert all("(SPR 1903)" in message for message in scene.hears("GER"))


def test_history_of_a_turn() -> None:
    scene = Scene.started(observers=1)
    by_turn = {}
    for turn in ("SPR 1901", "FAL 1901", "SPR 1902"):
        assert scene.say("ENG", f"HST ({turn})") == [f"REJ (HST ({turn}))"]
        scene.hold()
        by_turn[turn] = scene.hears("ENG")
    for turn, messages in by_turn.items():
        results = [message for message in messages if message.startswith("ORD")]
        history = scene.say(1, f"HST ({turn})")
        assert heads(history) == ["ORD", "SCO", "NOW"]
        assert history[:-2] == results
        assert history[-1] == next(message for message in messages if message.startswith("NOW"))
    for turn in ("SUM 1901", "WIN 1901", "FAL 1902", "SPR 1900"):
        assert scene.say("ENG", f"HST ({turn})") == [f"REJ (HST ({turn}))"]
    assert scene.say("ENG", "HST") == ["HUH (HST ERR)"]


def test_position_and_centres_follow_the_game() -> None:
    scene = Scene.started()
    scene.say("ENG", "SUB ((ENG FLT EDI) MTO NWG)")
    scene.hold()
    scene.say("ENG", "SUB ((ENG FLT NWG) MTO NWY)")
    scene.hold()
    messages = scene.hears("FRA")
    assert [messages[-2], messages[-1]] == [*scene.say("FRA", "SCO"), *scene.say("FRA", "NOW")]
    assert "(ENG EDI LON LVP NWY)" in messages[-2]
    assert messages[-1].startswith("NOW (WIN 1901)")


class TestTalk:
    def test_it_goes_to_everybody_the_sender_included(self) -> None:
        scene = Scene.started(observers=1)
        stranger = scene.join()
        text = "ADM ('Eve') ('Shall we stop at eight?')"
        assert scene.say("ENG", text) == [text]
        assert scene.hears("FRA") == scene.hears(1) == [text]
        assert scene.hears(stranger) == []
        assert scene.say(stranger, text) == [text]
        assert scene.hears("FRA") == scene.hears(1) == [text]

    def test_before_the_start(self) -> None:
        scene = Scene.waiting()
        first, second = scene.join(), scene.join()
        scene.say(second, "OBS")
        text = "ADM ('Eve') ('Hello?')"
        assert scene.say(first, text) == [text]
        assert scene.hears(second) == [text]

    def test_it_may_be_switched_off(self) -> None:
        scene = Scene.started(talk=False)
        text = "ADM ('Eve') ('Hello?')"
        assert scene.say("ENG", text) == [f"REJ ({text})"]
        assert scene.hears("FRA") == []
