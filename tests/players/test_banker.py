"""Supports as a currency: who is asked, who gets one, and what the books say after that."""

from __future__ import annotations

from random import Random

import pytest

from bordeaux import BordeauxError, Map, Position, Unit
from bordeaux.arena.game import play
from bordeaux.arena.job import Job
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.players.banker import Banker
from bordeaux.players.base import Limit, Seat
from bordeaux.players.registry import create
from bordeaux.press.diplomat.bank import Bank
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter

MAP = Map.standard()
FRANCE = Seat("FRANCE", MAP, 1)
CENTRES = {
    "FRANCE": ["PAR", "MAR", "BRE"],
    "ENGLAND": ["LON", "LVP", "EDI"],
    "GERMANY": ["BER", "KIE", "MUN"],
}
UNITS = ("FRANCE A PAR", "FRANCE A PIC", "ENGLAND F ENG", "GERMANY F NTH", "GERMANY A RUH", "GERMANY A MUN")
WHERE = Position(MAP, "S1902M", [Unit(*unit.split()) for unit in UNITS], CENTRES)


@pytest.fixture
def values(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a favour is worth and costs, in round numbers: 40 and 5."""
    monkeypatch.setattr(Bank, "favour_value", lambda bank, position, asker, order: 40.0)
    monkeypatch.setattr("bordeaux.players.banker.favour_cost", lambda *args, **rest: 5.0)


def order(text: str) -> Order:
    return parse_order(text, MAP, WHERE)


PLAN = [order("A PIC - BEL"), order("A PAR - BUR")]
#: What England and Germany may ask of us.
FOR_CHANNEL, FOR_NORTH = order("A PIC S F ENG - BEL"), order("A PIC S F NTH - BEL")
HELD = [order("A PIC H"), order("A PAR H")]


def banker(closeness: float = 1.0, honesty: float = 1.0, where: Position = WHERE) -> Banker:
    made = Banker(FRANCE, lambda power: closeness, Random(1), honesty)
    made.begin(where)
    return made


def request(support: Order, asker: str = "ENGLAND") -> Letter:
    return Letter(asker, ("FRANCE",), p.Propose(p.Promise("FRANCE", support, asker)))


def test_a_friend_is_asked_for_the_support_of_a_planned_move(values: None) -> None:
    (letter,) = banker().ask(WHERE, PLAN, {"ENGLAND"})
    assert letter.to == ("ENGLAND",)
    assert isinstance(letter.message, p.Propose)
    promise = letter.message.term
    assert isinstance(promise, p.Promise)
    assert (promise.power, promise.helped) == ("ENGLAND", "FRANCE")
    assert str(promise.order).endswith("S A PIC - BEL")
    # Nobody supports what no unit of his can reach, nor an enemy what we plan.
    assert list(banker().ask(WHERE, [order("A PAR - GAS")], {"ENGLAND"})) == []
    assert list(banker().ask(WHERE, PLAN, ())) == []


def test_a_favour_that_was_done_is_paid_and_one_that_was_not_is_remembered(values: None) -> None:
    ours = banker()
    ours.bank.lend("ENGLAND", 100.0)
    balance, rating = ours.bank.balance("ENGLAND"), ours.bank.rating("ENGLAND")
    for paid in (True, False):
        ours.begin(WHERE)
        assert len(list(ours.ask(WHERE, PLAN, {"ENGLAND"}))) == 1
        # What nobody has promised, nobody owes.
        ours.settle({"ENGLAND": [order("F ENG H")]})
        assert (ours.bank.balance("ENGLAND"), ours.bank.rating("ENGLAND")) == (balance, rating)
        ours.begin(WHERE)
        (letter,) = ours.ask(WHERE, PLAN, {"ENGLAND"})
        assert isinstance(letter.message, p.Propose) and isinstance(letter.message.term, p.Promise)
        promised = letter.message.term.order
        assert not ours.hear(Letter("GERMANY", ("FRANCE",), p.Accept(letter.message)))
        assert ours.hear(Letter("ENGLAND", ("FRANCE",), p.Accept(letter.message)))
        ours.settle({"ENGLAND": [promised if paid else order("F ENG H")]})
        now = ours.bank.balance("ENGLAND"), ours.bank.rating("ENGLAND")
        assert now[0] < balance if paid else now[0] == balance
        assert now[1] > rating if paid else now[1] < rating
        balance, rating = now


def test_a_friend_gets_a_support_on_credit_and_an_enemy_none(values: None) -> None:
    for closeness, kind in ((1.0, p.Accept), (-1.0, p.Refuse)):
        ours = banker(closeness)
        asked, plan = request(FOR_CHANNEL), HELD
        assert ours.hear(asked)
        (answer,) = ours.answer(WHERE, plan)
        assert answer == Letter("FRANCE", ("ENGLAND",), kind(asked.message))
        granted = kind is p.Accept
        assert ours.kept(plan) == ([FOR_CHANNEL, plan[1]] if granted else plan)
        ours.settle({"FRANCE": ours.kept(plan)})
        assert (ours.bank.balance("ENGLAND") > 0) is granted
        # The promise was for one turn.
        assert ours.kept(plan) == plan


def test_credit_comes_to_an_end(values: None) -> None:
    ours, granted = banker(0.0), []
    plan = HELD
    for _ in range(40):
        ours.begin(WHERE)
        ours.hear(request(FOR_CHANNEL))
        (answer,) = ours.answer(WHERE, plan)
        granted.append(isinstance(answer.message, p.Accept))
        ours.settle({"FRANCE": ours.kept(plan)})
    assert granted[0] and not granted[-1]
    assert ours.bank.balance("ENGLAND") <= ours.bank.limit("ENGLAND") * (1 + ours.bank.interest)


def test_a_unit_is_promised_to_one_only_and_not_if_it_is_busy(values: None) -> None:
    ours, plan = banker(), HELD
    assert ours.hear(request(FOR_CHANNEL))
    assert ours.hear(request(FOR_NORTH, "GERMANY"))
    answers = ours.answer(WHERE, plan)
    assert sorted(type(answer.message).__name__ for answer in answers) == ["Accept", "Refuse"]
    # Later requests for it come too late.
    ours.hear(request(FOR_NORTH, "GERMANY"))
    assert [type(letter.message) for letter in ours.answer(WHERE, plan)] == [p.Refuse]
    busy = banker()
    assert len(list(busy.ask(WHERE, PLAN, {"ENGLAND"}))) == 1
    busy.hear(request(FOR_CHANNEL))
    assert [type(letter.message) for letter in busy.answer(WHERE, PLAN)] == [p.Refuse]


@pytest.mark.parametrize(
    "letter",
    [
        request(order("A PIC S A RUH - BEL")),
        Letter("ENGLAND", ("FRANCE",), p.Propose(p.Promise("FRANCE", order("F ENG S F NTH - BEL")))),
        request(order("A PIC S F ENG - BRE")),
    ],
)
def test_what_is_not_for_the_asker_s_unit_or_is_against_us_is_refused(values: None, letter: Letter) -> None:
    ours = banker()
    assert ours.hear(letter)
    (answer,) = ours.answer(WHERE, [order("A PIC H")])
    assert answer.message == p.Refuse(letter.message)


def test_a_dishonest_banker_breaks_its_promises_and_nobody_owes_it_for_them(values: None) -> None:
    ours, plan = banker(honesty=0.0), HELD
    ours.hear(request(FOR_CHANNEL))
    (answer,) = ours.answer(WHERE, plan)
    assert isinstance(answer.message, p.Accept)
    assert ours.kept(plan) == plan
    ours.settle({"FRANCE": plan})
    assert ours.bank.balance("ENGLAND") == 0
    with pytest.raises(BordeauxError, match=r"honesty must be a number from 0 to 1, not 1\.5"):
        create("diplominator:bank=yes,honesty=1.5", FRANCE)


def test_bankers_talk_of_supports_at_level_20_and_play_as_without_below() -> None:
    def game(spec: str, level: int) -> list[tuple[object, object]]:
        seats = (*[spec] * 5, "dumbbot", "dumbbot")
        result = play(Job(0, seats, 2, Limit(nodes=1), 1903, level=level, keep=True))
        assert result.faults == ()
        assert result.game is not None
        return [(phase["orders"], phase["messages"]) for phase in result.game["phases"][:-1]]

    assert game("diplominator:bank=yes", 10) == game("diplominator", 10)
    first = game("diplominator:bank=yes", 20)
    assert first == game("diplominator:bank=yes", 20) != game("diplominator", 20)
    assert "says yes to the proposal that" in str(first)
    # Where nobody keeps a promise nothing comes of all the talk.
    dishonest = game("diplominator:bank=yes,honesty=0", 20)
    assert [orders for orders, _ in dishonest] == [orders for orders, _ in game("diplominator", 20)]
