"""What a level of press understands: its tokens, the first strange one, and press in a broken message."""

from __future__ import annotations

import pytest

from bordeaux.daide import language as d
from bordeaux.daide.client.envoy import press_group, strange_at, understood_at


class TestUnderstanding:
    def test_the_level_says_which_tokens(self) -> None:
        assert understood_at(0) == ()
        assert set(understood_at(20)) - set(understood_at(10)) == {"XDO", "DMZ"}

    @pytest.mark.parametrize(
        ("press", "place"),
        [
            ("PRP (PCE (ENG FRA))", None),
            ("PRP (DMZ (ENG) (ECH))", 2),
            ("HUH (PRP (ERR XDO))", None),
            ("TRY (XDO DMZ)", None),
            ("'hello'", 0),
            ("PRP (0x4C01)", 2),
        ],
    )
    def test_the_first_strange_token(self, press: str, place: int | None) -> None:
        assert strange_at(d.tokens_from_text(press), understood_at(10), False) == place

    def test_press_within_a_broken_message(self) -> None:
        message = d.tokens_from_text("FRM (ENG) (FRA GER) (PRP (PCE (ENG)))")
        assert press_group(message) == ("ENG", 9, d.tokens_from_text("PRP (PCE (ENG))"))
        for other in ("FRM (ENG) (FRA)", "SND (ENG) (FRA) (PRP)", "FRM (ENG) (FRA) (", "FRM (ENG) (FRA) ()"):
            assert press_group(d.tokens_from_text(other)) is None
