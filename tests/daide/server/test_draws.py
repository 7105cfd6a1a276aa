"""Draws by agreement, of all survivors or of some (PDA). LANGUAGE.md, section 7: 8."""

from __future__ import annotations

import pytest

from bordeaux.rules.outcome import Draws
from tests.daide.server.scene import Scene, place

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


def test_offers_lapse_when_the_turn_is_played() -> None:
    scene = Scene.started(position=THREE)
    scene.say("ENG", "DRW")
    scene.say("FRA", "DRW")
    scene.hold("ENG", "FRA", "GER")
    scene.say("GER", "DRW")
    assert scene.game.state == "running"
    scene.say("FRA", "DRW")
    scene.say("ENG", "DRW")
    assert scene.game.state == "over"


def test_offers_may_be_taken_back() -> None:
    scene = Scene.started(position=THREE)
    scene.say("ENG", "DRW")
    assert scene.say("ENG", "NOT (DRW)") == ["YES (NOT (DRW))"]
    assert scene.say("ENG", "NOT (DRW)") == ["YES (NOT (DRW))"]
    scene.say("FRA", "DRW")
    scene.say("GER", "DRW")
    assert scene.game.state == "running"


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


def test_a_power_that_is_away_has_its_say_all_the_same() -> None:
    scene = Scene.started(position=THREE)
    scene.say("FRA", "DRW")
    scene.say("GER", "DRW")
    scene.drop("ENG")
    assert scene.game.state == "running"
    new = scene.join()
    scene.say(new, f"IAM (ENG) ({scene.codes['ENG']})")
    scene.say(new, "DRW")
    assert scene.game.state == "over"


class TestPartialDraws:
    def test_identical_lists_from_all_survivors(self) -> None:
        scene = Scene.started(position=THREE, level=10, pda=True)
        assert scene.say("ENG", "DRW (ENG FRA)") == ["YES (DRW (ENG FRA))"]
        scene.say("FRA", "DRW (FRA ENG)")
        assert scene.say("GER", "DRW (ENG GER)") == ["YES (DRW (ENG GER))"]
        assert scene.game.state == "running"
        replies = scene.say("GER", "DRW (ENG FRA)")
        assert replies[:2] == ["YES (DRW (ENG FRA))", "DRW (ENG FRA)"]
        assert replies[2].startswith("SMR (SPR 1905)")
        assert scene.game.outcome is not None
        assert scene.game.outcome.powers == ("ENGLAND", "FRANCE")

    def test_a_plain_draw_is_one_of_all_survivors(self) -> None:
        scene = Scene.started(position=THREE, level=10, pda=True)
        scene.say("ENG", "DRW (ENG FRA GER)")
        scene.say("FRA", "DRW")
        assert scene.say("GER", "DRW (GER FRA ENG)")[1] == "DRW"
        assert scene.game.state == "over"

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

    @pytest.mark.parametrize("text", ["DRW (ENG AUS)", "DRW (ENG ENG)", "NOT (DRW (ENG AUS))"])
    def test_lists_of_survivors_only(self, text: str) -> None:
        scene = Scene.started(position=THREE, level=10, pda=True)
        assert scene.say("ENG", text) == [f"REJ ({text})"]

    @pytest.mark.parametrize("text", ["DRW (ENG FRA)", "NOT (DRW (ENG FRA))"])
    def test_only_where_the_option_allows_them(self, text: str) -> None:
        scene = Scene.started(position=THREE, level=10)
        assert scene.say("ENG", text) == [f"REJ ({text})"]
        scene = Scene.started(position=THREE)
        assert scene.say("ENG", text)[0].startswith("HUH")


def test_of_several_agreed_draws_the_largest_counts() -> None:
    votes = {power: [["A", "B"], []] for power in "ABC"}
    assert Draws(votes).agreed("ABC") == ("A", "B", "C")
    assert Draws(votes).agreed("AB") == ("A", "B")
    assert Draws({"A": [[]]}).agreed("AB") is None
    assert Draws().agreed("") is None
