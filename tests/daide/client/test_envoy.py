"""What an envoy carries, and how talks are held in a phase of a game."""

from __future__ import annotations

import pytest

from bordeaux import Order, Position
from bordeaux.board.order import OrderKind
from bordeaux.daide import language as d
from bordeaux.daide.client.envoy import Envoy, Hearing, press_group, seconds_to_talk, strange_at
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter
from tests.daide.client.house import STANDARD, board
from tests.daide.client.scripted import START
from tests.daide.client.talkers import Parley
from tests.daide.client.test_units import position, told

PEACE = p.Propose(p.Peace(("FRANCE", "ENGLAND")))


def envoy(of: Position = START, options: str = "(LVL 130)", level: int = 130) -> Envoy:
    made = Envoy(told(*position(of), options=options), level)
    made.talker = Parley()
    return made


def sent(sender: Envoy, message: p.Message, *to: str, by: str = "FRANCE") -> list[str]:
    said = sender.sendable(Letter(by, to, message))
    return [] if said is None else [d.text(said)]


def frm(text: str) -> d.FRM:
    message = d.read(text, side="server", level=8000)
    assert isinstance(message, d.FRM)
    return message


class TestOut:
    def test_letters_go_out_in_the_words_of_daide(self) -> None:
        assert sent(envoy(), PEACE, "ENGLAND", "ENGLAND") == ["SND (ENG) (PRP (PCE (FRA ENG)))"]

    @pytest.mark.parametrize("level", [(20, 130), (130, 20)])
    def test_nothing_above_the_level(self, level: tuple[int, int]) -> None:
        envoy_at = envoy(options=f"(LVL {level[0]})", level=level[1])
        promise = p.Propose(p.Promise("FRANCE", Order(OrderKind.HOLD, "A", "PAR")))
        assert len(sent(envoy_at, promise, "ENGLAND")) == 1
        assert sent(envoy_at, p.Propose(p.All((p.Draw(), PEACE.term))), "ENGLAND") == []
        assert sent(envoy_at, p.Words("hello"), "ENGLAND") == []

    def test_nothing_to_or_about_powers_that_are_out_nor_to_ourselves_or_for_others(self) -> None:
        late = board("S1908M", {"FRANCE": "A PAR", "RUSSIA": "A MOS", "GERMANY": "A MUN"})
        sender = envoy(late)
        draw = p.Propose(p.Draw())
        assert sent(sender, draw, "RUSSIA") == ["SND (RUS) (PRP (DRW))"]
        assert sent(sender, draw, "ENGLAND") == []
        assert sent(sender, draw, "RUSSIA", "ENGLAND") == [], "all would have to agree"
        assert sent(sender, p.State(p.Draw()), "RUSSIA", "ENGLAND") == ["SND (RUS) (FCT (DRW))"]
        assert sent(sender, PEACE, "RUSSIA") == []
        assert sent(sender, draw, "FRANCE", "RUSSIA") == []
        assert sent(sender, draw, "RUSSIA", by="GERMANY") == []
        sender.table.take(d.CCD("RUS"), 0.0)
        assert sent(sender, draw, "RUSSIA") == []

    def test_what_daide_cannot_say_is_left_out(self) -> None:
        assert sent(envoy(), p.Propose(p.Peace(("FRANCE",))), "ENGLAND") == []
        assert sent(envoy(), p.Propose(p.Peace(("FRANCE", "NARNIA"))), "ENGLAND") == []

    def test_draws(self) -> None:
        assert envoy().draw(None) is None
        assert envoy().draw(()) == d.DRW()
        assert envoy().draw(STANDARD.powers) == d.DRW()
        assert envoy().draw(("FRANCE", "ENGLAND")) is None
        assert envoy(options="(LVL 130) (PDA)").draw(("FRANCE", "ENGLAND")) == d.DRW(("FRA", "ENG"))
        assert envoy(options="(LVL 130) (PDA)").draw(("FRANCE",)) is None


class TestIn:
    def test_letters_wait_for_the_talker(self) -> None:
        receiver = envoy()
        assert list(receiver.hear(frm("FRM (ENG) (FRA GER) (PRP (PCE (FRA ENG)))"))) == []
        assert receiver.next(0.0, lambda: False) == Letter("ENGLAND", ("FRANCE", "GERMANY"), PEACE)
        assert receiver.next(0.0, lambda: False) is None

    @pytest.mark.parametrize(
        ("press", "answer"),
        [
            ("PRP (XDO ((ENG AMY NTH) HLD))", "SND (ENG GER) (REJ (PRP (XDO ((ENG AMY NTH) HLD))))"),
            ("WHT (ENG AMY NTH)", "SND (ENG) (IDK (WHT (ENG AMY NTH)))"),
            ("WHY (PRP (XDO ((ENG AMY NTH) HLD)))", "SND (ENG) (BWX (WHY (PRP (XDO ((ENG AMY NTH) HLD)))))"),
            ("FCT (XDO ((ENG AMY NTH) HLD))", None),
            ("YES (TRY (PRP))", None),
        ],
    )
    def test_what_is_not_on_the_map_is_answered_at_once(self, press: str, answer: str | None) -> None:
        receiver = envoy()
        said = [d.text(reply) for reply in receiver.hear(frm(f"FRM (ENG) (FRA GER) ({press})"))]
        assert said == ([] if answer is None else [answer])
        assert receiver.next(0.0, lambda: False) is None

    def test_who_does_not_understand_is_told_it_no_more(self) -> None:
        receiver = envoy()
        peace = d.SND(None, ("ENG", "GER"), d.PRP(d.PCE(("FRA", "ENG", "GER"))))
        fact = d.SND(None, ("ENG", "GER"), d.FCT(d.DRW()))
        assert receiver.audible(peace) == peace
        assert not list(receiver.hear(frm("FRM (ENG) (FRA) (HUH (PRP (ERR PCE (FRA ENG GER))))")))
        assert receiver.audible(peace) is None and receiver.audible(fact) == fact
        assert not list(receiver.hear(frm("FRM (ENG) (FRA) (TRY (PRP PCE YES))")))
        assert receiver.audible(fact) == d.SND(None, ("GER",), fact.press)
        receiver.listen(frm("FRM (ENG) (FRA) (FCT (DRW))"))
        assert receiver.audible(fact) == fact


@pytest.mark.parametrize(
    ("left", "kept", "barred", "seconds"),
    [(None, 0.0, 0.0, 15.0), (101.0, 1.0, 0.0, 15.0), (11.0, 1.0, 0.0, 4.0), (11.0, 1.0, 10.0, 1.0)],
)
def test_deadlines_shorten_talks(left: float | None, kept: float, barred: float, seconds: float) -> None:
    assert seconds_to_talk(15.0, left, kept, barred) == seconds
    assert seconds_to_talk(15.0, 0.1, 1.0, 0.0) == 0.0


def test_albert_refuses_a_message_lists_nothing_and_talks_on() -> None:
    peace, over = "PRP (PCE (ENG FRA))", "FCT (NOT (PCE (ENG FRA)))"
    albert = Hearing()
    albert.uses(d.tokens_from_text(peace))
    albert.refuses(d.tokens_from_text("FCT (ERR NOT (PCE (ENG FRA)))"))
    assert albert.understands(d.tokens_from_text("PRP (DRW)")), "as it has shown nothing against it"
    albert.lists(())
    understood = {
        over: False,
        peace: True,
        f"YES ({peace})": True,
        "PRP (DRW)": False,
    }
    assert {text: albert.understands(d.tokens_from_text(text)) for text in understood} == understood


class TestUnderstanding:
    def test_the_level_says_which_tokens(self) -> None:
        none, ten, twenty = (set(envoy(level=level).understood) for level in (0, 10, 20))
        assert none == set() and twenty - ten == {"XDO", "DMZ"}

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
        assert strange_at(d.tokens_from_text(press), envoy(level=10).understood, False) == place

    def test_press_within_a_broken_message(self) -> None:
        message = d.tokens_from_text("FRM (ENG) (FRA GER) (PRP (PCE (ENG)))")
        assert press_group(message) == ("ENG", 9, d.tokens_from_text("PRP (PCE (ENG))"))
        for other in ("FRM (ENG) (FRA)", "SND (ENG) (FRA) (PRP)", "FRM (ENG) (FRA) (", "FRM (ENG) (FRA) ()"):
            assert press_group(d.tokens_from_text(other)) is None
