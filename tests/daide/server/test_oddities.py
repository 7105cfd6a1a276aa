"""What programs of others say that the language does not have: every entry of the list, and conversations.

The conversations in `foreign` are written down by us as those programs were seen to behave on this server.
Lines begin with the speaker: `C` the client under test, `S` what it hears; `#` is a comment, `+ n` lets n
seconds pass. What the server says besides may be left out.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bordeaux.daide import language as d
from bordeaux.daide import wire
from bordeaux.daide.server.requests import ODDITIES, Oddity
from tests.daide.server.scene import Scene

from .wires import run, serving, started

FOREIGN = Path(__file__).with_name("foreign")
CONVERSATIONS = sorted(FOREIGN.glob("*.txt"))


@pytest.mark.parametrize("oddity", ODDITIES, ids=lambda oddity: oddity.program)
def test_every_oddity_is_answered_and_changes_nothing(oddity: Oddity) -> None:
    scene = Scene.started(level=20)
    before = scene.game.saved()
    assert scene.say("ENG", oddity.example) == [f"{oddity.verb} ({oddity.example})"]
    assert scene.game.saved() == before
    assert scene.say(scene.join(), oddity.example)[0].startswith("HUH"), "not for strangers"
    assert len(oddity.why) > 40


def test_kissmybot_keeps_its_seat_over_real_sockets() -> None:
    async def body() -> None:
        async with serving(level=20) as served:
            client = (await started(served))["ENG"]
            tokens = d.encode(("TME", "(", "0xFFFE", ")"))
            assert tokens[4:6] == b"\xff\xfe"
            client.write(wire.dm(tokens))
            assert await client.hear() == "YES (TME (0xFFFE))"
            assert (await client.ask("MIS")).startswith("MIS (ENG")

    run(body)


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


def test_there_are_conversations() -> None:
    assert {path.stem for path in CONVERSATIONS} >= {"albert", "kissmybot"}
