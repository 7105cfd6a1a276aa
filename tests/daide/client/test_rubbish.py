"""A server that sends anything at all: the client complains or ends with one line, and never crashes."""

from __future__ import annotations

import random
import re

import pytest

from bordeaux import BordeauxError
from bordeaux.daide import Bot, translate
from bordeaux.daide import language as d
from tests.daide.client.positions import BUILDS, FALL, REMOVALS, RETREAT
from tests.daide.client.scripted import STANDARD, START, Talk, play

OPENING = ("YES (NME ('a') ('b'))", "MAP ('standard')", "HLO (FRA) (77) ((LVL 130) (MTL 600) (PTL 5))")
MESSAGES = (
    "THX ((FRA AMY PAR) MTO BUR) (FAR)",
    "MIS (FRA AMY PAR) (FRA AMY MAR MRT (SPA GAS))",
    "MIS (-2)",
    "MIS",
    "ORD (SPR 1901) ((FRA AMY PAR) CTO LON VIA (ECH)) (SUC)",
    "ORD (SPR 1901) ((ENG AMY LVP) SUP (FRA AMY PAR) MTO BUR) (CUT RET)",
    "ORD (WIN 1901) (FRA WVE) (SUC)",
    "TME (30)",
    "NOT (TME (30))",
    "CCD (ENG)",
    "NOT (CCD (ENG))",
    "OUT (ENG)",
    "ADM ('x') ('y')",
    "SVE ('game')",
    "LOD ('game')",
    "YES (NOT (GOF))",
    "REJ (NOT (GOF))",
    "YES (GOF)",
    "REJ (SUB ((FRA AMY PAR) HLD))",
    "HUH (ERR SUB ((FRA AMY PAR) HLD))",
    "FRM (ENG) (FRA) (PRP (PCE (ENG FRA)))",
    "FRM (ENG) (FRA GER) (PRP (ALY (ENG FRA) VSS (GER)))",
    "FRM (ENG) (FRA) (YES (PRP (PCE (FRA ENG))))",
    "FRM (ENG) (FRA) (PRP (XDO ((FRA AMY PAR) MTO BUR)))",
    "FRM (ENG) (FRA) (TRY (PRP PCE))",
    "FRM (ENG) (FRA) (FCT (NOT (PCE (ENG FRA))))",
    "SMR (FAL 1901) (FRA ('a') ('b') 3) (RUS ('a') ('b') 0 1901)",
    "DRW (FRA RUS)",
    "SLO (RUS)",
)
BOARDS = tuple(
    message
    for position in (START, FALL, RETREAT, BUILDS, REMOVALS)
    for message in (translate.sco_of(position), translate.now_of(position))
)
ENDS = ("SMR", "DRW", "SLO", "OFF")


def mutated(tokens: d.Tokens, chance: random.Random, words: list[d.Token]) -> d.Tokens:
    """Tokens with some left out, doubled, swapped or replaced."""
    changed = list(tokens)
    for _ in range(chance.randint(0, 3)):
        at = chance.randrange(len(changed))
        match chance.randrange(4):
            case 0 if len(changed) > 1:
                del changed[at]
            case 1:
                changed.insert(at, changed[at])
            case 2:
                other = chance.randrange(len(changed))
                changed[at], changed[other] = changed[other], changed[at]
            case _:
                changed[at] = chance.choice(words)
    return tuple(changed)


@pytest.mark.parametrize("seed", range(6))
def test_mutated_messages_do_no_harm(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bordeaux.daide.client.session.LINGER", 0.05)
    chance = random.Random(seed)
    whole = [d.tokens_from_text(message) for message in MESSAGES] + [d.tokens(board) for board in BOARDS]
    words: list[d.Token] = sorted({token for tokens in whole for token in tokens}, key=str)

    async def script(talk: Talk) -> None:
        await talk.introduce()
        talk.say(*OPENING[:2], translate.mdf_of(STANDARD), OPENING[2], *BOARDS[:2])
        for number in range(400):
            message = mutated(chance.choice(whole), chance, words)
            # An end is not what is to be tested here.
            if message[0] not in ENDS:
                talk.say(message)  # type: ignore[arg-type]
            if number % 50 == 0:
                await talk.hear()
        talk.say("OFF")
        await talk.gone()

    class Quick(Bot):
        def tell(self, line: str) -> None:
            assert "internal" not in line and "\n" not in line
            complaints.append(line)

    complaints: list[str] = []
    result = play(script, kind=Quick, time=None, nodes=20, level=130)
    assert result.error is None or isinstance(result.error, BordeauxError)
    assert result.ending is not None or result.error is not None
    assert not [line for line in complaints if re.search(r"(Type|Key|Index|Attribute|Assertion)Error", line)]
