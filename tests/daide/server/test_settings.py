"""The options of a game, and how HLO lists them. LANGUAGE.md, section 5."""

from __future__ import annotations

from typing import Any

import pytest

from bordeaux import BordeauxError
from bordeaux.daide import language as d
from bordeaux.daide.server import GameSettings
from tests.daide.server.scene import Scene


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
    assert GameSettings().longest is None


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"level": 5}, "level"),
        ({"level": 140}, "level"),
        ({"level": -10}, "level"),
        ({"mtl": 0}, "mtl"),
        ({"rtl": 8192}, "rtl"),
        ({"btl": -1}, "btl"),
        ({"level": 10, "mtl": 60, "ptl": -1}, "ptl"),
        ({"level": 10, "ptl": 10}, "ptl"),
        ({"level": 10, "mtl": 10, "ptl": 10}, "ptl"),
        ({"pda": True}, "pda"),
        ({"npr": True}, "npr"),
        ({"npb": True}, "npb"),
        ({"mtl": 60, "ptl": 5}, "ptl"),
        ({"until": 0}, "until"),
        ({"until": 8191}, "until"),
        ({"save": "much too long"}, "saved game"),
        ({"save": "a-b"}, "saved game"),
    ],
)
def test_what_makes_no_sense(options: dict[str, Any], says: str) -> None:
    with pytest.raises(BordeauxError, match=says) as caught:
        GameSettings(**options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("level", [0, 10, 60, 130, 8000])
def test_a_game_of_every_level_starts(level: int) -> None:
    scene = Scene.started(level=level)
    assert scene.hears("ENG")[0].endswith(f"((LVL {level}))")


def test_settings_in_json() -> None:
    settings = GameSettings(level=20, mtl=60, dsd=True, talk=False, save="evening")
    assert GameSettings.from_json(settings.to_json()) == settings
