"""A solo, eliminations, the summary, and after. LANGUAGE.md, section 7: 2 and 9."""

from __future__ import annotations

import pytest

from bordeaux import Map, Position, Unit
from tests.daide.server.scene import Scene, place
from tests.daide.server.test_turns import heads

MAP = Map.standard()


def nearly_won() -> Position:
    """Fall 1907: England owns 17 of 34 centres and stands before the next one; Turkey has a unit and no
    centre, Russia neither."""
    others = {"FRANCE": ["PAR"], "GERMANY": ["BER"], "ITALY": ["ROM"], "AUSTRIA": ["VIE"]}
    taken = {tag for tags in others.values() for tag in tags}
    mine = [tag for tag in MAP.centres if tag not in taken and tag != "BEL"][:17]
    units = [Unit("ENGLAND", "A", "RUH"), Unit("TURKEY", "A", "SYR")]
    units += [Unit(power, "A", tags[0]) for power, tags in others.items()]
    return Position(MAP, "F1907M", units, {**others, "ENGLAND": mine})


def test_a_solo() -> None:
    scene = Scene.started(position=nearly_won(), observers=1, mtl=60)
    scene.say("ENG", "SUB ((ENG AMY RUH) MTO BEL)")
    scene.hold()
    messages = scene.hears("FRA")
    assert heads(messages) == ["ORD", "SCO", "SLO", "SMR"], "no NOW, at which clients would order again"
    assert messages == scene.hears(1) == scene.hears("RUS")
    assert messages[-2] == "SLO (ENG)"
    of = scene.of
    assert messages[-1] == (
        f"SMR (WIN 1907) (AUS ('Bot{of['AUS']}') ('1.{of['AUS']}') 1)"
        f" (ENG ('Bot{of['ENG']}') ('1.{of['ENG']}') 18)"
        f" (FRA ('Bot{of['FRA']}') ('1.{of['FRA']}') 1) (GER ('Bot{of['GER']}') ('1.{of['GER']}') 1)"
        f" (ITA ('Bot{of['ITA']}') ('1.{of['ITA']}') 1) (RUS ('Bot{of['RUS']}') ('1.{of['RUS']}') 0 1907)"
        f" (TUR ('Bot{of['TUR']}') ('1.{of['TUR']}') 0 1907)"
    )
    assert scene.game.state == "over"
    assert scene.game.outcome is not None
    assert (scene.game.outcome.kind, scene.game.outcome.powers) == ("solo", ("ENGLAND",))
    assert [phase["name"] for phase in scene.saves[-1]["phases"]] == ["F1907M", "COMPLETED"]
    assert scene.game.wake(scene.now) is None


def test_the_last_game_year_ends_in_a_draw_of_the_survivors() -> None:
    scene = Scene.started(position=nearly_won(), observers=1, btl=60, until=1907)
    scene.hold()
    assert scene.game.state == "running" and str(scene.game.position.phase) == "W1907A"
    scene.wait(61)
    assert scene.game.state == "over"
    messages = scene.hears(1)
    assert heads(messages)[-2:] == ["DRW", "SMR"], "no NOW either"
    outcome = scene.game.outcome
    assert outcome is not None and outcome.kind == "draw"
    assert set(outcome.powers) == {"AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY"}
    assert scene.saves[-1]["daide"]["settings"]["until"] == 1907


def test_after_the_end_questions_are_still_answered() -> None:
    scene = Scene.started(position=nearly_won(), mtl=60)
    scene.say("ENG", "SUB ((ENG AMY RUH) MTO BEL)")
    scene.hold()
    centres = next(message for message in scene.hears("FRA") if message.startswith("SCO"))
    (now,) = scene.say("FRA", "NOW")
    assert now.startswith("NOW (WIN 1907)")
    assert scene.say("FRA", "SCO") == [centres]
    history = scene.say("FRA", "HST (FAL 1907)")
    assert heads(history) == ["ORD", "SCO", "NOW"] and history[-2:] == [centres, now]
    assert scene.say("FRA", "ORD") == history[:-2]
    assert scene.say("FRA", "TME") == ["REJ (TME)"]
    assert scene.say("FRA", "HLO")[0].startswith("HLO (FRA)")
    assert scene.say("FRA", "ADM ('A') ('gg')") == ["ADM ('A') ('gg')"]
    watcher = scene.join()
    scene.say(watcher, "OBS")
    assert heads(scene.say(watcher, "YES (MAP ('standard'))")) == ["HLO", "SCO", "NOW"]
    scene.drop("ENG")
    assert scene.hears("FRA") == []
    code = scene.codes["ENG"]
    assert scene.say(scene.join(), f"IAM (ENG) ({code})") == [f"REJ (IAM (ENG) ({code}))"]
    assert scene.say("FRA", "NME ('A') ('1')") == ["REJ (NME ('A') ('1'))"]


def test_the_year_of_elimination_is_remembered() -> None:
    position = place(
        "NOW (FAL 1903) (ENG FLT LON) (FRA AMY PAR) (FRA AMY GAS) (ITA AMY MAR) SCO (ENG LON) (FRA PAR MAR)"
        " (ITA ROM) (UNO VIE)"
    )
    scene = Scene.started(position=position, level=10)
    scene.say("ITA", "SUB ((ITA AMY MAR) MTO BUR)")
    scene.hold()
    scene.hold()
    while str(scene.game.position.phase) < "S1905":
        scene.hold()
    scene.hold()
    for power in ("ENG", "FRA", "ITA"):
        scene.say(power, "DRW")
    summary = next(message for message in scene.hears("ENG") if message.startswith("SMR"))
    assert " 0 1903)" in summary.partition("(GER")[2]
    assert scene.game.state == "over"


THREE = place(
    "NOW (SPR 1905) (ENG FLT LON) (FRA AMY PAR) (GER AMY BER) SCO (ENG LON) (FRA PAR) (GER BER) (UNO VIE)"
)
SUMMARY = (
    "SMR (SPR 1905) (AUS ('Bot{AUS}') ('1.{AUS}') 0 1905) (ENG ('Bot{ENG}') ('1.{ENG}') 1)"
    " (FRA ('Bot{FRA}') ('1.{FRA}') 1) (GER ('Bot{GER}') ('1.{GER}') 1)"
    " (ITA ('Bot{ITA}') ('1.{ITA}') 0 1905) (RUS ('Bot{RUS}') ('1.{RUS}') 0 1905)"
    " (TUR ('Bot{TUR}') ('1.{TUR}') 0 1905)"
)


def test_when_all_survivors_agree_the_game_ends_at_once() -> None:
    scene = Scene.started(position=THREE, mtl=60, observers=1)
    for power in ("ENG", "FRA"):
        assert scene.say(power, "DRW") == ["YES (DRW)"]
        assert scene.hears("GER") == []
    summary = SUMMARY.format(**scene.of)
    assert scene.say("GER", "DRW") == ["YES (DRW)", "DRW", summary]
    assert scene.hears("AUS") == scene.hears(1) == ["DRW", summary]
    assert scene.game.state == "over"
    assert scene.game.outcome is not None
    assert scene.game.outcome.powers == ("ENGLAND", "FRANCE", "GERMANY")
    assert scene.game.wake(scene.now) is None
    assert scene.saves[-1]["daide"]["outcome"] == {"kind": "draw", "powers": ["ENGLAND", "FRANCE", "GERMANY"]}


@pytest.mark.parametrize("text", ["DRW", "NOT (DRW)"])
def test_who_has_no_say(text: str) -> None:
    scene = Scene.started(position=THREE, observers=1)
    assert scene.say("AUS", text) == [f"REJ ({text})"]
    assert scene.say(1, text) == [f"HUH (ERR {text})"]
    for power in ("ENG", "FRA", "GER"):
        scene.say(power, "DRW")
    assert scene.say("ENG", text) == [f"REJ ({text})"]
    scene = Scene.waiting()
    client = scene.join()
    scene.say(client, "NME ('A') ('1')")
    assert scene.say(client, text) == [f"REJ ({text})"]


class TestPartialDraws:
    def test_taking_back_cancels_only_its_own_kind(self) -> None:
        scene = Scene.started(position=THREE, level=10, pda=True)
        for power in ("ENG", "FRA"):
            scene.say(power, "DRW (ENG FRA GER)")
            scene.say(power, "DRW (ENG FRA)")
        scene.say("ENG", "NOT (DRW)")
        scene.say("FRA", "NOT (DRW (FRA ENG))")
        scene.say("GER", "DRW (ENG FRA)")
        assert scene.game.state == "running"
        scene.say("GER", "DRW (ENG FRA GER)")
        assert scene.game.state == "over"
