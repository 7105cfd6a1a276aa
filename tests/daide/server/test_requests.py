"""What clients may ask, and ADM. LANGUAGE.md, section 7: 3 and 7."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bordeaux.daide import language as d
from bordeaux.daide import wire
from tests.daide.server.scene import Scene, place
from tests.daide.server.test_turns import heads

from .wires import serving, started


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
