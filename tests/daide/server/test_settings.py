"""The options of a game, and how HLO lists them. LANGUAGE.md, section 5."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bordeaux import BordeauxError, Map
from bordeaux.daide import language as d
from bordeaux.daide import wire
from bordeaux.daide.server import GameSettings, ServerGame
from tests.daide.server.scene import Scene, place
from tests.daide.server.test_turns import heads

from .wires import serving, started


def test_the_options_stand_in_the_order_of_the_language() -> None:
    everything = GameSettings(
        level=130, mtl=300, rtl=60, btl=90, dsd=True, aoa=True, pda=True, npr=True, npb=True, ptl=15
    )
    hello = d.HLO("ENG", 7, everything.options)
    assert d.text(hello) == (
        "HLO (ENG) (7) ((LVL 130) (MTL 300) (RTL 60) (BTL 90) (DSD) (AOA) (PDA) (NPR) (NPB) (PTL 15))"
    )
    assert d.text(d.HLO("UNO", 0, GameSettings().options)) == "HLO (UNO) (0) ((LVL 0))"


def test_limits() -> None:
    settings = GameSettings(rtl=60, btl=90)
    assert [settings.limit(kind) for kind in "MRA-"] == [None, 60, 90, None]
    assert settings.longest == 90
    assert GameSettings().longest == -1


WRONG: dict[str, list[dict[str, Any]]] = {
    "level": [{"level": 5}, {"level": 140}, {"level": -10}],
    "mtl": [{"mtl": 0}],
    "rtl": [{"rtl": 8192}],
    "btl": [{"btl": -1}],
    "ptl": [
        {"level": 10, "mtl": 60, "ptl": -1},
        {"level": 10, "ptl": 10},
        {"level": 10, "mtl": 10, "ptl": 10},
    ],
    "is an option of games with press": [{"pda": True}, {"npr": True}, {"npb": True}, {"mtl": 60, "ptl": 5}],
    "until": [{"until": 0}, {"until": 8191}],
    "idle": [{"idle": 0}],
    "saved game": [{"save": "much too long"}, {"save": "a-b"}],
}


@pytest.mark.parametrize("says", WRONG)
def test_what_makes_no_sense(says: str) -> None:
    for options in WRONG[says]:
        with pytest.raises(BordeauxError, match=says) as caught:
            GameSettings(**options)
        assert "\n" not in str(caught.value)


SCO = (
    "SCO (AUS BUD TRI VIE) (ENG EDI LON LVP) (FRA BRE MAR PAR) (GER BER KIE MUN) (ITA NAP ROM VEN)"
    " (RUS MOS SEV STP WAR) (TUR ANK CON SMY) (UNO BEL BUL DEN GRE HOL NWY POR RUM SER SPA SWE TUN)"
)
NOW = (
    "NOW (SPR 1901) (AUS AMY BUD) (AUS FLT TRI) (AUS AMY VIE) (ENG FLT EDI) (ENG FLT LON) (ENG AMY LVP)"
    " (FRA FLT BRE) (FRA AMY MAR) (FRA AMY PAR) (GER AMY BER) (GER FLT KIE) (GER AMY MUN) (ITA FLT NAP)"
    " (ITA AMY ROM) (ITA AMY VEN) (RUS AMY MOS) (RUS FLT SEV) (RUS FLT (STP SCS)) (RUS AMY WAR)"
    " (TUR FLT ANK) (TUR AMY CON) (TUR AMY SMY)"
)


def test_an_observer_gets_the_map_and_no_chair() -> None:
    scene = Scene.waiting()
    client = scene.join()
    assert scene.say(client, "OBS") == ["YES (OBS)", "MAP ('standard')"]
    assert scene.game.open_chairs == 7
    assert scene.say(client, "NME ('A') ('1')") == ["REJ (NME ('A') ('1'))"]
    assert scene.say(client, "OBS") == ["REJ (OBS)"]


def test_the_game_starts_when_all_have_accepted_the_map() -> None:
    scene = Scene.waiting(seed=3, level=20, mtl=300, rtl=60, btl=90, dsd=True)
    watcher, stranger = scene.join(), scene.join()
    scene.say(watcher, "OBS")
    players = [scene.join() for _ in range(7)]
    for client in players:
        scene.say(client, f"NME ('Bot{client}') ('1')")
    assert scene.game.open_chairs == 0
    late = scene.join()
    assert scene.say(late, "NME ('Late') ('1')") == ["REJ (NME ('Late') ('1'))"]
    for client in players[:-1]:
        assert scene.say(client, "YES (MAP ('STANDARD'))") == []
    assert scene.say(players[-1], "YES (MAP ('gulfs'))") == []
    assert scene.game.state == "waiting"
    scene.say(players[-1], "YES (MAP ('standard'))")
    assert scene.game.state == "running"
    options = "((LVL 20) (MTL 300) (RTL 60) (BTL 90) (DSD))"
    for client in players:
        greeting, *rest = scene.hears(client)
        power = next(power for power, number in scene.of.items() if number == client)
        assert greeting == f"HLO ({power}) ({scene.codes[power]}) {options}"
        assert rest == [SCO, NOW, "TME (300)"]
    assert scene.hears(watcher) == [f"HLO (UNO) (0) {options}", SCO, NOW, "TME (300)"]
    assert scene.hears(stranger) == scene.hears(late) == []
    assert len(set(scene.codes.values())) == 7
    assert all(-8192 <= code <= 8191 and code for code in scene.codes.values())
    assert len(scene.saves) == 1
    assert scene.say(late, "NME ('Late') ('1')") == ["REJ (NME ('Late') ('1'))"]


def test_chance_deals_the_powers_and_the_seed_fixes_it() -> None:
    deals = [tuple(Scene.started(seed=seed).of.items()) for seed in (*range(8), 0)]
    assert deals[0] == deals[-1]
    assert len(set(deals)) > 5
    first = Counter(power for deal in deals for power, client in deal if client == 1)
    assert len(first) > 2


def test_hello_before_and_after_the_start() -> None:
    scene = Scene.waiting()
    client = scene.join()
    scene.say(client, "NME ('A') ('1')")
    assert scene.say(client, "HLO") == ["REJ (HLO)"]
    scene = Scene.started()
    assert scene.say("FRA", "HLO") == [f"HLO (FRA) ({scene.codes['FRA']}) ((LVL 0))"]
    watcher = scene.join()
    assert scene.say(watcher, "HLO") == ["HUH (ERR HLO)"]
    scene.say(watcher, "OBS")
    assert scene.say(watcher, "HLO") == ["HUH (ERR HLO)"]


@pytest.mark.parametrize("hello", ["OBS", "NME ('A') ('1')"])
def test_who_refuses_the_map_is_sent_away(hello: str) -> None:
    scene = Scene.waiting()
    client = scene.join()
    scene.say(client, hello)
    assert scene.say(client, "REJ (MAP ('standard'))") == ["OFF"]
    assert scene.closed == {client: "it does not accept the map"}
    assert scene.game.open_chairs == 7
    scene.take(scene.game.lost(client, 0))
    assert scene.say(client, "MAP") == []


def test_refusing_the_map_means_nothing_before_a_name_and_after_the_start() -> None:
    scene = Scene.waiting()
    client = scene.join()
    assert scene.say(client, "REJ (MAP ('standard'))") == scene.say(client, "YES (MAP ('standard'))") == []
    scene = Scene.started()
    assert scene.say("ENG", "REJ (MAP ('standard'))") == []
    assert not scene.closed
    assert scene.say("ENG", "MIS") == ["MIS (ENG FLT EDI) (ENG FLT LON) (ENG AMY LVP)"]


def test_a_late_observer_is_told_what_the_others_know() -> None:
    scene = Scene.started(mtl=60)
    scene.wait(20.5)
    watcher = scene.join()
    assert scene.say(watcher, "OBS") == ["YES (OBS)", "MAP ('standard')"]
    replies = scene.say(watcher, "YES (MAP ('standard'))")
    assert replies == ["HLO (UNO) (0) ((LVL 0) (MTL 60))", SCO, NOW, "TME (39)"]
    assert scene.say(watcher, "YES (MAP ('standard'))") == []


def test_strangers_get_direct_answers_and_nothing_else() -> None:
    scene = Scene.started(mtl=60)
    stranger = scene.join()
    assert scene.say(stranger, "NOW") == [NOW]
    assert scene.say(stranger, "TME") == ["TME (60)"]
    assert scene.say(stranger, "TME (30)") == ["REJ (TME (30))"]
    assert scene.say(stranger, "SUB ((ENG FLT LON) HLD)") == ["HUH (ERR SUB ((ENG FLT LON) HLD))"]
    scene.hold()
    assert scene.hears(stranger) == []
    assert any(message.startswith("NOW (FAL 1901)") for message in scene.hears("ENG"))
    scene.take(scene.game.off(scene.now))
    assert scene.hears(stranger) == scene.hears("ENG") == ["OFF"]
    assert len(scene.closed) == 8


class TestTakingOver:
    def test_a_vacant_seat_for_its_passcode(self) -> None:
        scene = Scene.started()
        old = scene.of["ENG"]
        scene.drop("ENG")
        assert scene.hears("FRA") == ["CCD (ENG)"]
        assert scene.game.vacant == ("ENG",)
        new = scene.join()
        code = scene.codes["ENG"]
        assert scene.say(new, f"IAM (ENG) ({code})") == [f"YES (IAM (ENG) ({code}))", "NOT (CCD (ENG))"]
        assert scene.hears("FRA") == ["NOT (CCD (ENG))"]
        assert scene.hears(old) == []
        assert scene.say(new, "HLO") == [f"HLO (ENG) ({code}) ((LVL 0))"]
        assert scene.say(new, "SUB ((ENG FLT LON) MTO NTH)") == [
            "THX ((ENG FLT LON) MTO NTH) (MBV)",
            "MIS (ENG FLT EDI) (ENG AMY LVP)",
        ]

    def test_refusals(self) -> None:
        scene = Scene.started()
        code = scene.codes["ENG"]
        wrong = code % 8191 + 1
        stranger = scene.join()
        for text in (f"IAM (ENG) ({code})", f"IAM (ENG) ({wrong})", f"IAM (FRA) ({code})"):
            assert scene.say(stranger, text) == [f"REJ ({text})"]
        scene.drop("ENG")
        watcher = scene.join()
        scene.say(watcher, "OBS")
        for client in (watcher, scene.of["FRA"]):
            assert scene.say(client, f"IAM (ENG) ({code})") == [f"REJ (IAM (ENG) ({code}))"]
        assert scene.say(stranger, f"IAM (ENG) ({wrong})") == [f"REJ (IAM (ENG) ({wrong}))"]
        assert scene.say(stranger, f"IAM (ENG) ({code})")[0] == f"YES (IAM (ENG) ({code}))"

    def test_an_owner_whose_dead_link_is_not_noticed_yet_may_ask_again_for_a_minute(self) -> None:
        scene = Scene.started()
        code = scene.codes["ENG"]
        for _ in range(15):
            again = scene.join()
            assert scene.say(again, f"IAM (ENG) ({code})") == [f"REJ (IAM (ENG) ({code}))"]
            scene.drop(again)
        scene.drop("ENG")
        assert scene.say(scene.join(), f"IAM (ENG) ({code})")[0].startswith("YES")


def test_other_maps_are_spelt_as_the_language_allows() -> None:
    game = ServerGame(GameSettings(), map=Map.load("gulfs"))
    scene = Scene(game)
    client = scene.join()
    assert scene.say(client, "MAP") == ["MAP ('gulfs')"]
    assert scene.say(client, "MDF")[0].startswith("MDF (")


# What clients may ask, and ADM. LANGUAGE.md, section 7: 3 and 7.


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


FOREIGN = Path(__file__).with_name("foreign")
CONVERSATIONS = sorted(FOREIGN.glob("*.txt"))


async def test_kissmybot_keeps_its_seat_over_real_sockets() -> None:
    async with serving(level=20) as served:
        client = (await started(served))["ENG"]
        tokens = d.encode(("TME", "(", "0xFFFE", ")"))
        assert tokens[4:6] == b"\xff\xfe"
        client.write(wire.dm(tokens))
        assert await client.hear() == "YES (TME (0xFFFE))"
        assert (await client.ask("MIS")).startswith("MIS (ENG")


def test_what_only_looks_like_it_gets_the_answer_of_the_language() -> None:
    scene = Scene.started(level=20)
    assert scene.say("ENG", "TME (-2)") == ["REJ (TME (-2))"]
    assert scene.say("ENG", "TME (0x4C01)") == ["HUH (TME (ERR 0x4C01))"]
    assert scene.say("ENG", "NOT (TME (0xFFFE))") == ["YES (NOT (TME (0xFFFE)))"]


@pytest.mark.parametrize("path", CONVERSATIONS, ids=lambda path: path.stem)
def test_conversations_of_foreign_programs(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    words = [word.split("=") for word in lines[0].removeprefix("# options:").split()]
    options: dict[str, Any] = {name: int(value) for name, value in words}
    scene = Scene.waiting(**options)
    client = scene.join()
    pending: list[str] = []
    for line in lines[1:]:
        speaker, _, text = line.partition(" ")
        if not line or speaker == "#":
            continue
        text = text.replace("POWER", scene.game.who(client)[:3])
        if speaker == "C":
            pending = scene.say(client, text)
        elif speaker == "+":
            scene.wait(float(text))
            pending = scene.hears(client)
        elif text == "fill":
            scene.fill()
            pending = scene.hears(client)
        elif text == "hold others":
            me = scene.game.who(client)[:3]
            scene.hold(but=(me,))
            pending = scene.hears(client)
        else:
            place_found = next(
                (place for place, message in enumerate(pending) if message.startswith(text)), None
            )
            assert place_found is not None, f"{line}; heard {pending}"
            pending = pending[place_found + 1 :]
    assert client not in scene.closed
