"""Invalid messages and their answers: all examples of LANGUAGE.md, section 14, and valid ones of 13."""

from __future__ import annotations

import pytest

from tests.daide.server.scene import Scene, place

# Sender England, Fall 1902, Turkey eliminated, Italy disconnected, no deadlines.
FALL = place(
    "NOW (FAL 1902) (ENG FLT LON) (ENG FLT NTH) (FRA AMY PAR) (GER AMY BER) (ITA AMY ROM) (AUS AMY VIE)"
    " (RUS AMY MOS) SCO (ENG LON EDI) (FRA PAR) (GER BER) (ITA ROM) (AUS VIE) (RUS MOS) (UNO CON)"
)
SCO = "SUB ((ENG FLT LON) HLD)) ((ENG AMY LVP) HLD"


def fall(level: int) -> Scene:
    scene = Scene.started(position=FALL, level=level)
    scene.drop("ITA")
    return scene


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("NME ('TinyBot') ('0.3'", "PRN (NME ('TinyBot') ('0.3')"),
        ("NME ('TinyBot')", "HUH (NME ('TinyBot') ERR)"),
        ("GOF", "HUH (ERR GOF)"),
    ],
)
def test_strangers_and_observers(text: str, answer: str) -> None:
    scene = fall(30)
    stranger, watcher = scene.join(), scene.join()
    scene.say(watcher, "OBS")
    assert scene.say(stranger, text) == scene.say(watcher, text) == [answer]


@pytest.mark.parametrize(
    ("level", "text", "answers"),
    [
        (0, SCO, [f"PRN ({SCO})"]),
        (0, "SUB ((ENG FLT LON) MTO)", ["HUH (SUB ((ENG FLT LON) MTO ERR))"]),
        (0, "SND (FRA) (PRP (PCE (ENG FRA)))", ["HUH (ERR SND (FRA) (PRP (PCE (ENG FRA))))"]),
        (
            10,
            "SND (FRA) (PRP (XDO ((ENG FLT LON) MTO NTH)))",
            ["HUH (SND (FRA) (PRP (ERR XDO ((ENG FLT LON) MTO NTH))))"],
        ),
        (10, "SND (FRA) (PRP (PCE (ENG)))", ["HUH (SND (FRA) (PRP (PCE (ENG ERR))))"]),
        (
            30,
            "SND (FRA) (PRP (AND (DRW) (ORR (DRW) (SLO (ENG)))))",
            ["HUH (SND (FRA) (PRP (AND (DRW) (ERR ORR (DRW) (SLO (ENG))))))"],
        ),
        (30, "SND (FRA) (PRP (AND (PCE (ENG FRA))))", ["HUH (SND (FRA) (PRP (AND (PCE (ENG FRA)) ERR)))"]),
        (30, "SUB (SPR 1902) ((ENG FLT LON) HLD)", ["REJ (SUB (SPR 1902) ((ENG FLT LON) HLD))"]),
        (
            30,
            "SUB ((FRA AMY PAR) MTO BUR) ((ENG FLT NTH) RTO LON) ((ENG FLT LON) MTO MUN)",
            [
                "THX ((FRA AMY PAR) MTO BUR) (NYU)",
                "THX ((ENG FLT NTH) RTO LON) (NRS)",
                "THX ((ENG FLT LON) MTO MUN) (FAR)",
                "MIS (ENG FLT LON) (ENG FLT NTH)",
            ],
        ),
        (30, "SND (ENG GER) (PRP (DRW))", ["REJ (SND (ENG GER) (PRP (DRW)))"]),
        (30, "SND (GER TUR) (PRP (DRW))", ["OUT (TUR)"]),
        (30, "SND (GER ITA) (PRP (DRW))", ["CCD (ITA)"]),
        (30, "TME (60)", ["REJ (TME (60))"]),
    ],
)
def test_players(level: int, text: str, answers: list[str]) -> None:
    scene = fall(level)
    assert scene.say("ENG", text) == answers
    assert [client for client, messages in scene.heard.items() if messages] == [scene.of["ENG"]]


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("IAM (GER) (4711)", "REJ"),
        ("HST (FAL 1903)", "REJ"),
        ("TME (30)", "REJ"),
        ("MAP", "MAP"),
        ("MDF", "MDF"),
        ("NOW", "NOW"),
        ("SCO", "SCO"),
        ("ADM ('A') ('b')", "ADM"),
    ],
)
def test_everybody_may_ask(text: str, head: str) -> None:
    scene = fall(30)
    stranger = scene.join()
    for client in (stranger, scene.of["ENG"]):
        assert scene.say(client, text)[0].split()[0] == head


def test_server_commands_from_a_client_are_syntax_errors() -> None:
    scene = fall(30)
    for text in ("THX ((ENG FLT LON) HLD) (MBV)", "SVE ('x')", "OFF", "CCD (FRA)", "SMR (FAL 1902)"):
        assert scene.say("ENG", text) == [f"HUH (ERR {text})"]
