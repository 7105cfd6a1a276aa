"""The diplomat: what it offers, what it agrees to, and how it keeps its word."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from bordeaux import Position
from bordeaux.daide import Negotiator
from bordeaux.daide import language as d
from bordeaux.daide.client.press_vocabulary import press_group, strange_at, understood_at
from bordeaux.daide.client.proposals import Proposals
from bordeaux.engine import Found, Line
from tests.daide.client.positions import STANDARD, board
from tests.daide.client.test_units import START, position, told


def diplomat(of: Position = START, options: str = "(LVL 10)", level: int = 10) -> Negotiator:
    negotiator = Negotiator(told(*position(of), options=options), level)
    negotiator.notice(of)
    return negotiator


def texts(messages: Iterable[d.SND]) -> list[str]:
    return [d.text(message) for message in messages]


def hear(negotiator: Negotiator, message: str) -> list[str]:
    value = d.read(message, side="server", level=130)
    assert isinstance(value, d.FRM)
    return texts(negotiator.answer(value))


def later(negotiator: Negotiator, of: Position) -> None:
    """The game goes on to a position."""
    for message in position(of):
        negotiator.table.take(message, 0.0)
    negotiator.notice(of)


def lopsided(phase: str, leader: str, centres: int) -> Position:
    """France at home; somebody else owns many centres."""
    home = ["PAR", "MAR", "BRE"]
    others = [tag for tag in STANDARD.centres if tag not in home]
    owned = {"FRANCE": home, leader: others[:centres], "TURKEY": others[centres : centres + 2]}
    return board(phase, {"FRANCE": "A PAR, A MAR", leader: "A BUR", "TURKEY": "A SMY"}, owned)


def test_peace_is_kept_once_everybody_has_agreed() -> None:
    negotiator = diplomat()
    assert "SND (GER) (PRP (PCE (FRA GER)))" in texts(negotiator.propose())
    assert negotiator.friends == set()
    assert hear(negotiator, "FRM (GER) (FRA) (YES (PRP (PCE (FRA GER))))") == []
    assert negotiator.friends == {"GERMANY"}
    hear(negotiator, "FRM (ITA) (FRA) (YES (PRP (PCE (FRA TUR))))")
    assert negotiator.friends == {"GERMANY"}, "agreed to what nobody proposed"


def test_a_cancelled_proposal_cannot_be_agreed_any_more() -> None:
    negotiator = diplomat()
    hear(negotiator, "FRM (ENG) (FRA GER) (PRP (PCE (ENG FRA GER)))")
    hear(negotiator, "FRM (ENG) (FRA GER) (CCL (PRP (PCE (ENG FRA GER))))")
    hear(negotiator, "FRM (GER) (ENG FRA) (YES (PRP (PCE (ENG FRA GER))))")
    assert negotiator.friends == set()


def test_a_refused_offer_is_not_made_again_for_years() -> None:
    negotiator = diplomat()
    assert any("(GER)" in text for text in texts(negotiator.propose()))
    hear(negotiator, "FRM (GER) (FRA) (REJ (PRP (PCE (FRA GER))))")
    assert not any("(GER)" in text for text in texts(negotiator.propose()))
    units = {"FRANCE": "A PAR", "GERMANY": "A BER"}
    for year, asked in ((1902, False), (1903, True)):
        later(
            negotiator, board(f"S{year}M", units | {"ITALY": "A ROM", "RUSSIA": "A MOS", "TURKEY": "A CON"})
        )
        assert any("PCE (FRA GER)" in text for text in texts(negotiator.propose())) is asked


def test_who_does_not_understand_is_asked_nothing_until_it_says_what_it_does() -> None:
    negotiator = diplomat()
    hear(negotiator, "FRM (GER) (FRA) (HUH (ERR PRP (PCE (FRA GER))))")
    assert not any("(GER)" in text for text in texts(negotiator.propose()))
    hear(negotiator, "FRM (GER) (FRA) (TRY (PRP PCE YES REJ))")
    assert any("(GER)" in text for text in texts(negotiator.propose()))
    hear(negotiator, "FRM (GER) (FRA) (TRY ())")
    assert not any("(GER)" in text for text in texts(negotiator.propose()))


def test_nobody_is_left_to_win_from_if_everybody_is_a_friend() -> None:
    negotiator = diplomat()
    negotiator.friends = {"ENGLAND", "GERMANY", "ITALY", "AUSTRIA"}
    assert not negotiator.agrees(d.PCE(("FRA", "RUS")))
    negotiator.friends = {"ENGLAND"}
    assert negotiator.agrees(d.PCE(("FRA", "RUS")))


def test_powers_in_disorder_or_about_to_win_get_no_peace() -> None:
    negotiator = diplomat()
    negotiator.table.take(d.CCD("GER"), 0.0)
    assert not negotiator.agrees(d.PCE(("FRA", "GER")))
    negotiator = diplomat(lopsided("S1908M", "GERMANY", 16))
    assert not negotiator.agrees(d.PCE(("FRA", "GER")))


def test_an_alliance_is_offered_to_friends_against_who_is_about_to_win() -> None:
    negotiator = diplomat(lopsided("S1908M", "GERMANY", 17))
    negotiator.friends = {"TURKEY"}
    assert "SND (TUR) (PRP (ALY (FRA TUR) VSS (GER)))" in texts(negotiator.propose())


def test_no_alliance_against_a_friend() -> None:
    negotiator = diplomat()
    assert negotiator.agrees(d.ALY(("FRA", "ENG"), ("GER",)))
    negotiator.friends = {"GERMANY"}
    assert not negotiator.agrees(d.ALY(("FRA", "ENG"), ("GER",)))


@pytest.mark.parametrize("fact", ["NOT (PCE (FRA GER))", "NAR (PCE (FRA GER))", "ALY (GER ITA) VSS (FRA)"])
def test_a_friend_can_drop_us(fact: str) -> None:
    negotiator = diplomat()
    negotiator.friends = {"GERMANY"}
    hear(negotiator, f"FRM (GER) (FRA) (FCT ({fact}))")
    assert negotiator.friends == set()


def test_both_can_undo_a_peace() -> None:
    negotiator = diplomat()
    negotiator.friends = {"GERMANY"}
    said = hear(negotiator, "FRM (GER) (FRA) (PRP (NAR (PCE (FRA GER))))")
    assert said == ["SND (GER) (YES (PRP (NAR (PCE (FRA GER)))))"]
    assert negotiator.friends == set()


class TestDraws:
    def test_none_at_the_start(self) -> None:
        assert diplomat().draw() is None

    def test_one_when_nothing_has_changed_for_years(self) -> None:
        negotiator = diplomat()
        for year in (1902, 1903):
            later(negotiator, Position(STANDARD, f"S{year}M", START.units, START.centres))
            assert negotiator.draw() is None
        later(negotiator, Position(STANDARD, "S1904M", START.units, START.centres))
        assert negotiator.draw() == d.DRW()
        assert negotiator.agrees(d.DRW())
        offers = [text for text in texts(negotiator.propose()) if "DRW" in text]
        assert offers == ["SND (AUS ENG GER ITA RUS TUR) (PRP (DRW))"]

    def test_one_when_somebody_else_is_about_to_win_but_not_when_it_is_us(self) -> None:
        assert diplomat(lopsided("S1908M", "GERMANY", 16)).draw() == d.DRW()
        ours = lopsided("S1908M", "GERMANY", 16)
        swapped = Position(
            STANDARD,
            "S1908M",
            ours.units,
            {"FRANCE": ours.centres["GERMANY"], "GERMANY": ours.centres["FRANCE"]},
        )
        assert diplomat(swapped).draw() is None

    def test_the_one_agreed_upon(self) -> None:
        negotiator = diplomat(lopsided("S1908M", "GERMANY", 16), "(LVL 10) (PDA)")
        hear(negotiator, "FRM (TUR) (FRA) (PRP (DRW (FRA TUR)))")
        assert negotiator.draw() == d.DRW(("FRA", "TUR"))
        hear(negotiator, "FRM (TUR) (FRA) (PRP (NOT (DRW)))")


def found(*lines: tuple[float, tuple[str, ...]]) -> Found:
    listed = tuple(Line(orders, value, 0.5) for value, orders in lines)
    return Found("FRANCE", listed[0].orders, listed[0].value, listed, 10, 0.1)


ATTACK = ("A PAR - BUR", "A MAR - BUR")
PEACEFUL = ("A PAR - PIC", "A MAR H")
CLOSE = board("F1902M", {"FRANCE": "A PAR, A MAR", "GERMANY": "A BUR", "ITALY": "A PIE"})


class TestChoice:
    def test_without_friends_the_best_is_chosen(self) -> None:
        assert diplomat(CLOSE).choose(CLOSE, found((100.0, ATTACK), (99.0, PEACEFUL))) == ATTACK

    def test_friends_are_not_attacked_if_it_costs_little(self) -> None:
        negotiator = diplomat(CLOSE)
        negotiator.friends = {"GERMANY"}
        assert negotiator.choose(CLOSE, found((100.0, ATTACK), (90.0, PEACEFUL))) == PEACEFUL
        assert negotiator.broken == set()

    def test_a_promise_that_costs_too_much_is_broken_and_that_is_said(self) -> None:
        negotiator = diplomat(CLOSE)
        negotiator.friends = {"GERMANY"}
        assert negotiator.choose(CLOSE, found((100.0, ATTACK), (50.0, PEACEFUL))) == ATTACK
        assert negotiator.broken == {"GERMANY"}
        assert texts(negotiator.propose())[0] == "SND (GER) (FCT (NOT (PCE (FRA GER))))"
        assert negotiator.friends == set()

    def test_centres_and_helped_attacks_count(self) -> None:
        negotiator = diplomat(CLOSE)
        negotiator.friends = {"GERMANY"}
        helping = board("F1902M", {"FRANCE": "A BUR, A PIC", "ITALY": "A TYR, A PIE", "GERMANY": "A MUN"})
        assert negotiator.attacked(helping, ["A BUR S A TYR - MUN"]) == {"GERMANY"}
        assert negotiator.attacked(helping, ["A BUR - MUN"]) == {"GERMANY"}
        assert negotiator.attacked(helping, ["A BUR S A MUN", "A PIC - BEL"]) == set()
        negotiator.friends = {"ITALY"}
        assert negotiator.attacked(helping, ["A BUR S A TYR - MUN"]) == set()

    def test_a_promised_order_is_one_that_is_planned(self) -> None:
        negotiator = diplomat(CLOSE, "(LVL 20)", 20)
        negotiator.choose(CLOSE, found((100.0, PEACEFUL)))
        planned, other = (
            d.read_part("order", "(FRA AMY PAR) MTO PIC"),
            d.read_part("order", "(FRA AMY PAR) HLD"),
        )
        assert negotiator.agrees(d.XDO(planned)) and not negotiator.agrees(d.XDO(other))
        assert negotiator.agrees(d.ORR((d.XDO(planned), d.XDO(other))))
        assert not negotiator.agrees(d.AND((d.XDO(planned), d.XDO(other))))
        assert negotiator.agrees(d.CHO(1, 2, (d.XDO(planned), d.XDO(other))))


class TestUnderstanding:
    def test_the_level_says_which_tokens(self) -> None:
        assert understood_at(0) == ()
        assert set(understood_at(20)) - set(understood_at(10)) == {"XDO", "DMZ"}
        assert diplomat(options="(LVL 20)").understood == understood_at(10)
        assert diplomat(options="(LVL 10)", level=130).understood == understood_at(10)

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


def test_who_takes_back_a_yes_has_not_agreed() -> None:
    proposals, press = Proposals(), d.PRP(d.PCE(("FRA", "GER")))
    proposals.open(press, "FRA", ("GER",))
    proposals.agreed(press, "GER")
    proposals.cancelled(d.YES(press), "GER")
    assert not proposals.settle(press)
    proposals.agreed(press, "GER")
    assert proposals.settle(press) and not proposals.settle(press)
